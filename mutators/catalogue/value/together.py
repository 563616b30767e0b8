"""The same wrong value at every place: people copy a mistake, or have one wrong idea of a constant."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final, cast

import libcst as cst

from mendlab.mutators.catalogue.value import constants, texts
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

Constant = cst.Integer | cst.Float | cst.SimpleString | cst.Name
_MOST_PLACES: Final = 12
_MOST_CHANGES: Final = 12
_OF_NUMBERS: Final = (
    constants.number_off_by_one,
    constants.number_replaced,
    constants.number_of_scope,
    constants.constant_type,
)
_OF_TEXTS: Final = (
    texts.separator_changed, texts.text_case, texts.character_doubled, texts.character_dropped, texts.text_emptied,
    texts.text_of_scope, texts.character_exchanged,
)  # fmt: skip
_OF_NAMES: Final = (constants.boolean_flipped, constants.none_for_value, constants.value_for_none)


def _key(node: Constant) -> tuple[str, object] | None:
    if isinstance(node, cst.Name):
        return ("name", node.value) if node.value in ("True", "False", "None") else None
    return constants.value_of(node)


def _changes(node: Constant, ctx: Context) -> Iterator[Edit]:
    """What single mistakes make of the constant, the likelier first."""
    if isinstance(node, cst.Name):
        changes = chain.from_iterable(op(node, ctx) for op in _OF_NAMES)
    elif isinstance(node, cst.SimpleString):
        changes = chain.from_iterable(op(node, ctx) for op in _OF_TEXTS)
    else:
        changes = chain.from_iterable(op(node, ctx) for op in _OF_NUMBERS)
    return islice((change for change in changes if isinstance(change, Edit)), _MOST_CHANGES)


def _together(places: list[Constant], ctx: Context) -> Iterator[Change]:
    """Each group of two or more equal constants, changed alike."""
    groups: dict[tuple[str, object], list[Constant]] = {}
    for node in places:
        key = _key(node)
        if key is not None:
            groups.setdefault(key, []).append(node)
    for group in groups.values():
        if 1 < len(group) <= _MOST_PLACES:
            for change in _changes(group[0], ctx):
                yield tuple(ctx.replace(node, change.text) for node in group)


def _constants_in(low: int, high: int, ctx: Context) -> list[Constant]:
    every = cast(list[Constant], ctx.of_type(cst.Integer, cst.Float, cst.SimpleString, cst.Name))
    return every[bisect_left(every, low, key=ctx.start) : bisect_left(every, high, key=ctx.start)]


@operator(
    name="returns-changed",
    odc="assignment",
    bug_type="value misuse",
    inverse="returns-changed",
    examples=[
        Example(
            "def f(a):\n    if a:\n        return ''\n    g()\n    return ''\n",
            "def f(a):\n    if a:\n        return ' '\n    g()\n    return ' '\n",
        ),
    ],
)
def returns_changed(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """Every return of the same constant returns the same wrong one."""
    low, high = ctx.tree.inner[node.body]
    found = _constants_in(low, high, ctx)
    yield from _together([n for n in found if isinstance(ctx.parent(n), cst.Return)], ctx)


@operator(
    name="constants-changed",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    inverse="constants-changed",
    examples=[Example("def f(a):\n    return a % 7 + a // 7", "def f(a):\n    return a % 8 + a // 8")],
)
def constants_changed(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A constant is wrong in the same way at every place of a function."""
    low, high = ctx.tree.inner[node.body]
    yield from _together([n for n in _constants_in(low, high, ctx) if not isinstance(n, cst.Name)], ctx)


@operator(
    name="constants-of-line",
    term="CRP",
    odc="assignment",
    bug_type="value misuse",
    inverse="constants-of-line",
    examples=[Example("x = a[0] + b[0]", "x = a[1] + b[1]"), Example("f(a=True, b=True)", "f(a=False, b=False)")],
)
def constants_of_line(node: cst.SimpleStatementLine | cst.If | cst.While, ctx: Context) -> Iterator[Change]:
    """A constant is wrong in the same way at every place of a statement or condition."""
    low, high = ctx.tree.outer[node.test] if isinstance(node, cst.If | cst.While) else ctx.tree.inner[node]
    yield from _together(_constants_in(low, high, ctx), ctx)
