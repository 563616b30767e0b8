"""Statements: left out, moved, guarded, put in; donated by the same file or made of what is in scope."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.mutators.edits import Edit
from mendlab.repair.searching.source import FunctionNode, Source
from mendlab.repair.searching.template import template
from mendlab.repair.searching.templates.conditions import atoms

Found = Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]
_STEP: Final = "    "
_LONGEST: Final = 80
_JUMPS: Final = (ast.Return, ast.Continue, ast.Break, ast.Raise)


def _movable(source: Source) -> list[ast.stmt]:
    return [each for each in source.statements if source.stands_alone(each)]


@template("statement-deleted", 0.05)
def delete(source: Source) -> Found:
    """A statement left out, or two beside one another."""
    for statement in source.statements:
        if not source.stands_alone(statement):
            if not isinstance(statement, FunctionNode | ast.ClassDef):
                yield statement, Edit(*source.span(statement), "pass"), 0.5
            continue
        block = source.block(statement)
        indent = source.indentation(statement)
        only = "" if len(block) > 1 else f"{indent}pass{source.line_end}"
        weight = 0.2 if isinstance(statement, FunctionNode | ast.ClassDef) else 1.0
        yield statement, Edit(*source.whole_lines(statement, statement), only), weight
        at = block.index(statement)
        if at + 1 < len(block) and len(block) > 2 and source.stands_alone(block[at + 1]):
            yield statement, Edit(*source.whole_lines(statement, block[at + 1]), ""), 0.3


@template("statement-moved", 0.05)
def move(source: Source) -> Found:
    """A statement moved past the next one, out of the block it ends, into the block before or behind it."""
    for statement in _movable(source):
        block = source.block(statement)
        at = block.index(statement)
        start, end = source.whole_lines(statement, statement)
        text = _ended(source, source.text[start:end])
        if at + 1 < len(block) and source.stands_alone(block[at + 1]):
            following = source.whole_lines(block[at + 1], block[at + 1])
            yield (
                statement,
                Edit(start, following[1], _ended(source, source.text[following[0] : following[1]]) + text),
                1.0,
            )
        outer = source.parents[statement]
        if isinstance(outer, ast.stmt) and not isinstance(outer, FunctionNode | ast.ClassDef) and len(block) > 1:
            moved = _indented(source, text, source.indentation(outer))
            end_of_outer = source.whole_lines(outer, outer)[1]
            if statement is block[-1] and end == end_of_outer:
                yield statement, Edit(start, end, moved), 1.0
            elif end <= end_of_outer:
                yield statement, (Edit(start, end, ""), Edit(end_of_outer, end_of_outer, moved)), 0.4
            begin = source.whole_lines(outer, outer)[0]
            if source.stands_alone(outer):
                yield statement, (Edit(begin, begin, moved), Edit(start, end, "")), 0.3
        if at > 0:
            before = block[at - 1]
            body = getattr(before, "orelse", None) or getattr(before, "body", None)
            if isinstance(before, ast.stmt) and body and source.stands_alone(body[-1]):
                yield statement, Edit(start, end, _indented(source, text, source.indentation(body[-1]))), 0.6


def _ended(source: Source, text: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + source.line_end


def _indented(source: Source, text: str, indent: str) -> str:
    """The lines of a statement, which begins with its own indentation, under another one."""
    rows = text.splitlines(keepends=True)
    own = rows[0][: len(rows[0]) - len(rows[0].lstrip(" \t"))]
    return "".join(indent + row[len(own) :] if row.startswith(own) else row for row in rows)


@template("statement-guarded", 0.05)
def guard(source: Source) -> Found:
    """A statement under a condition over what is in scope; a block without the condition it is under."""
    for statement in _movable(source):
        if isinstance(statement, FunctionNode | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        start, end = source.whole_lines(statement, statement)
        indent = source.indentation(statement)
        inner = _indented(source, _ended(source, source.text[start:end]), indent + _STEP)
        for atom, weight in {**atoms(source, statement), **_conditions(source, statement)}.items():
            yield statement, Edit(start, end, f"{indent}if {atom}:{source.line_end}{inner}"), weight
        if isinstance(statement, ast.If) and not statement.orelse and source.stands_alone(statement.body[0]):
            body = source.text[slice(*source.whole_lines(statement.body[0], statement.body[-1]))]
            yield statement, Edit(start, end, _indented(source, body, indent)), 2.0


def _conditions(source: Source, statement: ast.stmt) -> dict[str, float]:
    """The conditions of the function, as they stand."""
    function = source.function(statement)
    tests = [each.test for each in ast.walk(function) if isinstance(each, ast.If | ast.While)] if function else []
    return {source.code(test): 0.8 for test in tests if test in source.parents}


@template("early-exit", 0.04)
def leave_early(source: Source) -> Found:
    """A return, or another jump, under a condition, before a statement or behind it."""
    for statement in _movable(source):
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.ClassDef):
            continue
        jumps = _jumps(source, statement)
        block = source.block(statement)
        start, end = source.whole_lines(statement, statement)
        indent = source.indentation(statement)
        places = [start] if statement is block[0] or not isinstance(block[0], ast.stmt) else []
        if not isinstance(statement, _JUMPS):
            places.append(end)
        conditions = {**atoms(source, statement), **_written(source, statement)}
        for place in places:
            lead = "" if place == 0 or source.text[place - 1 : place] in "\r\n" else source.line_end
            for jump in jumps:
                for atom, weight in conditions.items():
                    text = f"{lead}{indent}if {atom}:{source.line_end}{indent}{_STEP}{jump}{source.line_end}"
                    yield statement, Edit(place, place, text), weight / len(jumps)


def _written(source: Source, statement: ast.stmt) -> dict[str, float]:
    """Comparisons of what the statement writes to with small numbers."""
    match statement:
        case ast.AugAssign(target=target) | ast.Assign(targets=[target]) if not isinstance(target, ast.Tuple):
            code = source.code(target)
            return {f"{code} {sign} {number}": 0.5 for sign in (">", "<", "==", ">=") for number in (0, 1, 2)}
    return {}


def _jumps(source: Source, statement: ast.stmt) -> list[str]:
    """What a function may leave by at a place: its own returns, usual ones, and jumps of the loop around."""
    function = source.function(statement)
    own = [
        source.code(each)
        for each in (ast.walk(function) if function else ())
        if isinstance(each, ast.Return | ast.Raise) and each in source.parents and len(source.code(each)) < 60
    ]
    flags = ["return False", "return True"] if any(text in ("return True", "return False") for text in own) else []
    params = [f"return {each.arg}" for each in function.args.args if each.arg != "self"][:3] if function else []
    loop = any(isinstance(each, ast.For | ast.While) for each in source.ancestors(statement))
    usual = [] if flags else ["return []", "return None", "return 0", *params]
    return list(dict.fromkeys([*own, *flags, *usual, *(["continue", "break"] if loop else [])]))[:9]


@template("statement-inserted", 0.06)
def insert(source: Source) -> Found:
    """A statement more: a variable assigned, counted up or down, or a statement that stands elsewhere."""
    for statement in _movable(source):
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.ClassDef | FunctionNode):
            continue
        block = source.block(statement)
        start, end = source.whole_lines(statement, statement)
        indent = source.indentation(statement)
        for text, weight in _new_statements(source, statement).items():
            if statement is block[0]:
                yield statement, Edit(start, start, f"{indent}{text}{source.line_end}"), weight
            if not isinstance(statement, _JUMPS):
                lead = "" if source.text[end - 1 : end] in ("\n", "\r") else source.line_end
                yield statement, Edit(end, end, f"{lead}{indent}{text}{source.line_end}"), weight


def _new_statements(source: Source, statement: ast.stmt) -> dict[str, float]:
    found: dict[str, float] = {}
    names = source.variables(statement)[:8]
    for name in names:
        kinds = source.kinds(statement, name)
        if not kinds or "int" in kinds:
            found.update({f"{name} += 1": 1.0, f"{name} -= 1": 1.0})
        if not kinds or "list" in kinds:
            for other in names:
                if other != name:
                    found[f"{name}.append({other})"] = 0.2
        found[f"return {name}"] = 0.5
    for name in names:
        for other in names:
            first, second = source.kinds(statement, name), source.kinds(statement, other)
            if name != other:
                found[f"{name} = {other}"] = 0.5 if not first or not second or first & second else 0.1
    function = source.function(statement)
    kinds_of = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise)
    donors = [each for each in (ast.walk(function) if function else ()) if isinstance(each, kinds_of)]
    codes = [source.code(each) for each in donors if each is not statement]
    found.update({code: 0.5 for code in codes if "\n" not in code and len(code) < _LONGEST})
    return found


@template("branches-exchanged", 0.02)
def exchange_branches(source: Source) -> Found:
    """The bodies of ``if`` and ``else`` exchanged; ``elif`` made an ``if``, an ``if`` an ``elif``."""
    for node in source.statements:
        if not isinstance(node, ast.If):
            continue
        start, _ = source.span(node)
        if node.orelse and all(source.stands_alone(each) for each in (node.body[0], node.orelse[0])):
            body = source.whole_lines(node.body[0], node.body[-1])
            orelse = source.whole_lines(node.orelse[0], node.orelse[-1])
            if not source.code(node.orelse[0]).startswith("elif"):
                one, other = (_ended(source, source.text[slice(*each)]) for each in (body, orelse))
                yield node, (Edit(*body, other), Edit(*orelse, one)), 1.0
        if source.text.startswith("elif", start):
            yield node, Edit(start, start + 4, "if"), 0.5
        block = source.block(node)
        at = block.index(node)
        if at and isinstance(block[at - 1], ast.If) and source.text.startswith("if", start):
            yield node, Edit(start, start + 2, "elif"), 0.5


@template("return-value", 0.03)
def change_return(source: Source) -> Found:
    """A return of another variable of the function."""
    for node in source.statements:
        if isinstance(node, ast.Return):
            for name in source.variables(node):
                if node.value is None or source.code(node.value) != name:
                    yield node, Edit(*source.span(node), f"return {name}"), 1.0
