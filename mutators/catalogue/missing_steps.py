"""Missing logic inside expressions: a clause, operand, filter or step of a computation that is not there."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

FAMILY: Final = "missing-logic"
_DEEPEST: Final = 4


@operator(
    name="clause-dropped",
    family=FAMILY,
    term="OODL",
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    inverse="clause-added",
    examples=[
        Example("x = a and b", "x = a"),
        Example("x = a or b or c", "x = a or c"),
        Example("x = a or b or c", "x = a"),
        Example("x = 0 <= a < b", "x = 0 <= a"),
        Example("x = 0 <= a < b", "x = a < b"),
    ],
)
def clause_dropped(node: cst.BooleanOperation | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A condition loses one of its clauses, or all but one; a chain of comparisons one of its ends."""
    if isinstance(node, cst.Comparison):
        if len(node.comparisons) > 1:
            yield Edit(ctx.end(node.comparisons[-2]), ctx.end(node.comparisons[-1]), "")
            yield Edit(ctx.tree.outer[node.left][0], ctx.tree.outer[node.comparisons[0].comparator][0], "")
        return
    yield ctx.fit(node, node.left)
    yield ctx.fit(node, node.right)
    left = node.left
    while isinstance(left, cst.BooleanOperation):
        yield ctx.fit(node, left.left)
        yield ctx.fit(node, left.right)
        left = left.left


@operator(
    name="comparison-shortened",
    family=FAMILY,
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = a == 1 or a == 2", "x = a == 1 or 2"),
        Example("x = a > 1 and b > 1", "x = a and b > 1"),
    ],
)
def comparison_shortened(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """A clause is only the value that it should compare with, or what it should compare."""
    match node.right:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(comparator=value)]):
            yield ctx.fit(node.right, value)
    match node.left:
        case cst.Comparison(left=value):
            yield ctx.fit(node.left, value)


@operator(
    name="operand-dropped",
    family=FAMILY,
    term="OODL",
    odc="algorithm",
    bug_type="missing logic",
    pattern="change binary operand",
    inverse="term-added",
    examples=[
        Example("x = a + 1", "x = a"),
        Example("x = a + b * c", "x = a + c"),
        Example("x = a - b", "x = -b"),
        Example("x = a + b + c", "x = a"),
    ],
)
def operand_dropped(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An operation loses one of its operands, a chain of operations all but one."""
    yield ctx.fit(node, node.left)
    yield ctx.fit(node, node.right)
    if isinstance(node.operator, cst.Subtract):
        yield Edit(ctx.tree.outer[node.left][0], ctx.tree.outer[node.right][0], "-")
    left = node.left
    while isinstance(left, cst.BinaryOperation):
        yield ctx.fit(node, left.left)
        yield ctx.fit(node, left.right)
        left = left.left


@operator(
    name="filter-dropped",
    family=FAMILY,
    odc="checking",
    bug_type="missing logic",
    pattern="more specific if",
    examples=[Example("x = [i for i in y if i > 0]", "x = [i for i in y]")],
)
def filter_dropped(node: cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A comprehension loses a filter, or all of them."""
    previous: cst.CSTNode = node.iter
    for condition in node.ifs:
        yield Edit(ctx.tree.outer[previous][1], ctx.tree.outer[condition][1], "")
        previous = condition
    if len(node.ifs) > 1:
        yield Edit(ctx.tree.outer[node.iter][1], ctx.tree.outer[node.ifs[-1]][1], "")


@operator(
    name="comprehension-dropped",
    family=FAMILY,
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example("x = [f(i) for i in y if i > 0]", "x = y"),
        Example("x = [f(i) for i in y]", "x = list(y)"),
        Example("x = [f(i) for i in y]", "x = [i for i in y]"),
        Example("x = {k: f(v) for k, v in y.items()}", "x = y"),
        Example("x = sum(f(i) for i in y)", "x = sum(y)"),
    ],
)
def comprehension_dropped(
    node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, ctx: Context
) -> Iterator[Change]:
    """The elements of a comprehension are taken as they are."""
    source = node.for_in.iter
    if node.for_in.inner_for_in is not None or node.for_in.asynchronous is not None:
        return
    if isinstance(node, cst.DictComp):
        if isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute) and not source.args:
            yield ctx.fit(node, source.func.value)
        return
    element, target = ctx.whole(node.elt), ctx.whole(node.for_in.target)
    if element != target and isinstance(node.for_in.target, cst.Name):
        yield Edit(*ctx.tree.outer[node.elt], target)
    yield ctx.fit(node, source)
    if not isinstance(node, cst.GeneratorExp):
        yield ctx.replace(node, f"{'list' if isinstance(node, cst.ListComp) else 'set'}({ctx.whole(source)})")


@operator(
    name="choice-dropped",
    family=FAMILY,
    odc="checking",
    bug_type="missing logic",
    examples=[Example("x = a if c else b", "x = a"), Example("x = a if c else b", "x = b")],
)
def choice_dropped(node: cst.IfExp, ctx: Context) -> Iterator[Change]:
    """A conditional expression always has the same branch."""
    yield ctx.fit(node, node.body)
    yield ctx.fit(node, node.orelse)


