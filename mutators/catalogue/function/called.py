"""Wrong functions: another of the same family, module or class, a function for a method, a name for its call."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.confusables import FUNCTIONS, METHODS
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_SIBLINGS: Final = 6
_CALLED: Final = 4
_METHODS_OF_CLASS: Final = 4
_TAKE_FUNCTIONS: Final = ("map", "filter", "reduce", "partial", "accumulate", "starmap")


@operator(
    name="function-misuse",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="function-misuse",
    examples=[
        Example("x = any(y)", "x = all(y)"),
        Example("x = math.ceil(y)", "x = math.floor(y)"),
        Example("x = map(min, y)", "x = map(max, y)"),
    ],
)
def function_misuse(node: cst.Call | cst.Arg, ctx: Context) -> Iterator[Change]:
    """A well-known function or method becomes another of its family, where it is called or passed."""
    func = node.func if isinstance(node, cst.Call) else node.value
    if isinstance(func, cst.Name):
        if isinstance(node, cst.Call) or ctx.scope(node).resolve(func.value) is None:
            for other in FUNCTIONS.get(func.value, ()):
                yield ctx.replace(func, other)
    elif isinstance(func, cst.Attribute):
        for other in METHODS.get(func.attr.value, ()):
            yield ctx.replace(func.attr, other)


@operator(
    name="sibling-called",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="sibling-called",
    examples=[
        Example("def a(x): pass\ndef b(x): pass\ny = a(1)", "def a(x): pass\ndef b(x): pass\ny = b(1)"),
        Example(
            "class A:\n    def f(self): self.f()\n    def g(self): self.f()",
            "class A:\n    def f(self): self.g()\n    def g(self): self.f()",
        ),
        Example("from m import a, b\nx = a(1)", "from m import a, b\nx = b(1)"),
        Example("x = f(1)\ny = g(2)", "x = g(1)\ny = g(2)"),
    ],
)
def sibling_called(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function becomes another of its module, class or import, or another that is called nearby."""
    match node.func:
        case cst.Name(value=name):
            names = dict.fromkeys(ctx.sibling_functions(name)[:_SIBLINGS])
            names.update(dict.fromkeys(_imported_with(name, ctx)))
            names.update(dict.fromkeys([n for n in ctx.callables(node) if n != name][:_CALLED]))
        case cst.Attribute(value=cst.Name(value="self" | "cls"), attr=cst.Name(value=name)):
            methods = ctx.methods(node)
            others = sorted((m for m in methods if m != name), key=lambda m: methods[m] != methods.get(name))
            names = dict.fromkeys(m for m in others[:_METHODS_OF_CLASS] if not m.startswith("__"))
        case _:
            return
    target = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    for other in names:
        yield ctx.replace(target, other)


def _imported_with(name: str, ctx: Context) -> list[str]:
    """The names that come from the same import statement."""
    for statement in ctx.of_type(cst.ImportFrom):
        aliases = statement.names if not isinstance(statement.names, cst.ImportStar) else ()
        names = [a.asname.name if a.asname else a.name for a in aliases]
        texts = [n.value for n in names if isinstance(n, cst.Name)]
        if name in texts:
            return [t for t in texts if t != name][:_CALLED]
    return []


