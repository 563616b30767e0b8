from itertools import count, islice

import pytest

from streams import Peekable, batches, merge_streams, running_totals, sessions, steps, without_repeats


@pytest.mark.parametrize(
    "items, size, expected",
    [("", 3, []), ("abc", 3, ["abc"]), ("abcd", 3, ["abc", "d"]), ("abcdef", 3, ["abc", "def"]), ("ab", 1, ["a", "b"])],
)
def test_batches_by_count(items, size, expected):
    assert ["".join(batch) for batch in batches(items, size)] == expected


def test_batches_by_weight():
    words = ["aa", "bbb", "c", "dddddd", "e", "f", "ggg"]
    assert list(batches(words, 5, weight=len)) == [["aa", "bbb"], ["c"], ["dddddd"], ["e", "f", "ggg"]]


def test_batches_are_lazy_and_check_their_size():
    assert list(islice(batches(count(), 2), 2)) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match="positive"):
        next(batches("abc", 0))


@pytest.mark.parametrize(
    "times, expected",
    [
        ([], []),
        ([4], [(4, 4, 1)]),
        ([0, 5, 10], [(0, 10, 3)]),
        ([0, 5, 11], [(0, 5, 2), (11, 11, 1)]),
        ([0, 0, 9, 20, 21], [(0, 0, 2), (9, 9, 1), (20, 21, 2)]),
    ],
)
def test_sessions(times, expected):
    assert list(sessions(times, 5)) == expected


def test_sessions_refuse_to_go_back():
    found = sessions([0, 9, 8], 5)
    assert next(found) == (0, 0, 1)
    with pytest.raises(ValueError, match="from 9 to 8"):
        next(found)


def test_merge():
    merged = merge_streams({"x": [1, 4, 4, 9], "empty": [], "y": [2, 4, 5]})
    assert list(merged) == [("x", 1), ("y", 2), ("x", 4), ("x", 4), ("y", 4), ("y", 5), ("x", 9)]


def test_merge_by_key_never_compares_items():
    streams = {"a": [{"t": 3}, {"t": 5}], "b": [{"t": 3}, {"t": 4}]}
    order = [(name, item["t"]) for name, item in merge_streams(streams, key=lambda item: item["t"])]
    assert order == [("a", 3), ("b", 3), ("b", 4), ("a", 5)]


def test_merge_endless_streams():
    merged = merge_streams({"odd": count(1, 2), "even": count(0, 2)})
    assert [item for _, item in islice(merged, 5)] == [0, 1, 2, 3, 4]
    assert list(merge_streams({})) == []


@pytest.mark.parametrize(
    "within, expected", [(1, "abcabac"), (2, "abcabc"), (3, "abc")]
)
def test_without_repeats(within, expected):
    assert "".join(without_repeats("aabcabbac", within)) == expected


@pytest.mark.parametrize(
    "samples, expected",
    [
        ([], []),
        ([(10, "a")], [(10, "a")]),
        ([(12, "a")], []),
        ([(12, "a"), (20, "b")], [(20, "b")]),
        ([(12, "a"), (21, "b")], [(20, "a")]),
        ([(0, "a"), (35, "b"), (36, "c"), (40, "d")], [(0, "a"), (10, "a"), (20, "a"), (30, "a"), (40, "d")]),
        ([(9, "a"), (10, "b"), (10, "c"), (11, "d")], [(10, "c")]),
    ],
)
def test_steps(samples, expected):
    assert list(steps(samples, 10)) == expected


def test_peekable_looks_ahead_without_taking():
    stream = Peekable("abcd")
    assert stream.peek() == "a"
    assert stream.peek(2) == "c"
    assert next(stream) == "a"
    assert stream.peek() == "b"
    assert list(stream) == ["b", "c", "d"]
    assert stream.peek() is None
    assert stream.peek(0, "end") == "end"


def test_peeking_past_the_end_loses_nothing():
    stream = Peekable([1, 2])
    assert stream.peek(2, "end") == "end"
    assert list(stream) == [1, 2]


def test_push_back():
    stream = Peekable([3])
    stream.push_back(2)
    stream.push_back(1)
    assert list(stream) == [1, 2, 3]


def test_take_while():
    stream = Peekable([2, 4, 5, 6])
    assert list(stream.take_while(lambda n: n % 2 == 0)) == [2, 4]
    assert list(stream) == [5, 6]
    assert list(stream.take_while(lambda n: True)) == []


def test_running_totals():
    totals = running_totals()
    assert next(totals) == (0, 0, None)
    assert totals.send(-4) == (1, -4, -4)
    assert totals.send(-9) == (2, -13, -4)
    assert totals.send(3) == (3, -10, 3)
    assert totals.send(None) == (0, 0, None)
    assert totals.send(1) == (1, 1, 1)
