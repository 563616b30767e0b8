"""Wrong control flow in branches: bodies, conditions and chains of ifs confused."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_BARE_UNDER_NOT: Final = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.Comparison)
_EMPTIES: Final = ("[]", "()", "''", "{}", "None")
_MIRRORED: Final = {"<": (">",), ">": ("<",), "==": ("<", ">")}


@operator(
    name="branches-swapped",
    odc="checking",
    bug_type="variable misuse",
    inverse="branches-swapped",
    examples=[
        Example("if x:\n    a()\nelse:\n    b()\n", "if x:\n    b()\nelse:\n    a()\n"),
        Example("if x:\n    a()\nelif y:\n    b()\n", "if x:\n    b()\nelif y:\n    a()\n"),
        Example("x = a if c else b", "x = b if c else a"),
    ],
)
def branches_swapped(node: cst.If | cst.IfExp, ctx: Context) -> Iterator[Change]:
    """Neighbouring branches of an if change places."""
    if isinstance(node, cst.IfExp):
        yield ctx.swap(node.body, node.orelse)
    elif node.orelse is not None and _exchangeable(node.body, node.orelse.body, ctx):
        left, right = node.body, node.orelse.body
        yield ctx.replace(left, ctx.text(right)), ctx.replace(right, ctx.text(left))


def _exchangeable(left: cst.BaseSuite, right: cst.BaseSuite, ctx: Context) -> bool:
    alike = type(left) is type(right) and ctx.suite_indentation(left) == ctx.suite_indentation(right)
    return alike and ctx.text(left) != ctx.text(right)


@operator(
    name="branch-order",
    odc="checking",
    bug_type="operator misuse",
    inverse="branch-order",
    examples=[
        Example(
            "if x > 9:\n    a()\nelif x > 5:\n    b()\nelse:\n    c()\n",
            "if x > 5:\n    b()\nelif x > 9:\n    a()\nelse:\n    c()\n",
        )
    ],
)
def branch_order(node: cst.If, ctx: Context) -> Iterator[Change]:
    """Two neighbouring conditions of a chain are tried in the other order."""
    other = node.orelse
    if isinstance(other, cst.If) and _exchangeable(node.body, other.body, ctx):
        yield (
            *_tests_swapped(node, other, ctx),
            ctx.replace(node.body, ctx.text(other.body)),
            ctx.replace(other.body, ctx.text(node.body)),
        )


def _tests_swapped(left: cst.If, right: cst.If, ctx: Context) -> tuple[Edit, Edit]:
    return Edit(*ctx.tree.outer[left.test], ctx.whole(right.test)), Edit(
        *ctx.tree.outer[right.test], ctx.whole(left.test)
    )


@operator(
    name="conditions-swapped",
    odc="checking",
    bug_type="variable misuse",
    inverse="conditions-swapped",
    examples=[
        Example(
            "if x:\n    if y:\n        a()\n    else:\n        b()\n",
            "if y:\n    if x:\n        a()\n    else:\n        b()\n",
        ),
    ],
)
def conditions_swapped(node: cst.If, ctx: Context) -> Iterator[Change]:
    """The conditions of an if and of the one in it change places."""
    inner = node.body.body[0] if node.body.body else None
    if isinstance(inner, cst.If):
        neutral = node.orelse is None and inner.orelse is None and len(node.body.body) == 1
        if not neutral:
            yield _tests_swapped(node, inner, ctx)


@operator(
    name="condition-negated",
    term="COI",
    odc="checking",
    bug_type="operator misuse",
    pattern="change unary operator",
    inverse="unary-dropped",
    examples=[
        Example("if x:\n    pass", "if not x:\n    pass"),
        Example("while a < b: pass", "while not a < b: pass"),
        Example("x = [i for i in y if a or b]", "x = [i for i in y if not (a or b)]"),
        Example("x = a and b", "x = a and not b"),
        Example("def f(a, b):\n    return a == b", "def f(a, b):\n    return not a == b"),
    ],
)
def condition_negated(
    node: cst.If | cst.While | cst.IfExp | cst.CompIf | cst.Assert | cst.BooleanOperation | cst.Return, ctx: Context
) -> Iterator[Change]:
    """A condition is negated, or a clause of one."""
    match node:
        case cst.BooleanOperation(left=left, right=right):
            tests = [left, right]
            tests = [test for test in tests if not isinstance(test, cst.BooleanOperation) or test.lpar]
        case cst.Return(value=value):
            tests = [value] if isinstance(value, cst.Comparison | cst.BooleanOperation) else []
        case _:
            tests = [node.test]
    for test in tests:
        if not (isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)):
            bare = isinstance(test, _BARE_UNDER_NOT) or test.lpar
            before = " " if ctx.source[ctx.tree.outer[test][0] - 1].isalpha() else ""
            yield ctx.wrap(test, f"{before}not {'' if bare else '('}", "" if bare else ")")


@operator(
    name="condition-forced",
    odc="checking",
    bug_type="missing logic",
    examples=[Example("if x:\n    pass", "if True:\n    pass"), Example("while x: pass", "while False: pass")],
)
def condition_forced(node: cst.If | cst.While, ctx: Context) -> Iterator[Change]:
    """A branch is always or never taken, a loop never entered or never ended."""
    if ctx.text(node.test) not in ("True", "False", "1", "0"):
        start, end = ctx.tree.outer[node.test]
        before = " " if ctx.source[start - 1].isalpha() else ""
        for word in ("True", "False"):
            yield Edit(start, end, before + word)


@operator(
    name="clauses-swapped",
    odc="checking",
    bug_type="operator misuse",
    inverse="clauses-swapped",
    examples=[
        Example("x = a and b[0]", "x = b[0] and a"),
        Example("x = a and b and b[0]", "x = a and b[0] and b"),
    ],
)
def clauses_swapped(node: cst.BooleanOperation, ctx: Context) -> Iterator[Change]:
    """Clauses of a condition are tried in the other order, so that one no longer guards the next."""
    left = node.left
    if isinstance(left, cst.BooleanOperation) and not left.lpar and type(left.operator) is type(node.operator):
        left = left.right
    if not (_harmless(left) and _harmless(node.right)):
        yield ctx.swap(left, node.right)


def _harmless(node: cst.BaseExpression) -> bool:
    """Whether a clause can't fail: then it doesn't matter whether it comes first."""
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return _harmless(inner)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=sign, comparator=right)]):
            return (
                isinstance(sign, cst.Equal | cst.NotEqual | cst.Is | cst.IsNot) and _harmless(left) and _harmless(right)
            )
    return isinstance(node, cst.Name | cst.Integer | cst.Float | cst.SimpleString)


@operator(
    name="elif-to-if",
    odc="checking",
    bug_type="operator misuse",
    inverse="if-to-elif",
    examples=[
        Example("if a:\n    f()\nelif b:\n    g()\n", "if a:\n    f()\nif b:\n    g()\n"),
        Example(
            "if a:\n    f()\nelif b:\n    g()\nelif c:\n    h()\nelse:\n    i()\n",
            "if a:\n    f()\nif b:\n    g()\nif c:\n    h()\nelse:\n    i()\n",
        ),
    ],
)
def elif_to_if(node: cst.If, ctx: Context) -> Iterator[Change]:
    """Branches are tried although an earlier one was taken: one elif becomes an if, or all of a chain."""
    if ctx.is_elif(node):
        return
    elifs = [part for part in ctx.branches(node) if isinstance(part, cst.If)][1:]
    leaving = ctx.ends_by_leaving(node.body)
    edits: list[Edit] = []
    for part in elifs:
        edit = Edit(ctx.start(part), ctx.start(part) + len("elif"), "if")
        if not leaving:
            yield edit
            edits.append(edit)
        leaving = leaving and ctx.ends_by_leaving(part.body)
    if len(edits) > 1:
        yield tuple(edits)
    last = ctx.last_branch(node)
    if edits and isinstance(last, cst.Else):
        yield *edits, Edit(ctx.lines_from(last), ctx.lines(last)[1], "")


@operator(
    name="if-to-elif",
    odc="checking",
    bug_type="operator misuse",
    inverse="elif-to-if",
    examples=[
        Example("if a:\n    f()\nif b:\n    g()\n", "if a:\n    f()\nelif b:\n    g()\n"),
        Example("if a:\n    f()\nif b:\n    g()\n", "if a:\n    f()\nelse:\n    g()\n"),
        Example(
            "if a:\n    f()\nif b:\n    g()\nif c:\n    h()\n", "if a:\n    f()\nelif b:\n    g()\nelif c:\n    h()\n"
        ),
    ],
)
def if_to_elif(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What should be tried in any case is tried only if the conditions before it do not hold."""
    if ctx.is_elif(node) or ctx.chain_leaves(node) or not isinstance(ctx.last_branch(node), cst.If):
        return
    edits: list[Edit] = []
    following = ctx.following(node)
    while isinstance(following, cst.If):
        edits.append(Edit(ctx.start(following), ctx.start(following), "el"))
        if len(edits) == 1:
            yield edits[0]
            if following.orelse is None:
                yield Edit(ctx.start(following), ctx.tree.outer[following.test][1], "else")
        if isinstance(ctx.last_branch(following), cst.Else):
            break
        following = ctx.following(following)
    if len(edits) > 1:
        yield tuple(edits)


