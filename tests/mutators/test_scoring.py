"""The score and what it is made of, and which survivors come first."""

from __future__ import annotations

import pytest

from mendlab.mutators.scoring.summary import (
    Counts,
    Kills,
    by_family,
    by_file,
    kills_by_test,
    median_killers,
    survivors,
)
from mendlab.records import Defect, MutantStatus, MutantVerdict, Span, TestOutcome


def verdict(status, *, subject="s", file="m.py", family="value", line=1, reached=None, at_import=False, killers=None):
    span = Span(start_line=line, start_column=0, end_line=line, end_column=1)
    return MutantVerdict(
        mutant=f"{subject}.{file}.{line}.{status}.{reached}",
        subject=subject,
        defect=Defect(origin="operator", family=family, files=(file,), span=span, diff=""),
        status=status,
        reached=reached,
        at_import=at_import,
        killers=killers or {},
    )


def counts(**numbers):
    return Counts.of(verdict(MutantStatus(name)) for name, number in numbers.items() for _ in range(number))


@pytest.mark.parametrize(
    ("found", "score", "with_unreached"),
    [
        (counts(killed_by_assertion=2, killed_by_error=1, survived=1), 0.75, 0.75),
        (counts(killed_by_assertion=1, survived=1, not_infected=2), 0.25, 0.25),
        (counts(killed_by_assertion=1, unreached=3), 1.0, 0.25),
        (counts(killed_by_timeout=1, breaks_import=1, equal_code=1, does_not_compile=1, engine_error=1), None, None),
        (counts(unreached=2), None, 0.0),
        (counts(), None, None),
    ],
)
def test_the_score_is_killed_over_killed_and_survived(found, score, with_unreached):
    assert found.score == score
    assert found.score_with_unreached == with_unreached
    assert set(found.by_status) == set(MutantStatus)


def test_files_of_several_programs_have_the_programs_name():
    one, other = verdict(MutantStatus.SURVIVED), verdict(MutantStatus.UNREACHED, subject="t", family="text")
    assert list(by_file([one])) == ["m.py"]
    assert {name: each.total for name, each in by_file([one, other, other]).items()} == {"s:m.py": 1, "t:m.py": 2}
    assert list(by_family([one, other])) == ["text", "value"]


def test_each_line_has_one_survivor_shown_before_a_second_and_the_most_reached_come_first():
    alive = [
        verdict(MutantStatus.SURVIVED, line=1, reached=9),
        verdict(MutantStatus.NOT_INFECTED, line=1, reached=8),
        verdict(MutantStatus.KILLED_BY_ERROR, line=2, reached=7),
        verdict(MutantStatus.SURVIVED, line=3, reached=2),
        verdict(MutantStatus.SURVIVED, line=4, reached=5),
    ]
    assert [each.reached for each in survivors(alive)] == [9, 5, 2, 8]


def test_what_runs_at_import_is_shown_after_all_that_tests_reach_by_themselves():
    alive = [
        verdict(MutantStatus.SURVIVED, line=1, reached=99, at_import=True),
        verdict(MutantStatus.SURVIVED, line=2, reached=1),
        verdict(MutantStatus.SURVIVED, line=3, reached=7),
        verdict(MutantStatus.SURVIVED, line=3, reached=7),
    ]
    assert [each.defect.span.start_line for each in survivors(alive)] == [3, 2, 3, 1]


def test_what_each_test_kills_is_counted_and_what_it_alone_kills():
    fails, hangs = TestOutcome.FAILED, TestOutcome.TIMEOUT
    verdicts = [
        verdict(MutantStatus.KILLED_BY_ASSERTION, killers={"a": fails, "b": fails}),
        verdict(MutantStatus.KILLED_BY_ERROR, killers={"a": TestOutcome.ERROR, "c": hangs}),
        verdict(MutantStatus.KILLED_BY_ASSERTION, subject="t", killers={"a": fails, "b": fails, "c": fails}),
        verdict(MutantStatus.KILLED_BY_TIMEOUT, killers={"c": hangs}),
        verdict(MutantStatus.SURVIVED),
    ]
    tests = [("s", "a"), ("s", "b"), ("s", "c"), ("t", "a")]
    assert kills_by_test(verdicts, tests) == {
        ("s", "a"): Kills(2, 1),
        ("s", "b"): Kills(1, 0),
        ("s", "c"): Kills(0, 0),
        ("t", "a"): Kills(1, 0),
    }
    assert median_killers(verdicts) == 2
    assert median_killers([verdict(MutantStatus.SURVIVED)]) is None
