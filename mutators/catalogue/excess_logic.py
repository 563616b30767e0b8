"""Excess logic: an offset, term, clause, element, call, statement, guard or return too many."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator
from mendlab.mutators.scopes import FLAG, MAPPING, NUMBER, SEQUENCE, TEXT, kind_of

Operand = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BinaryOperation
_MIRRORS: Final = {
    "<": (">", ">=", "!="),
    "<=": (">=", "!="),
    ">": ("<", "<=", "!="),
    ">=": ("<=", "!="),
    "==": ("<", ">"),
    "!=": ("<", ">"),
}
_ADDED_TERMS: Final = 4
_NOT_NUMBERS: Final = frozenset((TEXT, SEQUENCE, MAPPING, FLAG))
_IDEMPOTENT: Final = frozenset(
    ("abs", "sorted", "list", "set", "tuple", "str", "int", "float", "bool", "dict", "len", "print")
)


def _may_be_number(node: cst.BaseExpression, ctx: Context) -> bool:
    if isinstance(node, cst.Name):
        binding = ctx.scope(node).resolve(node.value)
        return binding is not None and NUMBER in binding.kinds
    if isinstance(node, cst.BinaryOperation):
        parts = {kind_of(node.left), kind_of(node.right)}
        return not parts & _NOT_NUMBERS and not (isinstance(node.operator, cst.Add) and parts == {None})
    return kind_of(node) not in _NOT_NUMBERS if isinstance(node, cst.Subscript) else kind_of(node) == NUMBER


@operator(
    name="offset-added",
    odc="algorithm",
    bug_type="excess logic",
    pattern="change binary operand",
    inverse="operand-dropped",
    examples=[
        Example("for i in range(len(a)): pass", "for i in range(len(a) - 1): pass"),
        Example("x = a % b == 0", "x = a % b + 1 == 0"),
        Example("x = a[len(b)]", "x = a[len(b) + 1]"),
    ],
)
def offset_added(node: Operand, ctx: Context) -> Iterator[Change]:
    """A number that is an argument, an index, a bound, compared, assigned or returned is one more or less."""
    parent = ctx.parent(node)
    places = (
        cst.Index,
        cst.Slice,
        cst.Comparison,
        cst.ComparisonTarget,
        cst.Return,
        cst.Assign,
        cst.AugAssign,
        cst.Arg,
    )
    if isinstance(parent, places) and not ctx.is_target(node) and _may_be_number(node, ctx):
        if (
            isinstance(node, cst.BinaryOperation)
            and ctx.text(node.right) == "1"
            and isinstance(node.operator, cst.Add | cst.Subtract)
        ):
            return
        yield ctx.wrap(node, "", " + 1")
        yield ctx.wrap(node, "", " - 1")


@operator(
    name="term-added",
    odc="algorithm",
    bug_type="excess logic",
    pattern="change binary operand",
    inverse="operand-dropped",
    examples=[
        Example("def f(a, i):\n    return a + 2 * i", "def f(a, i):\n    return a + 2 * i + i"),
        Example("def f(a, i):\n    return a % i", "def f(a, i):\n    return a % i + 1.0"),
        Example("def f(a, b):\n    return a * b", "def f(a, b):\n    return a * b * -1"),
    ],
)
def term_added(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """A sum gets another term, a product another factor."""
    if not _may_be_number(node, ctx) and not isinstance(node.operator, cst.Add | cst.Multiply):
        return
    if {kind_of(node.left), kind_of(node.right)} & _NOT_NUMBERS:
        return
    parent = ctx.parent(node)
    inside = isinstance(parent, cst.BinaryOperation) and not node.lpar
    numbers = [b.name for b in ctx.names(node) if NUMBER in b.kinds][:_ADDED_TERMS]
    if not inside or (
        isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Add) and parent.left is node
    ):
        yield from (Edit(ctx.end(node), ctx.end(node), f" + {name}") for name in numbers)
    if not inside:
        constants = ("1", "1.0") if isinstance(node.operator, cst.Modulo | cst.Divide) else ("1",)
        yield from (Edit(ctx.end(node), ctx.end(node), f" {sign} {c}") for c in constants for sign in "+-")
    if isinstance(node.operator, cst.Multiply | cst.Divide):
        yield Edit(ctx.end(node), ctx.end(node), " * -1")
        yield Edit(ctx.end(node), ctx.end(node), " * 2")


@operator(
    name="factor-added",
    odc="algorithm",
    bug_type="excess logic",
    pattern="change binary operand",
    inverse="operand-dropped",
    examples=[Example("x = a ** len(b)", "x = a ** 2 * len(b)"), Example("x = f(a) + b", "x = 2 * f(a) + b")],
)
def factor_added(node: cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """An operand of an operation is doubled."""
    if not {kind_of(node.left), kind_of(node.right)} & _NOT_NUMBERS:
        for operand in (node.left, node.right):
            if isinstance(operand, cst.Call | cst.Name | cst.Subscript):
                yield ctx.wrap(operand, "2 * ", "")


@operator(
    name="step-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="operand-dropped",
    examples=[
        Example("def f(a):\n    return f(a[1:])", "def f(a):\n    return 1 + f(a[1:])"),
        Example("def f(a):\n    return f(a[1:])", "def f(a):\n    return f(a[1:]) + 1"),
        Example("def f(a):\n    return -a", "def f(a):\n    return -a + 1"),
    ],
)
def step_added(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """A returned value counts one step more."""
    value = node.value
    if isinstance(value, cst.Call | cst.UnaryOperation | cst.Name | cst.Subscript | cst.Attribute):
        if kind_of(value) in _NOT_NUMBERS or ctx.text(value) in ("True", "False", "None", "self"):
            return
        yield ctx.wrap(value, "1 + ", "")
        yield ctx.wrap(value, "", " + 1")
        yield ctx.wrap(value, "", " - 1")


@operator(
    name="clause-added",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    inverse="clause-dropped",
    examples=[Example("x = a >= 8", "x = a >= 8 and a <= 8"), Example("x = a == b", "x = a == b or a < b")],
)
def clause_added(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A comparison is joined with another one of the same operands."""
    parent = ctx.parent(node)
    if len(node.comparisons) != 1 or isinstance(parent, cst.UnaryOperation | cst.Comparison | cst.ComparisonTarget):
        return
    target = node.comparisons[0]
    left, right = ctx.whole(node.left), ctx.whole(target.comparator)
    word = "and"
    for sign in _MIRRORS.get(ctx.text(target.operator), ()):
        for word in ("and", "or"):
            yield Edit(ctx.end(node), ctx.end(node), f" {word} {left} {sign} {right}")


