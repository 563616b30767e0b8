"""Calls on a reference and a buggy program: which are evidence, and on which the two differ."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Limits, Provenance, Step, StepGroup, Task
from mendlab.verify.newtests.doing import Call, Pair

GOOD = """\
def same(n):
    return [n]

def hangs_in_the_buggy(n):
    return n

def hangs(n):
    while n == 3:
        pass
    return n

def unsteady(word):
    return hash(word)

def changes(items):
    items.append(1)

def raises(n):
    raise KeyError(n)
"""
BUGGY = (
    GOOD.replace("    return n\n\ndef hangs(", "    while n == 3:\n        pass\n    return n\n\ndef hangs(")
    .replace("append(1)", "append(2)")
    .replace("KeyError", "ValueError")
)


@pytest.fixture(scope="module")
def look(bench):
    trees = [FileTree({"solution.py": source.encode()}) for source in (GOOD, BUGGY)]
    task = Task(
        id="t",
        subject="t",
        snapshot=trees[0].digest,
        defect=Defect(origin="import", files=("solution.py",), diff=""),
        statement="",
        editable=("solution.py",),
        harness=FunctionHarness(groups=(StepGroup(steps=(Step(code="same(1)", test_id="t"),)),)),
        fail_to_pass=("t",),
        pass_to_pass=(),
        reference="",
        limits=Limits(cpu_seconds=0.5, wall_seconds=10.0, memory_bytes=400 * 2**20),
        provenance=Provenance(source="written for these tests"),
    )
    with Pair(task, *trees, ["solution"], bench) as pair:
        yield lambda name, *arguments: pair.look(
            (Call("solution", name, ((argument,), {})) for argument in arguments), cpu_seconds=0.3
        )


def told(looked):
    return [(each.call.arguments[0][0], each.expected.text, each.found.text, each.differs) for each in looked]


def test_what_both_do_alike_does_not_differ(look):
    assert told(look("same", 1, "é")) == [(1, "[1]", "[1]", False), ("é", "['é']", "['é']", False)]


def test_a_call_that_does_not_end_in_the_buggy_program_costs_itself(look):
    assert told(look("hangs_in_the_buggy", 1, 3, 2)) == [
        (1, "1", "1", False),
        (3, "3", "timeout", True),
        (2, "2", "2", False),
    ]


def test_a_call_that_does_not_end_in_the_reference_is_no_evidence(look):
    assert [arguments for arguments, *_ in told(look("hangs", 1, 3, 2))] == [1, 2]


def test_an_answer_that_another_hash_seed_changes_is_no_evidence(look):
    assert look("unsteady", "word") == []
    assert len(look("unsteady", 5)) == 1


def test_arguments_are_compared_after_the_call_and_exceptions_by_type(look):
    ((_, _, _, changed),) = told(look("changes", [0]))
    assert changed
    assert told(look("raises", 1)) == [(1, "raises KeyError", "raises ValueError", True)]


def test_what_cannot_travel_is_not_called(look):
    assert look("same", object()) == []
