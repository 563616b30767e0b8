"""Wrong classes: bases, methods, super calls, decorators and what special methods answer."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_DECORATORS: Final = {
    "classmethod": ("staticmethod", "property"), "staticmethod": ("classmethod",),
    "property": ("staticmethod", "classmethod", "cached_property"), "cached_property": ("property",),
    "functools.cached_property": ("property",), "cache": ("staticmethod",), "abstractmethod": ("staticmethod",),
    "contextmanager": ("staticmethod",),
}  # fmt: skip
_DATACLASS_OPTIONS: Final = ("frozen=True", "eq=False", "order=True", "slots=True")


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
    if len(node.body) == 1 and ctx.text(node).startswith(("super().", "super(")):
        yield ctx.delete(node)


@operator(
    name="super-call-changed",
    odc="interface",
    bug_type="function misuse",
    examples=[
        Example(
            "class A(B):\n    def f(self, x):\n        return super().f(x)",
            "class A(B):\n    def f(self, x):\n        return super().f()",
        ),
        Example(
            "class A(B):\n    def f(self, x):\n        return super().f(x)",
            "class A(B):\n    def f(self, x):\n        return self.f(x)",
        ),
        Example(
            "class A(B):\n    def f(self, x):\n        return super().f(x)",
            "class A(B):\n    def f(self, x):\n        return B.f(x)",
        ),
        Example(
            "class A(B):\n    def f(self):\n        super(A, self).f()",
            "class A(B):\n    def f(self):\n        super(B, self).f()",
        ),
    ],
)
def super_call_changed(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """The method of the base class is called without arguments, on the wrong object, or further up than it should."""
    owner = ctx.nearest(node, cst.ClassDef)
    bases = [] if owner is None else [ctx.text(base.value) for base in owner.bases]
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Call(func=cst.Name(value="super")) as above), args=args):
            if args:
                yield Edit(ctx.start(args[0]), ctx.end_of_item(args[-1]), "")
            yield ctx.replace(above, "self")
            for base in bases[:2]:
                yield ctx.replace(above, base)
        case cst.Call(func=cst.Name(value="super"), args=[cst.Arg(value=cst.Name() as named), _]):
            for base in bases[:2]:
                yield ctx.replace(named, base)


@operator(
    name="base-dropped",
    odc="interface",
    bug_type="missing logic",
    examples=[
        Example("class A(B):\n    pass", "class A:\n    pass"),
        Example("class A(B, C): pass", "class A(C): pass"),
        Example("class A(B, C): pass", "class A(C, B): pass"),
    ],
)
def base_dropped(node: cst.ClassDef, ctx: Context) -> Iterator[Change]:
    """A class loses a base, or has its bases in the other order."""
    if len(node.bases) == 1 and not node.keywords and isinstance(node.lpar, cst.LeftParen):
        assert isinstance(node.rpar, cst.RightParen)
        yield Edit(ctx.start(node.lpar), ctx.end(node.rpar), "")
    elif len(node.bases) > 1:
        for index in range(len(node.bases)):
            yield ctx.drop_item(node.bases, index)
        for left, right in pairwise(node.bases):
            yield ctx.swap(left.value, right.value)


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
    name="decorator-added",
    odc="interface",
    bug_type="excess logic",
    inverse="decorator-dropped",
    examples=[
        Example(
            "class A:\n    @property\n    def f(self): pass\n    def g(self): pass\n",
            "class A:\n    @property\n    def f(self): pass\n    @property\n    def g(self): pass\n",
        ),
    ],
)
def decorator_added(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A function gets a decorator that a function before or after it in the same block has."""
    own = {ctx.text(decorator.decorator) for decorator in node.decorators}
    neighbours = [s for s in (ctx.preceding(node), ctx.following(node)) if isinstance(s, cst.FunctionDef)]
    found = dict.fromkeys(ctx.text(d.decorator) for s in neighbours for d in s.decorators)
    for name in found:
        accessor = name.endswith((".setter", ".getter", ".deleter"))
        if name not in own and not accessor:
            start = ctx.lines(node)[0]
            yield ctx.insert_lines(start, f"{ctx.indentation(node)}@{name}{ctx.newline}")


