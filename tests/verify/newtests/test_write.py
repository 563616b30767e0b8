"""Tests written for real tasks: what they call, what they ask for, and what they are kept from."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.records import (
    Defect,
    FunctionHarness,
    Limits,
    Provenance,
    PytestHarness,
    ScriptHarness,
    Step,
    StepGroup,
    Task,
    TestOutcome,
)
from mendlab.verify.newtests.task_parts import with_new_tests
from mendlab.verify.newtests.write import write_tests

LIMITS = Limits(cpu_seconds=2.0, wall_seconds=20.0, memory_bytes=400 * 2**20)


def task_of(good, buggy, harness, tests, function):
    return Task(
        id="t/1",
        subject="t",
        snapshot=good.digest,
        defect=Defect(
            origin="import", files=tuple(good.changed(buggy)), function=function, diff=make_diff(good, buggy)
        ),
        statement="",
        editable=tuple(good.changed(buggy)),
        harness=harness,
        fail_to_pass=tests,
        pass_to_pass=(),
        reference=make_diff(buggy, good),
        limits=LIMITS,
        provenance=Provenance(source="written for these tests"),
    )


@pytest.fixture
def written(bench, tmp_path):
    """Write tests for two programs and the tests that there are, and check outside the lab what these say."""

    def written(good, buggy, *tests, function="f", **options):
        trees = [FileTree({"solution.py": source.encode()}) for source in (good, buggy)]
        steps = tuple(Step(code=code, test_id=f"old[{number}]") for number, code in enumerate(tests))
        harness = FunctionHarness(groups=(StepGroup(steps=steps),))
        task = task_of(*trees, harness, tuple(step.test_id or "" for step in steps), function)
        made = write_tests(task, *trees, bench, **options)
        if made.text:
            assert pytest_says(tmp_path / "good", trees[0], made) == 0
            aimed = any(test.kind == "aimed" for test in made.about.tests)
            assert pytest_says(tmp_path / "buggy", trees[1], made) == (1 if aimed else 0)
        return task, trees, made

    return written


def pytest_says(place, tree, made):
    place.mkdir()
    tree.replace({made.path: made.text.encode()}).write(place)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", made.path]
    return subprocess.run(command, cwd=place, capture_output=True).returncode


ABSOLUTE = "def f(n):\n    if n < 0:\n        return -n\n    return n\n"


def test_a_witness_is_shrunk_and_the_repaired_function_is_covered(written):
    _, _, made = written(ABSOLUTE, ABSOLUTE.replace("-n", "n"), "assert f(-731) == 731", "assert f(52) == 52")
    aimed = [test for test in made.about.tests if test.kind == "aimed"]
    assert ("f(-1)", "1", "-1") in [(test.call, test.expected, test.buggy) for test in aimed]
    assert all(test.judged for test in aimed)
    (before,), (after,) = made.about.coverage_before, made.about.coverage
    assert (after.lines, after.missed_lines, after.branches, after.missed_branches) == (3, (), 2, ())
    assert before == after
    labels = {test.label: test.judged for test in made.about.tests if test.kind == "boundary"}
    assert labels["zero"]
    assert not labels["beyond 64 bits"]


@pytest.mark.slow
def test_what_the_old_tests_left_out_is_covered_by_the_new(written):
    good = "def f(items):\n    if not items:\n        return 0\n    return max(items)\n"
    tests = ("assert f([3, 1, 2]) == 3", "assert f([4]) == 4", "assert f([7, 7]) == 7")
    _, _, made = written(good, good.replace("max", "min"), *tests)
    (before,), (after,) = made.about.coverage_before, made.about.coverage
    assert [(branch.line, branch.when) for branch in before.missed_branches] == [(2, "true")]
    assert before.missed_lines == (3,)
    assert after.missed_branches == before.missed_branches, "what is not judged covers nothing"
    assert {test.call for test in made.about.tests if test.label == "empty"} == {"f([])"}


@pytest.mark.slow
def test_an_argument_that_is_changed_is_looked_at(written):
    good = "def f(items):\n    items.sort()\n"
    _, _, made = written(
        good, good.replace("sort()", "sort(reverse=True)"), "x = [3, 1, 2]\nf(x)\nassert x == [1, 2, 3]"
    )
    assert "def test_f_changes_items_regression(items, expected):" not in made.text
    assert "def test_f_changes_items(items, expected):" in made.text
    assert "    f(items)\n    assert items == expected\n" in made.text


@pytest.mark.slow
def test_only_exceptions_that_the_tests_ask_for_are_asked_for(written):
    good = "def f(text):\n    if text == 'no':\n        raise ValueError(text)\n    return text[0]\n"
    buggy = good.replace("raise ValueError(text)", "return None")
    asks = "try:\n    f('no')\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError"
    _, _, made = written(good, buggy, asks, "assert f('yes') == 'y'", "assert f('on') == 'o'")
    assert {(test.call, test.expected) for test in made.about.tests if test.kind == "aimed"} == {
        ('f("no")', "raises ValueError")
    }
    assert "IndexError" not in made.text, "f('') raises it, and no test asks for that"


@pytest.mark.slow
def test_an_input_that_the_tests_have_for_an_exception_is_one(written):
    """The reference raises on nothing else near it."""
    good = "def f(n):\n    if n == 1234567:\n        raise KeyError(n)\n    return n\n"
    asks = "try:\n    f(1234567)\nexcept KeyError:\n    pass\nelse:\n    raise AssertionError"
    _, _, made = written(good, good.replace("KeyError", "ValueError"), asks, "assert f(3) == 3", "assert f(9) == 9")
    assert [(test.call, test.expected) for test in made.about.tests if test.kind == "aimed"] == [
        ("f(1234567)", "raises KeyError")
    ]


@pytest.mark.slow
def test_what_differs_in_type_alone_is_told(written):
    good = "def f(n):\n    return n // 2 * 2\n"
    _, _, made = written(good, good.replace("//", "/"), "assert repr(f(4)) == '4'", "assert repr(f(10)) == '10'")
    assert "    assert type(result) is type(expected)\n" in made.text


@pytest.mark.slow
def test_answers_that_do_not_repeat_are_left_out(written):
    good = "def f(words):\n    return list(set(words)), len(words)\n"
    tests = ("assert len(f(['a', 'b', 'c'])[0]) == 3", "assert f(['a', 'a'])[1] == 2", "assert f([])[1] == 0")
    _, _, made = written(good, good.replace("len(words)", "None"), *tests)
    assert made.about.tests
    assert all("', '" not in test.expected and '", "' not in test.expected for test in made.about.tests)


@pytest.mark.slow
def test_another_mistake_that_all_tests_let_pass_gets_a_test(written):
    good = "def f(n):\n    return max(n, 0)\n"
    other = FileTree({"solution.py": b"def f(n):\n    return 70 if n == 4 else max(n, 0)\n"})
    told = FileTree({"solution.py": b"def f(n):\n    return n\n"})
    tests = ("assert f(50) == 50", "assert f(-30) == 0", "assert f(9) == 9")
    _, _, made = written(good, good.replace("max", "min"), *tests, rivals=[other, told])
    assert ("rival", "f(4)", "4", "0") in [
        (each.kind, each.call, each.expected, each.buggy) for each in made.about.tests
    ]
    assert sum(each.kind == "rival" for each in made.about.tests) == 1, "the tests tell the second"


@pytest.mark.slow
def test_a_generator_and_a_coroutine_are_brought_to_their_end(written):
    good = "def f(n):\n    yield from range(n)\n\n\nasync def g(n):\n    return n\n"
    tests = ("assert list(f(4)) == [0, 1, 2, 3]", "import asyncio\nassert asyncio.run(g(3)) == 3")
    _, _, made = written(good, good.replace("range(n)", "range(n + 1)").replace("return n", "return -n"), *tests)
    assert {"list(f(" in test.call or "asyncio.run(g(" in test.call for test in made.about.tests} == {True}


STACK = """\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()
"""
OF_THE_STACK = """\
from stack import Stack


