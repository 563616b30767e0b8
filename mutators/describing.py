"""What there is to say about an operator, as plain data for the command line and the docs."""

from __future__ import annotations

from typing import TypedDict

from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.registry import Operator


class ExampleDescription(TypedDict):
    """An example with the diff that the operator makes."""

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
    nodes: list[str]
    examples: list[ExampleDescription]


def describe(operator: Operator) -> Description:
    """The operator in plain data that JSON can hold; the diffs of its examples are made by running it."""
    return Description(
        name=operator.name,
        family=operator.family,
        summary=operator.summary,
        term=operator.term,
        odc=operator.odc,
        bug_type=operator.bug_type,
        pattern=operator.pattern,
        inverse=operator.inverse,
        nodes=[kind.__name__ for kind in operator.node_types],
        examples=[
            ExampleDescription(before=e.before, after=e.after, diff=_diff(operator, e.before, e.after))
            for e in operator.examples
        ],
    )


def _diff(operator: Operator, before: str, after: str) -> str:
    mutants = enumerate_mutants(before, operators=[operator.name], path="example.py")
    return next((m.diff for m in mutants if m.source == after), "")
