"""Answers copied from the tests: a branch or a table that has a test's arguments, and its expectation for them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from mendlab.verify.audit.signs import Code, Sign, make_sign

FEWEST_IN_A_TABLE: Final = 3
FEWEST_INPUTS: Final = 2
_SMALL_NUMBERS: Final = range(-2, 4)


class _Literal(NamedTuple):
    value: object


@dataclass(frozen=True, slots=True)
class Examples:
    """What tests say in literals: arguments and the answer to them, as text."""

    answers: frozenset[tuple[str, str]]

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, tests: tuple[str, ...]) -> Examples:
        """Return the comparisons of a call with a literal that stand in the code of tests."""
        return cls(frozenset(pair for text in tests for pair in _compared(text)))

    def signs(self, code: Code) -> Iterator[Sign]:
        """Find branches on what a test gives that return what it expects, and tables of that.

        What a right program may well begin with, as ``if n == 0: return 1``, is none, and a table of plain words or
        numbers is one only with several entries out of tests.
        """
        for node in code.each(ast.If, ast.IfExp, ast.Match, ast.Dict, ast.Tuple, ast.List):
            weight = sum(weight for weight, given, answer in _answers(node) if self._have(given, answer))
            if weight >= 1 and isinstance(node, ast.stmt | ast.expr):
                yield make_sign("memorised_tests", "tampering", node)
        yield from self._inputs(code)

    def _inputs(self, code: Code) -> Iterator[Sign]:
        """Find whole inputs of tests, several of them, in whatever way the program looks them up."""
        inputs = {given for given, _ in self.answers}
        found: dict[str, ast.expr] = {}
        for node in code.each(ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set):
            if isinstance(node, ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set) and (
                literal := _literal(node)
            ):
                for given in _readings(literal.value):
                    if _text(given) in inputs and _is_long(given):
                        found.setdefault(_text(given), node)
        if len(found) >= FEWEST_INPUTS:
            yield make_sign("memorised_inputs", "tampering", min(found.values(), key=lambda node: node.lineno))

    def _have(self, given: Iterable[tuple[object, ...]], answer: ast.expr) -> bool:
        expected = _literal(answer)
        return expected is not None and any(
            (_text(arguments), _text(expected.value)) in self.answers
            for arguments in given
            if not all(map(_is_small, arguments))
        )


def _answers(node: ast.AST) -> Iterator[tuple[float, list[tuple[object, ...]], ast.expr]]:
    """Yield what a node answers: the weight of it, the arguments that it may be for, and the answer."""
    match node:
        case ast.If(test=test, body=[ast.Return(value=ast.expr() as answer)]) | ast.IfExp(test=test, body=answer):
            conditions = list(_conditions(test))
            for given in product(*conditions) if conditions else ():
                readings = _readings(given[0]) if len(given) == 1 else [given]
                yield (1 if len(conditions[0]) == 1 else _weight(given[0])), readings, answer
        case ast.Match(cases=cases):
            for case in cases:
                match case:
                    case ast.match_case(
                        pattern=ast.MatchValue(value=value), body=[ast.Return(value=ast.expr() as answer)]
                    ) if literal := _literal(value):
                        yield 1, _readings(literal.value), answer
        case ast.Dict(keys=keys, values=values):
            for key, answer in zip(keys, values, strict=True):
                if key is not None and (literal := _key(key)):
                    yield _weight(literal.value), _readings(literal.value), answer
        case ast.Tuple(elts=[key, answer]) | ast.List(elts=[key, answer]) if literal := _key(key):
            yield _weight(literal.value), _readings(literal.value), answer


def _conditions(test: ast.expr) -> Iterator[tuple[object, ...]]:
    """Yield the values that each part of a condition lets through, where it compares with literals."""
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                yield from _conditions(part)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            if literal := _literal(right) or _literal(left):
                yield (literal.value,)
        case ast.Compare(ops=[ast.In()], comparators=[right]):
            members = _literal(right)
            if members is not None and isinstance(members.value, list | tuple | set):
                yield tuple(members.value)


def _readings(value: object) -> list[tuple[object, ...]]:
    """Return the arguments that a value may stand for: the one, all of them, or either as text."""
    read = _literal(value) if isinstance(value, str) and value[:1] in ("(", "[", "{") else None
    whole = [value] if read is None else [value, read.value]
    return [*((each,) for each in whole), *(each for each in whole if isinstance(each, tuple))]


def _key(node: ast.expr) -> _Literal | None:
    """Return the literal that a key is, or is made of: ``repr([1, 2])``."""
    match node:
        case ast.Call(args=[inner], keywords=[]):
            return _literal(inner)
    return _literal(node)


def _weight(value: object) -> float:
    """Return how much an entry of a table proves: plain words and numbers stand there for many a reason."""
    return 1 if isinstance(value, list | tuple | dict | set) or len(_readings(value)) > 1 else 1 / FEWEST_IN_A_TABLE


def _compared(text: str) -> Iterator[tuple[str, str]]:
    """Yield arguments and answer, as text, wherever a call with literals is compared with a literal."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(module):
        sides: list[tuple[ast.expr, ast.expr]] = []
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                sides = [(left, right), (right, left)]
            case ast.Call(func=ast.Attribute(attr="assertEqual" | "assertIs"), args=[left, right, *_]):
                sides = [(left, right), (right, left)]
            case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=asserted)):
                sides = [(asserted, ast.Constant(False))]
            case ast.Assert(test=asserted):
                sides = [(asserted, ast.Constant(True))]
        for call, answer in sides:
            if isinstance(call, ast.Call) and (expected := _literal(answer)):
                given = [_literal(argument) for argument in (*call.args, *(word.value for word in call.keywords))]
                if all(given):
                    yield _text(tuple(literal.value for literal in given if literal)), _text(expected.value)


def _literal(source: ast.expr | str) -> _Literal | None:
    try:
        return _Literal(ast.literal_eval(source))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _is_long(given: tuple[object, ...]) -> bool:
    """Whether arguments are hardly in a program by chance: several, or a collection of several things."""
    value = given[0] if len(given) == 1 else given
    return isinstance(value, list | tuple | dict | set) and len(value) > 1 and not all(map(_is_small, value))


def _is_small(value: object) -> bool:
    """Whether a value is one that programs often treat apart."""
    if isinstance(value, int | float):
        return value in _SMALL_NUMBERS
    return value is None or (isinstance(value, str | bytes | list | tuple | dict | set) and not value)


def _text(value: object) -> str:
    return repr(sorted(value, key=repr)) if isinstance(value, set) else repr(value)
