"""Candidate and reference do the same calls apart from each other, and what comes of them is compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import (
    Defect,
    FunctionHarness,
    Limits,
    Provenance,
    ScriptHarness,
    Step,
    StepGroup,
    Task,
)
from mendlab.verify.confined.function.wire import Wire
from mendlab.verify.equivalence.compare import compare, replay, show_call
from mendlab.verify.equivalence.recording import record_calls

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=6.0, memory_bytes=400 * 2**20)


def task_of(source, tests, harness=None):
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
def differ(bench):
    """Compare two programs on the calls of some tests; returns what came of it."""

    def differ(good, other, *tests):
        tree, task = task_of(good, tests)
        compared = compare(task, tree, tree.replace({"solution.py": other.encode()}), bench)
        assert compared.cpu_seconds > 0
        return compared.differential

    return differ


def one(body, name="f(x)"):
    return f"def {name}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


SAME = {
    "value": (one("return x + x"), one("return 2 * x"), ["f(1)", "f('a')", "f([1])"]),
    "float_noise": (one("return x / 3"), one("return x * (1 / 3)"), ["f(0.1)", "f(7)"]),
    "nan": (one("return float('nan')"), one("return -float('nan')"), ["f(1)"]),
    "set_order": (one("return {'a', 'b', x}"), one("return {x, 'b', 'a'}"), ["f('c')"]),
    "generator": (one("yield x\nyield x + 1"), one("yield from (x, x + 1)"), ["list(f(1))"]),
    "coroutine": ("async " + one("return x"), "async " + one("return x + 0"), ["import asyncio\nasyncio.run(f(1))"]),
    "mutation": (one("x.append(1)"), one("x += [1]"), ["f([])"]),
    "exception": (one("return x[0]"), one("if not x: raise IndexError('no')\nreturn x[0]"), ["f([])", "f([1])"]),
    "cycle": (one("y = [x]\ny.append(y)\nreturn y"), one("y = [x, None]\ny[1] = y\nreturn y"), ["f(1)"]),
    "keywords": (one("return a - b", "f(a, *, b)"), one("return -b + a", "f(a, *, b)"), ["f(3, b=1)"]),
    "instance": (
        "class P:\n    def __init__(self, x): self.x = x\n" + one("return P(x)"),
        "class P:\n    def __init__(self, x): self.x = 0 + x\n" + one("p = P(0)\np.x = x\nreturn p"),
        ["f(1)"],
    ),
}
OTHER = {
    "value": (one("return x + x"), one("return x * x"), ["f(2)", "f(3)"], "solution.f(3)", "6", "9"),
    "type": (one("return x"), one("return float(x)"), ["f(2)"], "solution.f(2)", "2", "2.0"),
    "mutation": (
        one("return len(x)"),
        one("n = len(x)\nx.clear()\nreturn n"),
        ["f([7])"],
        "solution.f([7])",
        "1, arguments afterwards: [7]",
        "1, arguments afterwards: []",
    ),
    "exception": (
        one("return x[0]"),
        one("return x[0] if x else None"),
        ["f([])"],
        "solution.f([])",
        "raises IndexError",
        None,
    ),
    "kind_of_exception": (
        one("return x[0]"),
        one("if not x: raise KeyError\nreturn x[0]"),
        ["f([])"],
        "solution.f([])",
        "raises IndexError",
        "raises KeyError",
    ),
    "generator": (one("yield x\nyield x"), one("yield x"), ["list(f(1))"], "solution.f(1)", "[1, 1]", "[1]"),
    "keyword": (
        one("return a - b", "f(a, *, b)"),
        one("return b - a", "f(a, *, b)"),
        ["f(3, b=1)"],
        "solution.f(3, b=1)",
        "2",
        "-2",
    ),
    "hang": (one("return x"), one("while x == 2: pass\nreturn x"), ["f(1)", "f(2)"], "solution.f(2)", "2", "timeout"),
    "crash": (
        one("return x"),
        one("import os\nif x == 2: os._exit(0)\nreturn x"),
        ["f(1)", "f(2)"],
        "solution.f(2)",
        "2",
        "crash",
    ),
    "gone": (one("return x"), "g = 1\n", ["f(1)"], "solution.f(1)", "1", "absent AttributeError"),
    "no_import": (one("return x"), "import nothing_of_the_kind\n", ["f(1)"], "solution.f(1)", "1", None),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_on_every_input(differ, name):
    good, other, tests = SAME[name]
    found = differ(good, other, *tests)
    assert found.witness is None
    assert found.inputs >= len(tests)


@pytest.mark.parametrize("name", OTHER)
def test_a_witness_shows_the_input_and_both_ends(differ, name):
    good, other, tests, call, expected, found = OTHER[name]
    witness = differ(good, other, *tests).witness
    assert witness.call == call
    assert witness.reference.startswith(expected)
    if found is not None:
        assert witness.candidate.startswith(found)


def test_attributes_of_instances_count(differ):
    good = "class P:\n    def __init__(self, x): self.x = x\n" + one("return {P(x), P(2)}")
    other = good.replace("P(2)", "P(3)")
    assert differ(good, good, "f(1)").witness is None
    assert differ(good, other, "f(1)").witness is not None


def test_what_the_reference_does_not_repeat_is_no_evidence(differ):
    chance = "import os\n" + one("return os.urandom(8) if x else 0")
    found = differ(chance, one("return 0"), "f(1)", "f(0)")
    assert found.inputs == 1
    assert found.witness is None
    seeded = one("return list({'a', 'b', 'c', 'd', 'e', 'f'}) if x else 0")
    assert differ(seeded, one("return 0"), "f(1)", "f(0)").inputs == 1


def test_where_nothing_is_left_there_is_nothing_to_compare_on(differ):
    chance = "import os\n" + one("return os.urandom(8)")
    assert differ(chance, one("return 0"), "f(1)") is None
    assert differ(one("return x"), one("return x"), "1 + 1") is None


def test_calls_that_the_program_makes_of_itself_are_not_recorded(bench):
    source = one("return g(x) + 1") + one("return 2 * x", "g(x)")
    tree, task = task_of(source, ["f(1)", "f(2)", "f(1)", "g(5)"])
    recorded = record_calls(task, tree, bench)
    assert [show_call(call) for call in recorded.calls] == ["solution.f(1)", "solution.f(2)", "solution.g(5)"]


def test_gates_record_nothing(bench):
    tree, task = task_of(one("return x"), [], ScriptHarness(scripts={"verify": "exit 0"}))
    assert record_calls(task, tree, bench).calls == []


def test_one_hang_costs_one_call(bench):
    tree, task = task_of(one("while x == 2: pass\nreturn x"), ["f(1)", "f(3)"])
    recorded = record_calls(task, tree, bench)
    first, last = recorded.calls
    hanging = ["solution", "f", Wire().write(((2,), {}))]
    outcomes = replay(task, tree, replace(recorded, calls=[first, hanging, last]), bench).outcomes
    assert [outcome.text for outcome in outcomes] == ["1", "timeout", "3"]


def test_a_huge_input_is_shown_as_far_as_it_can_be(differ):
    huge = "f(10 ** 5000)"
    witness = differ(one("return x % 7"), one("return x % 5"), huge).witness
    assert witness.call == "solution.f(<a int too deep or too large to show>)"
