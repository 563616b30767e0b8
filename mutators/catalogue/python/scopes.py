"""Python's own mistakes with names and frames: shadowing, late binding, declarations, generators, with, mutation."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import lines_before
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="declaration-dropped",
    odc="assignment",
    bug_type="missing logic",
    examples=[
        Example("n = 0\ndef f():\n    global n\n    n = 1\n", "n = 0\ndef f():\n    n = 1\n"),
        Example(
            "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n",
            "def f():\n    n = 0\n    def g():\n        n = 1\n",
        ),
    ],
)
def declaration_dropped(node: cst.Global | cst.Nonlocal, ctx: Context) -> Iterator[Change]:
    """A variable that is assigned in a function is no longer that of the module or the function around."""
    statement = ctx.parent(node)
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        yield ctx.delete(statement)


@operator(
    name="yield-confused",
    odc="algorithm",
    bug_type="function misuse",
    inverse="yield-confused",
    examples=[
        Example("def f(a):\n    yield from a", "def f(a):\n    yield a"),
        Example("def f(a):\n    yield a", "def f(a):\n    return a"),
        Example("def f(a):\n    yield a", "def f(a):\n    yield from a"),
    ],
)
def yield_confused(node: cst.Yield, ctx: Context) -> Iterator[Change]:
    """A generator gives a collection for its elements or the reverse, or returns what it should yield."""
    value = node.value
    if value is None:
        return
    if isinstance(value, cst.From):
        yield Edit(ctx.start(value), ctx.start(value.item), "")
    else:
        start = ctx.tree.outer[value][0]
        yield Edit(start, start, "from ")
    if isinstance(ctx.parent(node), cst.Expr):
        item = value.item if isinstance(value, cst.From) else value
        yield ctx.replace(node, f"return {ctx.whole(item)}")


@operator(
    name="with-dropped",
    odc="timing",
    bug_type="missing logic",
    examples=[
        Example("with open(a) as b:\n    b.read()\n", "b = open(a)\nb.read()\n"),
        Example("with lock:\n    f()\n", "f()\n"),
    ],
)
def with_dropped(node: cst.With, ctx: Context) -> Iterator[Change]:
    """What should happen within a context happens outside it, and nothing is closed."""
    body = ctx.unwrap(node, node.body)
    if body is None or node.asynchronous is not None or len(node.items) != 1:
        return
    item = node.items[0]
    if item.asname is None:
        yield body
    elif isinstance(item.asname.name, cst.Name):
        opened = f"{ctx.indentation(node)}{item.asname.name.value} = {ctx.whole(item.item)}{ctx.newline}"
        yield Edit(body.start, body.end, opened + body.text)


@operator(
    name="late-binding-lambda",
    odc="timing",
    bug_type="missing logic",
    examples=[
        Example("x = [f(a) for a in b]", "x = [lambda: f(a) for a in b]"),
        Example("f = functools.partial(g, a)", "f = lambda *args: g(a, *args)"),
    ],
)
def late_binding_lambda(node: cst.ListComp | cst.Call, ctx: Context) -> Iterator[Change]:
    """A value is looked up when a function is called, not when that is made."""
    if isinstance(node, cst.ListComp):
        if isinstance(node.elt, cst.Call):
            yield ctx.wrap(node.elt, "lambda: ", "")
        return
    name = ctx.text(node.func)
    if name in ("partial", "functools.partial") and len(node.args) >= 2 and not any(a.keyword for a in node.args):
        given = ", ".join(ctx.item_text(a) for a in node.args[1:])
        yield ctx.replace(node, f"lambda *args: {ctx.operand(node.args[0].value)}({given}, *args)")


@operator(
    name="name-shadowed",
    odc="assignment",
    bug_type="variable misuse",
    pattern="change identifier",
    examples=[
        Example("def f(a):\n    for b in g(a):\n        h(a, b)\n", "def f(a):\n    for a in g(a):\n        h(a, a)\n"),
        Example("def f(a):\n    return [b + 1 for b in g(a)]\n", "def f(a):\n    return [a + 1 for a in g(a)]\n"),
    ],
)
def name_shadowed(node: cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A loop's variable has the name of one that is needed, everywhere in the loop."""
    if not isinstance(node.target, cst.Name):
        return
    own = node.target.value
    region = node if isinstance(node, cst.For) else ctx.parent(node)
    low, high = ctx.tree.inner[region]
    uses = [n for n in ctx.of_type(cst.Name) if low <= ctx.start(n) < high and n.value == own]
    uses = [n for n in uses if ctx.is_load(n) or n is node.target]
    others = dict.fromkeys(
        n.value for n in ctx.of_type(cst.Name)
        if ctx.start(node.iter) <= ctx.start(n) < ctx.end(node.iter) and ctx.is_load(n) and n.value != own
        and ctx.scope(n).resolve(n.value) is not None
    )  # fmt: skip
    for other in list(others)[:2]:
        yield tuple(ctx.replace(n, other) for n in uses)


