"""Wrong elements, indices and loop variables: a whole for its part, another index, an index for its element."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import SEQUENCE
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_SEQUENCES: Final = 2


@operator(
    name="element-to-collection",
    odc="assignment",
    bug_type="missing logic",
    pattern="add attribute access",
    examples=[
        Example("x = a[i]", "x = a"),
        Example("x = a[1:]", "x = a"),
        Example("a[i][j] = x", "a[i] = x"),
        Example("x = a[i][j]", "x = a[j]"),
    ],
)
def element_to_collection(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A whole collection is used for its element or slice, or filled in its place; one of several indices is lost."""
    yield ctx.fit(node, node.value)
    if isinstance(node.value, cst.Subscript):
        inner = node.value
        yield ctx.replace(node, ctx.whole(inner.value) + ctx.source[ctx.tree.outer[inner][1] : ctx.end(node)])


@operator(
    name="element-to-index",
    odc="assignment",
    bug_type="variable misuse",
    inverse="index-to-element",
    examples=[Example("x = a[i]", "x = i"), Example("x = a[i, j]", "x = (i, j)"), Example("x = a[i, j]", "x = i")],
)
def element_to_index(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """An index or key is used for the element there."""
    indices = _indices(node)
    if indices and not ctx.is_target(node):
        for index in indices:
            yield ctx.fit(node, index)
        if len(indices) > 1:
            yield ctx.replace(node, f"({', '.join(map(ctx.whole, indices))})")


@operator(
    name="index-to-element",
    odc="assignment",
    bug_type="variable misuse",
    inverse="element-to-index",
    examples=[
        Example("for i in range(len(a)):\n    f(i, a[i])", "for i in range(len(a)):\n    f(a[i], a[i])"),
        Example("def f(a):\n    for x in a: g(x)", "def f(a):\n    for x in a: g(a[x])"),
    ],
)
def index_to_element(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """The element at a loop variable is used for the variable, of the collection that the loop is about or others."""
    if not ctx.is_load(node) or isinstance(ctx.parent(node), cst.Attribute) or ctx.is_called(node):
        return
    for loop in ctx.ancestors(node):
        if isinstance(loop, cst.For | cst.CompFor) and node.value in _target_names(loop.target):
            for text in _looped_over(loop.iter, ctx):
                yield ctx.replace(node, f"{text}[{node.value}]")
            sequences = [b.name for b in ctx.names(node) if SEQUENCE in b.kinds and b.name != node.value]
            for name in sequences[:_SEQUENCES]:
                yield ctx.replace(node, f"{name}[{node.value}]")
            return


def _looped_over(iterated: cst.BaseExpression, ctx: Context) -> Iterator[str]:
    """The collection that a loop runs over, by itself, by enumerate or by the range of its length."""
    match iterated:
        case cst.Name() | cst.Attribute() | cst.Subscript():
            yield ctx.whole(iterated)
        case cst.Call(func=cst.Name(value="range" | "enumerate" | "len" | "reversed" | "sorted"), args=[*_, last]):
            yield from _looped_over(last.value, ctx)
        case cst.BinaryOperation(left=left):
            yield from _looped_over(left, ctx)


def _target_names(target: cst.BaseExpression) -> list[str]:
    if isinstance(target, cst.Name):
        return [target.value]
    elements = target.elements if isinstance(target, cst.Tuple | cst.List) else ()
    return [e.value.value for e in elements if isinstance(e.value, cst.Name)]


@operator(
    name="index-misuse",
    odc="assignment",
    bug_type="variable misuse",
    inverse="index-misuse",
    examples=[
        Example("x = a[i]", "x = a[i - 1]"),
        Example("x = a[i]", "x = a[-1]"),
        Example("x = a[i + 1]", "x = a[i]"),
        Example("for i in b:\n    x = a[0]", "for i in b:\n    x = a[i]"),
    ],
)
def index_misuse(node: cst.Index, ctx: Context) -> Iterator[Change]:
    """An index is one off, is the first or last, is a loop variable, or loses its offset."""
    value = node.value
    if isinstance(value, cst.Integer | cst.UnaryOperation):
        for name in _loop_names(node, ctx):
            yield ctx.replace(node, name)
        return
    if isinstance(value, cst.SimpleString | cst.FormattedString):
        return
    text = ctx.operand(value)
    if isinstance(value, cst.BinaryOperation):
        yield ctx.replace(node, ctx.whole(value.left))
        yield ctx.replace(node, ctx.whole(value.right))
        text = ctx.whole(value)
    for other in (f"{text} - 1", f"{text} + 1", "0", "-1", f"-{ctx.operand(value)}", "1", f"len({text})"):
        yield ctx.replace(node, other)


def _loop_names(node: cst.CSTNode, ctx: Context) -> Iterator[str]:
    """The variables of the loops around a node, from the nearest out."""
    for loop in ctx.ancestors(node):
        if isinstance(loop, cst.For | cst.CompFor):
            yield from _target_names(loop.target)
        if isinstance(loop, cst.FunctionDef):
            return


@operator(
    name="indices-reordered",
    odc="assignment",
    bug_type="variable misuse",
    inverse="indices-reordered",
    examples=[
        Example("x = a[i, j]", "x = a[j, i]"),
        Example("x = a[i][j]", "x = a[j][i]"),
        Example("x = a[i, j]", "x = a[i, i]"),
        Example("x = a[b[i]]", "x = b[a[i]]"),
    ],
)
def indices_reordered(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """Two indices of an element change places, or one stands for both; a collection and its index change places."""
    indices = _indices(node)
    inner = node.value
    if isinstance(inner, cst.Subscript):
        indices = [*_indices(inner), *indices]
    for left, right in combinations(indices, 2):
        if ctx.whole(left) != ctx.whole(right):
            yield ctx.swap(left, right)
            yield ctx.fit(left, right)
            yield ctx.fit(right, left)
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Subscript(value=cst.Name() as other)))]:
            if isinstance(inner, cst.Name) and inner.value != other.value:
                yield ctx.swap(inner, other)
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Name() as index))]:
            if isinstance(inner, cst.Name):
                yield ctx.swap(inner, index)