def test_it():
    stack = Stack()
    stack.push(5)
    stack.push(6)
    assert stack.pop() == 6
"""


@pytest.mark.slow
def test_an_object_with_state_is_taken_through_steps(bench, tmp_path):
    good = FileTree({"stack.py": STACK.encode(), "test_stack.py": OF_THE_STACK.encode()})
    buggy = good.replace({"stack.py": STACK.replace("items.pop()", "items.pop(0)").encode()})
    harness = PytestHarness(test_files=("test_stack.py",))
    task = task_of(good, buggy, harness, ("test_stack.py::test_it",), "Stack.pop")
    made = write_tests(task, good, buggy, bench)
    assert made.path == "test_new_stack.py"
    shortest = min((test for test in made.about.tests), key=lambda test: len(test.call))
    first, *pushes, last = shortest.call.split("; ")
    assert (first, len(pushes), last) == ("stack = Stack()", 2, "stack.pop()")
    assert pytest_says(tmp_path / "good", good, made) == 0
    assert pytest_says(tmp_path / "buggy", buggy, made) == 1
    (covered,) = made.about.coverage
    assert (covered.function, covered.lines, covered.missed_lines) == ("Stack.pop", 1, ())
    whole, tree = with_new_tests(task, made, good)
    assert tree["test_new_stack.py"] == made.text.encode()
    assert whole.harness.hidden_files == ("test_new_stack.py",)
    assert set(whole.held_out) == {test.test_id for test in made.about.tests}


def test_tests_are_the_held_out_part_of_their_task(written):
    task, trees, made = written(ABSOLUTE, ABSOLUTE.replace("-n", "n"), "assert f(-7) == 7", "assert f(5) == 5")
    whole, tree = with_new_tests(task, made, trees[0])
    judged = {test.test_id for test in made.about.tests if test.judged}
    assert tree == trees[0]
    assert set(whole.held_out) == judged
    assert set(whole.fail_to_pass) | set(whole.pass_to_pass) == {"old[0]", "old[1]"} | judged
    assert all(made.before[test] is not TestOutcome.PASSED for test in set(whole.fail_to_pass) & judged)
    steps = {step.test_id for step in whole.harness.groups[-1].steps}
    assert steps == judged


def test_nothing_is_written_for_scripts_and_that_is_said(bench):
    tree = FileTree({"a.py": b"x = 1\n"})
    harness = ScriptHarness(scripts={"s": "true"})
    made = write_tests(task_of(tree, tree.replace({"a.py": b"x = 2\n"}), harness, ("s",), None), tree, tree, bench)
    assert (made.about.tests, made.about.why) == ((), "its tests are scripts, whose calls cannot be recorded")


@pytest.mark.slow
def test_the_same_seed_writes_the_same_tests(written, bench):
    good = "def f(items, n):\n    return [item for item in items if item > n]\n"
    tests = ("assert f([1, 5, 9], 4) == [5, 9]", "assert f([], 1) == []", "assert f([2, 2, 8, 3], 2) == [8, 3]")
    task, trees, made = written(good, good.replace(">", ">="), *tests, seed=3)
    assert write_tests(task, *trees, bench, seed=3).text == made.text
    assert write_tests(task, *trees, bench, seed=4).text != made.text