@operator(
    name="else-narrowed",
    odc="checking",
    bug_type="excess logic",
    pattern="less specific if",
    examples=[
        Example(
            "if a > b:\n    f()\nelse:\n    g()\n",
            "if a > b:\n    f()\nelif a < b:\n    g()\n",
        ),
    ],
)
def else_narrowed(node: cst.Else, ctx: Context) -> Iterator[Change]:
    """An else asks for the mirrored condition, and one case is left over."""
    owner = ctx.parent(node)
    match owner:
        case cst.If(
            test=cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=sign, comparator=right)])
        ):
            for word in _MIRRORED.get(ctx.text(sign), ()):
                test = f"elif {ctx.whole(left)} {word} {ctx.whole(right)}"
                yield Edit(ctx.start(node), ctx.start(node) + len("else"), test)


@operator(
    name="condition-split",
    odc="checking",
    bug_type="operator misuse",
    inverse="condition-joined-with-outer",
    examples=[
        Example(
            "if a and b:\n    f()\nelse:\n    g()\n",
            "if a:\n    if b:\n        f()\nelse:\n    g()\n",
        ),
    ],
)
def condition_split(node: cst.If, ctx: Context) -> Iterator[Change]:
    """The second of two clauses is asked for inside, where the else no longer belongs to it."""
    test = node.test
    if not isinstance(test, cst.BooleanOperation) or not isinstance(test.operator, cst.And) or node.orelse is None:
        return
    outer = ctx.suite_indentation(node.body)
    inside = ctx.body_lines(node.body, outer + ctx.tree.module.default_indent)
    if outer and inside is not None:
        first = node.body.body[0]
        text = f"{outer}if {ctx.text(test.right)}:{ctx.newline}{inside}"
        yield (
            Edit(*ctx.tree.outer[test], ctx.text(test.left)),
            Edit(ctx.lines(first)[0], ctx.lines(node.body.body[-1])[1], text),
        )


