import pytest

from logscan import Entry, bursts, clock, parse_line, percentile, read_logs, report, slowest, status_classes


@pytest.mark.parametrize(
    "line, entry",
    [
        ("09:30:12 GET /index 200 41ms", Entry(570, "GET", "/index", 200, 41)),
        ("  23:59:59   POST  /a/b/?q=1/  503  0ms \n", Entry(1439, "POST", "/a/b", 503, 0)),
        ("00:01:00 GET / 100 5ms", Entry(1, "GET", "/", 100, 5)),
        ("00:01:00 GET /? 599 5ms", Entry(1, "GET", "/", 599, 5)),
        ("00:01:00 get / 200 5ms", None),
        ("00:01:00 GET / 600 5ms", None),
        ("00:01:00 GET / 200 5", None),
        ("00:01:00 GET / 200 5ms extra", None),
        ("", None),
    ],
)
def test_parse_line(line, entry):
    assert parse_line(line) == entry


def test_read_logs(tmp_path):
    first, second = tmp_path / "b.log", tmp_path / "a.log"
    first.write_text("# comment\n\n10:00:00 GET /x 200 1ms\nnonsense\n")
    second.write_bytes(b"10:01:00 GET /y 200 2ms\n\xff\xfe\n")
    entries, bad = read_logs([first, second])
    assert [entry.page for entry in entries] == ["/x", "/y"]
    assert bad == 2


@pytest.mark.parametrize(
    "percent, value", [(0, 10), (1, 10), (20, 10), (21, 20), (50, 30), (95, 50), (100, 50)]
)
def test_percentile(percent, value):
    assert percentile([50, 10, 40, 20, 30], percent) == value


def test_percentile_of_nothing():
    assert percentile([], 50) is None
    assert percentile([7], 0) == 7


def entries_of(*rows):
    return [Entry(minute, "GET", page, status, millis) for minute, page, status, millis in rows]


def test_status_classes():
    entries = entries_of((0, "/", 503, 1), (0, "/", 200, 1), (0, "/", 204, 1), (0, "/", 404, 1))
    assert list(status_classes(entries).items()) == [("2xx", 2), ("4xx", 1), ("5xx", 1)]
    assert status_classes([]) == {}


def test_slowest():
    entries = entries_of(
        (0, "/a", 200, 50), (0, "/b", 200, 90), (0, "/b", 200, 10), (0, "/c", 200, 90), (0, "/d", 200, 50)
    )
    assert slowest(entries, 9) == [("/b", 90, 2), ("/c", 90, 1), ("/a", 50, 1), ("/d", 50, 1)]
    assert slowest(entries, 2) == [("/b", 90, 2), ("/c", 90, 1)]
    assert slowest(entries, 1, percent=50) == [("/c", 90, 1)]


def test_slowest_leaves_outliers_out():
    entries = entries_of(*[(0, "/a", 200, n) for n in range(1, 41)])
    assert slowest(entries, 1) == [("/a", 38, 40)]


def test_bursts():
    minutes = [1, 1, 2, 2, 2, 3, 5, 5, 9]
    entries = entries_of(*[(minute, "/", 500, 1) for minute in minutes], (9, "/", 499, 1))
    assert bursts(entries, 2) == [(1, 2, 5), (5, 5, 2)]
    assert bursts(entries, 1) == [(1, 3, 6), (5, 5, 2), (9, 9, 1)]
    assert bursts(entries, 4) == []


def test_clock():
    assert clock(0) == "00:00"
    assert clock(754) == "12:34"


def test_report():
    entries = entries_of((59, "/a", 500, 7), (60, "/a", 500, 9), (60, "/b", 200, 12))
    assert report(entries, 4, 1, 1) == [
        "3 requests, 4 lines skipped",
        "2xx      1  33.3%",
        "5xx      2  66.7%",
        "    12ms /b (1)",
        "burst 00:59-01:00: 2 errors",
    ]
