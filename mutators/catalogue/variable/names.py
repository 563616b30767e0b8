"""Wrong variables: another name, target, attribute or receiver."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.scopes import CALLABLE
from mendlab.mutators.edits import Change
from mendlab.mutators.registry import Example, operator

_ATTRIBUTES: Final = 8
_OTHER_ATTRIBUTES: Final = 6
_RECEIVERS: Final = 3
_TARGETS: Final = 8
_EXCHANGED: Final = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}


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
        Example("M = 1\ndef f(a):\n    return a", "M = 1\ndef f(a):\n    return M"),
        Example("def f(s, n):\n    return s.t() * n", "def f(s, n):\n    return s.t() * s"),
        Example("def f(a):\n    if a:\n        b = 1\n", "def f(a):\n    if b:\n        b = 1\n"),
    ],
)
def name_misuse(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable is read in place of another, of the same scope and type if there are such."""
    if not isinstance(ctx.parent(node), cst.Attribute) and not ctx.is_called(node) and ctx.is_load(node):
        for name in ctx.other_names(node):
            yield ctx.replace(node, name)


@operator(
    name="receiver-misuse",
    term="SVR",
    odc="interface",
    bug_type="variable misuse",
    pattern="same function wrong caller",
    inverse="receiver-misuse",
    examples=[
        Example("def f(a, b):\n    a.run()\n    b.run()", "def f(a, b):\n    b.run()\n    b.run()"),
        Example("def f(a, b):\n    a.x.run(b.x)", "def f(a, b):\n    a.run(b.x)"),
    ],
)
def receiver_misuse(node: cst.Name | cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An attribute or method is taken of another variable, or of the whole in place of its part."""
    if not isinstance(ctx.parent(node), cst.Attribute):
        return
    if isinstance(node, cst.Attribute):
        yield ctx.fit(node, node.value)
        for binding in [b for b in ctx.names(node) if CALLABLE not in b.kinds][:_RECEIVERS]:
            yield ctx.replace(node, binding.name)
    elif ctx.is_load(node):
        for name in ctx.other_names(node):
            yield ctx.replace(node, name)


@operator(
    name="target-misuse",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="target-misuse",
    examples=[
        Example("def f(a, b):\n    a += 1\n    b -= 1", "def f(a, b):\n    b += 1\n    b -= 1"),
        Example("def f(a, b):\n    a, x = b", "def f(a, b):\n    b, x = b"),
        Example("def f(a, b):\n    for x in b: g(a)", "def f(a, b):\n    for a in b: g(a)"),
    ],
)
def target_misuse(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A value is assigned to another variable of the same scope."""
    if not ctx.is_target(node) or isinstance(ctx.parent(node), cst.Del):
        return
    similar = ctx.without_callables(ctx.similar_names(node))
    others = [b for b in (*ctx.names(node), *ctx.later_names(node)) if b.name != node.value]
    for name in list(dict.fromkeys([*similar, *ctx.without_callables(others)]))[:_TARGETS]:
        yield ctx.replace(node, name)


@operator(
    name="accumulator-misuse",
    term="SVR",
    odc="assignment",
    bug_type="variable misuse",
    inverse="accumulator-misuse",
    examples=[
        Example("def f(a, b):\n    a += 1\n    b += 1", "def f(a, b):\n    b -= 1\n    b += 1"),
        Example("def f(a, b):\n    a += b", "def f(a, b):\n    b += a"),
        Example("def f(a, b):\n    a = a + b", "def f(a, b):\n    b = b + b"),
    ],
)
def accumulator_misuse(node: cst.AugAssign | cst.Assign, ctx: Context) -> Iterator[Change]:
    """Another variable is accumulated, with the other sign or throughout the statement."""
    match node:
        case cst.AugAssign(target=cst.Name() as target, value=value):
            sign = _EXCHANGED.get(ctx.text(node.operator))
            for name in ctx.without_callables(ctx.similar_names(target)):
                if sign is not None:
                    yield ctx.replace(target, name), ctx.replace(node.operator, sign)
                if isinstance(value, cst.Name) and value.value == name:
                    yield ctx.swap(target, value)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]):
            uses = [n for n in ctx.within(ctx.start(node.value), ctx.end(node.value), cst.Name) if ctx.is_load(n)]
            uses = [n for n in uses if n.value == target.value]
            for name in ctx.without_callables(ctx.similar_names(target)) if uses else ():
                yield ctx.replace(target, name), *(ctx.replace(use, name) for use in uses)


