"""Wrong literals of several elements: dropped, exchanged, repeated, of another type of collection."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

Display = cst.List | cst.Tuple | cst.Set
_LARGEST: Final = 6
"""Among more elements than this only neighbours are exchanged."""
_FORMS: Final[dict[type[cst.CSTNode], tuple[str, ...]]] = {
    cst.List: ("({},)", "{{{}}}"),
    cst.Tuple: ("[{}]", "{{{}}}"),
    cst.Set: ("[{}]", "({},)"),
}
_MAKERS: Final = {"list": "[{}]", "tuple": "({},)", "set": "{{{}}}"}


def _inside(elements: Sequence[cst.CSTNode], ctx: Context) -> str:
    """The text of the elements without what encloses them and without a last comma."""
    return ctx.source[ctx.tree.outer[elements[0]][0] : ctx.end_of_item(elements[-1])]


@operator(
    name="element-dropped",
    odc="assignment",
    bug_type="value misuse",
    pattern="add elements to iterable",
    inverse="element-added",
    examples=[Example("x = [1, 2, 3]", "x = [1, 3]"), Example("x = (1, 2)", "x = (1,)")],
)
def element_dropped(node: Display | cst.Dict, ctx: Context) -> Iterator[Change]:
    """A literal loses one of its elements."""
    elements: Sequence[cst.BaseElement | cst.BaseDictElement] = node.elements
    if ctx.is_target(node) or len(elements) < 2:
        return
    for index in range(len(elements)):
        edit = ctx.drop_item(elements, index)
        if isinstance(node, cst.Tuple) and len(elements) == 2:
            left = elements[1 - index]
            yield ctx.replace(node, _rebuilt(node, f"{ctx.item_text(left)},", ctx))
        else:
            yield edit


def _rebuilt(node: cst.Tuple, inside: str, ctx: Context) -> str:
    """The inner text of a tuple around other elements: a tuple's parentheses are outside its inner text."""
    return inside if node.lpar or isinstance(ctx.parent(node), cst.Assign | cst.Return) else f"({inside})"


@operator(
    name="collection-emptied",
    odc="assignment",
    bug_type="value misuse",
    pattern="add elements to iterable",
    inverse="collection-filled",
    examples=[
        Example("x = [1, 2]", "x = []"), Example("x = {'a': 1}", "x = {}"), Example("x = (a, b)", "x = ()"),
        Example("x = {a}", "x = set()"),
    ],
)  # fmt: skip
def collection_emptied(node: Display | cst.Dict, ctx: Context) -> Iterator[Change]:
    """A literal of elements becomes empty."""
    if node.elements and not ctx.is_target(node):
        text = {cst.List: "[]", cst.Dict: "{}", cst.Set: "set()", cst.Tuple: "()"}[type(node)]
        yield ctx.replace(node, "" if isinstance(node, cst.Tuple) and node.lpar else text)


@operator(
    name="collection-filled",
    odc="assignment",
    bug_type="value misuse",
    inverse="collection-emptied",
    examples=[Example("x = []", "x = [0]"), Example("x = []", "x = [[]]"), Example("x = set()", "x = {0}")],
)
def collection_filled(node: cst.List | cst.Call, ctx: Context) -> Iterator[Change]:
    """An empty list or set starts with an element."""
    if isinstance(node, cst.List) and not node.elements and not ctx.is_target(node):
        first = [b.name for b in ctx.names(node)][:2]
        for text in ("[0]", "[1]", "[[]]", "['']", *(f"[{name}]" for name in first), "[None]"):
            yield ctx.replace(node, text)
    elif ctx.text(node) == "set()":
        yield ctx.replace(node, "{0}")
        yield ctx.replace(node, "{1}")


