"""Wrong attributes: self, cls and class confused, values that are shared, missing or not set."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="self-dropped",
    odc="assignment",
    bug_type="variable misuse",
    pattern="add attribute access",
    inverse="self-added",
    examples=[
        Example(
            "class A:\n    def f(self, x):\n        self.x = x",
            "class A:\n    def f(self, x):\n        x = x",
        )
    ],
)
def self_dropped(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An attribute of self becomes the variable of that name; an attribute that is assigned becomes a local one."""
    if isinstance(node.value, cst.Name) and node.value.value == "self":
        known = ctx.scope(node).resolve(node.attr.value)
        if known is not None or ctx.is_target(node):
            yield ctx.replace(node, node.attr.value)


@operator(
    name="self-added",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    inverse="self-dropped",
    examples=[
        Example(
            "class A:\n    def f(self, x):\n        return x + self.x",
            "class A:\n    def f(self, x):\n        return self.x + self.x",
        )
    ],
)
def self_added(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A variable becomes the attribute of self of that name."""
    if ctx.is_load(node) and node.value in ctx.attributes("self", called=False):
        function = ctx.function(node)
        if function is not None and any(p.name.value == "self" for p in function.params.params):
            yield ctx.replace(node, f"self.{node.value}")


@operator(
    name="attribute-unset",
    odc="assignment",
    bug_type="value misuse",
    pattern="change identifier",
    examples=[
        Example(
            "class A:\n    def __init__(self, x, y):\n        self.x = x",
            "class A:\n    def __init__(self, x, y):\n        self.x = None",
        ),
        Example(
            "class A:\n    def __init__(self, x, y):\n        self.x = x",
            "class A:\n    def __init__(self, x, y):\n        self.x = y",
        ),
        Example(
            "class A:\n    def __init__(self, x):\n        self.x = x",
            "class A:\n    def __init__(self, x):\n        x = self.x",
        ),
    ],
)
def attribute_unset(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """An attribute starts as None, or as another parameter, or is read where it should be set."""
    function = ctx.function(node)
    if function is None or function.name.value != "__init__" or len(node.targets) != 1:
        return
    target = node.targets[0].target
    if isinstance(target, cst.Attribute) and ctx.text(target.value) == "self" and ctx.text(node.value) != "None":
        yield Edit(*ctx.tree.outer[node.value], "None")
        own = {n.value for n in ctx.within(*ctx.tree.outer[node.value], cst.Name)}
        if isinstance(node.value, cst.Name):
            for param in function.params.params[1:]:
                if param.name.value not in own:
                    yield ctx.replace(node.value, param.name.value)
            yield ctx.replace(target, ctx.text(node.value)), ctx.replace(node.value, ctx.text(target))


@operator(
    name="attribute-of-class",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example(
            "class A:\n    def __init__(self):\n        self.x = []\n        self.y = 1\n",
            "class A:\n    x = []\n    def __init__(self):\n        self.y = 1\n",
        ),
    ],
)
def attribute_of_class(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A collection that every object should have of its own is an attribute of the class, and shared."""
    function = ctx.function(node)
    if function is None or function.name.value != "__init__" or ctx.block(node) != function.body.body:
        return
    match node.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value="self"), attr=attr))],
                value=cst.List() | cst.Dict() | cst.Call(args=[]) as value,
            )
        ]:
            text = f"{ctx.indentation(function)}{attr.value} = {ctx.text(value)}{ctx.newline}"
            yield ctx.insert_lines(ctx.lines(function)[0], text), ctx.delete(node)


@operator(
    name="attribute-shared",
    odc="assignment",
    bug_type="variable misuse",
    inverse="attribute-owned",
    examples=[
        Example(
            "class A:\n    n = 0\n    def f(self):\n        self.n += 1",
            "class A:\n    n = 0\n    def f(self):\n        A.n += 1",
        ),
        Example(
            "class A:\n    def f(self):\n        return type(self)(1)",
            "class A:\n    def f(self):\n        return A(1)",
        ),
        Example(
            "class A:\n    @classmethod\n    def f(cls):\n        return cls(1)",
            "class A:\n    @classmethod\n    def f(cls):\n        return A(1)",
        ),
    ],
)
def attribute_shared(node: cst.Attribute | cst.Call, ctx: Context) -> Iterator[Change]:
    """An attribute is set on the class instead of the object, or a class is named that may be a derived one."""
    owner = ctx.nearest(node, cst.ClassDef)
    if owner is None or ctx.function(node) is None:
        return
    name = owner.name.value
    match node:
        case cst.Attribute(value=cst.Name(value="self") as receiver) if ctx.is_target(node):
            yield ctx.replace(receiver, name)
        case cst.Attribute(value=cst.Name(value="cls") as receiver):
            yield ctx.replace(receiver, name)
        case cst.Call(func=cst.Name(value="cls") | cst.Call(func=cst.Name(value="type"), args=[_]) as made):
            yield ctx.replace(made, name)
        case cst.Call(func=cst.Attribute(value=cst.Name(value="self"), attr=cst.Name(value="__class__")) as made):
            yield ctx.replace(made, name)


@operator(
    name="attribute-owned",
    odc="assignment",
    bug_type="variable misuse",
    inverse="attribute-shared",
    examples=[
        Example(
            "class A:\n    n = 0\n    def f(self):\n        A.n += 1",
            "class A:\n    n = 0\n    def f(self):\n        self.n += 1",
        ),
        Example(
            "class A:\n    @classmethod\n    def f(cls):\n        return A(1)",
            "class A:\n    @classmethod\n    def f(cls):\n        return cls(1)",
        ),
    ],
)
def attribute_owned(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """The object or the class that a method was called on stands for a class that is named."""
    owner, function = ctx.nearest(node, cst.ClassDef), ctx.function(node)
    if owner is not None and function is not None and node.value == owner.name.value and function.params.params:
        first = function.params.params[0].name.value
        of_attribute = isinstance(parent := ctx.parent(node), cst.Attribute) and parent.value is node
        if first in ("self", "cls") and (of_attribute or (first == "cls" and ctx.is_load(node))):
            yield ctx.replace(node, first)
