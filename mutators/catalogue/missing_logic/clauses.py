"""Missing logic in conditions: a clause, filter or choice that is not there."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="clause-dropped",
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
    name="filter-dropped",
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
    odc="checking",
    bug_type="missing logic",
    examples=[Example("x = a if c else b", "x = a"), Example("x = a if c else b", "x = b")],
)
def choice_dropped(node: cst.IfExp, ctx: Context) -> Iterator[Change]:
    """A conditional expression always has the same branch."""
    yield ctx.fit(node, node.body)
    yield ctx.fit(node, node.orelse)
