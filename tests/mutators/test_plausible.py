"""What is taken to be plausible at a place: kinds of values, and variables of a statement under other names."""

from __future__ import annotations

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.context.plausible import kinds, names_in, renamed, returned, variables_after
from mendlab.mutators.context.tree import parse

SOURCE = """\
def f(n, text):
    rows = [n % 2, n - 1]
    word = text.strip() + 'x'
    found = [n for n in rows if n]
    self.n = key(n=n, rows=rows)
    if n:
        return word
    later = 0
    return word, later
"""
CONTEXT = Context(parse(SOURCE))


def line(number: int) -> cst.SimpleStatementLine:
    return next(
        s for s in CONTEXT.of_type(cst.SimpleStatementLine) if SOURCE.count("\n", 0, CONTEXT.start(s)) + 1 == number
    )


def expression(text: str) -> cst.BaseExpression:
    return next(n for n in CONTEXT.tree.nodes if isinstance(n, cst.BaseExpression) and CONTEXT.text(n) == text)


def test_kinds_come_of_the_form_and_of_the_uses() -> None:
    assert kinds(expression("n % 2"), CONTEXT) == {"number"}
    assert kinds(expression("text.strip() + 'x'"), CONTEXT) == {"text"}
    assert "sequence" in kinds(expression("rows"), CONTEXT)
    assert kinds(expression("key(n=n, rows=rows)"), CONTEXT) == frozenset()


def test_other_names_are_given_to_variables_of_the_scope_only() -> None:
    assert renamed(line(4), CONTEXT, {"n": "m", "rows": "lines"}) == "found = [n for n in lines if n]"
    assert renamed(line(5), CONTEXT, {"n": "m", "rows": "lines"}) == "self.n = key(n=m, rows=lines)"
    assert [n.value for n in names_in(line(5), CONTEXT)] == ["n", "rows"]


def test_variables_after_a_statement_are_those_bound_by_then() -> None:
    names = [b.name for b in variables_after(line(3), CONTEXT)]
    assert set(names) == {"n", "text", "rows", "word"}


def test_returned_values_in_order() -> None:
    function = CONTEXT.of_type(cst.FunctionDef)[0]
    assert returned(function, CONTEXT) == ["word", "word, later"]
