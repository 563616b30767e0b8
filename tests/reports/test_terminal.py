from __future__ import annotations

import pytest
from rich.cells import cell_len

from mendlab.records import Outcome
from mendlab.reports.data import Material
from mendlab.reports.summary import summarise
from mendlab.reports.terminal import summary_text


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_no_line_is_wider_than_the_terminal(name, request):
    text = summary_text(summarise(request.getfixturevalue(name)))
    assert max(cell_len(line) for line in text.splitlines()) <= 80


def test_the_table_has_every_run_with_its_rate(demo):
    text = summary_text(summarise(demo))
    assert "single_turn coder-32b  34/59           58% (43–71%)        66%      5%" in text
    for baseline in ("noop, baseline", "reference, baseline", "search, baseline"):
        assert baseline in text
    assert "new test failed 9" in text
    told = " ".join(text.split())
    assert "single_turn coder-32b: end to end 57% (43–70%) correct; correct patches 1.0 times the reference's" in told
    assert "each correct fix took $0.0037 (0.0029–0.0047), 335 (262–429) output tokens, " in told


def test_names_are_neither_markup_nor_escapes(make):
    tasks = (make.task(0),)
    run = make.run("r", "[bold red]x[/]\x1b[31m", tasks, [Outcome.EXACT])
    text = summary_text(summarise(Material((run,), tasks)))
    assert "[bold red]x[/]\\x1b[31m" in text.replace("\n", "")
    assert "\x1b" not in text


def test_no_runs_are_a_line():
    assert summary_text(summarise(Material((), ()))).strip() == "No run was given; the task set has 0 tasks."
