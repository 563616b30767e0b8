"""The rungs that run tests: does it import, does it mend, does it break, does it hold where it could not see."""

from __future__ import annotations

from collections.abc import Sequence

from mendlab.records import FunctionHarness, Outcome, Task, TestOutcome, TestResult
from mendlab.verify.code import syntax_problem
from mendlab.verify.engines.engine import OTHER_HASH_SEED, RunOptions
from mendlab.verify.ladder.case import Case, Ruling
from mendlab.verify.ladder.repeating import needs_no_other_process

_BY_TEST_OUTCOME = (
    (TestOutcome.OUT_OF_MEMORY, Outcome.OUT_OF_MEMORY),
    (TestOutcome.CRASH, Outcome.CRASH),
    (TestOutcome.TIMEOUT, Outcome.TIMEOUT),
)


def compiles(case: Case) -> Ruling:
    """Whether every changed file compiles, and the program still imports."""
    for path, data in case.good.changed(case.patched).items():
        if data is not None and path.endswith(".py") and (problem := syntax_problem(data)) is not None:
            return Ruling(False, f"{path}:{problem}", Outcome.SYNTAX_ERROR)
    task = case.task
    case.run(_visible(case, task.fail_to_pass), ahead=_all(task) if isinstance(task.harness, FunctionHarness) else ())
    if case.load_error is not None:
        return Ruling(False, case.load_error.strip().splitlines()[-1], Outcome.IMPORT_ERROR)
    return Ruling(True)


def new_tests(case: Case) -> Ruling:
    """Whether the visible tests that failed now pass."""
    results = case.run(_visible(case, case.task.fail_to_pass))
    failing = _failing(results)
    if not failing:
        return Ruling(True, f"{len(results)} pass")
    seen = {result.outcome for result in failing}
    outcome = next((named for kind, named in _BY_TEST_OUTCOME if kind in seen), Outcome.NEW_TEST_FAILED)
    return Ruling(False, _counted(len(failing), len(results), failing[0].test_id), outcome)


def regression(case: Case) -> Ruling:
    """Whether the visible tests that passed still do."""
    return _all_pass(case, _visible(case, case.task.pass_to_pass), Outcome.REGRESSION_FAILED)


def held_out(case: Case) -> Ruling:
    """Whether the tests that the repairer never saw pass."""
    return _all_pass(case, case.task.held_out, Outcome.HELDOUT_FAILED)


def confirm(case: Case) -> Ruling:
    """Whether all of it holds again with another engine, whose processes have another hash seed, and shuffled."""
    options = RunOptions(tests=_all(case.task), shuffle_seed=1, often=True)
    if needs_no_other_process(case, options):
        return Ruling(True, "its answers depend on nothing that another process would have otherwise")
    run = case.engine(OTHER_HASH_SEED).run(case.good.changed(case.patched), options)
    case.cpu_seconds += run.cpu_seconds
    failing = run.failing()
    if failing:
        case.note(run.results)
        return Ruling(False, _counted(len(failing), len(run.results), failing[0].test_id), Outcome.FLAKY)
    return Ruling(True)


def _all_pass(case: Case, tests: tuple[str, ...], outcome: Outcome) -> Ruling:
    if not tests:
        return Ruling(None)
    failing = _failing(case.run(tests))
    if failing:
        return Ruling(False, _counted(len(failing), len(tests), failing[0].test_id), outcome)
    return Ruling(True, f"{len(tests)} pass")


def _failing(results: Sequence[TestResult]) -> list[TestResult]:
    return [result for result in results if result.outcome is not TestOutcome.PASSED]


def _all(task: Task) -> tuple[str, ...]:
    return (*task.fail_to_pass, *task.pass_to_pass)


def _visible(case: Case, tests: tuple[str, ...]) -> tuple[str, ...]:
    hidden = set(case.task.held_out)
    return tuple(test_id for test_id in tests if test_id not in hidden)


def _counted(failing: int, total: int, first: str) -> str:
    return f"{failing} of {total} do not pass, {first} first"
