"""What new tests are worth: run on the reference and on the buggy program, confined, twice, with another hash seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.records import FunctionHarness, PytestHarness, StepGroup, Task, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import OTHER_HASH_SEED, Engine, RunOptions
from mendlab.verify.equivalence.recording import NEW_TESTS
from mendlab.verify.newtests.cases import Case, snake
from mendlab.verify.newtests.steps import make_steps
from mendlab.verify.newtests.writing import write_file

ATTEMPTS: Final = 3
PASSED: Final = TestOutcome.PASSED


@dataclass(frozen=True, slots=True)
class Proved:
    """The tests that hold: ``path`` and ``text`` of the file, each case with its test id, what each gave before.

    ``before`` are the outcomes on the buggy program. ``steps`` is there for a function harness.
    """

    path: str
    text: str
    cases: tuple[tuple[str, Case], ...]
    before: Mapping[str, TestOutcome]
    steps: StepGroup | None
    cpu_seconds: float


def prove(
    task: Task, good: FileTree, buggy: FileTree, cases: Sequence[Case], bench: Bench, number: int = 1
) -> Proved | None:
    """Return the tests that the reference passes in every run, and of the aimed ones those that the buggy one fails.

    None where no test is left.

    Raises:
        EngineError: the lab itself fails.
        SubjectError: the file of the tests cannot be run.
    """
    cpu_seconds = 0.0
    path = path_of(task, good, cases, number)
    for _ in range(ATTEMPTS):
        text, placed = write_file(cases)
        ids, runs, spent = _run_file(task, good, buggy, path, text, bench)
        cpu_seconds += spent
        if len(ids) != len(placed):
            raise SubjectError(f"pytest finds {len(ids)} of {len(placed)} new tests", where=path)
        named = [(test_id, case) for test_id, (case, _) in zip(ids, placed, strict=True)]
        steps = make_steps(named) if isinstance(task.harness, FunctionHarness) else None
        if steps is not None:
            more, spent = _run_steps(task, good, buggy, steps, bench)
            runs = [*runs, *more]
            cpu_seconds += spent
        kept = tuple((test_id, case) for test_id, case in named if _holds(test_id, case, runs))
        if not any(case.judged for _, case in kept):
            return None
        if len(kept) == len(named):
            return Proved(path, text, kept, runs[-1][1], steps, cpu_seconds)
        cases = [case for _, case in kept]
    return None


Runs = list[tuple[Mapping[str, TestOutcome], Mapping[str, TestOutcome]]]
"""Outcomes on the reference and on the buggy program, run by run."""


def _holds(test_id: str, case: Case, runs: Runs) -> bool:
    if any(good[test_id] is not PASSED for good, _ in runs):
        return False
    passes = {buggy[test_id] is PASSED for _, buggy in runs}
    return passes == {False} if case.kind == "aimed" else len(passes) == 1


def path_of(task: Task, good: FileTree, cases: Sequence[Case], number: int = 1) -> str:
    """Return where the file of new tests stands in the tree: beside the module, or beside the project's own tests."""
    name = f"{NEW_TESTS}{snake(PurePosixPath(cases[0].module.replace('.', '/')).name)}"
    if isinstance(task.harness, FunctionHarness):
        folder = PurePosixPath(task.harness.module).parent
    else:
        tests = [test.partition("::")[0] for test in (*task.fail_to_pass, *task.pass_to_pass)]
        folder = PurePosixPath(min(tests, key=lambda path: (len(PurePosixPath(path).parts), path))).parent
    ending = "" if number == 1 else f"_{number}"
    while (path := str(folder / f"{name}{ending}.py")) in good:
        ending += "_"
    return path


def _run_file(
    task: Task, good: FileTree, buggy: FileTree, path: str, text: str, bench: Bench
) -> tuple[list[str], Runs, float]:
    harness = PytestHarness(test_files=(path,))
    if isinstance(task.harness, PytestHarness):
        harness = task.harness.model_copy(update={"test_files": (*task.harness.test_files, path)})
    tree = good.replace({path: text.encode()})
    runs: Runs = []
    ids: list[str] = []
    cpu_seconds = 0.0
    for seed in (0, OTHER_HASH_SEED):
        engine = bench.open(tree, harness, task.limits, hash_seed=seed)
        with closing(engine):
            if not runs:
                ids = [test_id for test_id in engine.test_ids if test_id.partition("::")[0] == path]
            pair, spent = _both(engine, good, buggy, ids, shuffle_seed=seed or None)
        runs.append(pair)
        cpu_seconds += spent
    return ids, runs, cpu_seconds


def _run_steps(task: Task, good: FileTree, buggy: FileTree, steps: StepGroup, bench: Bench) -> tuple[Runs, float]:
    assert isinstance(task.harness, FunctionHarness)
    harness = task.harness.model_copy(update={"groups": (*task.harness.groups, steps)})
    ids = [step.test_id for step in steps.steps if step.test_id is not None]
    runs: Runs = []
    cpu_seconds = 0.0
    for seed in (0, OTHER_HASH_SEED):
        engine = bench.open(good, harness, task.limits, hash_seed=seed)
        with closing(engine):
            pair, spent = _both(engine, good, buggy, ids, shuffle_seed=None)
        runs.append(pair)
        cpu_seconds += spent
    return runs, cpu_seconds


def _both(
    engine: Engine, good: FileTree, buggy: FileTree, ids: Sequence[str], *, shuffle_seed: int | None
) -> tuple[tuple[Mapping[str, TestOutcome], Mapping[str, TestOutcome]], float]:
    options = RunOptions(tests=ids, shuffle_seed=shuffle_seed)
    reference = engine.run({}, options)
    other = engine.run(good.changed(buggy), options)
    if any(result.outcome is TestOutcome.MISSING for result in reference.results):
        raise SubjectError("some of the new tests do not run on the reference")
    return (reference.outcomes(), other.outcomes()), reference.cpu_seconds + other.cpu_seconds
