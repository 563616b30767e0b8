"""The quick engine against the path that shares nothing: every test's outcome, and whether a mutant is killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from measures.progress import say
from measures.section import Goal, Section, Table

from detecting.deciding import check, kind, learn, open_quick, open_slow
from detecting.subjects import Drawn, Prepared
from mendlab.records import TestOutcome
from mendlab.verify.engines.engine import RunOptions

SHOWN = 5
WANTED = 5000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mutant of which the two paths say different things: the tests, with both outcomes."""

    mutant: Drawn
    what: str


def section(subjects: Sequence[Prepared], count: int, workers: int) -> Section:
    """Compare so many mutants of each subject; every difference is printed with its diff."""
    rows, data, different, compared = [], {}, 0, 0
    for one in subjects:
        mutants = one.mutants[:count]
        found = compare(one, mutants, workers)
        for difference in found:
            say(f"{one.name}: DIFFERS: {difference.what}\n{difference.mutant.diff}")
        rows.append([one.name, f"{len(mutants)}", f"{len(found)}"])
        data[one.name] = {
            "compared": len(mutants), "different": [[d.mutant.id, d.mutant.diff, d.what] for d in found],
        }  # fmt: skip
        different += len(found)
        compared += len(mutants)
    measured = f"{different} different of {compared}"
    notes = ["compared: the outcome of every test, and killed or not when stopping at the first failure"]
    table = Table("Agreement with the slow path", ("subject", "compared", "different"), rows, notes)
    goal = Goal(
        "agreement with the slow path", f"100% of {WANTED:,} or more", measured, not different and compared >= WANTED
    )
    return Section("agreement", [table], data, [goal])


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
                full = quick.run(mutant.changes, RunOptions(tests=tests)).outcomes()
                first = quick.run(mutant.changes, RunOptions(tests=tests, stop_at_first=True)).outcomes()
                what = difference(fresh, full, first)
                if what:
                    found.append(Difference(mutant, what))
                done += 1
                if done % 50 == 0:
                    say(f"{prepared.name}: compared {done} of {len(mutants)}, {len(found)} differ")

    with ThreadPoolExecutor(workers) as threads:
        list(threads.map(work, range(workers)))
    return found


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
