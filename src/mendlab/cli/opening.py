"""What ``subjects``, ``inject`` and ``score`` share: open the programs that are named, and tell of their clean runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from mendlab.cli.output import note, patient, progress_on_stderr
from mendlab.cli.places import find_python
from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.subjects.doctests import DOCTEST
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import SubjectError
from mendlab.harvest.environment.installing import reproduce
from mendlab.harvest.environment.shared import default_cache
from mendlab.records import Baseline, FunctionHarness, TestOutcome
from mendlab.verify.bench import Bench, set_up_bench

TESTS_NAMED: Final = 3
_REASONS: Final = {
    TestOutcome.PASSED: "unsteady",
    TestOutcome.FAILED: "fail",
    TestOutcome.ERROR: "fail with an error",
    TestOutcome.SKIPPED: "skipped",
    TestOutcome.XFAILED: "expected to fail",
    TestOutcome.XPASSED: "pass unexpectedly",
    TestOutcome.TIMEOUT: "take too long",
    TestOutcome.CRASH: "crash",
    TestOutcome.OUT_OF_MEMORY: "need too much memory",
    TestOutcome.MISSING: "do not run",
}


def open_subject(
    subject: str, python: Path | None, *, allow_unconfined: bool
) -> tuple[Bench, list[LoadedSubject], list[Refusal]]:
    """Return what the tests of the programs run on, the programs, and what cannot be one.

    Raises:
        InputError: there is no such subject, or the interpreter cannot be used.
        ConfinementError: this machine cannot confine and the user has not allowed it not to.
    """
    project = Path(subject) if Path(subject).is_dir() else None
    bench = set_up_bench(python=python, project=project, allow_unconfined=allow_unconfined)
    found = list(read_subjects(subject))
    subjects = [item for item in found if isinstance(item, LoadedSubject)]
    _note_doctests_only(subject, subjects)
    return bench, subjects, [item for item in found if isinstance(item, Refusal)]


def open_bench(taskset: TaskSet, python: Path | None, *, allow_unconfined: bool) -> Bench:
    """Return what the tests of a task set run on: the interpreter that is named, or those that the set asks for.

    Raises:
        InputError: the interpreter cannot be used, or a Python that the set asks for is not on this machine.
        ConfinementError: this machine cannot confine and the user has not allowed it not to.
        EngineError: an environment of the set cannot be installed.
    """
    bench = set_up_bench(python=find_python(taskset.path, python), allow_unconfined=allow_unconfined)
    wanted = taskset.environments()
    if python is not None:
        return replace(bench, environments=dict.fromkeys(wanted, bench.interpreter))
    environments = {}
    with progress_on_stderr() as progress:
        report = patient(progress)
        for done, (name, environment) in enumerate(wanted.items()):
            report("environments", done, len(wanted))
            environments[name] = reproduce(environment, default_cache(), bench.level)
    return replace(bench, environments=environments)


def tests_set_aside(baselines: Iterable[Baseline]) -> dict[str, dict[str, str]]:
    """Return the tests that nothing is judged by, of programs that have others, each with the reason."""
    return {
        each.subject: {
            **{result.test_id: _REASONS[result.outcome] for result in each.failing},
            **dict.fromkeys(each.flaky, "unsteady"),
        }
        for each in baselines if each.passing and each.set_aside
    }  # fmt: skip


def note_set_aside(set_aside: Mapping[str, Mapping[str, str]]) -> None:
    """Tell of tests that nothing is judged by: how many for each reason, and the first of them."""
    for subject, tests in sorted(set_aside.items()):
        note(f"{subject}: {len(tests)} tests are set aside and judge nothing:")
        for reason, count in Counter(tests.values()).most_common():
            named = [test for test, why in tests.items() if why == reason][:TESTS_NAMED]
            more = ["..."] if count > len(named) else []
            note(f"  {count} {reason}: {', '.join([*named, *more])}")


def nothing_to_do(subject: str, refusals: Sequence[Refusal]) -> SubjectError:
    """Return the error for a subject of which nothing came: the first refusal, or that there is nothing to change."""
    if not refusals:
        choose = "choose others: see `mendlab mutators list`"
        return SubjectError("no operator finds anything to change in it", where=subject, hint=choose)
    first = refusals[0]
    what = first.reason if len(refusals) == 1 or first.id in first.reason else f"{first.id}: {first.reason}"
    hint = None if what.endswith(")") else "its tests must pass as it is"
    if subject.endswith(".py") and "ModuleNotFoundError" in what:
        hint = "a file is run by itself: name the project's directory if it needs what lies there"
    return SubjectError(what, where=subject, hint=hint)


def _note_doctests_only(subject: str, subjects: Sequence[LoadedSubject]) -> None:
    """Say of a single file with doctests alone that they are its tests."""
    for loaded in subjects:
        match loaded.subject.harness:
            case FunctionHarness(groups=groups) if subject.endswith(".py"):
                tests = [step.test_id for group in groups for step in group.steps if step.test_id]
                if all(test.startswith(DOCTEST) for test in tests):
                    what = "its doctests are all the tests that are run"
                    note(f"{subject}: {what}; for others name the project's directory")
            case _:
                pass