@operator(
    name="condition-joined",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    inverse="clause-dropped",
    examples=[
        Example("def f(a, b):\n    if a > 0:\n        g(b)", "def f(a, b):\n    if a > 0 and b:\n        g(b)"),
    ],
)
def condition_joined(node: cst.If | cst.While, ctx: Context) -> Iterator[Change]:
    """A condition also asks for a variable of the scope to be true or false."""
    if isinstance(node.test, cst.IfExp | cst.NamedExpr | cst.Lambda):
        return
    for binding in ctx.names(node)[:2]:
        for clause in (binding.name, f"not {binding.name}"):
            loose = (
                isinstance(node.test, cst.BooleanOperation)
                and isinstance(node.test.operator, cst.Or)
                and not node.test.lpar
            )
            yield ctx.wrap(node.test, "(" if loose else "", f"{')' if loose else ''} and {clause}")


@operator(
    name="element-added",
    odc="assignment",
    bug_type="excess logic",
    inverse="element-dropped",
    examples=[Example("x = (1, 3)", "x = (1, 2, 3)"), Example("x = [a, b]", "x = [a, b, b]")],
)
def element_added(node: cst.List | cst.Tuple | cst.Set, ctx: Context) -> Iterator[Change]:
    """A literal has an element too many: the last one again, or a number that lies between two or beside them."""
    elements = node.elements
    if len(elements) < 2 or ctx.is_target(node):
        return
    last = elements[-1]
    end = ctx.end_of_item(last)
    numbers = [int(e.value.value, 0) for e in elements if isinstance(e.value, cst.Integer)]
    if len(numbers) == len(elements):
        for left, right in zip(numbers, elements[1:], strict=False):
            if left + 1 not in numbers:
                yield Edit(ctx.start(right), ctx.start(right), f"{left + 1}, ")
        yield Edit(end, end, f", {numbers[-1] + 1}")
        yield Edit(ctx.start(elements[0]), ctx.start(elements[0]), f"{numbers[0] - 1}, ")
    else:
        yield Edit(end, end, f", {ctx.item_text(last)}")
        yield Edit(ctx.start(elements[0]), ctx.start(elements[0]), f"{ctx.item_text(elements[0])}, ")