@operator(
    name="attribute-misuse",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change attribute used",
    inverse="attribute-misuse",
    examples=[
        Example("def f(n):\n    n.left = g(n.right)", "def f(n):\n    n.left = g(n.left)"),
        Example("def f(n):\n    return n.nodes", "def f(n):\n    return n.node"),
    ],
)
def attribute_misuse(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """Another attribute is taken, one used of things of the same name, or nearby, or of another grammatical number."""
    called = ctx.is_called(node)
    own = node.attr.value
    owner = ctx.text(node.value).split(".")[-1]
    of_owner = [n for n in ctx.nearest_attributes(owner, node, called=called) if n != own]
    of_any = [n for n in ctx.nearest_attributes(None, node, called=called) if n != own]
    names = dict.fromkeys([*of_owner[:_ATTRIBUTES], *of_any[:_OTHER_ATTRIBUTES]])
    if not called:
        names[own.removesuffix("s") if own.endswith("s") else f"{own}s"] = None
        names.update(dict.fromkeys(_other_role(own)))
    for name in names:
        if name:
            yield ctx.replace(node.attr, name)


def _other_role(name: str) -> Iterator[str]:
    """The attribute's name with and without the underscore that makes it private."""
    yield name[1:] if name.startswith("_") and not name.startswith("__") else f"_{name}"


@operator(
    name="attribute-for-name",
    odc="assignment",
    bug_type="variable misuse",
    inverse="name-for-attribute",
    examples=[
        Example(
            "class A:\n    def f(self, x):\n        self.y = 1\n        return x",
            "class A:\n    def f(self, x):\n        self.y = 1\n        return self.y",
        )
    ],
)
def attribute_for_name(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """An attribute of self, or of another thing of the same class, is used for a variable."""
    if isinstance(ctx.parent(node), cst.Attribute) or ctx.is_called(node) or not ctx.is_load(node):
        return
    function = ctx.function(node)
    if function is not None and any(p.name.value == "self" for p in function.params.params):
        attributes = ctx.nearest_attributes("self", node, called=False)
        attributes.sort(key=lambda name: name.strip("_") != node.value.strip("_"))
        for name in attributes[:_RECEIVERS]:
            yield ctx.replace(node, f"self.{name}")


@operator(
    name="name-for-attribute",
    odc="assignment",
    bug_type="variable misuse",
    inverse="attribute-for-name",
    examples=[
        Example(
            "class A:\n    def f(self, x):\n        return self.y + x",
            "class A:\n    def f(self, x):\n        return x + x",
        )
    ],
)
def name_for_attribute(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """A variable is used for an attribute."""
    if ctx.is_called(node) or ctx.is_target(node) or isinstance(ctx.parent(node), cst.Attribute | cst.Decorator):
        return
    names = [b.name for b in ctx.names(node) if CALLABLE not in b.kinds and b.name not in ("self", "cls")]
    names.sort(key=lambda name: name.strip("_") != node.attr.value.strip("_"))
    for name in names[:_RECEIVERS]:
        yield ctx.replace(node, name)


@operator(
    name="name-misspelt",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example("x = total_sum(y)", "x = totalSum(y)"),
        Example("x = True", "x = true"),
        Example("def f(MyList):\n    return MyList", "def f(MyList):\n    return mylist"),
    ],
)
def name_misspelt(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A name is written in another style than it is defined in."""
    if node.value in ("True", "False", "None"):
        yield ctx.replace(node, node.value.lower())
    elif ctx.is_load(node) and not isinstance(ctx.parent(node), cst.Attribute):
        first, *rest = node.value.split("_")
        if first and any(rest):
            yield ctx.replace(node, first + "".join(part.title() for part in rest))
        elif not node.value.islower() and not node.value.isupper():
            yield ctx.replace(node, node.value.lower())
