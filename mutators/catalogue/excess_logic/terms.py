"""Excess logic in numbers: an offset, a term, a factor or a copy of an operand too many."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import kinds, may_be, names_of, variables
from mendlab.mutators.context.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Number = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BinaryOperation | cst.Integer | cst.Float | cst.IfExp
_VALUES: Final = (
    cst.Index, cst.Slice, cst.Return, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Element, cst.DictElement, cst.Yield,
    cst.FormattedStringExpression, cst.Lambda, cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp,
)  # fmt: skip
_OPERANDS: Final = (cst.BinaryOperation, cst.UnaryOperation)
_STRONG: Final = (cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power, cst.MatrixMultiply)
_TERMS: Final = 4
_LONGEST_COPY: Final = 40


def _is_value(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node stands where its value is computed with, passed on or compared."""
    parent = ctx.parent(node)
    match parent:
        case cst.Arg(star=star):
            return not star and isinstance(ctx.parent(parent), cst.Call)
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=sign), *_]):
            return not isinstance(sign, cst.Is | cst.IsNot)
        case cst.ComparisonTarget(operator=sign):
            return not isinstance(sign, cst.Is | cst.IsNot | cst.In | cst.NotIn)
        case cst.IfExp(test=test):
            return test is not node
        case cst.UnaryOperation(operator=sign):
            return not isinstance(sign, cst.Not)
        case cst.BinaryOperation():
            return True
    return isinstance(parent, _VALUES) and not ctx.is_target(node)


def _is_term(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node is a number to which one could add: a smallest operand, no whole operation, no constant."""
    if not _is_value(node, ctx) or ctx.text(node) in ("True", "False", "None", "self", "cls"):
        return False
    inside = isinstance(ctx.parent(node), _OPERANDS)
    if isinstance(node, cst.BinaryOperation | cst.IfExp):
        if not node.lpar:
            return False
    elif isinstance(node, cst.Integer | cst.Float) and not inside:
        return False
    return may_be(_chain(node, ctx), ctx, NUMBER) and may_be(node, ctx, NUMBER)


def _chain(node: cst.BaseExpression, ctx: Context) -> cst.BaseExpression:
    """The largest operation that the node is part of without parentheses between."""
    parent = ctx.parent(node)
    while isinstance(parent, cst.BinaryOperation | cst.UnaryOperation):
        node, parent = parent, ctx.parent(parent)
        if node.lpar:
            break
    return node


def _is_surely_number(node: cst.BaseExpression, ctx: Context) -> bool:
    parent = ctx.parent(node)
    product = isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Multiply)
    return product or NUMBER in kinds(node, ctx) or NUMBER in kinds(_chain(node, ctx), ctx)


def _is_offset_already(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node is the 1 or what it is added to in ``x + 1``: other operators change that."""
    parent = ctx.parent(node)
    match parent:
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract(), right=cst.Integer(value="1")):
            return True
    return False


@operator(
    name="offset-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("for i in range(len(a)): pass", "for i in range(len(a) - 1): pass"),
        Example("x = a % b == 0", "x = a % b + 1 == 0"),
        Example("x = a[len(b)]", "x = a[len(b) + 1]"),
        Example("x = a * b", "x = (a + 1) * b"),
        Example("def f(a):\n    return f(a[1:])", "def f(a):\n    return 1 + f(a[1:])"),
    ],
)
def offset_added(node: Number, ctx: Context) -> Iterator[Change]:
    """A number that is an operand, an argument, an index, a bound, compared, assigned or returned is a little off."""
    if not _is_term(node, ctx) or _is_offset_already(node, ctx):
        return
    end = ctx.tree.outer[node][1]
    for text in (" + 1", " - 1"):
        yield Edit(end, end, text)
    parent = ctx.parent(node)
    strong = isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, _STRONG)
    if strong and not isinstance(node, cst.Integer | cst.Float):
        yield ctx.wrap(node, "(", " + 1)")
        yield ctx.wrap(node, "(", " - 1)")
    if isinstance(parent, cst.Return | cst.Assign | cst.AugAssign | cst.IfExp) and isinstance(node, cst.Call):
        yield ctx.wrap(node, "1 + ", "")
    if _is_surely_number(node, ctx):
        for text in (" + 2", " - 2"):
            yield Edit(end, end, text)


@operator(
    name="term-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("def f(a, i):\n    return a + 2 * i", "def f(a, i):\n    return a + 2 * i + i"),
        Example("def f(a, i):\n    return a % 1.0", "def f(a, i):\n    return a % 1.0 + 1.0"),
        Example("def f(a, b):\n    g(a - b)", "def f(a, b):\n    g(a - b + a)"),
        Example("def f(a, b):\n    return a / b", "def f(a, b):\n    return a / b - b"),
    ],
)
def term_added(node: Number, ctx: Context) -> Iterator[Change]:
    """A number gets another term: a variable of the scope, a constant of the expression, or another operand again."""
    if not _is_term(node, ctx):
        return
    end = ctx.tree.outer[node][1]
    parent = ctx.parent(node)
    sure = _is_surely_number(node, ctx)
    if sure:
        names = [n for n in names_of(variables(node, ctx), NUMBER) if n != ctx.text(node)][:_TERMS]
        for sign in "+-":
            yield from (Edit(end, end, f" {sign} {name}") for name in names)
    if isinstance(parent, cst.BinaryOperation):
        copies = dict.fromkeys(ctx.whole(n) for n in _operands(_chain(node, ctx)))
        for copy in copies:
            if len(copy) <= _LONGEST_COPY and copy != "1":
                yield Edit(end, end, f" + {copy}")
                if sure:
                    yield Edit(end, end, f" - {copy}")


