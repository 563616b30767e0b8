import pytest

from logscan import main


@pytest.fixture
def logs(tmp_path, monkeypatch):
    monkeypatch.delenv("LOGSCAN_TOP", raising=False)
    quiet = ["10:0{}:00 GET /p{} 200 {}ms".format(n, n, n * 10) for n in range(5)]
    (tmp_path / "quiet.log").write_text("\n".join(quiet))
    (tmp_path / "noisy.log").write_text("11:00:00 GET /down 500 1ms\n" * 5)
    (tmp_path / "notes.txt").write_text("not a log")
    return tmp_path


def pages(out):
    return [line.split()[1] for line in out.splitlines() if "ms " in line]


def test_one_file(logs, capsys):
    assert main([str(logs / "quiet.log")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("5 requests, 0 lines skipped\n2xx      5 100.0%\n")
    assert pages(out) == ["/p4", "/p3", "/p2"]
    assert err == ""


def test_folder_and_burst(logs, capsys):
    assert main([str(logs)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("10 requests, 0 lines skipped\n")
    assert out.endswith("burst 11:00-11:00: 5 errors\n")


def test_options(logs, capsys):
    assert main([str(logs), "--burst", "6", "--top", "1"]) == 0
    out = capsys.readouterr().out
    assert pages(out) == ["/p4"]
    assert "burst" not in out


def test_top_from_the_environment(logs, capsys, monkeypatch):
    monkeypatch.setenv("LOGSCAN_TOP", "2")
    main([str(logs / "quiet.log")])
    assert pages(capsys.readouterr().out) == ["/p4", "/p3"]
    main([str(logs / "quiet.log"), "--top", "4"])
    assert len(pages(capsys.readouterr().out)) == 4


def test_missing_file(logs, capsys):
    assert main([str(logs / "none.log")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "logscan: {}: No such file or directory\n".format(logs / "none.log")


def test_nothing_in_it(logs, capsys):
    assert main([str(logs / "notes.txt")]) == 2
    assert capsys.readouterr() == ("", "logscan: no requests found\n")


def test_no_arguments(capsys):
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert "logscan" in capsys.readouterr().err