@operator(
    name="call-repeated",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[Example("x = f(a)", "x = f(f(a))"), Example("x = a.replace(b, c)", "x = a.replace(b, c).replace(b, c)")],
)
def call_repeated(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function is applied twice."""
    if isinstance(ctx.parent(node), cst.Expr | cst.Await | cst.Decorator):
        return
    if isinstance(node.func, cst.Attribute):
        if len(node.args) and not isinstance(ctx.parent(node), cst.Attribute):
            yield ctx.wrap(node, "", ctx.source[ctx.end(node.func.value) : ctx.end(node)])
    elif len(node.args) == 1 and not node.args[0].star and ctx.text(node.func) not in _IDEMPOTENT:
        yield ctx.wrap(node, f"{ctx.text(node.func)}(", ")")


@operator(
    name="argument-added",
    odc="interface",
    bug_type="excess logic",
    pattern="same function less args",
    inverse="argument-dropped",
    examples=[Example("def f(a, b):\n    return g(a, 1) + b", "def f(a, b):\n    return g(a, 1, b) + b")],
)
def argument_added(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call passes another variable of the scope, or its last argument again."""
    if not node.args or node.args[-1].keyword is not None or node.args[-1].star:
        return
    end = ctx.end_of_item(node.args[-1])
    passed = {ctx.text(a.value) for a in node.args}
    for binding in [b for b in ctx.names(node) if b.name not in passed][:2]:
        yield Edit(end, end, f", {binding.name}")


@operator(
    name="value-wrapped",
    odc="algorithm",
    bug_type="excess logic",
    inverse="call-unwrapped",
    examples=[
        Example("def f(a):\n    a.append(1)\n    return a", "def f(a):\n    a.append(1)\n    return sorted(a)"),
        Example("def f(a):\n    b = [a]\n    return b", "def f(a):\n    b = [a]\n    return b[1:]"),
    ],
)
def value_wrapped(node: cst.Return, ctx: Context) -> Iterator[Change]:
    """A returned variable goes through one step too many."""
    if not isinstance(node.value, cst.Name) or not ctx.is_load(node.value):
        return
    binding = ctx.scope(node).resolve(node.value.value)
    name, kinds = node.value.value, binding.kinds if binding else set()
    if SEQUENCE in kinds:
        for text in (
            f"sorted({name})",
            f"{name}[1:]",
            f"{name}[:-1]",
            f"{name}[::-1]",
            f"set({name})",
            f"[{name}]",
            f"{name}.sort()",
        ):
            yield ctx.replace(node.value, text)
    if TEXT in kinds:
        for text in (f"{name}.strip()", f"{name}.lower()", f"{name}[::-1]"):
            yield ctx.replace(node.value, text)
    if NUMBER in kinds:
        for text in (f"abs({name})", f"int({name})", f"str({name})"):
            yield ctx.replace(node.value, text)


@operator(
    name="accumulator-repeated",
    odc="algorithm",
    bug_type="excess logic",
    examples=[Example("x += y", "x += x + y")],
)
def accumulator_repeated(node: cst.AugAssign, ctx: Context) -> Iterator[Change]:
    """An augmented assignment names its target on the right too."""
    if isinstance(node.operator, cst.AddAssign):
        start = ctx.tree.outer[node.value][0]
        yield Edit(start, start, f"{ctx.text(node.target)} + ")


@operator(
    name="statement-repeated",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[Example("if a:\n    x += 1\n", "if a:\n    x += 1\n    x += 1\n")],
)
def statement_repeated(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A statement with an effect is made twice."""
    match node.body:
        case [cst.AugAssign() | cst.Expr(value=cst.Call())]:
            yield ctx.insert_after(node, ctx.text(node))


@operator(
    name="statement-varied",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "for i, x in enumerate(y):\n    z.append(x)\n",
            "for i, x in enumerate(y):\n    z.append(x)\n    z.append(i)\n",
        )
    ],
)
def statement_varied(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A call with an effect is made again for another variable."""
    match node.body:
        case [cst.Expr(value=cst.Call(args=[cst.Arg(value=cst.Name() as name, star="", keyword=None)]))]:
            low, high, end = ctx.start(node), ctx.start(name), ctx.end(name)
            for other in ctx.similar_names(name)[:2]:
                text = ctx.source[low:high] + other.name + ctx.source[end : ctx.end(node)]
                yield ctx.insert_after(node, text)


@operator(
    name="early-return",
    odc="algorithm",
    bug_type="excess logic",
    examples=[
        Example(
            "def f(a):\n    for x in a:\n        g(x)\n    return a\n",
            "def f(a):\n    for x in a:\n        g(x)\n        return a\n    return a\n",
        )
    ],
)
def early_return(node: cst.For | cst.While, ctx: Context) -> Iterator[Change]:
    """A loop returns in its first round what the function returns after it."""
    following = ctx.following(node)
    if isinstance(node.body, cst.IndentedBlock) and following is not None:
        match following:
            case cst.SimpleStatementLine(body=[cst.Return()]) if not ctx.leaves(node.body.body[-1]):
                yield ctx.insert_after(node.body.body[-1], ctx.text(following))


@operator(
    name="guard-added",
    odc="checking",
    bug_type="excess logic",
    examples=[
        Example("def f(a):\n    return a + 1\n", "def f(a):\n    if not a:\n        return None\n    return a + 1\n"),
    ],
)
def guard_added(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A function gives up at once if an argument is false."""
    if isinstance(node.body, cst.IndentedBlock) and node.asynchronous is None:
        first = ctx.first_statement(node.body)
        if first is not None:
            indent, step = ctx.indentation(first), ctx.tree.module.default_indent
            start = ctx.lines(first)[0]
            for param in node.params.params:
                name = param.name.value
                if name not in ("self", "cls"):
                    text = f"{indent}if not {name}:{ctx.newline}{indent}{step}return None{ctx.newline}"
                    yield Edit(start, start, text)
