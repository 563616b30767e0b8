"""What a repairer is shown of a task: never the defect, the reference, the good tree or a held-out test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mendlab.corpora.tree import FileTree
from mendlab.records import (
    FunctionHarness,
    Harness,
    Limits,
    PytestHarness,
    ScriptHarness,
    StepGroup,
    Task,
    TestOutcome,
)


@dataclass(frozen=True, slots=True)
class Problem:
    """A task as a repairer sees it.

    ``tree`` is the buggy tree without the files that steer a pytest suite; ``editable`` are the files that may change.
    The tests are the visible ones: ``before`` has what they say of the buggy tree where it is known, and ``harness``
    the text of those that have one of their own.
    """

    task_id: str
    kind: Literal["repair", "completion"]
    statement: str
    tree: FileTree
    editable: tuple[str, ...]
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    before: dict[str, TestOutcome]
    harness: Harness
    limits: Limits

    @property
    def visible(self) -> tuple[str, ...]:
        """The tests that the repairer may run, those that fail first."""
        return self.fail_to_pass + self.pass_to_pass


def make_problem(task: Task, buggy: FileTree) -> Problem:
    """Return what may be shown of ``task``, whose buggy tree is given."""
    held_out = frozenset(task.held_out)
    steering = task.harness.test_files if isinstance(task.harness, PytestHarness) else ()
    return Problem(
        task_id=task.id,
        kind=task.kind,
        statement=task.statement,
        tree=buggy.replace(dict.fromkeys(steering)),
        editable=task.editable,
        fail_to_pass=tuple(test for test in task.fail_to_pass if test not in held_out),
        pass_to_pass=tuple(test for test in task.pass_to_pass if test not in held_out),
        before={test: outcome for test, outcome in task.before.items() if test not in held_out},
        harness=_without(task.harness, held_out),
        limits=task.limits,
    )


def _without(harness: Harness, held_out: frozenset[str]) -> Harness:
    """Return the harness without the text of held-out tests, and without the files that have no others."""
    match harness:
        case FunctionHarness():
            groups = (
                StepGroup(setup=group.setup, steps=tuple(s for s in group.steps if s.test_id not in held_out))
                for group in harness.groups
            )
            return harness.model_copy(update={"groups": tuple(group for group in groups if group.steps)})
        case ScriptHarness():
            scripts = {test: text for test, text in harness.scripts.items() if test not in held_out}
            return harness.model_copy(update={"scripts": scripts})
        case PytestHarness():
            shown = tuple(path for path in harness.test_files if path not in harness.hidden_files)
            return harness.model_copy(update={"test_files": shown, "hidden_files": ()})
