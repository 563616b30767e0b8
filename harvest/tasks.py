"""The task that a commit is made into: the fix is the good program, the parent with the fix's tests the buggy one."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.candidates import Candidate as DefectCandidate
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.functions import functions_in
from mendlab.corpora.journal import dump_line
from mendlab.corpora.pytest_layout import sorted_files
from mendlab.corpora.tree import FileTree
from mendlab.harvest.classify import Classification
from mendlab.harvest.records import Candidate
from mendlab.harvest.statement import statement
from mendlab.harvest.states.reports import StateReport
from mendlab.harvest.trees import CommitTrees
from mendlab.records import (
    Baseline,
    Defect,
    Detection,
    Environment,
    Mined,
    Provenance,
    PytestHarness,
    Subject,
    Task,
    TestsFrom,
)
from mendlab.verify.detection.baseline import task_limits
from mendlab.verify.tasks import make_task

SHA_LENGTH: Final = 12
_MESSAGES: Final = 3


@dataclass(frozen=True, slots=True)
class Mining:
    """What is the same for all commits of a harvest: the name of the repository, its licence, the tools."""

    repository: str
    licence: str | None
    tools: dict[str, str]
    seed: int


def task_of(
    candidate: Candidate,
    trees: CommitTrees,
    report: StateReport,
    found: Classification,
    minimal: FileTree | None,
    functions: tuple[str, ...],
    mining: Mining,
    tests_from: TestsFrom = "commit",
    tests_commit: str | None = None,
) -> Task:
    """Return the task. ``trees`` are as the tests were run on them; ``minimal`` is the smallest tree that mends.

    Raises:
        InputError: a change of the source cannot be written as text.
    """
    good, buggy = trees.fix, trees.with_tests
    changed = tuple(buggy.changed(good))
    subject = _subject(candidate, trees, changed, report, mining)
    defect = Defect(
        origin="commit",
        operator=candidate.fix,
        family=found.label.value,
        files=changed,
        function=functions[0].partition("::")[2] if functions else None,
        diff=make_diff(good, buggy),
    )
    claimed = DefectCandidate(
        id=subject.id,
        loaded=LoadedSubject(subject, good),
        buggy=buggy,
        defect=defect,
        statement=subject.statement,
        editable=tuple(sorted({*subject.source_files, *changed})),
        tags=(found.label.value, *(("multi-file",) if len(changed) > 1 else ())),
    )
    before = {test_id: failure.outcome for test_id, failure in report.failures.items()}
    detection = Detection(fail_to_pass=report.fail_to_pass, pass_to_pass=report.pass_to_pass, before=before)
    clean = Baseline(subject=subject.id, passing=(), cpu_seconds=report.cpu_seconds / max(1, report.runs))
    task = make_task(claimed, detection, task_limits(clean), hold_out=True, seed=mining.seed)
    mined = Mined(
        repository=mining.repository,
        base_commit=candidate.parent,
        fix_commit=candidate.fix,
        committed=candidate.commit.committed,
        references=tuple(f"{each.tracker}#{each.number}" for each in candidate.references),
        patch_id=candidate.patch_id,
        score=candidate.score.value,
        label=found.label.value,
        confidence=found.confidence,
        reasons=found.reasons,
        functions=functions,
        failures={test_id: failure.kind.value for test_id, failure in report.failures.items()},
        flaky={test_id: kind.value for test_id, kind in report.flaky.items()},
        runs=report.runs,
        minimal=None if minimal is None or minimal == good else make_diff(buggy, minimal),
        tests_from=tests_from,
        tests_commit=tests_commit,
    )
    return task.model_copy(update={"mined": mined, "statement": _told(task, report)})


def environment_name(environment: Environment) -> str:
    """Return the name of an environment in a task set: its rung, its Python, and a digest of the rest."""
    digest = hashlib.sha256(dump_line(environment)).hexdigest()[:SHA_LENGTH]
    return f"{environment.rung}-{environment.python}-{digest}"


def _subject(
    candidate: Candidate, trees: CommitTrees, changed: tuple[str, ...], report: StateReport, mining: Mining
) -> Subject:
    good = trees.fix
    steering, sources = sorted_files(good, (*candidate.tests.paths, *trees.touched_tests), changed)
    environment = report.environment
    return Subject(
        id=f"{re.split('[/:]', mining.repository)[-1]}-{candidate.fix[:SHA_LENGTH]}",
        snapshot=good.digest,
        harness=PytestHarness(
            test_files=steering,
            arguments=report.arguments,
            python_version=None if environment is None else environment.python,
            environment=None if environment is None else environment_name(environment),
        ),
        source_files=sources,
        functions=functions_in(good, [path for path in changed if path.endswith(".py")]),
        statement=statement(candidate),
        provenance=Provenance(
            source=mining.repository,
            licence=mining.licence,
            commit=candidate.fix,
            date=candidate.commit.committed,
            seed=mining.seed,
            tools=mining.tools,
        ),
    )


def _told(task: Task, report: StateReport) -> str:
    """The commit's message without the answer, and what the failing tests say that may be seen."""
    seen = [test_id for test_id in task.fail_to_pass if test_id not in task.held_out]
    lines = [f"- {test_id}: {report.failures[test_id].message}" for test_id in seen[:_MESSAGES]]
    told = "A test fails:" if len(seen) == 1 else f"{len(seen)} tests fail{', among them' * (len(seen) > _MESSAGES)}:"
    return "\n".join([task.statement, "", told, *lines]).strip()
