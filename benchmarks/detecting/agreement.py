"""The quick engine against the path that shares nothing: every test's outcome, and whether a mutant is killed.

Tests lean on what others leave behind: with a mutant that spoils the state of the program, whatever runs after it may
fail, and an engine that leaves out tests, or runs them in another order, sees others fail. So where the two differ, the
slow path runs again the tests that the quick one ran, and the others, each without the rest: if it says then what the
quick one says, the difference is one of order, counted by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from measures.progress import say
from measures.section import Goal, Section, Table

from detecting.deciding import check, kind, learn, open_quick, open_slow
from detecting.subjects import Drawn, Prepared
from mendlab.records import TestOutcome
from mendlab.verify.engines.engine import Engine, RunOptions, TestRun

SHOWN = 5
HUMANEVAL = "HumanEval"
WANTED = 5000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mutant of which the two paths say different things: the tests, with both outcomes."""

    mutant: Drawn
    what: str
    of_order: bool


def section(subjects: Sequence[Prepared], programs: Iterable[Prepared], count: int, workers: int) -> Section:
    """Compare so many mutants of each subject, and all of each of the ``programs``, which count as one subject.

    Every difference is printed with its diff.
    """
    rows, data, different, compared = list[list[str]](), dict[str, Any](), 0, 0
    groups = [(one.name, partial(_of_programs, [one.first(count)], 1, workers)) for one in subjects]
    for name, compare_all in (*groups, (HUMANEVAL, partial(_of_programs, programs, workers, 1))):
        results = compare_all()
        tried, found = sum(number for number, _ in results), [each for _, some in results for each in some]
        if not tried:
            continue
        for each in found:
            say(f"{name}: {'OF ORDER' if each.of_order else 'DIFFERS'}: {each.what}\n{each.mutant.diff}")
        of_order = sum(each.of_order for each in found)
        rows.append([name, f"{tried}", f"{len(found) - of_order}", f"{of_order}"])
        data[name] = {
            "compared": tried, "different": [[d.mutant.id, d.mutant.diff, d.what, d.of_order] for d in found],
        }  # fmt: skip
        different += len(found) - of_order
        compared += tried
    measured = f"{different} different of {compared}"
    notes = [
        "compared: the outcome of every test, and killed or not when stopping at the first failure",
        "of order: the slow path says the same where it runs the same tests, and the others by themselves",
    ]
    table = Table("Agreement with the slow path", ("subject", "compared", "different", "of order"), rows, notes)
    goal = Goal(
        "agreement with the slow path", f"100% of {WANTED:,} or more", measured, not different and compared >= WANTED
    )
    return Section("agreement", [table], data, [goal])


def _of_programs(programs: Iterable[Prepared], side_by_side: int, workers: int) -> list[tuple[int, list[Difference]]]:
    """Compare so many programs side by side, each on some workers; for each how many mutants, and those that differ."""

    def work(one: Prepared) -> tuple[int, list[Difference]]:
        return len(one.mutants), compare(one, one.mutants, workers)

    with ThreadPoolExecutor(side_by_side) as threads:
        return list(threads.map(work, programs))


def compare(prepared: Prepared, mutants: Sequence[Drawn], workers: int) -> list[Difference]:
    """Run mutants both ways, on some workers; return those that differ."""
    waiting, found, done = iter(mutants), list[Difference](), 0
    infections = learn(prepared, mutants)

    def work(_: int) -> None:
        nonlocal done
        with closing(open_quick(prepared, infections)) as quick, closing(open_slow(prepared)) as slow:
            check(prepared, quick)
            for mutant in waiting:
                tests = prepared.baseline.passing
                fresh = slow.run(mutant.changes, RunOptions(tests=tests, fresh=True)).outcomes()
                full = quick.run(mutant.changes, RunOptions(tests=tests))
                first = quick.run(mutant.changes, RunOptions(tests=tests, stop_at_first=True)).outcomes()
                what = difference(fresh, full.outcomes(), first)
                if what:
                    apart = _without_the_rest(slow, mutant, full)
                    found.append(Difference(mutant, what, not difference(apart, full.outcomes(), first)))
                done += 1
                if done % 50 == 0:
                    say(f"{prepared.name}: compared {done} of {len(mutants)}, {len(found)} differ")

    with ThreadPoolExecutor(workers) as threads:
        list(threads.map(work, range(workers)))
    return found


def _without_the_rest(slow: Engine, mutant: Drawn, quick: TestRun) -> dict[str, TestOutcome]:
    """The slow path's outcomes of the tests that the quick one ran, and of the others, each by themselves."""
    ran = quick.infected if quick.infected is not None else frozenset(quick.outcomes())
    parts = [[test for test in quick.outcomes() if (test in ran) is inside] for inside in (True, False)]
    runs = [slow.run(mutant.changes, RunOptions(tests=part, fresh=True)) for part in parts if part]
    return {test: outcome for run in runs for test, outcome in run.outcomes().items()}


def difference(
    fresh: Mapping[str, TestOutcome], full: Mapping[str, TestOutcome], first: Mapping[str, TestOutcome]
) -> str:
    """Say where the slow path (``fresh``), full rows and stopping at the first differ; empty if they do not."""
    tests = [test for test in fresh if fresh[test] is not full.get(test)]
    said = [f"{test}: slow {fresh[test]}, quick {full.get(test)}" for test in tests[:SHOWN]]
    if len(tests) > SHOWN:
        said.append(f"and {len(tests) - SHOWN} more tests")
    killed = {name: kind(dict(run)) != "survived" for name, run in (("slow", fresh), ("first", first))}
    if killed["slow"] != killed["first"]:
        said.append(f"killed: slow {killed['slow']}, stopping at the first {killed['first']}")
    return "; ".join(said)
