"""Rewrites that keep what a function does: each by its text before and after, and by what both return."""

from __future__ import annotations

import ast
import copy
from typing import Any

import pytest

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.subjects import read_subjects
from mendlab.mutators.disguising.rewriting.rules import RULES, Program

RAISES = "raises"
CASES: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "renamed local": (
        "def f(n):\n    total = n\n    return [total for _ in range(n)]\n",
        "def f(n):\n    total_value = n\n    return [total_value for _ in range(n)]\n",
        [(3,), ("x",)],
    ),
    "temporary variable introduced": (
        "def f(a, b):\n    return a / b\n",
        "def f(a, b):\n    answer = a / b\n    return answer\n",
        [(3, 2), (3, 0)],
    ),
    "temporary variable inlined": (
        "def f(a):\n    b = a + 1\n    return b\n",
        "def f(a):\n    return a + 1\n",
        [(3,), (None,)],
    ),
    "condition named": (
        "def f(a):\n    if a > 1:\n        return 1\n    return 2\n",
        "def f(a):\n    condition = a > 1\n    if condition:\n        return 1\n    return 2\n",
        [(1,), (2,), ("",)],
    ),
    "independent statements reordered": (
        "def f(a):\n    found = []\n    size = len(a)\n    found.append(size)\n    return found\n",
        "def f(a):\n    size = len(a)\n    found = []\n    found.append(size)\n    return found\n",
        [("ab",), (3,)],
    ),
    "tuple assignment split": (
        "def f(a):\n    b, c = (a, 0)\n    return b + c\n",
        "def f(a):\n    b = a\n    c = 0\n    return b + c\n",
        [(3,)],
    ),
    "early return instead of else": (
        "def f(a):\n    if a:\n        return 1\n    else:\n        a += 1\n    return a\n",
        "def f(a):\n    if a:\n        return 1\n    a += 1\n    return a\n",
        [(0,), (5,)],
    ),
    "else instead of early return": (
        "def f(a):\n    if a:\n        return 1\n    a += 1\n    return a\n",
        "def f(a):\n    if a:\n        return 1\n    else:\n        a += 1\n        return a\n",
        [(0,), (5,)],
    ),
    "if not": (
        "def f(a):\n    if a:\n        b = 1\n    else:\n        b = 2\n    return b\n",
        "def f(a):\n    if not a:\n        b = 2\n    else:\n        b = 1\n    return b\n",
        [(0,), (1,), ([],)],
    ),
    "nested conditions joined": (
        "def f(a, b):\n    if a:\n        if b:\n            return 1\n    return 2\n",
        "def f(a, b):\n    if a and b:\n        return 1\n    return 2\n",
        [(0, 1), (1, 0), (1, 1)],
    ),
    "condition split": (
        "def f(a, b):\n    if a and b:\n        return 1\n    return 2\n",
        "def f(a, b):\n    if a:\n        if b:\n            return 1\n    return 2\n",
        [(0, 1), (1, 0), (1, 1)],
    ),
    "conditional expression as statement": (
        "def f(a):\n    return 1 if a else 2\n",
        "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
        [(0,), (1,)],
    ),
    "conditional expression for statement": (
        "def f(a):\n    if a:\n        return 1\n    return 2\n",
        "def f(a):\n    return 1 if a else 2\n",
        [(0,), (1,)],
    ),
    "conditional expression inverted": (
        "def f(a):\n    return 1 if a else 2\n",
        "def f(a):\n    return 2 if not a else 1\n",
        [(0,), (1,)],
    ),
    "De Morgan": (
        "def f(a, b):\n    if a and b:\n        return 1\n    return 2\n",
        "def f(a, b):\n    if not (not a or not b):\n        return 1\n    return 2\n",
        [(0, 1), (1, 0), (1, 1), (0, 0)],
    ),
    "De Morgan in an expression": (
        "def f(a, b):\n    return not (a or b)\n",
        "def f(a, b):\n    return not a and (not b)\n",
        [(0, 1), (1, 0), (1, 1), (0, 0)],
    ),
    "comparisons unchained": (
        "def f(a, b):\n    return 1 < a < b\n",
        "def f(a, b):\n    return 1 < a and a < b\n",
        [(0, 1), (2, 3), (2, 2), ("", 1)],
    ),
    "comparison mirrored": (
        "def f(a, b):\n    return a < b\n",
        "def f(a, b):\n    return b > a\n",
        [(0, 1), (1, 0), ({1}, {1, 2}), (float("nan"), 1)],
    ),
    "not in": (
        "def f(a, b):\n    return a not in b\n",
        "def f(a, b):\n    return not a in b\n",
        [(1, [1]), (2, [1]), (1, 1)],
    ),
    "loop for comprehension": (
        "def f(a):\n    return [x * 2 for x in a if x]\n",
        "def f(a):\n    found = []\n    for each_x in a:\n        if each_x:\n            found.append(each_x * 2)\n"
        "    return found\n",
        [([0, 1, 2],), (3,)],
    ),
    "comprehension for loop": (
        "def f(a):\n    found = []\n    for x in a:\n        if x:\n            found.append(x * 2)\n"
        "    return found\n",
        "def f(a):\n    found = [x * 2 for x in a if x]\n    return found\n",
        [([0, 1, 2],), (3,)],
    ),
    "while for for": (
        "def f(a):\n    for x, y in a:\n        if x:\n            return y\n",
        "def f(a):\n    items = iter(a)\n    while True:\n        try:\n            item = next(items)\n"
        "        except StopIteration:\n            break\n        x, y = item\n        if x:\n            return y\n",
        [([(0, 1), (1, 2)],), ([],), ([1],)],
    ),
    "while with an index for range": (
        "def f(a):\n    for i in range(len(a)):\n        a[i] += 1\n    return a\n",
        "def f(a):\n    stop = len(a)\n    at = 0\n    while at < stop:\n        i = at\n        at += 1\n"
        "        a[i] += 1\n    return a\n",
        [([0, 1, 2],), ([],), (3,)],
    ),
    "while true": (
        "def f(a):\n    while a:\n        a -= 1\n    return a\n",
        "def f(a):\n    while True:\n        if not a:\n            break\n        a -= 1\n    return a\n",
        [(0,), (3,)],
    ),
    "augmented assignment expanded": (
        "def f(a):\n    total = 0\n    for x in a:\n        total += x\n    return total\n",
        "def f(a):\n    total = 0\n    for x in a:\n        total = total + x\n    return total\n",
        [([1, 2.5],), (["x"],)],
    ),
    "f-string for concatenation": (
        "def f(a):\n    return '{' + str(a)\n",
        "def f(a):\n    return f'{{{str(a)}'\n",
        [(1,), ("x",)],
    ),
    "negative comparison": (
        "def f(a):\n    return len(a) == 2\n",
        "def f(a):\n    return not len(a) != 2\n",
        [("ab",), ("a",), (1,)],
    ),
    "constant spelled out": ("def f():\n    return []\n", "def f():\n    return list()\n", [()]),
}


