"""One wrong name at every place: used throughout a statement, a block or a function, or exchanged with another."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_EXCHANGED: Final = 7
_EXCHANGED_IN_FUNCTION: Final = 6
_OTHERS: Final = 8
_OTHERS_OF_FUNCTION: Final = 4
_ELSEWHERE: Final = 3
_Statement = cst.SimpleStatementLine | cst.If | cst.While | cst.For | cst.With
_CONSTANTS: Final = ("True", "False", "None", "self", "cls")


@operator(
    name="names-exchanged",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    inverse="names-exchanged",
    examples=[
        Example("x, y = g(x), h(y)", "y, x = g(y), h(x)"),
        Example("x = f'{a}: {b}'", "x = f'{b}: {a}'"),
        Example("if a > b:\n    x = a - b", "if b > a:\n    x = a - b"),
    ],
)
def names_exchanged(node: _Statement, ctx: Context) -> Iterator[Change]:
    """Two names change places throughout a statement or a header."""
    yield from _exchanges(*ctx.reach(node), _EXCHANGED, ctx)


@operator(
    name="names-exchanged-in-block",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    inverse="names-exchanged-in-block",
    examples=[
        Example(
            "a, b = f()\na, b = int(a), int(b)\nreturn_(a)\n",
            "b, a = f()\nb, a = int(b), int(a)\nreturn_(a)\n",
        ),
        Example("x = a.p\ny = a.q\nz = x - y\n", "y = a.p\nx = a.q\nz = x - y\n"),
        Example("if a > b:\n    x = a - b", "if b > a:\n    x = b - a"),
    ],
)
def names_exchanged_in_block(node: _Statement, ctx: Context) -> Iterator[Change]:
    """Two names change places in two statements that follow each other, or in a whole compound statement."""
    if not isinstance(node, cst.SimpleStatementLine):
        yield from _exchanges(ctx.start(node), ctx.end(node), _EXCHANGED_IN_FUNCTION, ctx)
        return
    following = ctx.following(node)
    if isinstance(following, cst.SimpleStatementLine):
        yield from _exchanges(ctx.start(node), ctx.end(following), _EXCHANGED, ctx)
        third = ctx.following(following)
        if isinstance(third, cst.SimpleStatementLine):
            yield from _exchanges(ctx.start(node), ctx.end(third), _EXCHANGED_IN_FUNCTION, ctx)


@operator(
    name="names-exchanged-in-function",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    inverse="names-exchanged-in-function",
    examples=[
        Example("def f(a, b):\n    c = a\n    return c - b", "def f(a, b):\n    c = b\n    return c - a"),
    ],
)
def names_exchanged_in_function(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """Two names change places throughout the body of a function."""
    yield from _exchanges(ctx.start(node.body), ctx.end(node.body), _EXCHANGED_IN_FUNCTION, ctx)


@operator(
    name="parameters-misnamed",
    term="SVR",
    odc="interface",
    bug_type="variable misuse",
    inverse="parameters-misnamed",
    examples=[
        Example("def f(a, b):\n    return a - b", "def f(b, a):\n    return a - b"),
        Example("def f(a): return a\ndef g(b): return b", "def f(b): return a\ndef g(b): return b"),
    ],
)
def parameters_misnamed(node: cst.Parameters, ctx: Context) -> Iterator[Change]:
    """Two parameters change places, or one has the name that other functions give it, and its uses do not follow."""
    function = ctx.parent(node)
    if not isinstance(function, cst.FunctionDef):
        return
    params = [p.name for p in node.params if p.name.value not in ("self", "cls")]
    for left, right in list(combinations(params, 2))[:_EXCHANGED]:
        yield ctx.replace(left, right.value), ctx.replace(right, left.value)
    for name in params:
        for other in ctx.parameters_elsewhere(function.body)[:_ELSEWHERE]:
            yield ctx.replace(name, other)


def _exchanges(low: int, high: int, limit: int, ctx: Context) -> Iterator[Change]:
    """Each pair of the variables that are most used in a stretch, exchanged there."""
    uses = _uses(low, high, ctx)
    names = sorted(uses, key=lambda name: -len(uses[name]))[:limit]
    for one, other in combinations(sorted(names, key=lambda name: ctx.start(uses[name][0])), 2):
        edits = [ctx.replace(n, other) for n in uses[one]] + [ctx.replace(n, one) for n in uses[other]]
        yield tuple(edits)


def _uses(low: int, high: int, ctx: Context) -> dict[str, list[cst.Name]]:
    """The variables read or assigned in a stretch, in order of the first place, with all places there."""
    uses: dict[str, list[cst.Name]] = {}
    for name in ctx.within(low, high, cst.Name):
        if name.value not in _CONSTANTS and (ctx.is_load(name) or _is_bound(name, ctx)) and not ctx.is_called(name):
            uses.setdefault(name.value, []).append(name)
    return uses


def _is_bound(name: cst.Name, ctx: Context) -> bool:
    parent = ctx.parent(name)
    attribute = isinstance(parent, cst.Attribute) and parent.attr is name
    return not attribute and not isinstance(parent, cst.Arg) and ctx.is_target(name)


@operator(
    name="name-misuse-throughout",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    inverse="name-misuse-throughout",
    examples=[
        Example(
            "def f(a, b, c):\n    return a + a + b * c",
            "def f(a, b, c):\n    return c + c + b * c",
        ),
        Example(
            "def f(a, b):\n    if a > 0:\n        a -= 1\n",
            "def f(a, b):\n    if b > 0:\n        b -= 1\n",
        ),
        Example(
            "def f(a, b):\n    x = a.p\n    y = a.q\n    g(b)\n",
            "def f(a, b):\n    x = b.p\n    y = b.q\n    g(b)\n",
        ),
    ],
)
def name_misuse_throughout(node: _Statement, ctx: Context) -> Iterator[Change]:
    """Another variable stands for one throughout a statement, with its body or without, or the next one too."""
    stretches = [ctx.reach(node)]
    if isinstance(node, cst.SimpleStatementLine):
        following = ctx.following(node)
        if isinstance(following, cst.SimpleStatementLine):
            stretches.append((ctx.start(node), ctx.end(following)))
    else:
        stretches.append((ctx.start(node), ctx.end(node)))
    for low, high in stretches:
        for places in _uses(low, high, ctx).values():
            if len(places) > 1:
                yield from _replacements(places, _others(places[0], ctx)[:_OTHERS], ctx)


@operator(
    name="loop-variable-shadows",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example("def f(a, b):\n    for x in a:\n        g(x, b)", "def f(a, b):\n    for b in a:\n        g(b, b)"),
        Example("def f(a):\n    return [x for x in a]", "def f(a):\n    return [a for a in a]"),
    ],
)
def loop_variable_shadows(node: cst.For | cst.BaseComp, ctx: Context) -> Iterator[Change]:
    """A loop variable has the name of another variable throughout the loop."""
    loop = node if isinstance(node, cst.For) else getattr(node, "for_in", None)
    if not isinstance(loop, cst.For | cst.CompFor) or not isinstance(loop.target, cst.Name):
        return
    iterated = ctx.tree.outer[loop.iter]
    places = _uses(ctx.start(node), ctx.end(node), ctx).get(loop.target.value, [])
    places = [p for p in places if not iterated[0] <= ctx.start(p) < iterated[1]]
    names = dict.fromkeys(n.value for n in ctx.within(*iterated, cst.Name) if ctx.is_load(n) and not ctx.is_called(n))
    names.update(dict.fromkeys(_others(loop.target, ctx)))
    yield from _replacements(places, [n for n in names if n != loop.target.value][:_OTHERS], ctx)


@operator(
    name="name-misuse-in-function",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example(
            "def f(a, b):\n    c = a + b\n    return a * c",
            "def f(a, b):\n    c = b + b\n    return b * c",
        ),
    ],
)
def name_misuse_in_function(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A function reads another variable in place of one throughout."""
    uses = _uses(ctx.start(node.body), ctx.end(node.body), ctx)
    for places in uses.values():
        reads = [p for p in places if not ctx.is_target(p)]
        if len(reads) > 1:
            yield from _replacements(reads, _others(reads[-1], ctx)[:_OTHERS_OF_FUNCTION], ctx)