@operator(
    name="condition-joined-with-outer",
    odc="checking",
    bug_type="operator misuse",
    inverse="condition-split",
    examples=[
        Example(
            "if a:\n    if b:\n        f()\nelse:\n    g()\n",
            "if a and b:\n    f()\nelse:\n    g()\n",
        ),
        Example(
            "if a:\n    if b:\n        f()\n    else:\n        g()\n",
            "if a and b:\n    f()\nelse:\n    g()\n",
        ),
    ],
)
def condition_joined_with_outer(node: cst.If, ctx: Context) -> Iterator[Change]:
    """Two conditions, one inside the other, are asked for at once, and an else belongs to both."""
    inner = ctx.only(node.body)
    if not isinstance(inner, cst.If) or (node.orelse is None) == (inner.orelse is None) or not ctx.block(inner):
        return
    text = ctx.lines_at(inner, inner, ctx.indentation(node))
    if text is not None:
        low, high = ctx.heading(inner)
        joined = f"if {ctx.operand(node.test)} and {ctx.operand(inner.test)}:"
        rest = text[len(ctx.indentation(node)) + high - low :]
        word = "el" if ctx.is_elif(node) else ""
        end = ctx.lines(node.body.body[-1])[1]
        yield Edit(ctx.lines_from(node), end, f"{ctx.indentation(node)}{word}{joined}{rest}")


