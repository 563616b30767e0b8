"""The twenty patterns of one-statement fixes in TSSB-3M, each undone by an operator that is registered for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from measures.section import Goal, Section, Table
from measures.trees import normal
from mendlab.mutators import NATURAL_SHARES, enumerate_mutants, operators

FIXES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "change identifier": (
        (
            "def area(width, height):\n    size = width * width\n    return size\n",
            "def area(width, height):\n    size = width * height\n    return size\n",
        ),
        ("def last(rows, cells):\n    return rows[-1]\n", "def last(rows, cells):\n    return cells[-1]\n"),
    ),
    "change binary operand": (
        ("def mid(low, high):\n    return (high + high) // 2\n", "def mid(low, high):\n    return (low + high) // 2\n"),
        ("def rest(items, n):\n    return len(items) - 1\n", "def rest(items, n):\n    return len(items) - n\n"),
    ),
    "same function more args": (
        ("rows = sorted(names)\n", "rows = sorted(names, key=len)\n"),
        ("reply = get(url)\n", "reply = get(url, 30)\n"),
    ),
    "wrong function name": (
        ("best = max(costs)\n", "best = min(costs)\n"),
        ("names = line.rsplit(',')\n", "names = line.split(',')\n"),
    ),
    "add function around expression": (
        ("gap = left - right\n", "gap = abs(left - right)\n"),
        ("def show(n):\n    print('n is ' + n)\n", "def show(n):\n    print('n is ' + str(n))\n"),
    ),
    "change attribute used": (
        (
            "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
            "    def area(self):\n        return self.w * self.w\n",
            "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
            "    def area(self):\n        return self.w * self.h\n",
        ),
    ),
    "change numeric literal": (
        ("limit = 9\n", "limit = 10\n"),
        ("scale = 1.0\n", "scale = 100.0\n"),
    ),
    "more specific if": (
        ("if ready:\n    start()\n", "if ready and idle:\n    start()\n"),
        ("if n > 2:\n    halve(n)\n", "if n > 2 and n % 2 == 0:\n    halve(n)\n"),
    ),
    "add method call": (
        ("word = line\n", "word = line.strip()\n"),
        ("for name in table:\n    print(name)\n", "for name in table.keys():\n    print(name)\n"),
    ),
    "add elements to iterable": (
        ("kinds = ['a', 'b']\n", "kinds = ['a', 'b', 'c']\n"),
        ("sizes = {'s': 1}\n", "sizes = {'s': 1, 'm': 2}\n"),
    ),
    "same function less args": (
        ("def tidy(text):\n    return text.split(' ')\n", "def tidy(text):\n    return text.split()\n"),
        ("def call(f, x):\n    return f(x, x)\n", "def call(f, x):\n    return f(x)\n"),
    ),
    "change boolean literal": (
        ("debug = True\n", "debug = False\n"),
        ("rows.sort(reverse=False)\n", "rows.sort(reverse=True)\n"),
    ),
    "add attribute access": (
        ("print(reply)\n", "print(reply.text)\n"),
        ("if user is None:\n    leave()\n", "if user.name is None:\n    leave()\n"),
    ),
    "change binary operator": (
        ("total = price - tax\n", "total = price + tax\n"),
        ("if low < high:\n    swap()\n", "if low <= high:\n    swap()\n"),
    ),
    "same function wrong caller": (
        (
            "def copy(source, target):\n    data = source.read()\n    source.write(data)\n",
            "def copy(source, target):\n    data = source.read()\n    target.write(data)\n",
        ),
    ),
    "less specific if": (
        (
            "def send(mail, draft):\n    if mail and draft:\n        post(mail)\n",
            "def send(mail, draft):\n    if mail:\n        post(mail)\n",
        ),
        (
            "def grow(a, b):\n    if a > 0 and b > 0:\n        extend(b)\n",
            "def grow(a, b):\n    if a > 0:\n        extend(b)\n",
        ),
    ),
    "change keyword argument used": (
        ("plot(x, width=5)\nplot(y, height=2)\n", "plot(x, height=5)\nplot(y, height=2)\n"),
        (
            "small = plot(x, width=1, height=2)\nlarge = plot(x, width=3)\n",
            "small = plot(x, width=1, height=2)\nlarge = plot(x, height=3)\n",
        ),
    ),
    "change unary operator": (
        ("if done:\n    stop()\n", "if not done:\n    stop()\n"),
        ("key = cost\n", "key = -cost\n"),
    ),
    "same function swap args": (
        ("share = divide(whole, part)\n", "share = divide(part, whole)\n"),
        ("isinstance(str, name)\n", "isinstance(name, str)\n"),
    ),
    "change constant type": (
        ("port = '80'\n", "port = 80\n"),
        ("ratio = 1\n", "ratio = 1.0\n"),
    ),
}
"""Fixes of each pattern: the text before, and after."""


def undoes(before: str, after: str, operators: Sequence[str] | None = None) -> bool:
    """Whether a mutant of the fixed text, made by one of the operators (``None``: any), is the text before the fix."""
    wanted = normal(before)
    return any(normal(mutant.source) == wanted for mutant in enumerate_mutants(after, operators=operators))


def section() -> Section:
    """One row a pattern; it counts if an operator that is registered for it undoes an example of it."""
    rows, data, covered = [], {}, 0
    for pattern, share in NATURAL_SHARES.items():
        fixes = FIXES[pattern]
        registered = [operator.name for operator in operators() if operator.pattern == pattern]
        own = [name for name in registered if any(undoes(before, after, [name]) for before, after in fixes)]
        undone = sum(undoes(before, after) for before, after in fixes)
        covered += bool(own)
        rows.append((pattern, f"{share}%", f"{len(registered)}", f"{undone} of {len(fixes)}", ", ".join(own) or "NONE"))
        data[str(pattern)] = {"registered": registered, "of them undo an example": own, "examples undone": undone}
    goal = Goal("TSSB patterns injected", "20 of 20", f"{covered} of {len(rows)}", covered == len(rows) == 20)
    columns = ("pattern of the fix", "share", "operators", "examples undone", "by operators registered for it")
    return Section("patterns", [Table("Patterns of TSSB-3M", columns, rows)], data, [goal])
