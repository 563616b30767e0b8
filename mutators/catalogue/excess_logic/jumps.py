"""Excess logic that leaves early: a return, break or continue too many, a guard or an else that leaves."""

from collections.abc import Iterator
from typing import Final

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import empty_values, lines_before, returned, variables_after
from mendlab.mutators.context.scopes import MAPPING, NUMBER, SEQUENCE, TEXT, Binding
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_GUARDS: Final = {
    NUMBER: ("{} < 0", "{} == 0", "{} == 1", "{} <= 1", "not {}"),
    TEXT: ("not {}", "len({}) == 1", "len({}) < 2"),
    SEQUENCE: ("not {}", "len({}) == 0", "len({}) == 1", "len({}) < 2"),
    MAPPING: ("not {}",),
}
_BLOCKS: Final = (cst.If, cst.Else, cst.For, cst.While)
_SMALL: Final = ("True", "False", "None", "0", "1", "-1", "''", '""', "[]", "{}")
_ANY: Final = ("not {}", "{} is None")
_LONGEST: Final = 60


def _results(function: cst.FunctionDef, ctx: Context) -> list[str]:
    """What the function could return early: what it returns elsewhere, if that is short, the last first."""
    return [text for text in reversed(returned(function, ctx)) if len(text) <= _LONGEST]


def _returns(function: cst.FunctionDef, ctx: Context) -> bool:
    """Whether the function returns values, rather than yielding or returning none."""
    low, high = ctx.tree.outer[function.body]
    yields = any(low <= ctx.start(y) < high and ctx.function(y) is function for y in ctx.of_type(cst.Yield))
    return not yields


@operator(
    name="early-return",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "def f(a):\n    for x in a:\n        g(x)\n    return a\n",
            "def f(a):\n    for x in a:\n        g(x)\n        return a\n    return a\n",
        ),
        Example(
            "def f(a):\n    for x in a:\n        if x:\n            b = x\n    return a\n",
            "def f(a):\n    for x in a:\n        if x:\n            b = x\n            return b\n    return a\n",
        ),
    ],
)
def early_return(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """A loop or a branch in it ends the function, with what that returns later or with a variable."""
    function, parent = ctx.function(node), ctx.parent(node)
    if function is None or not isinstance(parent, _BLOCKS) or not _returns(function, ctx):
        return
    if not node.body or ctx.leaves(node.body[-1]):
        return
    last = node.body[-1]
    visible = variables_after(last, ctx)
    names = [b.name for b in visible if b.role == "local"][:2]
    values = dict.fromkeys((*_results(function, ctx)[:3], *names, *_constants(function, ctx)))
    for value in list(values)[:5]:
        yield ctx.insert_after(last, f"return {value}")


def _constants(function: cst.FunctionDef, ctx: Context) -> tuple[str, ...]:
    """Constants that the function could return."""
    known = set(returned(function, ctx))
    if known & {"True", "False"}:
        return ("True", "False")
    return ("None",)


@operator(
    name="jump-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example("for x in a:\n    if x:\n        g(x)\n", "for x in a:\n    if x:\n        g(x)\n        break\n"),
        Example("for x in a:\n    g(x)\n    h(x)\n", "for x in a:\n    g(x)\n    continue\n    h(x)\n"),
    ],
)
def jump_added(node: cst.IndentedBlock, ctx: Context) -> Iterator[Change]:
    """A round, or a whole loop, ends too early."""
    parent = ctx.parent(node)
    if not node.body or ctx.loop(node.body[-1]) is None or not isinstance(parent, _BLOCKS):
        return
    last = node.body[-1]
    if not ctx.leaves(last):
        yield ctx.insert_after(last, "break")
        if not isinstance(parent, cst.For | cst.While):
            yield ctx.insert_after(last, "continue")
    for statement in node.body[:-1]:
        if isinstance(statement, cst.SimpleStatementLine) and not ctx.leaves(statement):
            yield ctx.insert_after(statement, "continue")
            yield ctx.insert_after(statement, "break")


@operator(
    name="return-before-end",
    odc="algorithm",
    bug_type="excess logic",
    inverse="statement-deleted",
    examples=[
        Example(
            "def f(a):\n    b = a[0]\n    b += 1\n    return b\n",
            "def f(a):\n    b = a[0]\n    return b\n    b += 1\n    return b\n",
        )
    ],
)
def return_before_end(node: cst.SimpleStatementLine, ctx: Context) -> Iterator[Change]:
    """A function returns a variable as soon as it is assigned."""
    function, following = ctx.function(node), ctx.following(node)
    if function is None or following is None or ctx.leaves(following) or not _returns(function, ctx):
        return
    match node.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]:
            yield ctx.insert_after(node, f"return {name}")
        case [cst.AugAssign(target=cst.Name(value=name))]:
            yield ctx.insert_after(node, f"return {name}")


