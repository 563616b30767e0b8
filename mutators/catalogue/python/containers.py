"""Python's own mistakes with containers: look-ups, copies shared by accident, pairs, and iterators used up."""

from collections.abc import Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator


@operator(
    name="lookup-confused",
    odc="interface",
    bug_type="function misuse",
    pattern="wrong function name",
    inverse="lookup-confused",
    examples=[
        Example("x = d.setdefault(k, [])", "x = d.get(k, [])"),
        Example("x = d.get(k, [])", "x = d.setdefault(k, [])"),
        Example("x = k in d.values()", "x = k in d"),
        Example("for k, v in d.items(): pass", "for k, v in d: pass"),
    ],
)
def lookup_confused(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A dictionary is asked in another way: get and setdefault, its keys and its values or pairs."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="get" | "setdefault" as name) as attr), args=[_, _]):
            yield ctx.replace(attr, "setdefault" if name == "get" else "get")
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value="values" | "items" | "keys")), args=[]):
            yield ctx.fit(node, owner)


@operator(
    name="membership-of-values",
    odc="checking",
    bug_type="function misuse",
    pattern="add method call",
    examples=[
        Example("d = {}\nx = k in d", "d = {}\nx = k in d.values()"),
        Example("d = {}\nfor k in d: pass", "d = {}\nfor k in d.items(): pass"),
    ],
)
def membership_of_values(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A dictionary's values or pairs are taken for its keys."""
    parent = ctx.parent(node)
    member = isinstance(parent, cst.ComparisonTarget) and isinstance(parent.operator, cst.In | cst.NotIn)
    looped = isinstance(parent, cst.For | cst.CompFor) and parent.iter is node
    binding = ctx.scope(node).resolve(node.value) if member or looped else None
    if binding is not None and "mapping" in binding.kinds:
        for method in ("values", "items"):
            yield ctx.wrap(node, "", f".{method}()")


@operator(
    name="rows-shared",
    odc="assignment",
    bug_type="value misuse",
    examples=[
        Example("x = [[0] * n for _ in range(m)]", "x = [[0] * n] * m"),
        Example("x = [[] for _ in range(m)]", "x = [[]] * m"),
        Example("x = {k: [] for k in y}", "x = dict.fromkeys(y, [])"),
    ],
)
def rows_shared(node: cst.ListComp | cst.DictComp, ctx: Context) -> Iterator[Change]:
    """Rows that should be lists of their own are one list many times."""
    match node:
        case cst.ListComp(
            elt=elt,
            for_in=cst.CompFor(
                target=cst.Name(value=name),
                iter=cst.Call(func=cst.Name(value="range"), args=[cst.Arg(value=count)]),
                ifs=[],
                inner_for_in=None,
            ),
        ) if isinstance(elt, cst.List | cst.BinaryOperation | cst.ListComp | cst.Dict) and name not in ctx.text(elt):
            yield ctx.replace(node, f"[{ctx.whole(elt)}] * {ctx.operand(count)}")
        case cst.DictComp(
            key=cst.Name(value=key),
            value=cst.List() | cst.Dict() | cst.Call() as value,
            for_in=cst.CompFor(target=cst.Name(value=name), iter=source, ifs=[], inner_for_in=None),
        ) if key == name and not isinstance(source, cst.GeneratorExp):
            yield ctx.replace(node, f"dict.fromkeys({ctx.whole(source)}, {ctx.whole(value)})")


@operator(
    name="copy-added",
    odc="assignment",
    bug_type="excess logic",
    inverse="copy-to-alias",
    examples=[
        Example("a = []\nb = a\n", "a = []\nb = a[:]\n"),
        Example("def f(a):\n    a[0] = 1\n", "def f(a):\n    a[:][0] = 1\n"),
    ],
)
def copy_added(node: cst.Name, ctx: Context) -> Iterator[Change]:
    """A copy is changed or kept in place of the list itself."""
    parent = ctx.parent(node)
    binding = ctx.scope(node).resolve(node.value)
    if binding is None or "sequence" not in binding.kinds or "number" in binding.kinds:
        return
    stored = isinstance(parent, cst.Subscript) and parent.value is node and ctx.is_target(parent)
    if stored or (isinstance(parent, cst.Assign) and parent.value is node):
        yield ctx.wrap(node, "", "[:]")


@operator(
    name="tuple-comma",
    odc="assignment",
    bug_type="value misuse",
    inverse="tuple-comma",
    examples=[
        Example("x = (a,)", "x = (a)"),
        Example("x = a", "x = a,"),
        Example("return_ = f((a,))", "return_ = f((a))"),
    ],
)
def tuple_comma(node: cst.Tuple | cst.Assign | cst.Return, ctx: Context) -> Iterator[Change]:
    """A tuple of one loses its comma, or a value gets one."""
    if isinstance(node, cst.Tuple):
        if len(node.elements) == 1 and not ctx.is_target(node) and not isinstance(node.elements[0], cst.StarredElement):
            value = ctx.whole(node.elements[0].value)
            yield Edit(*ctx.tree.outer[node], f"({value})" if node.lpar else value)
    elif isinstance(node.value, cst.Name | cst.Call | cst.Subscript | cst.Attribute | cst.Integer):
        end = ctx.tree.outer[node.value][1]
        if ctx.text(node.value) not in ("True", "False", "None"):
            yield Edit(end, end, ",")


@operator(
    name="pairing-changed",
    odc="algorithm",
    bug_type="function misuse",
    inverse="pairing-changed",
    examples=[
        Example("for i, x in enumerate(y, 1): pass", "for i, x in enumerate(y): pass"),
        Example("for i, x in enumerate(y): pass", "for i, x in enumerate(y, 1): pass"),
        Example("for a, b in zip_longest(x, y): pass", "for a, b in zip(x, y): pass"),
        Example("x = sum(y, [])", "x = sum(y)"),
        Example("for a, b in x: pass", "for b, a in x: pass"),
        Example("x = list(zip(a, b))", "x = list(zip(a, b[1:]))"),
    ],
)
def pairing_changed(node: cst.Call | cst.For | cst.CompFor, ctx: Context) -> Iterator[Change]:
    """A count starts elsewhere, pairs end earlier or are shifted, or are unpacked in the other order."""
    match node:
        case cst.Call(func=cst.Name(value="enumerate"), args=[cst.Arg(value=value)]):
            end = ctx.tree.outer[value][1]
            yield Edit(end, end, ", 1")
        case cst.Call(func=cst.Name(value="enumerate" | "sum"), args=[_, _]):
            yield ctx.drop_item(node.args, 1)
        case cst.Call(
            func=cst.Name(value="zip_longest") | cst.Attribute(attr=cst.Name(value="zip_longest")), args=args
        ):
            plain = ", ".join(ctx.item_text(a) for a in args if a.keyword is None)
            yield ctx.replace(node, f"zip({plain})")
        case cst.Call(func=cst.Name(value="zip"), args=[cst.Arg(star="") as first, cst.Arg(star="") as second]):
            for argument in (second, first):
                yield ctx.wrap(argument.value, "", "[1:]")
        case cst.For(target=cst.Tuple() as target) | cst.CompFor(target=cst.Tuple() as target):
            if len(target.elements) == 2:
                left, right = (element.value for element in target.elements)
                yield ctx.replace(left, ctx.text(right)), ctx.replace(right, ctx.text(left))


@operator(
    name="default-by-or",
    odc="checking",
    bug_type="operator misuse",
    inverse="default-by-or",
    examples=[
        Example("x = y or 1", "x = y if y is not None else 1"),
        Example("x = y if y is not None else 1", "x = y or 1"),
        Example("x = d.get(k, 0)", "x = d.get(k) or 0"),
        Example("x = y or 1", "x = y"),
    ],
)
def default_by_or(node: cst.BooleanOperation | cst.IfExp | cst.Call, ctx: Context) -> Iterator[Change]:
    """A default also takes the place of what is false, or only of what is None, or there is none."""
    match node:
        case cst.BooleanOperation(left=left, operator=cst.Or(), right=right) if not isinstance(
            left, cst.Comparison | cst.BooleanOperation | cst.UnaryOperation
        ):
            if isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.Arg):
                yield ctx.replace(node, f"{ctx.whole(left)} if {ctx.whole(left)} is not None else {ctx.whole(right)}")
                yield ctx.fit(node, left)
        case cst.IfExp(test=cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot())])):
            if ctx.text(node.body) == ctx.text(left):
                yield ctx.replace(node, f"{ctx.operand(left)} or {ctx.operand(node.orelse)}")
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="get")), args=[_, cst.Arg(value=default)]):
            if isinstance(ctx.parent(node), cst.Assign | cst.Return | cst.Arg):
                head = ctx.source[ctx.start(node) : ctx.end_of_item(node.args[0])]
                yield ctx.replace(node, f"{head}) or {ctx.operand(default)}")


