"""Numbers of trees hold within one file: nothing is carried from one file to the next."""

from __future__ import annotations

import ast

from mendlab.mutators.equivalents import Facts
from mendlab.mutators.validity.forms import Forms


def equal(one: str, other: str) -> bool:
    first, second = ast.parse(one), ast.parse(other)
    forms = Forms(Facts.of(ast.Module([*first.body, *second.body], [])))
    return forms.normal_number(first) == forms.normal_number(second)


def test_forms_do_not_depend_on_the_files_before() -> None:
    for _ in range(3):
        assert equal("x = list()", "x = []")
        assert not equal("y = 1\nx = dict()", "y = 1\nx = []")
        assert equal("z = f(a)\ny = 1\nx = dict()", "z = f(a)\ny = 1\nx = {}")
