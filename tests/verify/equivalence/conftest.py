"""Programs with tests, and what comes of comparing them with others."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Limits, Provenance, Step, StepGroup, Task
from mendlab.verify.equivalence.compare import compare

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=6.0, memory_bytes=400 * 2**20)


def make_task(source, tests, harness=None):
    tree = FileTree({"solution.py": source.encode()})
    steps = tuple(Step(code=code, test_id=f"t{number}") for number, code in enumerate(tests))
    return tree, Task(
        id="e",
        subject="e",
        snapshot=tree.digest,
        defect=Defect(origin="import", files=("solution.py",), diff=""),
        statement="",
        editable=("solution.py",),
        harness=harness or FunctionHarness(groups=(StepGroup(steps=steps),)),
        fail_to_pass=tuple(step.test_id for step in steps),
        pass_to_pass=(),
        reference="",
        limits=LIMITS,
        provenance=Provenance(source="written for these tests"),
    )


@pytest.fixture
def task_of():
    """Make a tree of one module and a task of it, from its source and its tests."""
    return make_task


@pytest.fixture
def differ(bench):
    """Compare two programs on the calls of some tests; returns what came of it."""

    def differ(good, other, *tests):
        tree, task = make_task(good, tests)
        compared = compare(task, tree, tree.replace({"solution.py": other.encode()}), bench)
        assert compared.cpu_seconds > 0
        return compared.differential

    return differ