@operator(
    name="element-unwrapped",
    family=FAMILY,
    odc="algorithm",
    bug_type="missing logic",
    inverse="collection-filled",
    examples=[Example("x = y + [z]", "x = y + z"), Example("x = y + (z,)", "x = y + z")],
)
def element_unwrapped(node: cst.List | cst.Tuple | cst.Set, ctx: Context) -> Iterator[Change]:
    """A value is used without the collection around it."""
    match node.elements:
        case [cst.Element(value=value)] if not ctx.is_target(node):
            yield ctx.fit(node, value)


@operator(
    name="attribute-dropped",
    family=FAMILY,
    odc="assignment",
    bug_type="missing logic",
    pattern="add attribute access",
    examples=[Example("x = y.value", "x = y"), Example("x = y.value.f()", "x = y.f()")],
)
def attribute_dropped(node: cst.Attribute, ctx: Context) -> Iterator[Change]:
    """An object is used in place of its attribute."""
    called = isinstance(parent := ctx.parent(node), cst.Call) and parent.func is node
    special = isinstance(parent, cst.Decorator | cst.ImportAlias | cst.ImportFrom | cst.MatchValue)
    if not called and not special and not ctx.is_target(node) and ctx.text(node.value) not in ("self", "cls"):
        yield ctx.fit(node, node.value)


@operator(
    name="subscript-dropped",
    family=FAMILY,
    odc="algorithm",
    bug_type="missing logic",
    examples=[Example("x = y[1:]", "x = y"), Example("x = f(y[0])", "x = f(y)")],
)
def subscript_dropped(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A whole is used in place of its part."""
    if not ctx.is_target(node):
        yield ctx.fit(node, node.value)


@operator(
    name="steps-dropped",
    family=FAMILY,
    odc="algorithm",
    bug_type="missing logic",
    pattern="add method call",
    examples=[
        Example("x = y.strip().lower()", "x = y"),
        Example("x = sorted(y.split(' '))", "x = y"),
        Example("x = -abs(y[1:])", "x = y[1:]"),
    ],
)
def steps_dropped(
    node: cst.Call | cst.Subscript | cst.UnaryOperation | cst.BinaryOperation, ctx: Context
) -> Iterator[Change]:
    """Two or more steps of a computation, one around the other, are left out."""
    if isinstance(ctx.parent(node), cst.Expr | cst.Decorator) or ctx.is_target(node):
        return
    inner = _step(node, ctx)
    for _ in range(_DEEPEST - 1):
        inner = None if inner is None else _step(inner, ctx)
        if inner is None:
            return
        yield ctx.fit(node, inner)


def _step(node: cst.BaseExpression, ctx: Context) -> cst.BaseExpression | None:
    """What the last step of a computation is made on; ``None`` if it is none."""
    match node:
        case cst.Call(func=cst.Attribute(value=receiver)) if not _is_module(receiver, ctx):
            return receiver
        case cst.Call(args=[cst.Arg(value=value, star=""), *_]):
            return value
        case cst.Subscript(value=value) | cst.UnaryOperation(expression=value) | cst.BinaryOperation(left=value):
            return value
    return None


def _is_module(node: cst.BaseExpression, ctx: Context) -> bool:
    binding = ctx.scope(node).resolve(node.value) if isinstance(node, cst.Name) else None
    return binding is not None and binding.role == "import"


@operator(
    name="step-dropped-throughout",
    family=FAMILY,
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example(
            "def f(a, b):\n    if id(a) in b:\n        b.add(id(a))\n",
            "def f(a, b):\n    if a in b:\n        b.add(a)\n",
        ),
        Example("def f(a):\n    return g(a.lower()) + a.lower()\n", "def f(a):\n    return g(a) + a\n"),
    ],
)
def step_dropped_throughout(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A computation that a function makes in several places is left out in all of them."""
    function = ctx.function(node)
    if function is None or ctx.is_target(node) or isinstance(ctx.parent(node), cst.Expr | cst.Decorator):
        return
    text = ctx.text(node)
    kind = cst.Call if isinstance(node, cst.Call) else cst.Subscript
    alike = [n for n in ctx.within(*ctx.tree.inner[function.body], kind) if ctx.text(n) == text]
    if len(alike) < 2 or alike[0] is not node or any(ctx.is_target(n) for n in alike):
        return
    if _step(node, ctx) is not None:
        yield tuple(ctx.fit(n, step) for n in alike if (step := _step(n, ctx)) is not None)


@operator(
    name="default-handling-dropped",
    family=FAMILY,
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = defaultdict(list)", "x = {}"),
        Example("x.setdefault(k, []).append(v)", "x[k].append(v)"),
        Example("x = Counter()", "x = {}"),
    ],
)
def default_handling_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A mapping no longer provides for keys that are missing."""
    match node:
        case cst.Call(func=func) if ctx.text(func).split(".")[-1] == "defaultdict":
            yield ctx.replace(node, "{}")
        case cst.Call(func=func, args=[]) if ctx.text(func).split(".")[-1] == "Counter":
            yield ctx.replace(node, "{}")
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="setdefault")), args=[key, _]):
            if not isinstance(ctx.parent(node), cst.Expr):
                yield ctx.replace(node, f"{ctx.whole(owner)}[{ctx.whole(key.value)}]")