@operator(
    name="element-misuse-throughout",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example(
            "def f(a, k, i):\n    if k:\n        a[k] = 1\n    else:\n        a[k] = 2\n",
            "def f(a, k, i):\n    if k:\n        a[i] = 1\n    else:\n        a[i] = 2\n",
        ),
    ],
)
def element_misuse_throughout(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """The element at another index is used throughout a function."""
    found: dict[str, list[cst.Name]] = {}
    for element in ctx.within(ctx.start(node.body), ctx.end(node.body), cst.Subscript):
        match element.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=cst.Name() as index))]:
                found.setdefault(ctx.text(element), []).append(index)
    for places in found.values():
        if len(places) > 1:
            yield from _replacements(places, _others(places[-1], ctx)[:_OTHERS_OF_FUNCTION], ctx)


def _others(name: cst.Name, ctx: Context) -> list[str]:
    similar = [b.name for b in ctx.similar_names(name)]
    more = ctx.other_names(name) if ctx.is_load(name) else [b.name for b in ctx.names(name)]
    return [n for n in dict.fromkeys([*similar, *more]) if n != name.value]


def _replacements(places: Sequence[cst.Name], names: Sequence[str], ctx: Context) -> Iterator[Change]:
    for name in names if places else ():
        yield tuple(ctx.replace(place, name) for place in places)
