"""Excess logic in texts: a character, a separator or a piece too many."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import kinds, names_of, variables
from mendlab.mutators.context.scopes import NUMBER, SEQUENCE, TEXT
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Piece = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.SimpleString | cst.BinaryOperation
_PLACES: Final = (cst.Return, cst.Assign, cst.AugAssign, cst.Element, cst.IfExp, cst.ListComp, cst.GeneratorExp)
_LONGEST: Final = 40


def _is_piece(node: cst.BaseExpression, ctx: Context) -> bool:
    """Whether the node is a text to which one could add another."""
    parent = ctx.parent(node)
    if isinstance(node, cst.BinaryOperation) and not node.lpar:
        return False
    joined = isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Add)
    passed = isinstance(parent, cst.Arg) and _is_stored(parent, ctx)
    if not (joined or passed or isinstance(parent, _PLACES)) or ctx.is_target(node):
        return False
    if isinstance(parent, cst.IfExp) and parent.test is node:
        return False
    found = kinds(node, ctx)
    if isinstance(parent, cst.BinaryOperation):
        found |= kinds(parent, ctx)
    elif isinstance(parent, cst.AugAssign):
        found |= kinds(parent.target, ctx)
    return TEXT in found and NUMBER not in found


def _is_stored(argument: cst.Arg, ctx: Context) -> bool:
    """Whether an argument is put into a collection."""
    call = ctx.parent(argument)
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="append" | "add" | "insert"))):
            return True
    return False


@operator(
    name="text-extended",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("x = 'a' + b", "x = 'a' + b + ' '"),
        Example("x = 'a' + b", "x = 'a' + b + b"),
        Example("def f(a):\n    b = ''\n    b += a[0]", "def f(a):\n    b = ''\n    b += a[0] + ' '"),
        Example(
            "def f(a, b):\n    a += 'x'\n    return a.lower()", "def f(a, b):\n    a += 'x' + a\n    return a.lower()"
        ),
        Example("def f(a):\n    return a.lower()", "def f(a):\n    return ' ' + a.lower()"),
    ],
)
def text_extended(node: Piece, ctx: Context) -> Iterator[Change]:
    """A text gets another piece: a blank, a variable, or itself again."""
    if not _is_piece(node, ctx):
        return
    start, end = ctx.tree.outer[node]
    text = ctx.whole(node)
    if not isinstance(node, cst.SimpleString):
        yield Edit(end, end, " + ' '")
        yield Edit(start, start, "' ' + ")
    if len(text) <= _LONGEST and text not in ("''", '""'):
        yield Edit(end, end, f" + {text}")
        yield Edit(end, end, " * 2")
    names = [n for n in names_of(variables(node, ctx), TEXT, unknown=True) if n != text][:2]
    for name in names:
        yield Edit(end, end, f" + {name}")
        yield Edit(start, start, f"{name} + ")


@operator(
    name="texts-padded",
    odc="assignment",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(a):\n    if a:\n        return ''\n    return ''",
            "def f(a):\n    if a:\n        return ' '\n    return ' '",
        ),
        Example("x = a in 'ab'\ny = b in 'ab'", "x = a in 'ab '\ny = b in 'ab '"),
    ],
)
def texts_padded(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A text that is written several times has, everywhere in the function, a blank or its last character too many."""
    function = ctx.function(node)
    low, high = ctx.tree.outer[function.body] if function is not None else (0, len(ctx.source))
    text = ctx.text(node)
    same = [n for n in ctx.of_type(cst.SimpleString) if low <= ctx.start(n) < high and ctx.text(n) == text]
    if len(same) < 2 or same[0] is not node or ctx.function(same[-1]) is not function:
        return
    raw = node.raw_value
    for before, after in (("", " "), (" ", ""), ("", raw[-1:] if raw[-2:-1] != "\\" else "")):
        changed = f"{node.prefix}{node.quote}{before}{raw}{after}{node.quote}"
        yield tuple(Edit(*ctx.tree.inner[n], changed) for n in same)


@operator(
    name="text-prefixed",
    odc="assignment",
    bug_type="excess logic",
    inverse="character-dropped",
    examples=[Example("x = 'ab'", "x = '-ab'"), Example("x = 'ab'", "x = 'ab\\n'"), Example("x = 'ab'", "x = 'ab,'")],
)
def text_prefixed(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A short text has a sign too many before or after it."""
    raw = node.raw_value
    if not 1 <= len(raw) <= 12 or isinstance(ctx.parent(node), cst.ConcatenatedString | cst.Index):
        return
    start = ctx.start(node) + len(node.prefix) + len(node.quote)
    end = start + len(raw)
    for sign in (",", ".", "\\n", "s", "-"):
        if "\\" not in sign or "r" not in node.prefix.lower():
            yield Edit(end, end, sign)
    yield Edit(start, start, "-")


@operator(
    name="separator-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[Example("x = ','.join(a)", "x = ','.join(a) + ','")],
)
def separator_added(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A separator also stands before the first or after the last of the things that it should separate."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name(value="join"))) if (
            text.raw_value and kinds(node, ctx) <= {TEXT, SEQUENCE}
        ):
            yield ctx.wrap(node, "", f" + {ctx.text(text)}")
            yield ctx.wrap(node, f"{ctx.text(text)} + ", "")