@operator(
    name="elements-swapped",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="elements-swapped",
    examples=[
        Example("return_pair = (a, b)", "return_pair = (b, a)"), Example("a, b = f()", "b, a = f()"),
        Example("x = [a, b, c]", "x = [c, b, a]"),
    ],
)  # fmt: skip
def elements_swapped(node: cst.Tuple | cst.List, ctx: Context) -> Iterator[Change]:
    """Two elements of a tuple or list change places, neighbours first."""
    values = [e.value for e in node.elements if isinstance(e, cst.Element)]
    if len(values) == len(node.elements):
        farthest = len(values) if len(values) <= _LARGEST else 2
        for distance in range(1, farthest):
            for left, right in zip(values, values[distance:], strict=False):
                if ctx.whole(left) != ctx.whole(right):
                    yield ctx.swap(left, right)


@operator(
    name="element-repeated",
    odc="assignment",
    bug_type="variable misuse",
    examples=[Example("x = (a, b)", "x = (a, a)"), Example("x = [f(a), f(b)]", "x = [f(b), f(b)]")],
)
def element_repeated(node: Display, ctx: Context) -> Iterator[Change]:
    """An element stands in the place of its neighbour too."""
    values = [e.value for e in node.elements if isinstance(e, cst.Element)]
    if not ctx.is_target(node) and len(values) <= _LARGEST:
        for left, right in pairwise(values):
            if ctx.whole(left) != ctx.whole(right):
                yield ctx.fit(right, left)
                yield ctx.fit(left, right)


@operator(
    name="entries-crossed",
    odc="assignment",
    bug_type="value misuse",
    inverse="entries-crossed",
    examples=[
        Example("x = {'a': 1, 'b': 2}", "x = {'a': 2, 'b': 1}"),
        Example("x = {k: v for k, v in y}", "x = {v: k for k, v in y}"),
        Example("x = {a: b}", "x = {b: a}"),
    ],
)
def entries_crossed(node: cst.Dict | cst.DictComp, ctx: Context) -> Iterator[Change]:
    """The values of two keys change places, or a key and its value."""
    if isinstance(node, cst.DictComp):
        yield ctx.swap(node.key, node.value)
        return
    entries = [e for e in node.elements if isinstance(e, cst.DictElement)][:_LARGEST]
    for left, right in pairwise(entries):
        if ctx.whole(left.value) != ctx.whole(right.value):
            yield ctx.swap(left.value, right.value)
            yield ctx.fit(right.value, left.value)
            yield ctx.fit(left.value, right.value)
    for entry in entries:
        yield ctx.swap(entry.key, entry.value)


@operator(
    name="collection-confused",
    odc="assignment",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="collection-confused",
    examples=[
        Example("x = [a, b]", "x = (a, b,)"), Example("x = {a, b}", "x = [a, b]"), Example("x = (a, b)", "x = [a, b]"),
        Example("x = {a: b}", "x = {a, b}"), Example("x = list(a)", "x = [a]"), Example("x = [a]", "x = list(a)"),
        Example("x = b + (a,)", "x = b + a"),
    ],
)  # fmt: skip
def collection_confused(node: Display | cst.Dict | cst.Call, ctx: Context) -> Iterator[Change]:
    """A list, tuple or set becomes another of the three; one of a single thing becomes its copy or that thing."""
    match node:
        case cst.Call(func=cst.Name(value="list" | "tuple" | "set" as maker), args=[cst.Arg(star="", value=value)]):
            if not isinstance(value, cst.GeneratorExp):
                yield ctx.replace(node, _MAKERS[maker].format(ctx.whole(value)))
        case cst.Dict(elements=[cst.DictElement(key=key, value=value)]):
            yield ctx.replace(node, f"{{{ctx.whole(key)}, {ctx.whole(value)}}}")
        case cst.List() | cst.Tuple() | cst.Set() if node.elements and not ctx.is_target(node):
            inside, span = _inside(node.elements, ctx), ctx.tree.outer[node]
            for form in _FORMS[type(node)]:
                yield ctx.replace(node, form.format(inside))._replace(start=span[0], end=span[1])
            if len(node.elements) == 1 and isinstance(node.elements[0], cst.Element):
                name = {cst.List: "list", cst.Tuple: "tuple", cst.Set: "set"}[type(node)]
                if not isinstance(node, cst.List):
                    yield ctx.fit(node, node.elements[0].value)
                yield ctx.replace(node, f"{name}({inside})")._replace(start=span[0], end=span[1])
