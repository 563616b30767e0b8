"""One candidate examined: its states run, its class told, and its task made, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from mendlab.errors import MendlabError
from mendlab.harvest.candidates import same_by_syntax
from mendlab.harvest.classify import Facts, Label, classify
from mendlab.harvest.climbing import Climbed, Step, climb
from mendlab.harvest.environment.ladder import Ladder
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.git.rebuild import rebuilds
from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Candidate, Commit, Dropped, DropReason, Stage
from mendlab.harvest.shape import shape_of
from mendlab.harvest.tasks import Mining, task_of
from mendlab.harvest.touched import touched_functions
from mendlab.harvest.trees import commit_trees
from mendlab.harvest.untested.telling import UNTOLD, Teller, Telling
from mendlab.records import Environment, Record, Task
from mendlab.verify.bench import Bench


class Examined(Record):
    """A line of the journal of a harvest: the task that a commit gives and what it needs, or why it gives none.

    ``added`` are the files laid into its trees, which it would have if it were installed; ``telling`` are
    the tests of others that tell it. ``rebuilt`` says that parent and patches are proved to give the commit's tree.
    """

    sha: str
    task: Task | None = None
    environment: Environment | None = None
    added: dict[str, str] = Field(default_factory=dict)
    telling: Telling | None = None
    rebuilt: bool = False
    dropped: Dropped | None = None


@dataclass(frozen=True, slots=True)
class Examiner:
    """Examines one candidate: runs its states, says what it is, and makes the task. Safe to share between threads.

    Args:
        teller: looks for tests of others where a fix came with none that tells it.
        every_kind: keep what is no bug, too.
        step: hears which commit is examined, and what is done with it.
        name_of: what a commit is called to the one who hears it.
        minimal: look for the smallest part of the fix that the tests ask for.
    """

    copy: PrivateCopy
    environments: Ladder
    bench: Bench
    mining: Mining
    teller: Teller | None = None
    every_kind: bool = False
    minimal: bool = True
    step: Step = lambda _: None
    name_of: Callable[[Commit], str] = lambda commit: commit.sha

    def examine(self, candidate: Candidate) -> Examined:
        """Return what comes of a candidate.

        Raises:
            EngineError: the lab, the package index or the disk fails.
        """
        if same_by_syntax(self.copy, candidate.commit):
            return _dropped(candidate, Stage.PATCHES, DropReason.SAME_PROGRAM, "")
        if not rebuilds(self.copy, candidate):
            return _dropped(candidate, Stage.PATCHES, DropReason.NOT_REBUILT, "its patches do not give its tree")
        date = datetime.fromisoformat(candidate.commit.committed)
        trees = commit_trees(self.copy, candidate)
        step = self._step_of(candidate)
        climbed = climb(trees, date, self.environments, self.bench, step=step)
        functions = touched_functions(self.copy, candidate)
        telling = None
        if climbed.report.dropped in UNTOLD and self.teller is not None:
            step("tests of others")
            told = self.teller.tell(candidate, trees, functions, facts_of(candidate, climbed), step)
            telling, climbed = told or (None, climbed)
        report = climbed.report
        if report.dropped is not None:
            return _dropped(candidate, Stage.STATES, report.dropped, report.why)
        found = classify(facts_of(candidate, climbed))
        if found.label is not Label.BUG and not self.every_kind:
            return _dropped(candidate, Stage.CLASSIFY, DropReason.NO_BUG, found.label.value)
        minimal = None
        if self.minimal:
            step("the least of the fix")
            minimal, _ = climbed.minimise()
        source, commit = ("commit", None) if telling is None else (telling.tests_from, telling.commit)
        try:
            task = task_of(candidate, climbed.commit, report, found, minimal, functions, self.mining, source, commit)
        except MendlabError as error:
            return _dropped(candidate, Stage.TASK, DropReason.NOT_TEXT, str(error))
        laid = {path: data.decode() for path, data in climbed.laid.items()}
        return Examined(
            sha=candidate.fix, task=task, environment=report.environment, added=laid, telling=telling, rebuilt=True
        )

    def _step_of(self, candidate: Candidate) -> Step:
        name = self.name_of(candidate.commit)
        return lambda text: self.step(f"{name}: {text}")


def facts_of(candidate: Candidate, climbed: Climbed) -> Facts:
    """Return what is known of a candidate whose states have been run."""
    trees = climbed.commit
    lines = (line[1:] for line in candidate.other.patch.splitlines() if line.startswith(b"+") and line[:3] != b"+++")
    return Facts(
        message=candidate.commit.message,
        shape=shape_of(trees.with_tests, trees.fix, (path for path in candidate.source.paths if is_python(path))),
        failures=climbed.report.failures,
        changelog=b"\n".join(lines).decode(errors="replace"),
    )


def _dropped(candidate: Candidate, stage: Stage, reason: DropReason, detail: str) -> Examined:
    return Examined(sha=candidate.fix, dropped=Dropped(sha=candidate.fix, stage=stage, reason=reason, detail=detail))
