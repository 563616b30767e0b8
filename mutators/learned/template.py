"""A template: a piece of code before and after, with metavariables for what differs from place to place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final

import libcst as cst
from pydantic import Field

from mendlab.corpora.python_source import check_nesting, parse_python
from mendlab.errors import FormatError, InputError
from mendlab.mutators.context.tree import Tree, parse
from mendlab.mutators.edits import Edit, apply
from mendlab.mutators.registry.taxonomy import BugType, Odc, Pattern
from mendlab.records import Record

_METAVARIABLE: Final = re.compile(r"\$([A-Z][A-Z0-9_]*)")
_PREFIX: Final = "MENDLAB_METAVARIABLE_"
_MOST_CHARACTERS: Final = 10_000
_MOST_NESTED: Final = 50
"""Levels of brackets, and of the syntax tree: matching calls itself several times for each."""


class Template(Record):
    """A line of a template file.

    Attributes:
        name: name of the operator, unique, in lower case with hyphens.
        before: sound code: an expression, or one statement. ``$A`` stands for any expression, ``$N`` (and ``$N1``,
            ``$NAME``, ...: the first letter counts) for a name, ``$C`` for a constant. A metavariable that comes twice
            means the same text twice.
        after: what becomes of it, with metavariables of ``before``; of a statement also several statements, or none.
        bug_type: HumanEvalFix type of the bug that this makes.
        odc: ODC defect type of it.
        pattern: the TSSB pattern of the fix, if it has one.
        count: how often the change was seen.
        source: where it was seen.
    """

    name: str
    before: str
    after: str
    bug_type: BugType
    odc: Odc = "algorithm"
    pattern: Pattern | None = None
    count: Annotated[int, Field(ge=1)] = 1
    source: str = ""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A template ready to be used: what to look for, and the parsed text to put there.

    ``sought`` is an expression, a small statement or a compound statement in ``before``; ``is_expression`` says that
    it and ``after`` are expressions. Metavariables are names that :func:`metavariable` knows.
    """

    before: Tree
    sought: cst.CSTNode
    after: Tree
    is_expression: bool


def metavariable(node: cst.CSTNode) -> str | None:
    """The metavariable that a node of a template is, without the dollar sign."""
    if isinstance(node, cst.Name) and node.value.startswith(_PREFIX):
        return node.value.removeprefix(_PREFIX)
    return None


def filled(side: Tree, text_of: Callable[[str], str]) -> str:
    """The text of a side of a template, with a text for each metavariable."""
    places = sorted((side.inner[node], name) for node in side.nodes if (name := metavariable(node)) is not None)
    return with_dollars(apply(side.source, [Edit(start, end, text_of(name)) for (start, end), name in places]))


def with_dollars(text: str) -> str:
    """The text of a template as it was written."""
    return text.replace(_PREFIX, "$")


def compiled(template: Template, where: str) -> Compiled:
    """Parse both sides of a template.

    Raises:
        FormatError: one of them is not what it should be.
    """
    sides = {}
    for side, text in {"before": template.before, "after": template.after}.items():
        try:
            sides[side] = _parsed(text.strip("\r\n"))
        except InputError as error:
            raise FormatError(f"template {template.name!r}: {side!r}: {error.what}", where=where) from None
    before, after = sides["before"], sides["after"]
    sought, replacement = _only_statement(before), _only_statement(after)
    wrong = _wrong(sought, _metavariables(before), _metavariables(after), same=template.before == template.after)
    if sought is None or wrong is not None:
        raise FormatError(f"template {template.name!r}: {wrong}", where=where)
    if isinstance(sought, cst.Expr) and isinstance(replacement, cst.Expr):
        return Compiled(before, sought.value, after, is_expression=True)
    return Compiled(before, sought, after, is_expression=False)


def _parsed(text: str) -> Tree:
    if len(text) > _MOST_CHARACTERS:
        raise InputError(f"has {len(text):,} characters, and {_MOST_CHARACTERS:,} are allowed")
    depth = deepest = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    if deepest > _MOST_NESTED:
        raise InputError("is nested too deeply")
    source = _METAVARIABLE.sub(rf"{_PREFIX}\1", text)
    check_nesting("", parse_python("", source).tree, _MOST_NESTED)
    return parse(source)


def _wrong(statement: cst.CSTNode | None, known: set[str], used: set[str], *, same: bool) -> str | None:
    if statement is None:
        return "'before' must be an expression or one statement"
    if isinstance(statement, cst.Expr) and metavariable(statement.value):
        return "'before' is nothing but a metavariable, which would fit everywhere"
    if same:
        return "'before' and 'after' are the same"
    unknown = sorted(used - known)
    return f"'after' has ${unknown[0]}, which 'before' has not" if unknown else None


def _only_statement(tree: Tree) -> cst.CSTNode | None:
    match tree.module.body:
        case [cst.SimpleStatementLine(body=[only])] | [cst.BaseCompoundStatement() as only]:
            return only
    return None


def _metavariables(tree: Tree) -> set[str]:
    return {found for node in tree.nodes if (found := metavariable(node)) is not None}
