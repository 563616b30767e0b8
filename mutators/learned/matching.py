"""Whether a piece of code is what a template looks for, and what its metavariables stand for there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Final

import libcst as cst

from mendlab.mutators.context.reading import Reading
from mendlab.mutators.learned.template import metavariable, with_dollars

_LAYOUT: Final = frozenset((
    "lpar", "rpar", "comma", "semicolon", "equal", "leading_lines", "lines_after_decorators", "header", "footer",
    "trailing_whitespace", "indent", "first_colon", "second_colon", "dot", "lbrace", "rbrace", "lbracket", "rbracket",
))  # fmt: skip
_CONSTANTS: Final = (cst.BaseNumber, cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis)
_CONSTANT_NAMES: Final = ("True", "False", "None")


def match(pattern: cst.CSTNode, node: cst.CSTNode, ctx: Reading) -> Mapping[str, cst.BaseExpression] | None:
    """What each metavariable stands for if the node is what the pattern says, else ``None``.

    White space, comments and redundant parentheses and commas make no difference.
    """
    bound: dict[str, cst.BaseExpression] = {}
    return bound if _Matching(ctx, bound).fits(pattern, node) else None


class _Matching:
    def __init__(self, ctx: Reading, bound: dict[str, cst.BaseExpression]) -> None:
        self._ctx, self._bound = ctx, bound

    def fits(self, pattern: object, node: object) -> bool:
        if isinstance(pattern, cst.CSTNode):
            return isinstance(node, cst.CSTNode) and self._node_fits(pattern, node)
        if isinstance(pattern, Sequence) and not isinstance(pattern, str):
            assert isinstance(node, Sequence)
            return len(pattern) == len(node) and all(map(self.fits, pattern, node))
        return pattern == node

    def _node_fits(self, pattern: cst.CSTNode, node: cst.CSTNode) -> bool:
        name = metavariable(pattern)
        if name is not None:
            return isinstance(node, cst.BaseExpression) and _allows(name, node) and self._binds(name, node)
        if isinstance(pattern, cst.BaseSuite):
            return isinstance(node, cst.BaseSuite) and self.fits(_statements(pattern), _statements(node))
        if type(pattern) is not type(node):
            return False
        if isinstance(pattern, cst.SimpleString) and isinstance(node, cst.SimpleString):
            value = pattern.evaluated_value
            return (with_dollars(value) if isinstance(value, str) else value) == node.evaluated_value
        return all(
            self.fits(getattr(pattern, field.name), getattr(node, field.name))
            for field in fields(pattern)
            if field.name not in _LAYOUT and not field.name.startswith("whitespace")
        )

    def _binds(self, name: str, node: cst.BaseExpression) -> bool:
        other = self._bound.setdefault(name, node)
        return self._ctx.text(other) == self._ctx.text(node)


def _allows(name: str, node: cst.BaseExpression) -> bool:
    """Whether a metavariable of that name may stand for an expression."""
    is_name = isinstance(node, cst.Name) and node.value not in _CONSTANT_NAMES
    if name.startswith("N"):
        return is_name
    if name.startswith("C"):
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.BaseNumber)
        return isinstance(node, _CONSTANTS) or (isinstance(node, cst.Name) and not is_name)
    return not isinstance(node, cst.StarredElement)


def _statements(suite: cst.BaseSuite) -> list[cst.CSTNode]:
    """The statements of a block, each by itself, however they are spread over lines."""
    found: list[cst.CSTNode] = []
    for statement in suite.body:
        found += statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
    return found
