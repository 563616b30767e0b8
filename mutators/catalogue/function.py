"""Wrong functions and wrong arguments: another of the same family, a call without its call, arguments lost or moved."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_FUNCTIONS: Final = (
    "any all",
    "min max",
    "min max sum",
    "sum len",
    "sorted reversed list set",
    "list set tuple iter",
    "int float round str abs",
    "str repr",
    "ord chr int",
    "bin hex oct",
    "map filter",
    "isinstance issubclass",
    "setattr getattr hasattr",
    "dict set",
    "print repr",
    "bytes bytearray",
    "zip enumerate",
)
"""Functions that people take for each other, a group a line."""
_METHODS: Final = (
    "append extend insert remove",
    "append appendleft pop",
    "pop popleft",
    "add discard remove",
    "keys values items",
    "lower upper swapcase title capitalize",
    "startswith endswith",
    "strip lstrip rstrip",
    "islower isupper",
    "isdigit isalpha isalnum isnumeric isspace",
    "find rfind index rindex",
    "find count index",
    "split rsplit splitlines",
    "partition rpartition",
    "encode decode",
    "union intersection difference symmetric_difference",
    "update add",
    "update intersection_update difference_update",
    "issubset issuperset isdisjoint",
    "ljust rjust center zfill",
    "sort reverse",
    "get setdefault pop",
    "copy clear",
    "ceil floor trunc",
    "sin cos tan",
    "log log2 log10 exp",
    "search match fullmatch findall",
    "sub subn",
    "read readline readlines",
    "write writelines",
    "dumps dump",
    "loads load",
    "bisect_left bisect_right",
    "heappush heappop",
    "combinations permutations combinations_with_replacement",
    "most_common elements",
    "replace strip",
    "exists isfile isdir",
    "abspath realpath normpath",
    "now utcnow today",
    "hour minute second",
    "seconds total_seconds",
    "start end span",
    "acquire release",
    "put get",
    "randint randrange",
    "choice choices sample",
)
"""The same for methods, attributes and functions of modules."""
_SIBLINGS: Final = 6


def _table(groups: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for names in map(str.split, groups):
        for name in names:
            table.setdefault(name, {}).update(dict.fromkeys(other for other in names if other != name))
    return {name: tuple(others) for name, others in table.items()}


_FUNCTION_TABLE: Final = _table(_FUNCTIONS)
_METHOD_TABLE: Final = _table(_METHODS)


@operator(
    name="function-misuse",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="function-misuse",
    examples=[Example("x = any(y)", "x = all(y)"), Example("x = math.ceil(y)", "x = math.floor(y)")],
)
def function_misuse(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A well-known function or method becomes another of its family."""
    func = node.func
    if isinstance(func, cst.Name):
        for other in _FUNCTION_TABLE.get(func.value, ()):
            yield ctx.replace(func, other)
    elif isinstance(func, cst.Attribute):
        for other in _METHOD_TABLE.get(func.attr.value, ()):
            yield ctx.replace(func.attr, other)


