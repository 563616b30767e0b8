"""Finds the condition that comes or goes where two blocks of statements differ.

Then they do the same as long as it has the value with which the other block goes on. Python 3.8 to 3.13, standard
library only.
"""

import ast
import sys
from typing import Any, NamedTuple

TEST = ("test that is a constant then", None)
BEFORE = {value: ("before a statement, instead of %s" % value, None) for value in (True, False)}
BLOCKS = ("body", "orelse", "finalbody")
COMPREHENSIONS = sys.modules["__main__"].load("compiler_warnings").COMPREHENSIONS
SHAPES = (
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Lambda, *COMPREHENSIONS),
    *(ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ExceptHandler),
)


class Guard(NamedTuple):
    """A condition that comes or goes, with a path that ends in TEST or in BEFORE: what it is, and what it was."""

    path: Any
    old: ast.expr
    new: ast.expr


def guards(olds, news, path):
    """Return the one Guard in which two blocks differ, in a list, or None. ``path`` leads to the first statement."""
    dumps = [list(map(ast.dump, block)) for block in (olds, news)]
    head = tail = 0
    while head < min(map(len, dumps)) and dumps[0][head] == dumps[1][head]:
        head += 1
    while tail < min(map(len, dumps)) - head and dumps[0][-1 - tail] == dumps[1][-1 - tail]:
        tail += 1
    gone, come = olds[head : len(olds) - tail], news[head : len(news) - tail]
    name, start = path[-1]
    if start + head == 0 and any(
        isinstance(block[0], ast.Expr) and is_text(block[0].value) for block in (olds, news) if block
    ):
        return None  # it may be a docstring
    at = (*path[:-1], (name, start + head))
    for branch, other, value in (("body", "orelse", True), ("orelse", "body", False)):
        if is_only_branch(gone, come, branch, other):
            return [Guard((*at, ("test", None), TEST), gone[0].test, ast.Constant(value=value, kind=None))]
        if is_only_branch(come, gone, branch, other):
            return [Guard((*at, BEFORE[value]), ast.Constant(value=value, kind=None), come[0].test)]
    return None


def is_only_branch(condition, block, branch, other):
    """Whether statements are an ``if`` one of whose branches is the block, and the other can come and go."""
    if len(condition) != 1 or not isinstance(condition[0], ast.If):
        return False
    kept = getattr(condition[0], branch)
    if len(kept) != len(block) or list(map(ast.dump, kept)) != list(map(ast.dump, block)):
        return False
    return not any(shapes_a_function(node) for part in getattr(condition[0], other) for node in ast.walk(part))


def shapes_a_function(node):
    """Whether the functions around it are others for a node in it that is never run."""
    if isinstance(node, ast.Name):
        return not isinstance(node.ctx, ast.Load) or node.id == "super"
    return isinstance(node, SHAPES) or type(node).__name__.startswith(("Async", "Match", "Type"))


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