@operator(
    name="receiver-exchanged",
    odc="interface",
    bug_type="function misuse",
    pattern="same function wrong caller",
    inverse="receiver-exchanged",
    examples=[
        Example("x = a.f(b)", "x = b.f(a)"),
        Example("x = a.f(b, c)", "x = c.f(b, a)"),
        Example("x = a.b.f(c)", "x = c.f(a.b)"),
    ],
)
def receiver_exchanged(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """The receiver of a method and its argument change places."""
    if isinstance(node.func, cst.Attribute):
        for argument in node.args[:2]:
            if not argument.star and ctx.whole(argument.value) != ctx.whole(node.func.value):
                yield ctx.swap(node.func.value, argument.value)


@operator(
    name="method-form-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="method-form-confused",
    examples=[
        Example("x = a.f(b)", "x = f(a, b)"),
        Example("x = self.f(a)", "x = f(a)"),
        Example("x = a.f.g(b)", "x = a.g(b)"),
        Example("x = a.f(b)", "x = a(b)"),
        Example("x = f(a, b)", "x = a.f(b)"),
        Example(
            "class A:\n    def f(self): pass\n    def g(self): return f()",
            "class A:\n    def f(self): pass\n    def g(self): return self.f()",
        ),
    ],
)
def method_form_confused(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A method is called as a function, a function as a method, or a thing in place of its method."""
    inside = ctx.source[_arguments_start(node, ctx) : ctx.end(node)]
    match node.func:
        case cst.Attribute(value=owner, attr=attr):
            if isinstance(owner, cst.Name) and owner.value in ("self", "cls"):
                yield ctx.replace(node.func, attr.value)
            else:
                comma = ", " if node.args else ""
                yield ctx.replace(node, f"{attr.value}({ctx.whole(owner)}{comma}{inside}")
                yield ctx.replace(node.func, attr.value)
                yield ctx.fit(node.func, owner)
            if isinstance(owner, cst.Attribute):
                yield ctx.replace(node.func, f"{ctx.whole(owner.value)}.{attr.value}")
        case cst.Name(value=name):
            if name in ctx.methods(node):
                yield ctx.replace(node.func, f"self.{name}")
            if node.args and not node.args[0].star and node.args[0].keyword is None:
                first = node.args[0].value
                rest = ", ".join(ctx.item_text(a) for a in node.args[1:])
                yield ctx.replace(node, f"{ctx.operand(first)}.{name}({rest})")


def _arguments_start(node: cst.Call, ctx: Context) -> int:
    """Where the arguments of a call begin, after its parenthesis."""
    return ctx.start(node.args[0]) if node.args else ctx.end(node) - 1


@operator(
    name="call-to-reference",
    odc="interface",
    bug_type="function misuse",
    inverse="reference-called",
    examples=[
        Example("x = a.read()", "x = a.read"),
        Example("raise E(a=1)", "raise E"),
        Example("x = f(a)", "x = f[a]"),
    ],
)
def call_to_reference(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function is named but not called, or subscripted in place of called."""
    parent = ctx.parent(node)
    if isinstance(parent, cst.Decorator):
        return
    if not isinstance(parent, cst.Attribute) and (not node.args or isinstance(parent, cst.Raise | cst.Arg)):
        yield ctx.fit(node, node.func)
    if len(node.args) == 1 and not node.args[0].star and node.args[0].keyword is None:
        yield Edit(ctx.end(node.func), ctx.end(node), f"[{ctx.whole(node.args[0].value)}]")


@operator(
    name="reference-called",
    odc="interface",
    bug_type="function misuse",
    inverse="call-to-reference",
    examples=[
        Example("x = sorted(a, key=len)", "x = sorted(a, key=len())"),
        Example("x = map(f, a)", "x = map(f(a), a)"),
        Example("x = a[i]", "x = a(i)"),
        Example("x = d['k']", "x = d.k"),
    ],
)
def reference_called(node: cst.Arg | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A function that is passed is called at once; an element is called for, or taken as an attribute."""
    if isinstance(node, cst.Subscript):
        indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
        if len(indices) == len(node.slice) == 1 and not ctx.is_target(node):
            yield Edit(ctx.end(node.value), ctx.end(node), f"({ctx.whole(indices[0])})")
            key = indices[0].value.strip("'\"") if isinstance(indices[0], cst.SimpleString) else ""
            if key.isidentifier():
                yield Edit(ctx.end(node.value), ctx.end(node), f".{key}")
        return
    call = ctx.parent(node)
    if not isinstance(call, cst.Call) or not isinstance(node.value, cst.Name | cst.Attribute):
        return
    is_key = node.keyword is not None and node.keyword.value in ("key", "default_factory", "target", "default")
    takes = isinstance(call.func, cst.Name) and call.func.value in _TAKE_FUNCTIONS and node is call.args[0]
    if is_key or takes:
        yield ctx.wrap(node.value, "", "()")
        for other in call.args:
            if other is not node and not other.star and other.keyword is None:
                yield ctx.wrap(node.value, "", f"({ctx.whole(other.value)})")


@operator(
    name="await-dropped",
    odc="timing",
    bug_type="missing logic",
    examples=[Example("async def f(x):\n    return await x()", "async def f(x):\n    return x()")],
)
def await_dropped(node: cst.Await, ctx: Context) -> Iterator[Change]:
    """A coroutine is not awaited."""
    yield ctx.fit(node, node.expression)