def _indices(node: cst.Subscript) -> list[cst.BaseExpression]:
    return [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index) and e.slice.star is None]


@operator(
    name="index-dropped",
    odc="assignment",
    bug_type="missing logic",
    pattern="add elements to iterable",
    examples=[Example("x = a[i, j]", "x = a[i]"), Example("x = a[i, j]", "x = a[i][j]")],
)
def index_dropped(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """Of several indices one goes, or they become indices of indices."""
    indices = _indices(node)
    if len(indices) == len(node.slice) > 1:
        for index in range(len(indices)):
            yield ctx.replace(node, _element(node, indices[:index] + indices[index + 1 :], ctx))
        nested = "".join(f"[{ctx.whole(i)}]" for i in indices)
        yield ctx.replace(node, f"{ctx.whole(node.value)}{nested}")


def _element(node: cst.Subscript, indices: Sequence[cst.BaseExpression], ctx: Context) -> str:
    return f"{ctx.whole(node.value)}[{', '.join(map(ctx.whole, indices))}]"


@operator(
    name="enumerate-dropped",
    odc="algorithm",
    bug_type="variable misuse",
    examples=[
        Example("for i, x in enumerate(a): pass", "for i in enumerate(a): pass"),
        Example("for k, v in a.items(): f(v)", "for v, k in a.items(): f(v)"),
        Example("for i, x in enumerate(a): f(x)", "for x in a: f(x)"),
    ],
)
def enumerate_dropped(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """Of two loop variables one goes, with the step that gives both or without, or they change places."""
    if isinstance(node.target, cst.Tuple) and len(node.target.elements) > 1:
        elements = [e.value for e in node.target.elements]
        for element in elements:
            yield ctx.fit(node.target, element)
        for left, right in combinations(elements, 2):
            yield ctx.swap(left, right)
        match node.iter:
            case cst.Call(func=cst.Name(value="enumerate" | "zip"), args=args):
                for element, argument in zip(elements[-len(args) :], args, strict=False):
                    yield ctx.fit(node.target, element), ctx.fit(node.iter, argument.value)


@operator(
    name="loop-source-misuse",
    odc="algorithm",
    bug_type="variable misuse",
    examples=[
        Example("for i in range(len(a)): f(a[i])", "for i in a: f(a[i])"),
        Example("for x in a: f(x)", "for x in range(len(a)): f(x)"),
        Example("for x in d.items(): f(x)", "for x in d: f(x)"),
        Example("for i, x in enumerate(a): f(i)", "for i, x in a: f(i)"),
    ],
)
def loop_source_misuse(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A loop runs over elements for indices, or indices for elements, or numbers for either."""
    iterated = node.iter
    match iterated:
        case cst.Call(func=cst.Name(value="range"), args=[*_, cst.Arg(value=cst.Call(args=[inner]) as length)]):
            yield ctx.fit(iterated, inner.value)
            yield ctx.fit(iterated, length)
        case cst.Call(func=cst.Name(value="range"), args=[cst.Arg(value=stop)]):
            yield ctx.fit(iterated, stop)
        case cst.Call(func=cst.Name(value="enumerate"), args=[cst.Arg(value=inner_value), *_]):
            yield ctx.fit(iterated, inner_value)
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="items" | "values" | "keys")), args=[]):
            yield ctx.fit(iterated, owner)
        case cst.Name() | cst.Attribute() | cst.Subscript():
            yield ctx.replace(iterated, f"range(len({ctx.whole(iterated)}))")
            yield ctx.replace(iterated, f"enumerate({ctx.whole(iterated)})")
            yield ctx.replace(iterated, f"range({ctx.whole(iterated)})")
            if isinstance(node.target, cst.Name):
                yield ctx.replace(iterated, f"[{ctx.whole(iterated)}]")
