"""Examples in a statement are found as people write them, and nothing else is."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits
from mendlab.repair.problem import Problem
from mendlab.repair.searching.examples import examples


def found(statement: str) -> list[str]:
    tree = FileTree({"solution.py": b"def f(x, y=0):\n    return x\n"})
    harness = FunctionHarness(entry_points=("f",), groups=())
    return examples(Problem("p", "repair", statement, tree, ("solution.py",), (), (), {}, harness, Limits()))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (">>> f([1, 2], 3)\n[1]", "assert f([1, 2], 3) == [1]"),
        ("f('a b') == 'c' and so on", "assert f('a b') == 'c'"),
        ("For example f(5) -> (1, 2).", "assert f(5) == (1, 2)"),
        ("    f(-1) ➞ True", "assert f(-1) == True"),
        ("f(1) should return 2", "assert f(1) == 2"),
        ("* f({'a': 1}) => None", "assert f({'a': 1}) == None"),
    ],
)
def test_an_example_becomes_an_assertion(statement: str, expected: str) -> None:
    assert found(statement) == [expected]


@pytest.mark.parametrize("statement", ["f(x) is large", "g(1) == 2", "off(1) == 2", "f(1) == unknown", "f(1", "f"])
def test_what_is_no_example_gives_none(statement: str) -> None:
    assert found(statement) == []
