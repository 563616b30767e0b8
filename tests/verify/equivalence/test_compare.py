"""Candidate and reference do the same calls apart from each other, and what comes of them is compared."""

from __future__ import annotations

import pytest

from mendlab.records import ScriptHarness
from mendlab.verify.confined.function.wire import Wire
from mendlab.verify.equivalence.recording import record_calls
from mendlab.verify.equivalence.replaying import replay
from mendlab.verify.equivalence.same import show_call


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
    "derived_exception": (
        one("return x[0]"),
        "class Empty(IndexError): pass\n" + one("if not x: raise Empty\nreturn x[0]"),
        ["f([])", "f([1])"],
    ),
    "iterator": (one("yield x\nyield x"), one("return iter([x, x])"), ["list(f(1))"]),
    "unlooked_argument": (
        one("x.sort()\nreturn x[::-1]"),
        one("return sorted(x)[::-1]"),
        ["assert f([2, 1]) == [2, 1]"],
    ),
    "cycle": (one("y = [x]\ny.append(y)\nreturn y"), one("y = [x, None]\ny[1] = y\nreturn y"), ["f(1)"]),
    "keywords": (one("return a - b", "f(a, *, b)"), one("return -b + a", "f(a, *, b)"), ["f(3, b=1)"]),
    "instance": (
        "class P:\n    def __init__(self, x): self.x = x\n" + one("return P(x)"),
        "class P:\n    def __init__(self, x): self.x = 0 + x\n" + one("p = P(0)\np.x = x\nreturn p"),
        ["f(1)"],
    ),
}
OTHER = {
    "value": (one("return x + x"), one("return x * x"), ["f(2)", "f(3)"], "solution.f(1)", "2", "1"),
    "type": (one("return x"), one("return float(x)"), ["f(2)"], "solution.f(1)", "1", "1.0"),
    "mutation": (
        one("return len(x)"),
        one("n = len(x)\nx.clear()\nreturn n"),
        ["f([7])"],
        "solution.f([0])",
        "1, arguments afterwards: [0]",
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
    "generator": (
        one("yield x\nyield x"),
        one("yield x"),
        ["list(f(1))"],
        "solution.f(1)",
        "<iterator of [1, 1]>",
        "<iterator of [1]>",
    ),
    "list_for_a_generator": (
        one("yield x"),
        one("return [x]"),
        ["list(f(1))"],
        "solution.f(1)",
        "<iterator of [1]>",
        "[1]",
    ),
    "keyword": (
        one("return a - b", "f(a, *, b)"),
        one("return b - a", "f(a, *, b)"),
        ["f(3, b=1)"],
        "solution.f(2, b=1)",
        "1",
        "-1",
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
    "any_exception": (
        one("if not x: raise Exception\nreturn x"),
        one("if not x: raise TypeError\nreturn x"),
        ["f([])", "f([1])"],
        "solution.f([])",
        "raises Exception",
        "raises TypeError",
    ),
    "argument_that_a_test_looks_at": (
        one("x.sort()\nreturn x[::-1]"),
        one("return sorted(x)[::-1]"),
        ["a = [2, 1]\nassert f(a) == [2, 1]\nassert a == [1, 2]"],
        "solution.f([1, 0])",
        "[1, 0], arguments afterwards: [0, 1]",
        "[1, 0], arguments afterwards: [1, 0]",
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


def test_calls_that_the_program_makes_of_itself_are_not_recorded(bench, task_of):
    source = one("return g(x) + 1") + one("return 2 * x", "g(x)")
    tree, task = task_of(source, ["f(1)", "f(2)", "f(1)", "g(5)"])
    recorded = record_calls(task, tree, bench)
    assert [show_call(call) for call in recorded.calls] == ["solution.f(1)", "solution.f(2)", "solution.g(5)"]


def test_gates_record_nothing(bench, task_of):
    tree, task = task_of(one("return x"), [], ScriptHarness(scripts={"verify": "exit 0"}))
    assert record_calls(task, tree, bench).calls == []


def test_one_hang_costs_one_call(bench, task_of):
    tree, task = task_of(one("while x == 2: pass\nreturn x"), ["f(1)", "f(3)"])
    recorded = record_calls(task, tree, bench)
    first, last = recorded.calls
    hanging = ["solution", "f", Wire().write(((2,), {}))]
    outcomes = replay(task, tree, recorded.modules, [first, hanging, last], bench).outcomes
    assert [outcome.text for outcome in outcomes] == ["1", "timeout", "3"]


def test_a_huge_input_is_shown_as_far_as_it_can_be():
    call = ["solution", "f", Wire().write(((10**5000,), {}))]
    assert show_call(call) == "solution.f(<a int too deep or too large to show>)"


def test_a_huge_witness_is_made_small(differ):
    witness = differ(one("return x % 7"), one("return x % 5"), "f(10 ** 5000)").witness
    assert len(witness.call) <= len("solution.f(100)")


def test_what_cannot_be_compared_is_never_counted_equal(differ):
    good = one("return iter, (lambda: x), x")
    assert differ(good, good + "\n", "f(1)") is None
    mixed = one("return (lambda: x) if x > 3 else x")
    found = differ(mixed, mixed + "y = 1\n", "f(1)", "f(2)", "f(9)")
    assert found.witness is None
    assert found.set_aside >= 1
    assert found.inputs < found.inputs + found.set_aside


def test_what_is_printed_counts(differ):
    good = one("print(x)\nreturn x")
    found = differ(good, one("print(x, x)\nreturn x"), "f('a')", "f('bc')")
    assert found.witness.reference == "'a', printed 'a\\n'" or found.witness.reference.startswith("''")
    assert differ(good, one("import sys\nsys.stdout.write(f'{x}\\n')\nreturn x"), "f('a')", "f('bc')").witness is None


def test_where_the_reference_raises_decides_nothing_unless_tests_ask_for_it(differ):
    good = one("if x < 0: raise ValueError('no')\nreturn x")
    other = one("return x")
    found = differ(good, other, "f(5)", "f(2)")
    assert found.witness is None
    assert found.advice.reference == "raises ValueError"
    assert found.invalid > 0
    asked = "try:\n    f(-4)\nexcept ValueError:\n    pass"
    assert differ(good, other, "f(5)", "f(2)", asked).witness.call == "solution.f(-1)"


def test_beyond_what_recorded_inputs_have_in_common_nothing_is_decided(differ):
    good = one("return [item for item in x if item > 1]")
    found = differ(good, one("return [item for item in x if item * item > 1]"), "f([1, 2])", "f([3])", "f([2, 5, 4])")
    assert found.witness is None
    assert "-" in found.advice.call


@pytest.mark.parametrize(
    ("good", "other", "tests"),
    [
        ("return sum(range(x + 1))", "return x + sum_to(x - 1) if x > 0 else 0\n", ["f(5)", "f(12)"]),
        (
            "return sum(x) / len(x)",
            "total = 0.0\nfor item in reversed(x): total += item / len(x)\nreturn total",
            ["f([0.1, 0.2])"],
        ),
        ("if not x: raise ValueError('empty')\nreturn x", "if not x: raise ValueError\nreturn x", ["f([1])", "f('a')"]),
        ("return len(set(x))", "return len({*x, *x})", ["f('abc')", "f([1, 1])"]),
        ("return set(x)", "return {item for item in reversed(x)}", ["f('abc')", "f(['q', 'w'])"]),
    ],
)
def test_rewrites_are_not_told_apart(differ, good, other, tests):
    helper = "def sum_to(x):\n    return x + sum_to(x - 1) if x > 0 else 0\n"
    assert differ(one(good), one(other) + helper, *tests).witness is None


def test_two_runs_choose_the_same_inputs(differ):
    good = one("return sorted(x)")
    first, second = (
        differ(good, one(f"return sorted(x, key=lambda item: item){' ' * n}"), "f([2, 1])") for n in range(2)
    )
    assert first.sources == second.sources
    assert first.inputs == second.inputs > 100


ENDS = {
    "exit": "import os\nif x > 5: os._exit(0)\nreturn x",
    "hang": "while x == 1: pass\nreturn x",
    "hang_behind_the_tests": "while x > 20: pass\nreturn x",
    "fall_behind_the_tests": "if x > 60: raise RecursionError\nreturn x",
    "forged_end": """import os, sys
sys.path.append("/mendlab")
if x == 1:
    import frames
    for fd in range(3, 64):
        try:
            os.write(fd, frames.pack({}))
        except OSError:
            pass
    os._exit(0)
return x""",
}


@pytest.mark.parametrize("name", ENDS)
def test_what_a_candidate_does_not_answer_counts(differ, name):
    assert differ(one("return x"), one(ENDS[name]), "f(9)", "f(20)").witness is not None


def test_running_out_of_time_on_far_more_than_tests_ask_for_is_set_aside(differ):
    found = differ(one("return x"), one("while x > 60: pass\nreturn x"), "f(9)", "f(20)")
    assert found.witness is None
    assert found.set_aside > 3
    assert found.inputs >= 20


def test_a_change_that_no_test_comes_to_is_tried_on_fresh_inputs(differ):
    good = one("if not x:\n    return 1\nreturn len(x)")
    assert differ(good, good.replace("return 1", "return 0"), "f([3, 1])", "f([2])").witness.call == "solution.f([])"
    apart = one("if x == [99, 98, 97]:\n    y = 1\n    return 1\nreturn len(x)")
    assert differ(apart, apart.replace("return 1", "return 1 - 1 + 1"), "f([3, 1])", "f([2])") is None


def test_texts_are_the_objects_that_literals_are(differ):
    good = one("return x is 'letters'")
    assert differ(good, one("return x == 'letters'"), "f('letters')", "f('other')").witness is None


def test_what_depends_on_the_calls_before_it_is_set_aside(differ):
    counting = "COUNT = [0]\n\n" + one("COUNT[0] += 1\nreturn COUNT[0]")
    assert differ(counting, counting.replace("+= 1", "+= 2"), "f(1)", "f(2)", "f(3)") is None


def test_what_is_left_to_chance_is_set_aside(differ):
    good = "import random\n\n" + one("return random.random() + x")
    assert differ(good, good.replace("random.random() + x", "x + random.random()"), "f(1)", "f(2)") is None
    pick = "import random\n\n" + one("return random.choice([item for item in x if item > 1]) if len(x) > 1 else x")
    found = differ(
        pick, one("return [item for item in x if item > 1][0] if len(x) > 1 else x"), "f([1, 2, 3])", "f([2])"
    )
    assert found.witness is None
    assert found.set_aside > 40


def test_chance_that_shows_in_nothing_is_no_reason_to_set_aside(differ):
    good = "import random\n\n" + one("x = x[:]\nrandom.shuffle(x)\nreturn sorted(x)")
    assert differ(good, one("return sorted(x)"), "f([3, 1])", "f([2])").inputs > 250
    assert differ(good, one("return x[::-1]"), "f([3, 1])", "f([2])").witness is not None


def test_what_no_test_looks_at_is_advice(differ):
    found = differ(one("x.sort()\nreturn x[::-1]"), one("return sorted(x)[::-1]"), "f([2, 1])", "f([1])")
    assert found.witness is None
    assert found.advice.candidate.startswith("[")
    shared = differ(one("return list(x)"), one("return x"), "f([2, 1])", "f([1])")
    assert shared.witness is None
    assert shared.advice.candidate.endswith("one object than there")


def test_the_order_of_keys_is_advice(differ):
    good = one("return [{item: len(item) for item in x}]")
    found = differ(good, good.replace("in x}", "in x[::-1]}"), "f(['a', 'bb'])", "f([])")
    assert found.witness is None
    assert found.inputs > 200
    assert found.advice.reference.startswith("[{'a': 1, 'bb': 2}]")
    assert found.advice.candidate.startswith("[{'bb': 2, 'a': 1}]")
    assert differ(good, good.replace("in x}", "in x[:]}"), "f(['a', 'bb'])", "f([])").advice is None


def test_equal_values_are_not_always_one_object(differ):
    good = one("return sum(1 for one, other in zip(x, x[1:]) if one == other)")
    assert differ(good, good.replace("==", "is"), "f([1, 1])", "f([2, 3, 3])").witness.call == "solution.f([300, 300])"
    mode = one("return len(x) if mode == 'long' else 0", "f(x, mode)")
    found = differ(mode, mode.replace("==", "is"), "f('ab', 'long')", "f('b', 'short')").witness
    assert found.call.endswith("'long')")
    tuples = one("return x[0] == x[-1]")
    assert differ(tuples, tuples.replace("==", "is"), "f([(1, 2), (1, 2)])", "f([(2, 3)])").witness is not None


@pytest.mark.parametrize(
    ("good", "other", "tests"),
    [
        ("return x[1:]", "return x[1:100]", ["f([1, 2])", "f([4])"]),
        ("return x.upper()", "return x[:120].upper()", ["f('ab')", "f('c d')"]),
        ("return len(set(x))", "return min(len(set(x)), 50)", ["f([1, 2])", "f([4, 4])"]),
        ("return ' '.join(x.split())", "return ' '.join(x.split()[:30])", ["f('ab c')", "f('c  d')"]),
        ("return len(x)", "return min(len(x), 40)", ["f({'a': 1})", "f({'bd': 2, 'c': 3})"]),
        (
            "n = 0\nwhile x > 1: x, n = x // 2, n + 1\nreturn n",
            "n = 0\nwhile x > 1 and n < 150: x, n = x // 2, n + 1\nreturn n",
            ["f(5)", "f(9)"],
        ),
    ],
)
def test_lengths_of_a_constant_of_the_patch_are_tried(differ, good, other, tests):
    assert differ(one(good), one(other), *tests).witness is not None


def test_what_may_be_left_out_may_be_nothing(differ):
    good = one("return x if cap is None else min(x, cap)", "f(x, cap=None)")
    found = differ(good, good.replace("cap is None", "not cap"), "f(5)", "f(9, 4)", "f(7, cap=3)").witness
    assert found.call in ("solution.f(1, 0)", "solution.f(1, cap=0)")


def test_types_are_not_mixed_where_calls_never_mix_them(differ):
    good = one("return x[:len(y)] == y", "f(x, y)")
    found = differ(
        good, one("return not y or x[:len(y)] == y", "f(x, y)"), "f('ab', 'a')", "f([1, 2], [1])", "f('', '')"
    )
    assert found.witness is None
