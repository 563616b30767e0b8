"""Wrong control flow in branches: bodies, order and chains of ifs confused."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

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