@operator(
    name="guard-inverted",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example(
            "def f(x):\n    if x:\n        raise E\n    return g(x)\n",
            "def f(x):\n    if not x:\n        return g(x)\n",
        ),
    ],
)
def guard_inverted(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What follows a guard runs under its contrary, and what the guard did instead is lost."""
    siblings = ctx.block(node)
    if node.orelse is not None or not siblings or siblings[-1] is node:
        return
    leaving = ctx.only(node.body)
    rest = [s for s in siblings if ctx.start(s) > ctx.end(node)]
    if isinstance(leaving, cst.Raise | cst.Return) and len(rest) <= 4:
        inside = ctx.lines_at(rest[0], rest[-1], ctx.indentation(node) + ctx.tree.module.default_indent)
        neutral = isinstance(leaving, cst.Return) and leaving.value is None
        if inside is not None and not neutral:
            text = f"{ctx.indentation(node)}if {negated(node.test, ctx)}:{ctx.newline}{inside}"
            end = ctx.lines(rest[-1])[1]
            if not ctx.source[:end].endswith(("\n", "\r")):
                text = text.removesuffix(ctx.newline)
            yield Edit(ctx.lines(node)[0], end, text)


def negated(test: cst.BaseExpression, ctx: Context) -> str:
    """The text of the contrary of a condition."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return ctx.text(test.expression)
    bare = isinstance(test, _BARE_UNDER_NOT) or test.lpar
    return f"not {ctx.whole(test)}" if bare else f"not ({ctx.whole(test)})"


@operator(
    name="assert-for-guard",
    odc="checking",
    bug_type="function misuse",
    inverse="guard-for-assert",
    examples=[
        Example("if not x:\n    raise E(x)\n", "assert x\n"),
        Example("def f(x):\n    if x < 0:\n        return None\n", "def f(x):\n    assert not x < 0\n"),
    ],
)
def assert_for_guard(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What a guard lets pass is asserted."""
    if node.orelse is None and isinstance(ctx.only(node.body), cst.Raise | cst.Return) and not ctx.is_elif(node):
        yield ctx.replace(node, f"assert {negated(node.test, ctx)}")


@operator(
    name="guard-for-assert",
    odc="checking",
    bug_type="function misuse",
    inverse="assert-for-guard",
    examples=[
        Example("def f(x):\n    assert x\n", "def f(x):\n    if not x:\n        return\n"),
        Example("def f(x):\n    assert x, 'm'\n", "def f(x):\n    if not x:\n        raise ValueError('m')\n"),
    ],
)
def guard_for_assert(node: cst.Assert, ctx: Context) -> Iterator[Change]:
    """What is asserted only makes a function give up, or raises another exception."""
    line = ctx.parent(node)
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
        inside = f"{ctx.newline}{ctx.indentation(line)}{ctx.tree.module.default_indent}"
        message = "" if node.msg is None else ctx.whole(node.msg)
        leaving = [f"raise ValueError({message})", *(["return"] if ctx.function(node) is not None else [])]
        for text in leaving:
            yield ctx.replace(node, f"if {negated(node.test, ctx)}:{inside}{text}")


@operator(
    name="choice-to-statement",
    odc="checking",
    bug_type="missing logic",
    examples=[
        Example("x = a if c else b\n", "if c:\n    x = a\n"),
        Example("x = y + (a if c else b)\n", "x = y + a if c else b\n"),
    ],
)
def choice_to_statement(node: cst.IfExp, ctx: Context) -> Iterator[Change]:
    """A choice between values is made only if the condition holds, or reaches further than it should."""
    parent = ctx.parent(node)
    if isinstance(parent, cst.BinaryOperation) and node.lpar:
        yield Edit(*ctx.tree.outer[node], ctx.text(node))
    line = ctx.tree.parents.get(parent)
    if (
        isinstance(parent, cst.Assign | cst.Return)
        and isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
    ):
        before = ctx.source[ctx.start(parent) : ctx.tree.outer[node][0]]
        inside = f"{ctx.newline}{ctx.indentation(line)}{ctx.tree.module.default_indent}"
        yield ctx.replace(parent, f"if {ctx.whole(node.test)}:{inside}{before}{ctx.whole(node.body)}")


@operator(
    name="size-test-confused",
    odc="checking",
    bug_type="operator misuse",
    inverse="size-test-confused",
    examples=[
        Example("x = len(a) <= 1", "x = len(a) == 0"),
        Example("x = len(a) > 1", "x = len(a) > 0"),
        Example("x = len(a) == 0", "x = a == []"),
    ],
)
def size_test_confused(node: cst.Comparison, ctx: Context) -> Iterator[Change]:
    """A test of a size becomes a test whether there is anything, or for one kind of empty collection."""
    match node:
        case cst.Comparison(
            left=cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=value)]) as size,
            comparisons=[cst.ComparisonTarget(comparator=cst.Integer(value=number), operator=sign)],
        ):
            yield ctx.replace(node, f"{ctx.text(size)} == 0")
            yield ctx.replace(node, f"{ctx.text(size)} > 0")
            if number == "0" and isinstance(sign, cst.Equal | cst.NotEqual | cst.GreaterThan):
                word = "==" if isinstance(sign, cst.Equal) else "!="
                for empty in ("[]", "()", "None"):
                    yield ctx.replace(node, f"{ctx.whole(value)} {word} {empty}")


@operator(
    name="emptiness-confused",
    odc="checking",
    bug_type="value misuse",
    pattern="change constant type",
    inverse="emptiness-confused",
    examples=[
        Example("if not x:\n    f()\n", "if x == []:\n    f()\n"),
        Example("if x == []:\n    f()\n", "if x == ():\n    f()\n"),
    ],
)
def emptiness_confused(node: cst.If | cst.While | cst.Comparison, ctx: Context) -> Iterator[Change]:
    """One kind of empty value is taken for another, or for all of them."""
    match node:
        case cst.If(test=test) | cst.While(test=test):
            match test:
                case cst.UnaryOperation(operator=cst.Not(), expression=cst.Name() | cst.Attribute() as value):
                    for empty in ("[]", "()", "''", "0"):
                        yield ctx.replace(test, f"{ctx.whole(value)} == {empty}")
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=empty)]) if (
            ctx.whole(empty) in (*_EMPTIES, '""')
        ):
            for other in _EMPTIES:
                yield Edit(*ctx.tree.outer[empty], other)
            yield ctx.replace(node, f"not {ctx.operand(left)}")
