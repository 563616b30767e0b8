"""A task with its new tests: they are held out, and no repairer is shown that they are there."""

from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, PytestHarness, Task, TestOutcome, Written


def with_new_tests(task: Task, written: Written, good: FileTree) -> tuple[Task, FileTree]:
    """Return the task with new tests as its held-out part, beside what it holds out already, and its good tree.

    Tests of a function become steps of the harness, so that candidate and oracle stay apart; a project gets the file.
    Only what is judged counts: those that the buggy program fails are fail-to-pass.
    """
    judged = [test.test_id for test in written.about.tests if test.judged]
    tree, harness = good, task.harness
    match harness:
        case FunctionHarness() if written.steps is not None:
            steps = tuple(step for step in written.steps.steps if step.test_id in judged)
            group = written.steps.model_copy(update={"steps": steps})
            harness = harness.model_copy(update={"groups": (*harness.groups, group)})
        case PytestHarness() if written.path:
            tree = good.replace({written.path: written.text.encode()})
            harness = harness.model_copy(
                update={
                    "test_files": (*harness.test_files, written.path),
                    "hidden_files": (*harness.hidden_files, written.path),
                }
            )
    failing = tuple(test_id for test_id in judged if written.before[test_id] is not TestOutcome.PASSED)
    passing = tuple(test_id for test_id in judged if written.before[test_id] is TestOutcome.PASSED)
    changed = task.model_copy(
        update={
            "snapshot": tree.digest,
            "harness": harness,
            "fail_to_pass": (*task.fail_to_pass, *failing),
            "pass_to_pass": (*task.pass_to_pass, *passing),
            "held_out": (*task.held_out, *judged),
            "before": {**task.before, **{test_id: written.before[test_id] for test_id in failing}},
        }
    )
    return changed, tree
