"""What an operator is given beside the node: the text, the tree around the node, and ways to make edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from mendlab.mutators.context.statements import Statements
from mendlab.mutators.edits import Edit

_ATOMS: Final = (
    cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString,
    cst.FormattedString, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp, cst.Ellipsis,
)  # fmt: skip
_ROOMY: Final = (
    cst.Arg, cst.Index, cst.Slice, cst.Element, cst.Expr, cst.Return, cst.Assign, cst.AugAssign, cst.AnnAssign,
    cst.If, cst.While, cst.For, cst.DictElement, cst.Assert, cst.Param, cst.Raise, cst.Lambda,
)  # fmt: skip
_NEEDS_PARENTHESES_ANYWHERE: Final = (cst.GeneratorExp, cst.Tuple, cst.NamedExpr, cst.Yield)


class Context(Statements):
    """One parsed source, as operators see it: reading, statements, and edits of expressions and lists.

    A node's inner text is without the parentheses around it, its whole text with them.
    """

    def operand(self, node: cst.BaseExpression) -> str:
        """The node's text in a form that may stand as an operand of anything."""
        text = self.whole(node)
        if isinstance(node, cst.Integer | cst.Float | cst.Imaginary):
            return text
        return text if node.lpar or isinstance(node, _ATOMS) else f"({text})"

    def replace(self, node: cst.CSTNode, text: str) -> Edit:
        """The node becomes the text; the parentheses around it stay."""
        start, end = self.tree.inner[node]
        return Edit(start, end, text)

    def fit(self, node: cst.BaseExpression, other: cst.BaseExpression) -> Edit:
        """The node with its parentheses becomes a copy of another expression, parenthesised if its place needs it."""
        start, end = self.tree.outer[node]
        bare = other.lpar or isinstance(other, _ATOMS)
        roomy = isinstance(self.parent(node), _ROOMY) and not isinstance(other, _NEEDS_PARENTHESES_ANYWHERE)
        text = self.whole(other)
        return Edit(start, end, text if bare or roomy else f"({text})")

    def wrap(self, node: cst.BaseExpression, before: str, after: str) -> Edit:
        """The node with its parentheses gets text before and after it."""
        start, end = self.tree.outer[node]
        return Edit(start, end, before + self.source[start:end] + after)

    def swap(self, left: cst.BaseExpression, right: cst.BaseExpression) -> tuple[Edit, Edit]:
        """Two expressions change places."""
        return self.fit(left, right), self.fit(right, left)

    def drop_item(self, items: Sequence[cst.CSTNode], index: int) -> Edit:
        """An item of a comma-separated list goes, with one of the commas beside it."""
        if index + 1 < len(items):
            return Edit(self.start(items[index]), self.start(items[index + 1]), "")
        start = self.end_of_item(items[index - 1]) if index else self.start(items[index])
        return Edit(start, self.end_of_item(items[index]), "")

    def item_text(self, item: cst.CSTNode) -> str:
        """The text of a list item without its comma."""
        return self.source[self.tree.outer[item][0] : self.end_of_item(item)]

    def end_of_item(self, item: cst.CSTNode) -> int:
        """Offset after a list item, before the white space, the comments and the comma that follow it."""
        parts = (getattr(item, part, None) for part in ("value", "default", "annotation", "name"))
        return self.tree.outer[next(p for p in parts if isinstance(p, cst.CSTNode))][1]
