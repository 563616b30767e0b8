"""Conditions like one that is there: with another variable, constant or operator."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from mendlab.mutators.edits import Edit, apply
from mendlab.repair.searching.signs import SIGNS, between, others
from mendlab.repair.searching.source import Source

_MOST_NUMBERS = 10


def varied(source: Source, operand: ast.expr, numbers: list[int]) -> dict[str, float]:
    """Return texts of conditions that are an operand but for a name, two names exchanged, a number or an operator.

    Or but for a name and the operator. Each has how likely it is to be what is missing beside the operand.
    """
    text, (start, _) = source.code(operand), source.span(operand)
    found: dict[str, float] = {}
    for edits, weight in _changes(source, operand, numbers):
        moved = sorted(Edit(edit.start - start, edit.end - start, edit.text) for edit in edits)
        made = apply(text, moved)
        found[made] = max(weight, found.get(made, 0.0))
    found.pop(text, None)
    return found


def _changes(source: Source, operand: ast.expr, numbers: list[int]) -> Iterator[tuple[tuple[Edit, ...], float]]:
    names = source.variables(operand)
    inner = [node for node in ast.walk(operand) if node in source.parents]
    used = [node for node in inner if isinstance(node, ast.Name) and node.id in names]
    renamed = [Edit(*source.span(node), other) for node in used for other in names if other != node.id]
    signs = list(_signs(source, operand))
    for edit in renamed:
        yield (edit,), 0.7
    for one, other in combinations(used, 2):
        if one.id != other.id:
            yield (Edit(*source.span(one), other.id), Edit(*source.span(other), one.id)), 2.0
    for node in inner:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            for number in numbers[:_MOST_NUMBERS]:
                yield (Edit(*source.span(node), str(number)),), 0.7
    for sign, weight in signs:
        yield (sign,), 0.3 * weight
        for edit in renamed:
            yield (edit, sign), 0.1 * weight


def _signs(source: Source, operand: ast.expr) -> Iterator[tuple[Edit, float]]:
    if isinstance(operand, ast.Compare) and len(operand.ops) == 1:
        sign = SIGNS[type(operand.ops[0])]
        place = between(source, operand.left, operand.comparators[0], sign)
        for other, weight in others(sign) if place else ():
            assert place is not None
            yield Edit(*place, other), weight
