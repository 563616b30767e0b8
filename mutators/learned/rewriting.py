"""What a template puts in the place of the code that it fits."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.tree import Tree
from mendlab.mutators.edits import Edit
from mendlab.mutators.learned.template import Compiled, filled

_LINE_BREAK: Final = re.compile(r"\n([ \t]*)")


def rewrite(
    template: Compiled, node: cst.CSTNode, bound: Mapping[str, cst.BaseExpression], ctx: Context
) -> Edit | None:
    """The edit that makes ``after`` of a node; ``None`` if the statement shares its line with others.

    Parentheses are put where the text would mean something else without them, and nowhere else.
    """
    bare = filled(template.after, lambda name: ctx.whole(bound[name]))
    safe = filled(template.after, lambda name: ctx.operand(bound[name]))
    text = bare if _same(bare, safe) else safe
    if template.is_expression:
        return ctx.replace(node, text if _fits_bare(node, text, ctx) else f"({text})")
    statement = ctx.parent(node) if isinstance(node, cst.BaseSmallStatement) else node
    is_alone = len(statement.body) == 1 if isinstance(statement, cst.SimpleStatementLine) else True
    if isinstance(statement, cst.BaseStatement) and is_alone and not ctx.is_elif(statement):
        return _replaced(statement, template.after, text, ctx)
    return ctx.replace(node, text) if isinstance(node, cst.BaseSmallStatement) and "\n" not in text and text else None


def _replaced(statement: cst.BaseStatement, after: Tree, text: str, ctx: Context) -> Edit:
    """A whole statement becomes others, with the indentation of its place."""
    if not text:
        return ctx.delete(statement)
    outside, own = ctx.indentation(statement), after.module.default_indent
    inside = ctx.tree.module.default_indent

    def moved(line_break: re.Match[str]) -> str:
        return ctx.newline + outside + inside * (len(line_break[1]) // len(own))

    return ctx.replace(statement, _LINE_BREAK.sub(moved, text))


def _fits_bare(node: cst.CSTNode, text: str, ctx: Context) -> bool:
    """Whether an expression may take the node's place without parentheses."""
    start, end = ctx.tree.inner[node]
    for around in ctx.ancestors(node):
        if isinstance(around, cst.BaseExpression | cst.BaseSmallStatement):
            low, high = ctx.tree.inner[around]
            head, tail = ctx.source[low:start], ctx.source[end:high]
            safe = f"{head}({text}){tail}"
            if isinstance(around, cst.BaseExpression):
                head, safe, tail = f"({head}", f"({safe}\n)", f"{tail}\n)"
            if _tree(safe) is not None:
                return _same(f"{head}{text}{tail}", safe)
        elif isinstance(around, cst.BaseStatement):
            break
    return _same(f"if {text}: pass", f"if ({text}): pass")


def _same(one: str, other: str) -> bool:
    return one == other or _tree(one) == _tree(other)


def _tree(text: str) -> str | None:
    """The syntax tree of a text that need not be allowed where it would stand; ``None`` if it is not Python at all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(text))
        except (SyntaxError, ValueError, RecursionError):
            return None
