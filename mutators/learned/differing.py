"""Where two versions of a file differ: the smallest pieces of code of which one stands for the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

_MOST_STATEMENTS: Final = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A piece of the sound code, and what stands for it in the buggy code: nothing, one piece or some statements."""

    sound: ast.expr | ast.stmt
    buggy: tuple[ast.expr | ast.stmt, ...]


Levels = tuple[Pair, ...]
"""One difference: the smallest pair first, then each that holds the one before, up to a statement."""


def differences(sound: ast.Module, buggy: ast.Module) -> Iterator[Levels]:
    """Yield each place where the sound code has a statement or an expression that the buggy code has not as it is.

    What only the buggy code has is left out: there is no place in the sound code to find it by.
    """
    yield from _between(sound, buggy, ())


def _between(sound: ast.AST, buggy: ast.AST, around: Levels) -> Iterator[Levels]:
    if isinstance(sound, ast.expr | ast.stmt) and isinstance(buggy, ast.expr | ast.stmt) and not _has_body(sound):
        around = (Pair(sound, (buggy,)), *around)
    differing = list(_differing_fields(sound, buggy)) if type(sound) is type(buggy) else []
    blocks = [(_block(one), _block(other)) for one, other in differing if _is_block(one, other)]
    for one, other in blocks:
        yield from _between_blocks(one, other)
    rest = [each for each in differing if not _is_block(*each)]
    if len(rest) == 1 and (inner := _inner(*rest[0])) is not None:
        yield from _between(*inner, around)
    elif around and not blocks:
        yield around


def _between_blocks(sound: Sequence[ast.stmt], buggy: Sequence[ast.stmt]) -> Iterator[Levels]:
    was, now = ([ast.dump(each) for each in block] for block in (sound, buggy))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "replace" and i2 - i1 == j2 - j1:
            for one, other in zip(sound[i1:i2], buggy[j1:j2], strict=True):
                if type(one) is type(other):
                    yield from _between(one, other, ())
                else:
                    yield (Pair(one, (other,)),)
        elif tag in ("replace", "delete") and i2 - i1 == 1 and j2 - j1 <= _MOST_STATEMENTS:
            yield (Pair(sound[i1], tuple(buggy[j1:j2])),)


def _differing_fields(sound: ast.AST, buggy: ast.AST) -> Iterator[tuple[object, object]]:
    for name in sound._fields:
        one, other = getattr(sound, name, None), getattr(buggy, name, None)
        if _written(one) != _written(other):
            yield one, other


def _inner(one: object, other: object) -> tuple[ast.AST, ast.AST] | None:
    """The only nodes in which two values of a field differ, if the difference is within code."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        apart = [(a, b) for a, b in zip(one, other, strict=True) if _written(a) != _written(b)]
        return _inner(*apart[0]) if len(apart) == 1 else None
    within = (ast.expr, ast.stmt, ast.keyword, ast.arguments, ast.comprehension, ast.withitem)
    if isinstance(one, within) and isinstance(other, within):
        return one, other
    return None


def _written(value: object) -> str:
    if isinstance(value, list):
        return repr([_written(each) for each in value])
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)


def _is_block(one: object, other: object) -> bool:
    both = (one, other)
    return all(isinstance(each, list) for each in both) and any(
        isinstance(each, ast.stmt) for block in both if isinstance(block, list) for each in block
    )


def _block(value: object) -> list[ast.stmt]:
    return [each for each in value if isinstance(each, ast.stmt)] if isinstance(value, list) else []


def _has_body(node: ast.AST) -> bool:
    return any(_is_block(value, value) for value in vars(node).values())