@operator(
    name="argument-changed-in-place",
    odc="interface",
    bug_type="function misuse",
    examples=[
        Example("def f(a, b):\n    a = a + b\n", "def f(a, b):\n    a += b\n"),
        Example("def f(a, b):\n    a += b\n", "def f(a, b):\n    a = a + b\n"),
        Example("def f(a):\n    b = sorted(a)\n    return b\n", "def f(a):\n    a.sort()\n    b = a\n    return b\n"),
        Example("def f(a):\n    a.sort()\n", "def f(a):\n    a = a.sort()\n"),
    ],
)
def argument_changed_in_place(node: cst.Assign | cst.AugAssign | cst.Expr, ctx: Context) -> Iterator[Change]:
    """A list that others hold too is changed and not a copy, or the reverse; what a method in place gives is kept."""
    statement = ctx.parent(node)
    match node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name(value=name))],
            value=cst.BinaryOperation(left=cst.Name(value=left), operator=cst.Add(), right=right),
        ) if name == left:
            yield ctx.replace(node, f"{name} += {ctx.whole(right)}")
        case cst.AugAssign(target=cst.Name(value=name), operator=cst.AddAssign(), value=value):
            yield ctx.replace(node, f"{name} = {name} + {ctx.operand(value)}")
        case cst.Assign(
            value=cst.Call(
                func=cst.Name(value="sorted" | "reversed" | "list") as func,
                args=[cst.Arg(value=cst.Name(value=name)) as first, *rest],
            ) as value
        ) if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
            options = ", ".join(ctx.item_text(a) for a in rest)
            method = {"sorted": "sort", "reversed": "reverse"}.get(func.value)
            if method is not None and first.star == "":
                added = lines_before(statement, ctx, f"{name}.{method}({options})")
                yield added, ctx.replace(value, name)
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(
                    value=cst.Name(value=name),
                    attr=cst.Name(value="sort" | "reverse" | "append" | "extend" | "update" | "add" | "insert"),
                )
            )
        ):
            yield ctx.wrap(node.value, f"{name} = ", "")


@operator(
    name="parameter-rebound",
    odc="assignment",
    bug_type="excess logic",
    examples=[
        Example("def f(a, b):\n    b = a[0]\n    return a[b]", "def f(a, b):\n    a = b = a[0]\n    return a[b]"),
    ],
)
def parameter_rebound(node: cst.Assign, ctx: Context) -> Iterator[Change]:
    """A chained assignment also changes the variable that the value is taken of."""
    match node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name(value=target))],
            value=cst.Subscript(value=cst.Name(value=name)) | cst.Call(func=cst.Attribute(value=cst.Name(value=name))),
        ) if name != target:
            binding = ctx.scope(node).resolve(name)
            if binding is not None and binding.role in ("parameter", "local"):
                yield Edit(ctx.start(node), ctx.start(node), f"{name} = ")


@operator(
    name="default-shared",
    odc="assignment",
    bug_type="value misuse",
    examples=[
        Example("def f(a=None):\n    a = a or []\n    return a", "def f(a=[]):\n    return a"),
        Example("def f(a=None):\n    a = [] if a is None else a\n    return a", "def f(a=[]):\n    return a"),
        Example("def f(a=None):\n    if a is None:\n        a = []\n    return a", "def f(a=[]):\n    return a"),
    ],
)
def default_shared(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """The value that is made anew for a missing argument becomes the default, which all calls share."""
    if not isinstance(node.body, cst.IndentedBlock):
        return
    for param in (*node.params.params, *node.params.kwonly_params):
        if param.default is None or ctx.text(param.default) != "None":
            continue
        for statement in node.body.body:
            made = _made_anew(statement, param.name.value, ctx)
            if made is not None:
                yield ctx.replace(param.default, made), ctx.delete(statement)


def _made_anew(statement: cst.BaseStatement, name: str, ctx: Context) -> str | None:
    """The text of the value that a statement gives a variable if it is None or false."""
    value: cst.BaseExpression | None = None
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=given)]):
            if ctx.text(target) == name:
                match given:
                    case cst.BooleanOperation(left=left, operator=cst.Or(), right=right) if ctx.text(left) == name:
                        value = right
                    case cst.IfExp(body=body, orelse=orelse) if ctx.text(orelse) == name:
                        value = body
                    case cst.IfExp(body=body, orelse=orelse) if ctx.text(body) == name:
                        value = orelse
        case cst.If(
            test=test,
            body=cst.IndentedBlock(
                body=[
                    cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=given)])
                ]
            ),
            orelse=None,
        ) if ctx.text(target) == name and ctx.text(test) in (f"{name} is None", f"not {name}"):
            value = given
    return ctx.whole(value) if isinstance(value, cst.List | cst.Dict | cst.Call | cst.Set) else None
