"""What the failing tests say decides where the search looks first."""

from __future__ import annotations

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, PytestHarness, Span, Step, StepGroup, TestOutcome, TestResult
from mendlab.repair.localisation import localise
from mendlab.repair.problem import Problem

SOURCE = b"""\
class Stack:
    def push(self, item):
        self.items.append(item)

    def pop(self):
        return shrink(self.items)


def shrink(items):
    return deeper(items)


def deeper(items):
    return items.pop()


def elsewhere(items):
    def inner():
        return 1
    return inner() + 1
"""
HARNESS = FunctionHarness(
    groups=(StepGroup(setup="s = Stack()", steps=(Step(code="assert s.pop() == 1", test_id="t"),)),)
)


def problem(harness: FunctionHarness | PytestHarness = HARNESS) -> Problem:
    tree = FileTree({"src/stack.py": SOURCE, "src/broken.py": b"def (", "data.txt": b""})
    return Problem(
        "p", "repair", "", tree, ("src/stack.py", "src/broken.py", "data.txt"), ("t",), (), {}, harness, Limits()
    )


def at(line: int) -> Span:
    return Span(start_line=line, start_column=0, end_line=line, end_column=4)


def failing(message: str = "", test: str = "t") -> list[TestResult]:
    return [TestResult(test_id=test, outcome=TestOutcome.FAILED, message=message)]


def test_functions_are_suspect_by_their_distance_from_the_failing_test() -> None:
    places = localise(problem(), failing())
    weights = [
        places.weight("src/stack.py", function, at(1))
        for function in ["Stack.pop", "shrink", "deeper", "elsewhere", "elsewhere.<locals>.inner"]
    ]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > weights[1] > weights[2] > weights[3] == weights[4] > 0
    assert places.weight("src/stack.py", "Stack.push", at(1)) < weights[0]


def test_a_line_in_a_traceback_is_the_hottest_in_either_style() -> None:
    for message in [
        'Traceback:\n  File "/work/src/stack.py", line 14, in deeper\nIndexError',
        "src/stack.py:14: IndexError",
    ]:
        places = localise(problem(PytestHarness(test_files=())), failing(message, "tests/test_x.py::test_it"))
        assert places.weight("src/stack.py", "deeper", at(14)) > places.weight("src/stack.py", "deeper", at(13))
        assert places.weight("src/stack.py", "deeper", at(13)) > places.weight("src/stack.py", "elsewhere", at(18))
        assert places.reaches("src/stack.py")
        assert not places.reaches("src/broken.py")


def test_a_test_name_names_functions_too() -> None:
    places = localise(problem(PytestHarness(test_files=())), failing("E  assert 1 == 2", "test_x.py::elsewhere[1]"))
    assert places.weight("src/stack.py", "elsewhere", at(18)) > places.weight("src/stack.py", "deeper", at(14))


def test_where_nothing_is_known_everything_is_alike() -> None:
    places = localise(problem(PytestHarness(test_files=())), failing("E  assert 1 == 2", "test_x.py::test_it"))
    weights = {places.weight("src/stack.py", function, at(1)) for function in [None, "Stack.pop", "elsewhere"]}
    assert weights == {1.0}
    assert places.reaches("src/broken.py")
