"""Wrong templates: fields of percent and format templates, ways of formatting, joins and splits."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst as cst

from mendlab.mutators.catalogue.text.fields import other_specs
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry import Example, operator

_PERCENT: Final = re.compile(r"%(?:\((\w+)\))?([-+ 0#]*)(\d*)(\.\d+)?([sdrifxXeg])")
_BRACED: Final = re.compile(r"\{(\w*)((?:![rsa])?)((?::[^{}]*)?)\}")
_KINDS: Final = {"s": "dr", "d": "sif", "r": "s", "f": "dsg", "i": "ds", "x": "dX", "X": "x", "e": "f", "g": "f"}


@operator(
    name="percent-field",
    odc="assignment",
    bug_type="value misuse",
    inverse="percent-field",
    examples=[
        Example("x = '%s is %d' % (a, b)", "x = '%s is %s' % (a, b)"), Example("x = '%.2f' % a", "x = '%.1f' % a"),
        Example("x = '%s is %d' % (a, b)", "x = 'is %d' % (a, b)"),
    ],
)  # fmt: skip
def percent_field(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A field of a percent template is of another kind or precision, or is not there."""
    parent = ctx.parent(node)
    if not (
        isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Modulo) and parent.left is node
    ):
        return
    start = ctx.start(node) + len(node.prefix) + len(node.quote)
    for match in _PERCENT.finditer(node.raw_value):
        low, high = start + match.start(), start + match.end()
        yield from (Edit(high - 1, high, kind) for kind in _KINDS[match[5]])
        if match[4]:
            digits = int(match[4][1:])
            span = start + match.start(4), start + match.end(4)
            yield from (Edit(*span, f".{other}") for other in (digits + 1, digits - 1) if other >= 0)
            yield Edit(*span, "")
        if match[2] or match[3]:
            yield Edit(start + match.start(2), start + match.end(3), "")
        yield Edit(low, high, "")
        if ctx.source[high] == " ":
            yield Edit(low, high + 1, "")


@operator(
    name="braced-field",
    odc="assignment",
    bug_type="value misuse",
    inverse="braced-field",
    examples=[
        Example("x = '{0} {1}'.format(a, b)", "x = '{1} {1}'.format(a, b)"),
        Example("x = '{0} {1}'.format(a, b)", "x = '{1} {0}'.format(a, b)"),
        Example("x = '{} {}'.format(a, b)", "x = '{}'.format(a, b)"),
        Example("x = '{:.2f}'.format(a)", "x = '{:.1f}'.format(a)"),
    ],
)
def braced_field(node: cst.SimpleString, ctx: Context) -> Iterator[Change]:
    """A field of a format template is another's, is formatted otherwise, or is not there."""
    match ctx.parent(node):
        case cst.Attribute(attr=cst.Name(value="format")):
            pass
        case _:
            return
    start = ctx.start(node) + len(node.prefix) + len(node.quote)
    found = list(_BRACED.finditer(node.raw_value))
    for match in found:
        low, high = start + match.start(), start + match.end()
        yield Edit(low, high, "")
        yield Edit(low, high, match[1] or "{}")
        if match[3]:
            yield from (
                Edit(start + match.start(3) + 1, start + match.end(3), other) for other in other_specs(match[3][1:])
            )
        if not match[1]:
            yield Edit(low + 1, low + 1, "0")
    for left, right in pairwise(found):
        if left[1] != right[1]:
            one = Edit(start + left.start(1), start + left.end(1), right[1])
            other = Edit(start + right.start(1), start + right.end(1), left[1])
            yield one, other
            yield one
            yield other
        between = node.raw_value[left.end() : right.start()]
        yield (
            Edit(start + left.end(), start + right.end(), "")
            if between
            else Edit(start + left.end(), start + left.end(), " ")
        )