def test_every_family_has_a_case() -> None:
    assert CASES.keys() == RULES.keys()


@pytest.mark.parametrize("family", RULES)
def test_text_before_and_after_and_what_both_return(family: str) -> None:
    before, after, calls = CASES[family]
    found = [rewrite.source for rewrite in Program(before).rewrites() if rewrite.family == family]
    assert after in found
    for arguments in calls:
        assert called(after, arguments) == called(before, arguments)


def called(source: str, arguments: tuple[Any, ...]) -> tuple[str, Any, Any]:
    names: dict[str, Any] = {}
    exec(source, names)
    given = copy.deepcopy(arguments)
    try:
        return "returns", repr(names["f"](*given)), repr(given)
    except Exception as error:
        return RAISES, type(error), repr(given)


@pytest.mark.parametrize(
    ("family", "source"),
    [
        ("augmented assignment expanded", "def f(a):\n    found = a\n    found += [1]\n    return found\n"),
        ("f-string for concatenation", "def f(a, b):\n    return a + b\n"),
        ("independent statements reordered", "def f(a):\n    b = 1\n    c = b + a\n    return c\n"),
        (
            "independent statements reordered",
            "def f(a):\n    try:\n        b = 1\n        c = a()\n    finally:\n        c = b\n",
        ),
        ("independent statements reordered", "def f(a):\n    b = a()\n    c = a()\n    return b, c\n"),
        ("renamed local", "def f(a):\n    return locals()\n"),
        ("renamed local", "def f(a):\n    global b\n    b = a\n"),
        ("temporary variable inlined", "def f(a):\n    global b\n    b = a + 1\n    return b\n"),
        (
            "comprehension for loop",
            "def f(a):\n    found = []\n    for x in a:\n        found.append(x)\n    return x\n",
        ),
        ("loop for comprehension", "def f(a):\n    return [lambda: x for x in a]\n"),
        ("while for for", "def f(a, iter):\n    for x in a:\n        iter(x)\n"),
        ("comparison mirrored", "def f(a):\n    return a() < a.b\n"),
    ],
)  # fmt: skip
def test_what_would_not_be_the_same_is_left_alone(family: str, source: str) -> None:
    assert [rewrite.source for rewrite in Program(source).rewrites() if rewrite.family == family] == []


def test_of_real_programs_every_rewrite_is_another_program_with_the_same_docstrings() -> None:
    subjects = [one for one in read_subjects("humaneval") if isinstance(one, LoadedSubject)][:24:4]
    count = 0
    for subject in subjects:
        text = subject.tree["solution.py"].decode()
        for rewrite in Program(text).rewrites():
            count += 1
            tree = ast.parse(rewrite.source)
            assert ast.dump(tree) != ast.dump(ast.parse(text))
            assert docstrings(tree) == docstrings(ast.parse(text))
    assert count > 30


def docstrings(tree: ast.Module) -> list[str | None]:
    return [ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_a_method_stays_in_its_class() -> None:
    source = 'class A:\n    def f(self):\n        """Two\n        lines."""\n        return 1 + 1\n\n    x = 1\n'
    (found,) = [rewrite.source for rewrite in Program(source).rewrites()]
    assert found == (
        'class A:\n    def f(self):\n        """Two\n        lines."""\n        answer = 1 + 1\n'
        "        return answer\n\n    x = 1\n"
    )
