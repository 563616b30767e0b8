"""Conditions: a conjunct or disjunct that is missing, one in place of another, and guards of statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import Source
from mendlab.repair.searching.template import template
from mendlab.repair.searching.templates.operators import is_condition
from mendlab.repair.searching.templates.values import numbers
from mendlab.repair.searching.varying import varied

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]
_MOST_NAMES = 6
_MOST_NUMBERS = 6


def atoms(source: Source, node: ast.AST) -> dict[str, float]:
    """Return conditions over what is in scope at a node, as ACS and Nopol make them, with how likely they are."""
    found: dict[str, float] = {}
    names = source.variables(node)[:_MOST_NAMES]
    for name in names:
        kinds = source.kinds(node, name) - {"NoneType"}
        if not kinds or "NoneType" in source.kinds(node, name):
            found.update({f"{name} is None": 0.5, f"{name} is not None": 0.5})
        found.update({name: 0.5, f"not {name}": 0.5})
        if kinds & {"int", "float"}:
            found.update(_of_number(source, name))
        if kinds & {"list", "str", "tuple", "dict", "set"}:
            for number in (0, 1, 2):
                found.update({f"len({name}) {sign} {number}": 0.3 for sign in ("==", ">", "<", "<=", ">=")})
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            found.update(_of_pair(source, node, one, other))
    return found


def _of_number(source: Source, name: str) -> dict[str, float]:
    found = {}
    for number in numbers(source)[:_MOST_NUMBERS] or [0, 1]:
        found.update({f"{name} {sign} {number}": 0.5 for sign in ("==", "!=", "<", ">", "<=", ">=")})
        if abs(number) > 1:
            found.update({f"{name} % {number} == 0": 0.5, f"{name} % {number} != 0": 0.4})
    return found


def _of_pair(source: Source, node: ast.AST, one: str, other: str) -> dict[str, float]:
    first, second = source.kinds(node, one), source.kinds(node, other)
    found: dict[str, float] = {}
    if not first or not second or first & second:
        found.update({f"{one} == {other}": 0.8, f"{one} != {other}": 0.8})
        if first & {"int", "float", "str"} or not first:
            found.update({f"{one} {sign} {other}": 0.5 for sign in ("<", ">", "<=", ">=")})
    holders = {"list", "set", "dict", "tuple", "str"}
    for item, holder, kinds, inner in ((one, other, second, first), (other, one, first, second)):
        if kinds & holders and not inner & {"list", "dict", "set"}:
            found.update({f"{item} in {holder}": 0.6, f"{item} not in {holder}": 0.6})
    return found


@template("condition-extended", 0.1)
def extend(source: Source) -> Found:
    """One more conjunct or disjunct: like one that is there, or made of what is in scope."""
    known = numbers(source)
    for node in source.expressions:
        if not is_condition(source, node) or isinstance(source.parents[node], ast.BoolOp):
            continue
        start, end = source.span(node)
        operands = node.values if isinstance(node, ast.BoolOp) else [node]
        made: dict[str, float] = {}
        for operand in operands:
            made.update(varied(source, operand, known))
        made.update({atom: 0.5 * weight for atom, weight in atoms(source, node).items() if atom not in made})
        for name in _relied_on(source, node):
            made.update({f"{name} is None": 2.0, f"{name} is not None": 2.0})
        for atom, weight in made.items():
            for sign, kind in (("and", ast.And), ("or", ast.Or)):
                bare = not isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda)
                if bare or (isinstance(node, ast.BoolOp) and isinstance(node.op, kind)):
                    yield node, Edit(start, start, f"{atom} {sign} "), weight
                else:
                    yield node, (Edit(start, start, f"{atom} {sign} ("), Edit(end, end, ")")), weight


def _relied_on(source: Source, node: ast.expr) -> list[str]:
    """The variables of which a condition takes an attribute or an element."""
    names = [
        each.value.id
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.value, ast.Name)
    ]
    known = source.variables(node)
    return [name for name in dict.fromkeys(names) if name in known]


@template("condition-replaced", 0.02)
def replace(source: Source) -> Found:
    """A condition over what is in scope in place of one."""
    for node in source.expressions:
        if is_condition(source, node) and not isinstance(node, ast.BoolOp):
            for atom, weight in atoms(source, node).items():
                yield node, Edit(*source.span(node), atom), weight


@template("comprehension-filter", 0.02)
def filter_comprehension(source: Source) -> Found:
    """A comprehension without its condition, or with one more."""
    for node in source.nodes:
        if not isinstance(node, ast.comprehension):
            continue
        last = node.ifs[-1] if node.ifs else node.iter
        for condition in node.ifs:
            end = source.span(condition)[1]
            start = source.text.rfind("if", 0, source.span(condition)[0])
            yield condition, Edit(start, end, ""), 1.0
        if not node.ifs:
            end = source.span(last)[1]
            inside = node.iter
            targets = [each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)]
            for atom, weight in atoms(source, source.parents[node]).items():
                if any(target in atom.split() for target in targets):
                    yield inside, Edit(end, end, f" if {atom}"), weight
