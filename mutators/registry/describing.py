"""What there is to say about an operator, as plain data for the command line and the docs."""

from __future__ import annotations

from typing import TypedDict

from mendlab.corpora.diffs import unified_hunks
from mendlab.mutators.registry import Operator


class ExampleDescription(TypedDict):
    """An example, and the diff from one text to the other."""

    before: str
    after: str
    diff: str


class Description(TypedDict):
    """An operator in plain data; the keys are those of :class:`Operator`."""

    name: str
    family: str
    summary: str
    term: str | None
    odc: str
    bug_type: str
    pattern: str | None
    inverse: str | None
    origin: str
    nodes: list[str]
    examples: list[ExampleDescription]


def describe(operator: Operator) -> Description:
    """The operator in plain data that JSON can hold; in diffs of examples every line has an end."""
    return Description(
        name=operator.name,
        family=operator.family,
        summary=operator.summary,
        term=operator.term,
        odc=operator.odc,
        bug_type=operator.bug_type,
        pattern=operator.pattern,
        inverse=operator.inverse,
        origin=operator.origin,
        nodes=[kind.__name__ for kind in operator.node_types],
        examples=[
            ExampleDescription(before=each.before, after=each.after, diff=_diff(each.before, each.after))
            for each in operator.examples
        ],
    )


def _diff(before: str, after: str) -> str:
    return f"--- a/example.py\n+++ b/example.py\n{unified_hunks(_ended(before), _ended(after))}"


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n"