@operator(
    name="template-style",
    odc="interface",
    bug_type="function misuse",
    examples=[
        Example("x = '%s' % a", "x = '%s'.format(a)"), Example("x = '{}'.format(a)", "x = '{}' % a"),
        Example("f('%s' % a)", "f('%s', a)"), Example("x = '{0}'.format(a)", "x = f'{0}'.format(a)"),
        Example("x = '%s' % (a,)", "x = '%s' % a"),
    ],
)  # fmt: skip
def template_style(node: cst.BinaryOperation | cst.Call, ctx: Context) -> Iterator[Change]:
    """The ways to format a text are mixed up."""
    match node:
        case cst.BinaryOperation(left=cst.SimpleString() as template, operator=cst.Modulo(), right=value):
            inside = ctx.text(value) if isinstance(value, cst.Tuple) else ctx.whole(value)
            yield ctx.replace(node, f"{ctx.text(template)}.format({inside})")
            if isinstance(ctx.parent(node), cst.Arg | cst.Assign | cst.Return):
                yield Edit(ctx.tree.outer[template][1], ctx.tree.outer[value][0], ", ")
            if isinstance(value, cst.Tuple):
                yield Edit(*ctx.tree.outer[value], ctx.item_text(value.elements[0]) if value.elements else "''")
        case cst.Call(
            func=cst.Attribute(value=cst.SimpleString() as template, attr=cst.Name(value="format")), args=args
        ):
            if args and all(not a.star and a.keyword is None for a in args):
                inside = ctx.source[ctx.start(args[0]) : ctx.end_of_item(args[-1])]
                yield ctx.replace(node, f"{ctx.text(template)} % {f'({inside})' if len(args) > 1 else inside}")
            if "f" not in template.prefix and "b" not in template.prefix:
                yield Edit(ctx.start(template), ctx.start(template), "f")


@operator(
    name="join-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="join-confused",
    examples=[
        Example("x = ','.join(a)", "x = a.join(',')"), Example("x = ''.join(a)", "x = str(a)"),
        Example("x = ''.join(sorted(a))", "x = sorted(a)"), Example("x = ''.join(a)", "x = list(a)"),
        Example("x = ', '.join(a)", "x = ','.join(a)"), Example("x = ''.join(a)", "x = ' '.join(a)"),
    ],
)  # fmt: skip
def join_confused(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """Texts are joined with something else, the other way round, or not at all."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=separator, attr=cst.Name(value="join")), args=[cst.Arg(value=value, star="")]
        ) if isinstance(separator, cst.SimpleString | cst.Name):
            inside = ctx.text(value)
            if isinstance(separator, cst.SimpleString):
                for raw in ("", " ", ", ", ",", "\\n", "-"):
                    if raw != separator.raw_value:
                        yield ctx.replace(separator, f"{separator.prefix}{separator.quote}{raw}{separator.quote}")
            yield ctx.fit(node, value)
            yield ctx.replace(node, f"str({inside})")
            yield ctx.replace(node, f"list({inside})")
            if not isinstance(value, cst.GeneratorExp):
                yield ctx.replace(node, f"{ctx.operand(value)}.join({ctx.text(separator)})")


@operator(
    name="split-confused",
    odc="interface",
    bug_type="function misuse",
    inverse="split-confused",
    examples=[
        Example("x = a.split()", "x = a.split(' ')"), Example("x = a.split(' ')", "x = a.split()"),
        Example("x = a.splitlines()", "x = a.split('\\n')"), Example("x = a.split(',')", "x = a.split(', ')"),
        Example("x = a.split(',')", "x = a.split(',', 1)"), Example("x = a.strip()", "x = a.strip(' ')"),
        Example("x = a.split()", "x = list(a)"),
    ],
)  # fmt: skip
def split_confused(node: cst.Call, ctx: Context) -> Iterator[Change]:
    """A text is taken apart, or stripped, at other places."""
    inside: tuple[str, ...]
    match node:
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="split" | "rsplit")), args=[]):
            inside = ("' '", "''", "','", "', '", "'\\n'")
        case cst.Call(
            func=cst.Attribute(value=value, attr=cst.Name(value="split" | "rsplit")), args=[cst.Arg() as arg]
        ):
            text = ctx.text(arg)
            inside = ("", f"{text}, 1", *(other for other in ("' '", "', '", "','", "'\\n'") if other != text))
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="splitlines")), args=[]):
            yield ctx.replace(node, f"{ctx.whole(value)}.split('\\n')")
            inside = ("True",)
        case cst.Call(
            func=cst.Attribute(value=value, attr=cst.Name(value="strip" | "lstrip" | "rstrip")), args=[] | [cst.Arg()]
        ):
            inside = ("",) if node.args else ("' '", "'\\n'")
            yield from (ctx.replace(node, f"{ctx.text(node.func)}({text})") for text in inside)
            return
        case _:
            return
    yield from (ctx.replace(node, f"{ctx.text(node.func)}({text})") for text in inside)
    yield ctx.replace(node, f"list({ctx.text(value)})")