def _operands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    match node:
        case cst.BinaryOperation(left=left, right=right):
            for part in (left, right):
                if isinstance(part, cst.BinaryOperation) and not part.lpar:
                    yield from _operands(part)
                else:
                    yield part


@operator(
    name="factor-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("x = a ** len(b)", "x = a ** 2 * len(b)"),
        Example("x = f(a) - b", "x = 2 * f(a) - b"),
        Example("x = a * b", "x = a * b * -1"),
        Example("x = a * b", "x = a ** 2 * b"),
        Example("x = len(a)", "x = len(a) // 2"),
        Example("def f(a, b):\n    return a * 2", "def f(a, b):\n    return a * 2 * b"),
    ],
)
def factor_added(node: Number, ctx: Context) -> Iterator[Change]:
    """A number is multiplied, divided or raised once too often."""
    if not _is_term(node, ctx) or not _is_surely_number(node, ctx) or isinstance(ctx.parent(node), cst.UnaryOperation):
        return
    end = ctx.tree.outer[node][1]
    constant = isinstance(node, cst.Integer | cst.Float)
    yield Edit(end, end, " * 2")
    if not constant:
        yield ctx.wrap(node, "2 * ", "")
    yield Edit(end, end, " // 2")
    if isinstance(ctx.parent(node), cst.Arg | cst.Index | cst.Slice):
        return
    for text in (" * -1", " / 2", " % 2", *(() if constant else (" ** 2",))):
        yield Edit(end, end, text)
    names = names_of(variables(node, ctx), NUMBER, unknown=True)
    others = [n for n in names if constant or n != ctx.text(node)][:2]
    for text in (f" {sign} {name}" for name in others for sign in "*/"):
        yield Edit(end, end, text)
    if not constant and len(ctx.whole(node)) <= _LONGEST_COPY:
        yield Edit(end, end, f" * {ctx.whole(node)}")


@operator(
    name="operand-mirrored",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("x = [f(a - b) for a, b in c]", "x = [f(a - b) + f(b - a) for a, b in c]"),
        Example("x = f(a, b)", "x = f(a, b) + f(b, a)"),
        Example("x = g(a - b)", "x = g(a - b + b - a)"),
        Example("x = f(a)", "x = f(a) + f(a)"),
    ],
)
def operand_mirrored(node: cst.Call | cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """A value is added to once more, with its two parts exchanged or just as it is."""
    match node:
        case cst.Call(args=[cst.Arg(value=cst.BinaryOperation() as inside, star="", keyword=None)]):
            left, right = inside.left, inside.right
        case cst.Call(args=[cst.Arg(value=left, star="", keyword=None), cst.Arg(value=right, star="", keyword=None)]):
            pass
        case cst.BinaryOperation(left=left, right=right, operator=cst.Subtract() | cst.Divide()):
            pass
        case cst.Call():
            left = right = node
        case _:
            return
    if not _is_value(node, ctx) or kinds(node, ctx) & {MAPPING, FLAG}:
        return
    end = ctx.tree.outer[node][1]
    if left is not right:
        yield Edit(end, end, f" + {_exchanged(node, left, right, ctx)}")
    if isinstance(node, cst.Call) and len(ctx.whole(node)) <= _LONGEST_COPY:
        yield Edit(end, end, f" + {ctx.whole(node)}")


def _exchanged(node: cst.BaseExpression, left: cst.BaseExpression, right: cst.BaseExpression, ctx: Context) -> str:
    """The text of an expression with two of its parts exchanged."""
    low, high = ctx.tree.outer[node]
    (a, b), (c, d) = ctx.tree.outer[left], ctx.tree.outer[right]
    return ctx.source[low:a] + ctx.operand(right) + ctx.source[b:c] + ctx.operand(left) + ctx.source[d:high]


@operator(
    name="step-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[
        Example("def f(a, b):\n    return a / b", "def f(a, b):\n    return round(a / b)"),
        Example("x = a - b", "x = abs(a - b)"),
        Example("x = len(a) / 2", "x = int(len(a) / 2)"),
    ],
)
def step_added(node: Number, ctx: Context) -> Iterator[Change]:
    """A number is rounded, made positive or converted without need."""
    if isinstance(node, cst.Integer | cst.Float) or not _is_value(node, ctx) or isinstance(node, cst.Attribute):
        return
    found = kinds(node, ctx)
    if NUMBER not in found and found & {TEXT, SEQUENCE, MAPPING, FLAG}:
        return
    whole = isinstance(ctx.parent(node), cst.Index | cst.Slice)
    operand = isinstance(ctx.parent(node), cst.BinaryOperation)
    integer = isinstance(node, cst.Call) and ctx.text(node.func) in ("len", "int", "ord", "round", "abs", "range")
    if whole or operand:
        functions = ["abs", "int"] if NUMBER in found else []
    elif NUMBER in found:
        functions = ["abs", "int", "round", "str", "float"]
    else:
        functions = ["int", "str"]
    functions = [f for f in functions if not (integer and f in ("int", "round"))]
    for name in functions:
        yield Edit(*ctx.tree.outer[node], f"{name}({ctx.text(node)})")
