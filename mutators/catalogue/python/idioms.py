"""Python's own mistakes: identity and equality, truth and None, mutable defaults, slices, aliases, in-place methods."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_IDENTITY: Final = {"==": "is", "!=": "is not", "is": "==", "is not": "!="}
_CONDITIONS: Final = (cst.If, cst.While, cst.IfExp, cst.BooleanOperation, cst.CompIf, cst.Assert)


def _none_test(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str] | None:
    match node:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=sign, comparator=cst.Name(value="None"))]
        ):
            return left, "is" if isinstance(sign, cst.Is | cst.Equal) else "is not"
    return None


@operator(
    name="identity-confused",
    odc="checking",
    bug_type="operator misuse",
    pattern="change binary operator",
    inverse="identity-confused",
    examples=[Example("x = a == b", "x = a is b"), Example("x = a is not b", "x = a != b")],
)
def identity_confused(node: cst.ComparisonTarget, ctx: Context) -> Iterator[Change]:
    """Identity is tested for equality, or equality for identity."""
    sign = " ".join(ctx.text(node.operator).split())
    low, high = ctx.tree.inner[node.operator]
    if (
        sign in _IDENTITY
        and ctx.text(node.comparator) != "None"
        and ctx.source[low - 1 : high + 1] == f" {ctx.text(node.operator)} "
    ):
        yield ctx.replace(node.operator, _IDENTITY[sign])


@operator(
    name="none-to-truth",
    odc="checking",
    bug_type="operator misuse",
    inverse="truth-to-none",
    examples=[Example("if x is None:\n    f()", "if not x:\n    f()"), Example("a = x is not None", "a = x")],
)
def none_to_truth(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A test for None becomes a test for truth."""
    test = _none_test(node)
    if test is not None and isinstance(ctx.parent(node), (*_CONDITIONS, cst.Assign, cst.Return)):
        yield ctx.fit(node, test[0]) if test[1] == "is not" else ctx.replace(node, f"not {ctx.operand(test[0])}")


@operator(
    name="truth-to-none",
    odc="checking",
    bug_type="operator misuse",
    inverse="none-to-truth",
    examples=[
        Example("if x:\n    f()", "if x is not None:\n    f()"),
        Example("if not x:\n    f()", "if x is None:\n    f()"),
    ],
)
def truth_to_none(node: cst.Name | cst.Attribute | cst.UnaryOperation, ctx: Context) -> Iterator[Change]:
    """A test for truth becomes a test for None."""
    if not isinstance(ctx.parent(node), _CONDITIONS) or ctx.text(node) in ("True", "False", "None"):
        return
    parent = ctx.parent(node)
    if isinstance(parent, cst.IfExp) and parent.test is not node:
        return
    if not isinstance(node, cst.UnaryOperation):
        yield ctx.wrap(node, "", " is not None")
    elif isinstance(node.operator, cst.Not) and isinstance(node.expression, cst.Name | cst.Attribute):
        yield ctx.replace(node, f"{ctx.whole(node.expression)} is None")


@operator(
    name="mutable-default",
    odc="assignment",
    bug_type="value misuse",
    examples=[
        Example(
            "def f(x=None):\n    if x is None:\n        x = []\n    return x",
            "def f(x=[]):\n    if x is None:\n        x = []\n    return x",
        ),
    ],
)
def mutable_default(node: cst.If, ctx: Context) -> Iterator[Change]:
    """The value that a function makes anew for a missing argument becomes its default, shared by all calls."""
    function, test = ctx.function(node), _none_test(node.test)
    match node.body:
        case cst.IndentedBlock(
            body=[cst.SimpleStatementLine(body=[cst.Assign(value=cst.List() | cst.Dict() | cst.Call() as value)])]
        ):
            if function is not None and test is not None and test[1] == "is":
                for param in function.params.params:
                    if param.name.value == ctx.text(test[0]) and param.default is not None:
                        yield ctx.replace(param.default, ctx.text(value))


@operator(
    name="slice-ends",
    odc="algorithm",
    bug_type="value misuse",
    inverse="slice-ends",
    examples=[
        Example("x = a[1:]", "x = a[:]"),
        Example("x = a[:n]", "x = a[:n - 1]"),
        Example("x = a[i:j]", "x = a[i:]"),
        Example("x = a[::-1]", "x = a[::]"),
        Example("x = a[:n]", "x = a[n:]"),
    ],
)
def slice_ends(node: cst.Slice, ctx: Context) -> Iterator[Change]:
    """A slice begins, ends or steps elsewhere."""
    bounds = [bound for bound in (node.lower, node.upper, node.step) if bound is not None]
    for bound in bounds:
        yield Edit(*ctx.tree.outer[bound], "")
    for bound in bounds[:2]:
        if bound is not node.step and not isinstance(bound, cst.Integer):
            yield ctx.wrap(bound, "", " + 1")
            yield ctx.wrap(bound, "", " - 1")
    if node.step is None and len(bounds) == 1:
        text = ctx.whole(bounds[0])
        yield ctx.replace(node, f"{text}:" if node.lower is None else f":{text}")
        yield ctx.replace(node, f"-{text}:" if node.lower is None else f":-{text}")


@operator(
    name="index-end",
    odc="algorithm",
    bug_type="value misuse",
    pattern="change numeric literal",
    inverse="index-end",
    examples=[Example("x = a[0]", "x = a[-1]"), Example("x = a[-1]", "x = a[0]"), Example("x = a[-1]", "x = a[-2]")],
)
def index_end(node: cst.Index, ctx: Context) -> Iterator[Change]:
    """The other end of a sequence is taken, or the place beside it."""
    match node.value:
        case cst.Integer(value="0"):
            yield ctx.replace(node, "-1")
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer(value=digits)) if digits.isdigit():
            yield ctx.replace(node, str(int(digits) - 1))
            yield ctx.replace(node, f"-{int(digits) + 1}")


