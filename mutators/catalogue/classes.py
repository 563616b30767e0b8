"""Wrong classes: self, super calls, bases, methods, decorators and attributes."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_DECORATORS: Final = {
    "classmethod": ("staticmethod",), "staticmethod": ("classmethod",), "property": ("staticmethod",),
    "cached_property": ("property",), "cache": ("staticmethod",),
}  # fmt: skip


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
    name="super-call-dropped",
    odc="interface",
    bug_type="missing logic",
    examples=[
        Example(
            "class A(B):\n    def __init__(self):\n        super().__init__()\n        self.x = 1",
            "class A(B):\n    def __init__(self):\n        self.x = 1",
        )
    ],
)
def super_call_dropped(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """The method of the base class is not called."""
    if len(node.body) == 1 and ctx.text(node).startswith("super()."):
        yield ctx.delete(node)


@operator(
    name="base-dropped",
    odc="interface",
    bug_type="missing logic",
    examples=[
        Example("class A(B):\n    pass", "class A:\n    pass"),
        Example("class A(B, C): pass", "class A(C): pass"),
    ],
)
def base_dropped(node: cst.ClassDef, ctx: Context) -> Iterator[Change]:
    """A class loses a base."""
    if len(node.bases) == 1 and not node.keywords and isinstance(node.lpar, cst.LeftParen):
        assert isinstance(node.rpar, cst.RightParen)
        yield Edit(ctx.start(node.lpar), ctx.end(node.rpar), "")
    elif len(node.bases) > 1:
        for index in range(len(node.bases)):
            yield ctx.drop_item(node.bases, index)


@operator(
    name="method-dropped",
    term="IOD",
    odc="interface",
    bug_type="missing logic",
    examples=[
        Example(
            "class A(B):\n    x = 1\n    def f(self):\n        return 2\n",
            "class A(B):\n    x = 1\n",
        )
    ],
)
def method_dropped(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A method that may override another, or that Python calls itself, is not there."""
    body = ctx.parent(node)
    owner = ctx.tree.parents.get(body)
    if isinstance(owner, cst.ClassDef) and isinstance(body, cst.IndentedBlock):
        special = node.name.value.startswith("__") and node.name.value.endswith("__")
        if owner.bases or special:
            yield ctx.delete(node)


@operator(
    name="decorator-dropped",
    odc="interface",
    bug_type="missing logic",
    examples=[
        Example("class A:\n    @property\n    def f(self): pass", "class A:\n    def f(self): pass"),
    ],
)
def decorator_dropped(node: cst.Decorator, ctx: Context) -> Iterator[Change]:
    """A function or class loses a decorator."""
    yield Edit(*ctx.lines(node), "")


@operator(
    name="decorator-confused",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="decorator-confused",
    examples=[
        Example(
            "class A:\n    @classmethod\n    def f(cls): pass", "class A:\n    @staticmethod\n    def f(cls): pass"
        ),
    ],
)
def decorator_confused(node: cst.Decorator, ctx: Context) -> Iterator[Change]:
    """property, classmethod and staticmethod stand for each other."""
    name = ctx.text(node.decorator)
    for other in _DECORATORS.get(name, ()):
        yield ctx.replace(node.decorator, other)


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
    ],
)
def attribute_unset(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """An attribute starts as None."""
    function = ctx.function(node)
    if function is not None and function.name.value == "__init__" and len(node.targets) == 1:
        target = node.targets[0].target
        if isinstance(target, cst.Attribute) and ctx.text(target.value) == "self" and ctx.text(node.value) != "None":
            yield Edit(*ctx.tree.outer[node.value], "None")


@operator(
    name="attribute-shared",
    odc="assignment",
    bug_type="variable misuse",
    examples=[
        Example(
            "class A:\n    n = 0\n    def f(self):\n        self.n += 1",
            "class A:\n    n = 0\n    def f(self):\n        A.n += 1",
        ),
    ],
)
def attribute_shared(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An attribute is set on the class instead of the object."""
    owner = ctx.nearest(node, cst.ClassDef)
    if owner is not None and ctx.is_target(node) and ctx.text(node.value) == "self":
        yield ctx.replace(node.value, owner.name.value)
