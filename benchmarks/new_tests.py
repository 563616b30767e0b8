"""What new tests are worth: wrong patches that the visible tests let through, and how many of them the new tests catch.

    python benchmarks/new_tests.py TASKSET [--mutants 20] [--seed 1000] [--limit N] [--json FILE]

TASKSET was made by `mendlab write-tests`. Wrong patches are mutants of the reference in the function to be mended,
drawn with a seed, without those that the new tests were written against. One that passes the visible tests is wrong if
a new test fails on it, or the comparison with the reference finds a witness. Prints how many are caught by the held-out
tests that were there, by new ones, and in all.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from measures.progress import say

from mendlab.corpora.journal import parse_lines
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.mutators.choosing.rivals import rivals
from mendlab.records import NewTests, Task, TestOutcome
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.engines.engine import Engine, RunOptions
from mendlab.verify.equivalence.compare import compare
from mendlab.verify.newtests.rivals import MOST_TRIED
from mendlab.verify.newtests.taskset import ABOUT


@dataclass(frozen=True)
class Wrong:
    """A wrong patch that passes the visible tests: which mutant, and what tells that it is wrong."""

    task: str
    mutant: int
    by_held_out: bool
    by_new: bool
    by_comparison: bool


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--mutants", default=20, show_default=True, help="Of each reference.")
@click.option("--seed", default=1000, show_default=True, help="Other than that of the new tests.")
@click.option("--limit", type=int, help="Of so many tasks, the first.")
@click.option("--json", "json_file", type=click.Path(path_type=Path))
def main(folder: Path, mutants: int, seed: int, limit: int | None, json_file: Path | None) -> None:
    """Measure on the tasks of a set that has new tests."""
    taskset = TaskSet.open(folder)
    about = parse_lines((folder / ABOUT).read_bytes(), NewTests, folder / ABOUT)
    new = {each.task: frozenset(test.test_id for test in each.tests if test.judged) for each in about}
    bench = set_up_bench()
    found: list[Wrong] = []
    counts: Counter[str] = Counter()
    tasks = [task for task in taskset.tasks if new[task.id]][:limit]
    for number, task in enumerate(tasks, start=1):
        found += wrong_patches(task, taskset, new[task.id], bench, mutants, seed, counts)
        say(f"{number} of {len(tasks)} tasks: {len(found)} wrong patches")
    caught = sum(each.by_new for each in found)
    earlier = sum(each.by_held_out for each in found)
    together = sum(each.by_new or each.by_held_out for each in found)
    print(f"{counts['tried']} mutants of {len(tasks)} references, {counts['passing']} pass the visible tests")
    print(f"{len(found)} of these are wrong: {caught} fail new tests, {earlier} held-out ones that were there before,")
    print(f"{together} one of both; {sum(each.by_comparison for each in found)} have a witness in the comparison")
    if json_file is not None:
        json_file.write_text(json.dumps([asdict(each) for each in found], indent=1), encoding="utf-8")


def wrong_patches(
    task: Task, taskset: TaskSet, new: frozenset[str], bench: Bench, mutants: int, seed: int, counts: Counter[str]
) -> list[Wrong]:
    """Return the wrong ones among so many mutants of a task's reference."""
    good = taskset.good_tree(task)
    plain = without(task, new)
    visible = [test for test in (*task.fail_to_pass, *task.pass_to_pass) if test not in task.held_out]
    held_out = [test for test in task.held_out if test not in new]
    found = []
    with closing(bench.open(good, task.harness, task.limits)) as engine:
        for number, tree in enumerate(drawn(task, taskset, mutants, seed)):
            counts["tried"] += 1
            if not passes(engine, good, tree, visible):
                continue
            counts["passing"] += 1
            by_new = not passes(engine, good, tree, sorted(new))
            by_held_out = not passes(engine, good, tree, held_out)
            differential = compare(plain, good, tree, bench).differential
            by_comparison = differential is not None and differential.witness is not None
            if by_new or by_held_out or by_comparison:
                found.append(Wrong(task.id, number, by_held_out, by_new, by_comparison))
    return found


def without(task: Task, new: frozenset[str]) -> Task:
    """Return the task as it was, so that the comparison does not start from the new tests' own calls."""
    return task.model_copy(
        update={
            name: tuple(test for test in getattr(task, name) if test not in new)
            for name in ("fail_to_pass", "pass_to_pass", "held_out")
        }
        | (
            {"harness": task.harness.model_copy(update={"groups": task.harness.groups[:-1]})}
            if task.harness.kind == "function"
            else {}
        )
    )


def drawn(task: Task, taskset: TaskSet, count: int, seed: int) -> list[FileTree]:
    """Return mutants of the functions that the defect is in, none of which the new tests were written against."""
    good, buggy = taskset.good_tree(task), taskset.buggy_tree(task)
    build = taskset.manifest.build
    written_with = build.parameters["seed"] if build is not None else 0
    assert isinstance(written_with, int)
    used = set(rivals(task, good, buggy, MOST_TRIED, written_with))
    return [tree for tree in rivals(task, good, buggy, count + len(used), seed) if tree not in used][:count]


def passes(engine: Engine, good: FileTree, tree: FileTree, tests: list[str]) -> bool:
    """Whether all of the tests pass on a changed tree."""
    if not tests:
        return True
    run = engine.run(good.changed(tree), RunOptions(tests=tests, stop_at_first=True))
    return all(result.outcome is TestOutcome.PASSED for result in run.results)


if __name__ == "__main__":
    main()