@operator(
    name="sibling-called",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="sibling-called",
    examples=[
        Example("def a(x): pass\ndef b(x): pass\ny = a(1)", "def a(x): pass\ndef b(x): pass\ny = b(1)"),
    ],
)
def sibling_called(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function of the module becomes another one that takes as many arguments."""
    if isinstance(node.func, cst.Name):
        for name in ctx.sibling_functions(node.func.value)[:_SIBLINGS]:
            yield ctx.replace(node.func, name)


@operator(
    name="call-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    inverse="call-repeated",
    examples=[Example("x = abs(a - b)", "x = a - b"), Example("x = f(a - b) * c", "x = (a - b) * c")],
)
def call_unwrapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call becomes one of its arguments."""
    for argument in node.args:
        if not argument.star and not isinstance(ctx.parent(node), cst.Decorator):
            yield ctx.fit(node, argument.value)
            inner = argument.value
            while isinstance(inner, cst.Call) and len(inner.args) == 1 and not inner.args[0].star:
                inner = inner.args[0].value
                yield ctx.fit(node, inner)
                yield ctx.fit(argument.value, inner)


@operator(
    name="calls-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[Example("x = set(a) == set(b)", "x = a == b"), Example("x = int(a) + int(b)", "x = a + b")],
)
def calls_unwrapped(node: cst.Comparison | cst.BinaryOperation, ctx: Context) -> Iterator[Change]:
    """The same call is left out on both sides of an operator."""
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            pass
        case cst.BinaryOperation(left=left, right=right):
            pass
        case _:
            return
    if isinstance(left, cst.Call) and isinstance(right, cst.Call) and ctx.text(left.func) == ctx.text(right.func):
        if len(left.args) == len(right.args) == 1:
            yield ctx.fit(left, left.args[0].value), ctx.fit(right, right.args[0].value)
        elif (
            not left.args
            and not right.args
            and isinstance(left.func, cst.Attribute)
            and isinstance(right.func, cst.Attribute)
        ):
            yield ctx.fit(left, left.func.value), ctx.fit(right, right.func.value)


@operator(
    name="method-unwrapped",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add method call",
    inverse="call-repeated",
    examples=[Example("x = a.strip()", "x = a"), Example("x = a.b(1).c()", "x = a.c()")],
)
def method_unwrapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A method call becomes its receiver."""
    if isinstance(node.func, cst.Attribute) and not isinstance(ctx.parent(node), cst.Decorator | cst.Expr):
        yield ctx.fit(node, node.func.value)


@operator(
    name="call-to-reference",
    odc="interface",
    bug_type="function misuse",
    examples=[Example("x = a.read()", "x = a.read")],
)
def call_to_reference(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A function without arguments is named but not called."""
    if not node.args and not isinstance(ctx.parent(node), cst.Decorator | cst.Attribute):
        yield ctx.fit(node, node.func)


@operator(
    name="argument-dropped",
    odc="interface",
    bug_type="function misuse",
    pattern="same function more args",
    inverse="argument-added",
    examples=[Example("x = f(a, b)", "x = f(a)"), Example("x = f(a, b)", "x = f(b)")],
)
def argument_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call loses one positional argument."""
    if len(node.args) > 1:
        for index, argument in enumerate(node.args):
            if argument.keyword is None:
                yield ctx.drop_item(node.args, index)


@operator(
    name="keyword-dropped",
    odc="interface",
    bug_type="missing logic",
    pattern="same function more args",
    examples=[Example("x = sorted(a, key=b)", "x = sorted(a)"), Example("x = f(a=1)", "x = f()")],
)
def keyword_dropped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A call loses one keyword argument, or all of them."""
    keywords = [index for index, argument in enumerate(node.args) if argument.keyword is not None]
    for index in keywords:
        yield ctx.drop_item(node.args, index)
    if len(keywords) > 1 and keywords[0] > 0:
        start, end = ctx.end_of_item(node.args[keywords[0] - 1]), ctx.end_of_item(node.args[keywords[-1]])
        yield Edit(start, end, "")


@operator(
    name="arguments-swapped",
    odc="interface",
    bug_type="variable misuse",
    pattern="same function swap args",
    inverse="arguments-swapped",
    examples=[Example("x = f(a, b)", "x = f(b, a)"), Example("x = f(a, b, c)", "x = f(c, b, a)")],
)
def arguments_swapped(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """Two arguments of a call change places."""
    plain = [a.value for a in node.args if not a.star]
    for index, left in enumerate(plain[:5]):
        for right in plain[index + 1 : 5]:
            if ctx.whole(left) != ctx.whole(right):
                yield ctx.swap(left, right)


@operator(
    name="argument-repeated",
    odc="interface",
    bug_type="variable misuse",
    pattern="change identifier",
    examples=[Example("x = f(a, g(b))", "x = f(a, a)")],
)
def argument_repeated(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """An argument is passed in place of its neighbour too."""
    plain = [a.value for a in node.args if not a.star]
    for left, right in pairwise(plain):
        yield ctx.fit(left, right)
        yield ctx.fit(right, left)


@operator(
    name="argument-none",
    odc="interface",
    bug_type="value misuse",
    pattern="change keyword argument used",
    examples=[Example("x = f(a, k=b)", "x = f(a, k=None)"), Example("x = f(a, b)", "x = f(None, b)")],
)
def argument_none(node: cst.Arg, ctx: Context) -> Iterator[Change]:
    """An argument becomes None."""
    in_call = isinstance(ctx.parent(node), cst.Call)
    if in_call and not node.star and ctx.text(node.value) not in ("None", "True", "False"):
        yield Edit(*ctx.tree.outer[node.value], "None")


@operator(
    name="keyword-misuse",
    odc="interface",
    bug_type="function misuse",
    pattern="change keyword argument used",
    inverse="keyword-misuse",
    examples=[Example("x = f(a=1, b=2)", "x = f(b=1, a=2)")],
)
def keyword_misuse(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """The names of two keyword arguments are exchanged."""
    keywords = [a.keyword for a in node.args if a.keyword is not None]
    for left, right in pairwise(keywords):
        yield ctx.replace(left, right.value), ctx.replace(right, left.value)


@operator(
    name="await-dropped",
    odc="timing",
    bug_type="missing logic",
    examples=[Example("async def f(x):\n    return await x()", "async def f(x):\n    return x()")],
)
def await_dropped(node: cst.Await, ctx: Context) -> Iterator[Change]:
    """A coroutine is not awaited."""
    yield ctx.fit(node, node.expression)
