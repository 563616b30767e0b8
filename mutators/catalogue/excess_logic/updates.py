"""Excess logic between statements: a variable changed, reset or exchanged once too often."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import lines_before, names_in_expression, names_of, variables_after
from mendlab.mutators.context.scopes import NUMBER, SEQUENCE, TEXT, Binding
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_UPDATES: Final = {
    NUMBER: ("{0} += 1", "{0} -= 1", "{0} *= 2", "{0} = 0", "{0} = abs({0})", "{0} = int({0})"),
    SEQUENCE: (
        "{0}.sort()", "{0}.reverse()", "{0} = {0}[1:]", "{0}.pop()", "{0} = sorted({0})", "{0} = list(set({0}))",
        "{0} = {0}[::-1]", "{0} = []",
    ),
    TEXT: ("{0} = {0}.lower()", "{0} = {0}.strip()", "{0} = {0}[::-1]", "{0} += ' '", "{0} = ''"),
}  # fmt: skip
_MOST: Final = 5
"""Updates of one variable at one place."""


def _updates(binding: Binding, others: list[Binding], most: int) -> list[str]:
    """Statements that change a variable without need, the likeliest first."""
    name = binding.name
    kinds = [kind for kind in _UPDATES if kind in binding.kinds]
    if TEXT in kinds and SEQUENCE in kinds:
        kinds.remove(SEQUENCE)
    found = [form.format(name) for kind in kinds for form in _UPDATES[kind]][:most]
    known = [b for b in others if b is not binding]
    if NUMBER in kinds:
        found += [f"{name} += {other}" for other in names_of(known, NUMBER)[:1]]
    if SEQUENCE in kinds:
        found += [f"{name}.append({other})" for other in names_of(known, NUMBER, TEXT, unknown=True)[:1]]
    return found


@operator(
    name="update-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example("def f(a):\n    b = a - 1\n    return b", "def f(a):\n    b = a - 1\n    b += 1\n    return b"),
        Example(
            "def f(a):\n    for b in a:\n        g(b)\n    return a[0]",
            "def f(a):\n    for b in a:\n        g(b)\n    a.sort()\n    return a[0]",
        ),
        Example("def f(a):\n    return [x + 1 for x in a]", "def f(a):\n    a = a[1:]\n    return [x + 1 for x in a]"),
    ],
)
def update_added(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A variable is changed once more after it was assigned, or before it is returned."""
    visible = variables_after(node, ctx)
    table = {b.name: b for b in visible}
    match node.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])] if name in table:
            for text in _updates(table[name], visible, _MOST):
                yield ctx.insert_after(node, text)
        case [cst.Return(value=cst.BaseExpression() as value)]:
            for used in names_in_expression(value, ctx)[:2]:
                if used.value in table:
                    for text in _updates(table[used.value], visible, _MOST):
                        yield lines_before(node, ctx, text)


@operator(
    name="round-update-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "def f(a):\n    n = 0\n    for b in a:\n        n += b\n    return n\n",
            "def f(a):\n    n = 0\n    for b in a:\n        n += b\n        n += 1\n    return n\n",
        ),
        Example(
            "def f(a):\n    n = []\n    for b in a:\n        n.append(1)\n",
            "def f(a):\n    n = []\n    for b in a:\n        n.append(1)\n        n.append(b)\n",
        ),
    ],
)
def round_update_added(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A variable that a loop uses is changed once more in every round, after or before the rest of the body."""
    if not isinstance(node.body, cst.IndentedBlock) or not node.body.body:
        return
    first, last = node.body.body[0], node.body.body[-1]
    low, high = ctx.tree.outer[node.body]
    visible = variables_after(last, ctx)
    used = [b for b in visible if any(low <= m < high for m in b.mentions)]
    for binding in used[:4]:
        for text in _updates(binding, visible, 3):
            if not ctx.leaves(last):
                yield ctx.insert_after(last, text)
            if text.endswith(("= 1", "= 0", "= []", "= ''")):
                yield lines_before(first, ctx, text)


@operator(
    name="parameter-changed",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example("def f(a):\n    b = a[0]\n    return b", "def f(a):\n    a.sort()\n    b = a[0]\n    return b"),
        Example("def f(a, b):\n    c = a - b\n", "def f(a, b):\n    a, b = b, a\n    c = a - b\n"),
    ],
)
def parameter_changed(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A function begins by changing an argument, or exchanges two."""
    if not isinstance(node.body, cst.IndentedBlock):
        return
    first = ctx.first_statement(node.body)
    scope = ctx.scope(first) if first is not None else None
    if first is None or scope is None:
        return
    names = [p.name.value for p in node.params.params if p.name.value not in ("self", "cls")]
    bindings = [b for name in names if (b := scope.bindings.get(name))]
    for binding in bindings[:3]:
        for text in _updates(binding, [], _MOST):
            yield lines_before(first, ctx, text)
    for left, right in pairwise(bindings):
        if not (left.kinds and right.kinds) or left.kinds & right.kinds:
            yield lines_before(first, ctx, f"{left.name}, {right.name} = {right.name}, {left.name}")


@operator(
    name="exchange-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[Example("def f(a):\n    b, c = a\n", "def f(a):\n    b, c = a\n    b, c = c, b\n")],
)
def exchange_added(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """Two variables that were assigned together are exchanged."""
    match node.body:
        case [
            cst.Assign(
                targets=[
                    cst.AssignTarget(
                        target=cst.Tuple(
                            elements=[
                                cst.Element(value=cst.Name(value=left)),
                                cst.Element(value=cst.Name(value=right)),
                            ]
                        )
                    )
                ]
            )
        ]:
            yield ctx.insert_after(node, f"{left}, {right} = {right}, {left}")