@operator(
    name="else-added",
    odc="algorithm",
    bug_type="excess logic",
    inverse="branch-dropped",
    examples=[
        Example(
            "def f(a):\n    for x in a:\n        if x:\n            return x\n    return None\n",
            "def f(a):\n    for x in a:\n        if x:\n            return x\n        else:\n            return None\n"
            "    return None\n",
        ),
        Example(
            "for x in a:\n    if x:\n        g(x)\n", "for x in a:\n    if x:\n        g(x)\n    else:\n        break\n"
        ),
        Example("n = 0\nif a:\n    n += 1\n", "n = 0\nif a:\n    n += 1\nelse:\n    n = 0\n"),
        Example("n = 0\nif a:\n    n += 1\n", "n = 0\nif a:\n    n += 1\nelse:\n    n -= 1\n"),
    ],
)
def else_added(node: cst.If, ctx: Context) -> Iterator[Change]:
    """What should only happen if a condition holds gets a counterpart: a return, a jump, a reset or the contrary."""
    if node.orelse is not None or not isinstance(node.body, cst.IndentedBlock) or not node.body.body:
        return
    indentation = ctx.indentation(node)
    inner = ctx.suite_indentation(node.body)
    end = ctx.lines(node)[1]
    if not ctx.source[:end].endswith(("\n", "\r")):
        return
    for text in dict.fromkeys(_counterparts(node, ctx)):
        yield Edit(end, end, f"{indentation}else:{ctx.newline}{inner}{text}{ctx.newline}")


def _counterparts(node: cst.If, ctx: Context) -> Iterator[str]:
    function = ctx.function(node)
    if function is not None and _returns(function, ctx):
        results = _results(function, ctx)
        leaving = ctx.loop(node) is not None or ctx.leaves(node.body.body[-1])  # type: ignore[arg-type]  # a block
        for value in (*results[:2], *_constants(function, ctx)) if leaving else results[:1]:
            yield f"return {value}"
    if ctx.loop(node) is not None:
        yield "break"
        yield "continue"
    for statement in node.body.body[-2:]:
        match statement:
            case cst.SimpleStatementLine(body=[cst.AugAssign(target=cst.Name(value=name), operator=sign) as update]):
                contrary = {"AddAssign": "-=", "SubtractAssign": "+="}.get(type(sign).__name__)
                if contrary:
                    yield f"{name} {contrary} {ctx.whole(update.value)}"
                yield f"{name} = 0"
                yield ctx.text(statement)
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])]):
                binding = ctx.scope(node).resolve(name)
                yield from (f"{name} = {value}" for value in empty_values(binding.kinds if binding else set()))
                yield f"{name} = None"
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call())]):
                yield ctx.text(statement)


@operator(
    name="guard-added",
    odc="checking",
    bug_type="excess logic",
    inverse="block-deleted",
    examples=[
        Example("def f(a):\n    return a + 1\n", "def f(a):\n    if not a:\n        return None\n    return a + 1\n"),
        Example("def f(a):\n    return a - 1\n", "def f(a):\n    if a < 0:\n        return 0\n    return a - 1\n"),
    ],
)
def guard_added(node: cst.FunctionDef, ctx: Context) -> Iterator[Change]:
    """A function gives up at once for certain arguments."""
    if not isinstance(node.body, cst.IndentedBlock) or not _returns(node, ctx):
        return
    first = ctx.first_statement(node.body)
    if first is None:
        return
    step = ctx.tree.module.default_indent
    names = [p.name.value for p in node.params.params if p.name.value not in ("self", "cls")]
    bindings = [b for name in names[:3] if (b := ctx.scope(first).bindings.get(name))]
    for binding in bindings:
        values = _given_up(node, binding, ctx)
        for number, guard in enumerate(_guards(binding)):
            for value in values[: 4 - number // 2]:
                yield lines_before(first, ctx, f"if {guard.format(binding.name)}:", f"{step}return {value}")


def _guards(binding: Binding) -> list[str]:
    found = [guard for kind, guards in _GUARDS.items() if kind in binding.kinds for guard in guards]
    return list(dict.fromkeys(found or _ANY))[:5]


def _given_up(node: cst.FunctionDef, binding: Binding, ctx: Context) -> list[str]:
    """What a function that gives up may return: a constant that it returns elsewhere, nothing, or the argument."""
    constants = [t for t in returned(node, ctx) if t in _SMALL]
    if {"True", "False"} & set(constants):
        constants = ["False", "True"]
    return list(dict.fromkeys((*constants[:2], "None", *empty_values(binding.kinds), binding.name)))


@operator(
    name="round-guard-added",
    odc="checking",
    bug_type="excess logic",
    inverse="block-deleted",
    examples=[
        Example("for x in a:\n    g(x)\n", "for x in a:\n    if not x:\n        continue\n    g(x)\n"),
        Example("for i in range(9):\n    g(i)\n", "for i in range(9):\n    if i == 0:\n        continue\n    g(i)\n"),
    ],
)
def round_guard_added(node: cst.For, ctx: Context) -> Iterator[Change]:
    """A loop leaves out certain rounds, or stops at them."""
    if not isinstance(node.body, cst.IndentedBlock) or not node.body.body or not isinstance(node.target, cst.Name):
        return
    first, name, step = node.body.body[0], node.target.value, ctx.tree.module.default_indent
    binding = ctx.scope(first).resolve(name)
    guards = ("{} == 0", "{} < 0", "not {}") if binding is not None and NUMBER in binding.kinds else ("not {}",)
    for guard in guards:
        for jump in ("continue", "break"):
            yield lines_before(first, ctx, f"if {guard.format(name)}:", f"{step}{jump}")
