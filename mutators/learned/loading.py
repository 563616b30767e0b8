"""Template files: JSON lines, each of which becomes an operator of the family ``learned``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import libcst as cst

from mendlab.corpora.journal import parse_record
from mendlab.corpora.text import read_regular
from mendlab.errors import FormatError
from mendlab.mutators.context import Context
from mendlab.mutators.edits import Edit
from mendlab.mutators.learned.examples import example_of
from mendlab.mutators.learned.matching import match
from mendlab.mutators.learned.rewriting import rewrite
from mendlab.mutators.learned.template import Compiled, Template, compiled
from mendlab.mutators.registry import add_operators, families, operators
from mendlab.mutators.registry.declaration import Operator, Transform, is_name

FAMILY: Final = "learned"


def load_templates(path: Path) -> tuple[Operator, ...]:
    """Add the templates of a file to the operators, for the rest of the process, and return them in its order.

    Blank lines are passed over. Nothing is added if a line is wrong.

    Raises:
        InputError: the file cannot be read.
        FormatError: a line is no template; the error names the path and the line.
    """
    data = read_regular(path)
    origin = f"{path.name} sha256:{hashlib.sha256(data).hexdigest()[:12]}"
    taken = {op.name for op in operators()} | {FAMILY, *families()}
    made: list[Operator] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        template = parse_record(line, Template, where)
        if not is_name(template.name):
            raise FormatError(f"template {template.name!r}: its name must be in lower case with hyphens", where=where)
        if template.name in taken:
            raise FormatError(
                f"an operator or a family is called {template.name!r} already", where=where, hint="rename it"
            )
        taken.add(template.name)
        made.append(template_operator(template, origin, where))
    add_operators(made)
    return tuple(made)


def template_operator(template: Template, origin: str, where: str) -> Operator:
    """Return the operator that a template is; ``where`` is the place that errors name.

    Raises:
        FormatError: a side of the template is not what it should be, or it makes nothing of its own example.
    """
    ready = compiled(template, where)
    transform = _transform(ready)
    example = example_of(ready, transform)
    if example is None:
        raise FormatError(f"template {template.name!r} makes nothing that compiles of its own example", where=where)
    return Operator(
        name=template.name,
        family=FAMILY,
        summary=_summary(template),
        term=None,
        odc=template.odc,
        bug_type=template.bug_type,
        pattern=template.pattern,
        inverse=None,
        examples=(example,),
        node_types=(type(ready.sought),),
        transform=transform,
        origin=origin,
        count=template.count,
    )


def _summary(template: Template) -> str:
    before, after = (" ".join(text.split()) for text in (template.before, template.after))
    seen = "seen once" if template.count == 1 else f"seen {template.count} times"
    place = f" in {template.source}" if template.source else ""
    return f"`{before}` becomes {f'`{after}`' if after else 'nothing'} ({seen}{place})."


def _transform(ready: Compiled) -> Transform:
    def transform(node: cst.CSTNode, ctx: Context) -> Iterator[Edit]:
        bound = match(ready.sought, node, ctx)
        edit = None if bound is None else rewrite(ready, node, bound, ctx)
        if edit is not None:
            yield edit

    return transform