@operator(
    name="dataclass-options",
    odc="interface",
    bug_type="value misuse",
    examples=[
        Example("@dataclass\nclass A:\n    x = 1\n", "@dataclass(frozen=True)\nclass A:\n    x = 1\n"),
        Example("@dataclass()\nclass A:\n    x = 1\n", "@dataclass(eq=False)\nclass A:\n    x = 1\n"),
    ],
)
def dataclass_options(node: cst.Decorator, ctx: Context) -> Iterator[Change]:
    """A dataclass has an option that it should not have."""
    name = node.decorator.func if isinstance(node.decorator, cst.Call) else node.decorator
    if ctx.text(name).split(".")[-1] == "dataclass":
        args = node.decorator.args if isinstance(node.decorator, cst.Call) else ()
        given = [ctx.item_text(argument) for argument in args]
        for option in _DATACLASS_OPTIONS:
            if not any(text.startswith(option.split("=")[0]) for text in given):
                yield Edit(*ctx.tree.outer[node.decorator], f"{ctx.text(name)}({', '.join([*given, option])})")


@operator(
    name="field-default-shared",
    odc="assignment",
    bug_type="value misuse",
    examples=[
        Example("x = field(default_factory=list)", "x = field(default=None)"),
        Example("x = field(default_factory=list)", "x = None"),
    ],
)
def field_default_shared(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A field that should start with a collection of its own starts as None."""
    match node:
        case cst.Call(args=[cst.Arg(keyword=cst.Name(value="default_factory")) as argument]):
            yield Edit(ctx.start(argument), ctx.end_of_item(argument), "default=None")
            yield ctx.replace(node, "None")


@operator(
    name="not-implemented-confused",
    odc="interface",
    bug_type="value misuse",
    inverse="not-implemented-confused",
    examples=[
        Example("def __eq__(self, x):\n    return NotImplemented", "def __eq__(self, x):\n    return False"),
        Example("def __eq__(self, x):\n    return False", "def __eq__(self, x):\n    return NotImplemented"),
        Example("raise NotImplementedError", "raise NotImplemented"),
    ],
)
def not_implemented_confused(node: cst.Return | cst.Raise, ctx: Context) -> Iterator[Change]:
    """NotImplemented, NotImplementedError and False stand for each other."""
    function = ctx.function(node)
    match node:
        case cst.Return(value=cst.Name(value="NotImplemented") as value):
            yield ctx.replace(value, "False")
            yield ctx.replace(node, "raise NotImplementedError")
        case cst.Return(value=cst.Name(value="False") as value):
            if function is not None and function.name.value.startswith("__"):
                yield ctx.replace(value, "NotImplemented")
        case cst.Raise(exc=cst.BaseExpression() as exception):
            name = exception.func if isinstance(exception, cst.Call) else exception
            if ctx.text(name) == "NotImplementedError":
                yield ctx.replace(exception, "NotImplemented")
                yield ctx.replace(node, "return NotImplemented")


@operator(
    name="compared-part-dropped",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = (a.x, a.y) == (b.x, b.y)", "x = (a.x,) == (b.x,)"),
        Example("x = (a, b, c) < (d, e, f)", "x = (a, c) < (d, f)"),
    ],
)
def compared_part_dropped(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """Of two tuples that are compared the same part is left out of both, or they are compared by one part alone."""
    match node:
        case cst.Comparison(
            left=cst.Tuple(elements=left), comparisons=[cst.ComparisonTarget(comparator=cst.Tuple(elements=right))]
        ) if len(left) == len(right) > 1:
            for index in range(len(left)):
                pair = []
                for elements in (left, right):
                    kept = [ctx.item_text(e) for n, e in enumerate(elements) if n != index]
                    text = ", ".join(kept) + ("," if len(kept) == 1 else "")
                    pair.append(Edit(ctx.start(elements[0]), ctx.end_of_item(elements[-1]), text))
                yield tuple(pair)


@operator(
    name="exit-swallows",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "class A:\n    def __exit__(self, *a):\n        self.close()\n",
            "class A:\n    def __exit__(self, *a):\n        self.close()\n        return True\n",
        ),
    ],
)
def exit_swallows(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A context manager swallows every exception: its exit method answers True."""
    if node.name.value in ("__exit__", "__aexit__") and isinstance(node.body, cst.IndentedBlock):
        last = node.body.body[-1]
        if not ctx.ends_by_leaving(node.body):
            yield ctx.insert_after(last, "return True")
        elif isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return):
            yield ctx.replace(last.body[-1], "return True")