@operator(
    name="iterator-used-up",
    odc="algorithm",
    bug_type="missing logic",
    pattern="add function around expression",
    examples=[Example("x = list(map(f, y))", "x = map(f, y)"), Example("x = sorted(y)", "x = iter(y)")],
)
def iterator_used_up(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A list becomes an iterator, which is empty after its first use."""
    match node:
        case cst.Call(func=cst.Name(value="list" | "tuple"), args=[cst.Arg(value=cst.Call() as inside, star="")]):
            yield ctx.fit(node, inside)
        case cst.Call(func=cst.Name(value="list" | "tuple" | "sorted"), args=[cst.Arg(value=value, star="")]):
            yield ctx.replace(node, f"iter({ctx.whole(value)})")


@operator(
    name="elements-comprehended",
    odc="algorithm",
    bug_type="function misuse",
    examples=[
        Example("x = {k: v for k, v in y}", "x = {k for k, v in y}"),
        Example("x = [a for a in y]", "x = {a for a in y}"),
    ],
)
def elements_comprehended(node: cst.DictComp | cst.ListComp | cst.GeneratorExp, ctx: Context) -> Iterator[Change]:
    """A comprehension makes another kind of collection: a set, which forgets order and repetition, or only the keys."""
    if isinstance(node, cst.DictComp):
        yield Edit(ctx.tree.outer[node.key][1], ctx.tree.outer[node.value][1], "")
    elif isinstance(node, cst.ListComp):
        yield ctx.replace(node, f"{{{ctx.text(node)[1:-1]}}}")
    elif node.lpar:
        yield Edit(*ctx.tree.outer[node], f"{{{ctx.text(node)}}}")
