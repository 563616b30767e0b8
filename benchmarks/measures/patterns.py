"""The twenty patterns of one-statement fixes in TSSB-3M, each undone by an operator that is registered for it."""

from __future__ import annotations

from typing import Final

from measures.section import Goal, Section, Table
from measures.trees import normal
from mendlab.mutators import NATURAL_SHARES, enumerate_mutants, operators

FIXES: Final[dict[str, tuple[str, str]]] = {
    "change identifier": (
        "def area(width, height):\n    size = width * width\n    return size\n",
        "def area(width, height):\n    size = width * height\n    return size\n",
    ),
    "change binary operand": (
        "def mid(low, high):\n    return high + high\n",
        "def mid(low, high):\n    return low + high\n",
    ),
    "same function more args": ("rows = sorted(names)\n", "rows = sorted(names, key=len)\n"),
    "wrong function name": ("best = max(costs)\n", "best = min(costs)\n"),
    "add function around expression": ("gap = left - right\n", "gap = abs(left - right)\n"),
    "change attribute used": (
        "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
        "    def area(self):\n        return self.w * self.w\n",
        "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
        "    def area(self):\n        return self.w * self.h\n",
    ),
    "change numeric literal": ("limit = 9\n", "limit = 10\n"),
    "more specific if": ("if ready:\n    start()\n", "if ready and idle:\n    start()\n"),
    "add method call": ("word = line\n", "word = line.strip()\n"),
    "add elements to iterable": ("kinds = ['a', 'b']\n", "kinds = ['a', 'b', 'c']\n"),
    "same function less args": ("text = fetch(url, None)\n", "text = fetch(url)\n"),
    "change boolean literal": ("debug = True\n", "debug = False\n"),
    "add attribute access": ("print(reply)\n", "print(reply.text)\n"),
    "change binary operator": ("total = price - tax\n", "total = price + tax\n"),
    "same function wrong caller": (
        "def copy(source, target):\n    data = source.read()\n    source.write(data)\n",
        "def copy(source, target):\n    data = source.read()\n    target.write(data)\n",
    ),
    "less specific if": ("if ready and idle:\n    start()\n", "if ready:\n    start()\n"),
    "change keyword argument used": (
        "def plot(x, width=1, height=1):\n    return x\n\n\nplot(3, width=5)\n",
        "def plot(x, width=1, height=1):\n    return x\n\n\nplot(3, height=5)\n",
    ),
    "change unary operator": ("if done:\n    stop()\n", "if not done:\n    stop()\n"),
    "same function swap args": ("share = divide(whole, part)\n", "share = divide(part, whole)\n"),
    "change constant type": ("port = '80'\n", "port = 80\n"),
}
"""A fix of each pattern: the text before it, and after."""


def injecting(pattern: str) -> list[str]:
    """The operators registered for a pattern that undo its example, in order of name."""
    before, after = FIXES[pattern]
    wanted = normal(before)
    names = [operator.name for operator in operators() if operator.pattern == pattern]
    return [
        name for name in sorted(names)
        if any(normal(mutant.source) == wanted for mutant in enumerate_mutants(after, operators=[name]))
    ]  # fmt: skip


def section() -> Section:
    """One row a pattern."""
    rows, data = [], {}
    for pattern, share in NATURAL_SHARES.items():
        registered = [operator.name for operator in operators() if operator.pattern == pattern]
        shown = injecting(pattern)
        rows.append((pattern, f"{share}%", f"{len(registered)}", ", ".join(shown) or "NONE"))
        data[str(pattern)] = {"operators": registered, "undo the example": shown}
    covered = sum(bool(found["undo the example"]) for found in data.values())
    goal = Goal("TSSB patterns injected", "20 of 20", f"{covered} of {len(rows)}", covered == len(rows) == 20)
    columns = ("pattern of the fix", "share", "operators", "undo an example of it")
    return Section("patterns", [Table("Patterns of TSSB-3M", columns, rows)], data, [goal])
