"""Operators as they are written, and what each is taken for."""

from __future__ import annotations

from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Edit

ALTERNATIVES: Final[dict[str, tuple[str, ...]]] = {
    "+": ("-", "*", "//", "/", "%", "**", "|"),
    "-": ("+", "*", "/", "//", "%", "**", "&", "^"),
    "*": ("+", "/", "//", "**", "-", "%"),
    "/": ("//", "*", "%", "-", "+", "**"),
    "//": ("/", "%", "*", "-", "+", "**", ">>"),
    "%": ("//", "/", "*", "-", "+", "**", "&"),
    "**": ("*", "^", "+", "//", "/", "%", "-"),
    "&": ("|", "^", "-", "+"),
    "|": ("&", "^", "+", "-"),
    "^": ("|", "&", "**", "-", "+"),
    "<<": (">>", "*"),
    ">>": ("<<", "//"),
    "@": ("*",),
}
"""The operators that each is taken for, the likelier first."""
RELATIONS: Final[dict[str, tuple[str, ...]]] = {
    "<": ("<=", ">", ">=", "!=", "=="),
    "<=": ("<", ">=", ">", "==", "!="),
    ">": (">=", "<", "<=", "!=", "=="),
    ">=": (">", "<=", "<", "==", "!="),
    "==": ("!=", ">=", "<=", ">", "<"),
    "!=": ("==", ">", "<", ">=", "<="),
}


def sign_of(node: cst.CSTNode, ctx: Context) -> str:
    """The text of an operator, `not in` and `is not` with one blank."""
    return " ".join(ctx.text(node).split())


def alternatives(sign: str) -> tuple[str, ...]:
    """The binary operators that one is taken for, or the relational ones."""
    return ALTERNATIVES.get(sign) or RELATIONS.get(sign, ())


def worded(node: cst.CSTNode, word: str, ctx: Context) -> Edit:
    """An operator becomes a word, with blanks around it where there were none."""
    before, after = ctx.source[ctx.start(node) - 1], ctx.source[ctx.end(node)]
    return ctx.replace(node, f"{'' if before.isspace() else ' '}{word}{'' if after.isspace() else ' '}")
