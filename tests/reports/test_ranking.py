from __future__ import annotations

import pytest

from mendlab.records import Outcome
from mendlab.reports.data import join
from mendlab.reports.ranking import ranking


@pytest.fixture
def judged(make):
    tasks = tuple(make.task(number) for number in range(66))

    def run(correct):
        outcomes = [Outcome.EXACT if correct(number) else Outcome.NEW_TEST_FAILED for number in range(66)]
        return join(make.run("r", "x", tasks, outcomes), tasks)

    return run


def test_runs_that_differ_by_chance_are_tied(judged):
    good, as_good = judged(lambda number: number % 4), judged(lambda number: (number + 1) % 4)
    ranks = ranking({"good": good, "as good": as_good, "bad": judged(lambda number: number % 10 == 0)})
    assert {label: str(rank) for label, rank in ranks.items()} == {"good": "1–2", "as good": "1–2", "bad": "3"}
    assert ranks["good"].tied == ("as good",)
    assert ranks["bad"].tied == ()


def test_all_or_nothing_is_told_apart_and_equals_are_not(judged):
    ranks = ranking({"none": judged(lambda _: False), "all": judged(lambda _: True), "too": judged(lambda _: True)})
    assert {label: str(rank) for label, rank in ranks.items()} == {"none": "3", "all": "1–2", "too": "1–2"}


def test_what_shares_no_task_is_tied(make):
    first, second = (make.task(number) for number in (0, 1))
    ranks = ranking(
        {
            name: join(make.run("r", "x", (task,), [Outcome.EXACT]), (task,))
            for name, task in (("a", first), ("b", second))
        }
    )
    assert {str(rank) for rank in ranks.values()} == {"1–2"}
