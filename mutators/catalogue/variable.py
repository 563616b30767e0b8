"""Wrong variables: another name, target, attribute, receiver, index or element."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator
from mendlab.mutators.scopes import CALLABLE, kind_of

_NEAREST_ATTRIBUTES: Final = 5
_NEAREST_OTHERS: Final = 2
_NEAREST_EXPRESSIONS: Final = 4
_NEAREST_NAMES: Final = 3


@operator(
    name="name-misuse",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="name-misuse",
    examples=[
        Example("def f(a, b):\n    return a + g(b)", "def f(a, b):\n    return b + g(b)"),
        Example("x = [i + j for i, j in y]", "x = [i + i for i, j in y]"),
    ],
)
def name_misuse(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable is read in place of another of the same scope that may be of its type."""
    receiver = isinstance(ctx.parent(node), cst.Attribute)
    called = isinstance(parent := ctx.parent(node), cst.Call) and parent.func is node
    if not receiver and not called and ctx.is_load(node):
        for other in ctx.similar_names(node):
            yield ctx.replace(node, other.name)


@operator(
    name="receiver-misuse",
    term="SVR",
    odc="interface",
    bug_type="variable misuse",
    pattern="same function wrong caller",
    inverse="receiver-misuse",
    examples=[Example("def f(a, b):\n    a.run()\n    b.run()", "def f(a, b):\n    b.run()\n    b.run()")],
)
def receiver_misuse(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """An attribute or method is taken of another variable."""
    if isinstance(ctx.parent(node), cst.Attribute) and ctx.is_load(node):
        for other in ctx.similar_names(node):
            yield ctx.replace(node, other.name)


@operator(
    name="target-misuse",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="target-misuse",
    examples=[Example("def f(a, b):\n    a += 1\n    b -= 1", "def f(a, b):\n    b += 1\n    b -= 1")],
)
def target_misuse(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A value is assigned to another variable of the same scope."""
    if isinstance(ctx.parent(node), cst.AssignTarget | cst.AugAssign) and ctx.is_target(node):
        for other in ctx.similar_names(node):
            if CALLABLE not in other.kinds:
                yield ctx.replace(node, other.name)


@operator(
    name="attribute-misuse",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change attribute used",
    inverse="attribute-misuse",
    examples=[
        Example("def f(n):\n    n.left = g(n.right)", "def f(n):\n    n.left = g(n.left)"),
    ],
)
def attribute_misuse(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """Another attribute is taken, one used of things of the same name, or nearby."""
    called = isinstance(parent := ctx.parent(node), cst.Call) and parent.func is node
    here = ctx.start(node)
    names: dict[str, None] = {}
    for owner in (ctx.text(node.value).split(".")[-1], None):
        used = ctx.attributes(owner, called=called)
        near = sorted((min(abs(here - at) for at in places), name) for name, places in used.items())
        limit = _NEAREST_ATTRIBUTES if owner else _NEAREST_OTHERS
        names.update(dict.fromkeys([name for _, name in near if name != node.attr.value][:limit]))
    for name in names:
        yield ctx.replace(node.attr, name)


@operator(
    name="element-to-collection",
    odc="assignment",
    bug_type="missing logic",
    pattern="add attribute access",
    examples=[Example("x = a[i]", "x = a"), Example("x = a[1:]", "x = a")],
)
def element_to_collection(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A whole collection is used for its element or slice."""
    if not ctx.is_target(node):
        yield ctx.fit(node, node.value)


@operator(
    name="element-to-index",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="index-to-element",
    examples=[Example("x = a[i]", "x = i")],
)
def element_to_index(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """An index or key is used for the element there."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index))] if not ctx.is_target(node):
            yield ctx.fit(node, index)


@operator(
    name="index-to-element",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="element-to-index",
    examples=[
        Example("for i in range(len(a)):\n    f(i, a[i])", "for i in range(len(a)):\n    f(a[i], a[i])"),
    ],
)
def index_to_element(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """The element at an index is used for the index; the loop runs over the indices of that collection."""
    if not ctx.is_load(node) or isinstance(ctx.parent(node), cst.Index):
        return
    for loop in ctx.ancestors(node):
        match loop:
            case cst.For(
                target=cst.Name(value=name),
                iter=cst.Call(
                    func=cst.Name(value="range"),
                    args=[*_, cst.Arg(value=cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=sequence)]))],
                ),
            ) if name == node.value:
                yield ctx.replace(node, f"{ctx.operand(sequence)}[{name}]")


@operator(
    name="enumerate-dropped",
    odc="algorithm",
    bug_type="variable misuse",
    examples=[Example("for i, x in enumerate(a): pass", "for i in enumerate(a): pass")],
)
def enumerate_dropped(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """Of two loop variables one goes."""
    if isinstance(node.target, cst.Tuple) and len(node.target.elements) == 2:
        for element in node.target.elements:
            yield ctx.fit(node.target, element.value)


@operator(
    name="expression-misuse",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change binary operand",
    inverse="expression-misuse",
    examples=[
        Example("def f(a, b):\n    return g(a[0]) + g(b[0])", "def f(a, b):\n    return g(b[0]) + g(b[0])"),
    ],
)
def expression_misuse(node: cst.Arg | cst.BinaryOperation | cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """An operand or argument becomes another expression of the same statement."""
    operands = (
        [node.left, node.right] if isinstance(node, cst.BinaryOperation)
        else [node.value] if isinstance(node, cst.Arg) else [node.comparator]
    )  # fmt: skip
    others = ctx.expressions_beside(node)
    for operand in operands:
        low, high = ctx.tree.outer[operand]
        texts = {ctx.text(operand)}
        near = [o for o in others if ctx.end(o) <= low or high <= ctx.start(o)]
        near.sort(key=lambda o: abs(ctx.start(o) - low))
        for other in near:
            if ctx.text(other) not in texts and len(texts) <= _NEAREST_EXPRESSIONS:
                texts.add(ctx.text(other))
                yield ctx.fit(operand, other)


@operator(
    name="expression-to-name",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change binary operand",
    examples=[
        Example("def f(a):\n    m = sum(a)\n    return m / len(a)", "def f(a):\n    m = sum(a)\n    return m / m"),
        Example("def f(a, b):\n    b.run()\n    g(a).run()", "def f(a, b):\n    b.run()\n    b.run()"),
    ],
)
def expression_to_name(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A variable of the scope is used for a call or an element."""
    parent = ctx.parent(node)
    places = (cst.BinaryOperation, cst.ComparisonTarget, cst.Comparison, cst.Attribute, cst.AugAssign)
    if isinstance(parent, places) and not ctx.is_target(node):
        kind = kind_of(node)
        fitting = [b for b in ctx.names(node) if not kind or not b.kinds or kind in b.kinds]
        for binding in fitting[:_NEAREST_NAMES]:
            yield ctx.replace(node, binding.name)