@operator(
    name="copy-to-alias",
    odc="assignment",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[
        Example("x = copy.deepcopy(y)", "x = copy.copy(y)"),
        Example("x = y.copy()", "x = y"),
        Example("x = y[:]", "x = y"),
    ],
)
def copy_to_alias(node: cst.Call | cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A copy becomes a shallow copy, or the thing itself."""
    match node:
        case (
            cst.Call(func=cst.Attribute(attr=cst.Name(value="deepcopy") as name))
            | cst.Call(func=cst.Name(value="deepcopy") as name)
        ):
            yield ctx.replace(name, "copy")
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="copy")), args=[]):
            yield ctx.fit(node, owner)
        case cst.Call(func=cst.Name(value="list" | "dict" | "set"), args=[cst.Arg(value=value, star="", keyword=None)]):
            yield ctx.fit(node, value)
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Slice(lower=None, upper=None, step=None))]) if (
            not ctx.is_target(node)
        ):
            yield ctx.fit(node, node.value)


@operator(
    name="default-dropped",
    odc="checking",
    bug_type="missing logic",
    pattern="same function more args",
    inverse="default-added",
    examples=[Example("x = d.get(k, 0)", "x = d[k]"), Example("x = d.get(k, 0)", "x = d.get(k)")],
)
def default_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A look-up loses its default."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=owner, attr=cst.Name(value="get")),
            args=[cst.Arg(value=key, keyword=None, star=""), *rest],
        ) if len(rest) < 2:
            yield ctx.replace(node, f"{ctx.whole(owner)}[{ctx.whole(key)}]")
            if rest:
                yield ctx.drop_item(node.args, 1)


@operator(
    name="default-added",
    odc="checking",
    bug_type="excess logic",
    inverse="default-dropped",
    examples=[Example("x = d['k']", "x = d.get('k')")],
)
def default_added(node: cst.Subscript, ctx: Context) -> Iterator[Change]:
    """A missing key goes unnoticed."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))] if not ctx.is_target(node):
            yield ctx.replace(node, f"{ctx.whole(node.value)}.get({ctx.whole(key)})")


@operator(
    name="in-place-confused",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="in-place-confused",
    examples=[
        Example("x.sort()", "sorted(x)"),
        Example("y = sorted(x)", "y = x.sort()"),
        Example("x.reverse()", "reversed(x)"),
        Example("x = y + z", "x = y.extend(z)"),
    ],
)
def in_place_confused(node: cst.Call | cst.Assign, ctx: Context) -> Iterator[Change]:
    """A method that changes its object is taken for a function that returns a new one, or the contrary."""
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="sort" | "reverse" as name)), args=args):
            inside = ", ".join([ctx.whole(owner), *(ctx.item_text(a) for a in args)])
            yield ctx.replace(node, f"{'sorted' if name == 'sort' else 'reversed'}({inside})")
        case cst.Call(func=cst.Name(value="sorted" | "reversed" as name), args=[cst.Arg(value=value, star=""), *rest]):
            inside = ", ".join(ctx.item_text(a) for a in rest)
            yield ctx.replace(node, f"{ctx.operand(value)}.{'sort' if name == 'sorted' else 'reverse'}({inside})")
        case cst.Assign(
            value=cst.BinaryOperation(left=cst.Name(), operator=cst.Add(), right=cst.Name() | cst.List()) as value
        ):
            yield ctx.replace(value, f"{ctx.whole(value.left)}.extend({ctx.whole(value.right)})")


@operator(
    name="comprehension-lazy",
    odc="algorithm",
    bug_type="function misuse",
    examples=[
        Example("x = [f(i) for i in y]", "x = (f(i) for i in y)"),
        Example("x = {i for i in y}", "x = [i for i in y]"),
    ],
)
def comprehension_lazy(node: cst.ListComp | cst.SetComp, ctx: Context) -> Iterator[Change]:
    """A list becomes a generator, which can be used only once; a set becomes a list."""
    inside = ctx.text(node)[1:-1]
    yield ctx.replace(node, f"({inside})" if isinstance(node, cst.ListComp) else f"[{inside}]")


@operator(
    name="late-binding",
    odc="timing",
    bug_type="missing logic",
    examples=[Example("f = [lambda x, i=i: x + i for i in y]", "f = [lambda x: x + i for i in y]")],
)
def late_binding(node: cst.Lambda, ctx: Context) -> Iterator[Change]:
    """A closure loses the default that kept a loop variable's value."""
    for index, param in enumerate(node.params.params):
        if isinstance(param.default, cst.Name) and param.default.value == param.name.value:
            yield ctx.drop_item(node.params.params, index)


@operator(
    name="format-dropped",
    odc="assignment",
    bug_type="missing logic",
    examples=[Example("x = f'a{b}'", "x = 'a{b}'")],
)
def format_dropped(node: cst.FormattedString, ctx: Context) -> Iterator[Change]:
    """An f-string loses its f."""
    if any(isinstance(part, cst.FormattedStringExpression) for part in node.parts):
        text = ctx.text(node)
        prefix = text[: len(node.start) - len(node.end)]
        yield ctx.replace(node, prefix.replace("f", "").replace("F", "") + text[len(prefix) :])
