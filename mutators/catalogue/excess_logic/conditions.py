"""Excess logic in conditions: a clause or a filter too many."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import kinds, names_in_expression, variables
from mendlab.mutators.context.scopes import CALLABLE, FLAG, MAPPING, NUMBER, SEQUENCE, TEXT, Binding
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_SIGNS: Final = {
    "<": (">", ">=", "!=", "=="),
    "<=": (">=", "!=", ">", "<"),
    ">": ("<", "<=", "!=", "=="),
    ">=": ("<=", "!=", "<", ">"),
    "==": ("<", ">", "!=", "<=", ">="),
    "!=": ("<", ">", "=="),
}
_ASKED: Final = 4
_BY_KIND: Final = {
    NUMBER: ("{} > 0", "{} != 0", "{} == 0", "{} > 1", "{} < 0", "{} % 2 == 0"),
    TEXT: ("{}", "{} != ''", "len({}) > 1"),
    SEQUENCE: ("{}", "len({}) > 0", "len({}) > 1"),
    MAPPING: ("{}",),
    FLAG: ("{}", "not {}"),
}
_CONDITIONS: Final = (cst.If, cst.While, cst.IfExp, cst.CompIf, cst.Assert)
Condition = (
    cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.Comparison | cst.BooleanOperation | cst.UnaryOperation
)
_ANSWERS: Final = (cst.Return, cst.Assign, cst.Lambda, cst.Arg, cst.GeneratorExp, cst.ListComp)


def _joined(node: cst.BaseExpression, ctx: Context, word: str, clause: str) -> Iterator[Change]:
    """The condition with a clause after it: as typed, and where `or` binds less, also with parentheses."""
    if word == "and" and isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or) and not node.lpar:
        yield ctx.wrap(node, "(", f") and {clause}")
    yield ctx.wrap(node, "", f" {word} {clause}")


@operator(
    name="clause-added",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    inverse="clause-dropped",
    examples=[
        Example("x = a >= 8", "x = a >= 8 and a <= 8"),
        Example("x = a == b", "x = a == b or a < b"),
        Example("def f(a, b):\n    if a > 0:\n        g(b)", "def f(a, b):\n    if a > 0 or b > 0:\n        g(b)"),
    ],
)
def clause_added(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A comparison is joined with another of the same operands, or with the same of another variable."""
    parent = ctx.parent(node)
    if len(node.comparisons) != 1 or isinstance(parent, cst.UnaryOperation | cst.Comparison | cst.ComparisonTarget):
        return
    target = node.comparisons[0]
    left, right = ctx.whole(node.left), ctx.whole(target.comparator)
    for sign in _SIGNS.get(ctx.text(target.operator), ()):
        for word in ("and", "or"):
            yield Edit(ctx.end(node), ctx.end(node), f" {word} {left} {sign} {right}")
    start, end = ctx.tree.inner[node]
    for name in names_in_expression(node, ctx)[:2]:
        for other in ctx.similar_names(name)[:2]:
            text = ctx.source[start : ctx.start(name)] + other.name + ctx.source[ctx.end(name) : end]
            for word in ("and", "or"):
                yield Edit(end, end, f" {word} {text}")


def _is_condition(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node is a whole condition, or an answer that is one."""
    if isinstance(node, cst.IfExp | cst.NamedExpr | cst.Lambda):
        return False
    parent = ctx.parent(node)
    if isinstance(parent, _CONDITIONS):
        return parent.test is node
    logical = isinstance(node, cst.Comparison | cst.BooleanOperation)
    logical = logical or (isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not))
    logical = logical or (isinstance(node, cst.Call) and isinstance(parent, cst.Return) and FLAG in kinds(node, ctx))
    return logical and isinstance(parent, _ANSWERS) and getattr(parent, "body", node) is node


def _clauses(bindings: list[Binding], test: str) -> Iterator[str]:
    """What one could ask of variables, the likeliest first."""
    asked = [b for b in bindings if not b.kinds or b.kinds - {CALLABLE}][:_ASKED]
    for left, right in pairwise(asked[:3]):
        if not (left.kinds and right.kinds) or left.kinds & right.kinds:
            yield f"{left.name} != {right.name}"
            yield f"{left.name} == {right.name}"
            if NUMBER in left.kinds | right.kinds:
                yield f"{left.name} < {right.name}"
                yield f"{left.name} > {right.name}"
        elif SEQUENCE in left.kinds | right.kinds:
            one, many = (right, left) if SEQUENCE in left.kinds else (left, right)
            yield f"{one.name} not in {many.name}"
            yield f"{one.name} in {many.name}"
    for binding in asked:
        forms = [form for kind, forms in _BY_KIND.items() if kind in binding.kinds for form in forms]
        for form in dict.fromkeys(forms or ("{}", "not {}", "{} is not None", "{} > 0")):
            clause = form.format(binding.name)
            if clause != test:
                yield clause


@operator(
    name="condition-joined",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    inverse="clause-dropped",
    examples=[
        Example("def f(a, b):\n    if a > 0:\n        g(b)", "def f(a, b):\n    if a > 0 and b:\n        g(b)"),
        Example("def f(a, b):\n    return not a", "def f(a, b):\n    return not a or a == b"),
        Example("def f(a, b):\n    return all(a)", "def f(a, b):\n    return all(a) and b"),
        Example(
            "def f(a):\n    return [b for b in a if b]", "def f(a):\n    return [b for b in a if b and len(a) > 1]"
        ),
    ],
)
def condition_joined(node: Condition, ctx: Context) -> Iterator[Change]:
    """A condition also asks something of variables of the scope."""
    if not _is_condition(node, ctx):
        return
    clauses = list(dict.fromkeys(_clauses(variables(node, ctx), ctx.text(node))))
    for word in ("and", "or"):
        for clause in clauses:
            yield from _joined(node, ctx, word, clause)


@operator(
    name="filter-added",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    inverse="filter-dropped",
    examples=[
        Example("def f(a):\n    return [g(b) for b in a]", "def f(a):\n    return [g(b) for b in a if b]"),
        Example("def f(a):\n    return [b - 1 for b in a]", "def f(a):\n    return [b - 1 for b in a if b > 0]"),
    ],
)
def filter_added(node: cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A comprehension leaves something out that it should have."""
    if node.inner_for_in is not None or node.ifs:
        return
    names = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    bindings = [b for n in names if isinstance(n, cst.Name) and (b := ctx.scope(node.target).resolve(n.value))]
    asked = [b for b in bindings if b.name != "_"]
    others = [b for b in variables(node, ctx) if b not in asked]
    end = ctx.tree.outer[node.iter][1]
    for clause in dict.fromkeys((*_clauses(asked, ""), *_clauses([*asked[:1], *others[:1]], ""))):
        yield Edit(end, end, f" if {clause}")
