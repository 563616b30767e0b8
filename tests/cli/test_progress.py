"""What a log has of progress, where standard error is no terminal."""

from __future__ import annotations

import time

import pytest

from mendlab.cli import output


@pytest.fixture
def quick(monkeypatch):
    """A hundredth of the time."""
    for name in ("_PATIENCE_SECONDS", "_PLAIN_SECONDS", "_MOST_SECONDS", "_TICK_SECONDS"):
        monkeypatch.setattr(output, name, getattr(output, name) / 100)


def test_short_work_has_a_line_a_stage(capsys):
    with output.progress_on_stderr() as progress:
        for stage in ("read", "tried"):
            for done in range(21):
                progress(stage, done, 20)
    assert capsys.readouterr().err.splitlines() == ["read: 20 of 20", "tried: 20 of 20"]


def test_a_total_that_grows_has_no_line_each_time(capsys):
    with output.progress_on_stderr() as progress:
        for done in range(1, 30):
            progress("found", done, done)
    assert capsys.readouterr().err.splitlines() == ["found: 1 of 1", "found: 29 of 29"]


def test_long_work_is_heard_of_though_nothing_is_done(capsys, quick):
    with output.progress_on_stderr() as progress:
        progress("tried", 0, 20)
        progress.step("reading")
        time.sleep(0.5)
    assert capsys.readouterr().err.splitlines() == ["tried: 0 of 20", "reading"]


def test_lines_get_seldom(capsys, quick, monkeypatch):
    monkeypatch.setattr(output._Stage.__init__, "__defaults__", (0.05, *output._Stage.__init__.__defaults__[1:]))
    with output.progress_on_stderr() as progress:
        until = time.monotonic() + 1.5
        done = 0
        while time.monotonic() < until:
            progress("tried", done := done + 1, None)
            time.sleep(0.005)
    assert 3 <= len(capsys.readouterr().err.splitlines()) <= 7


def test_what_fails_says_nothing_more(capsys):
    with pytest.raises(KeyError), output.progress_on_stderr() as progress:
        progress("tried", 3, 20)
        raise KeyError
    assert capsys.readouterr().err == ""
