"""Mutants in one place of a file: a function, or some lines."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mendlab.errors import InputError
from mendlab.mutators.mutant import Mutant


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, from 1, both ends included."""

    first: int
    last: int

    def __contains__(self, mutant: Mutant) -> bool:
        """Whether a mutant changes something on these lines."""
        span = mutant.span
        return span.start_line <= self.last and self.first <= span.end_line


def functions_named(name: str, functions: Iterable[str]) -> frozenset[str]:
    """Return the functions that a name means: of that qualified name or, if there is none, of that last name.

    Raises:
        InputError: there is none; the hint has the names that are near.
    """
    known = sorted(set(functions))
    found = [each for each in known if each == name] or [each for each in known if each.rpartition(".")[2] == name]
    if not found:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known[:3]
        hint = f"near names: {', '.join(near)}" if near else "it has no functions"
        raise InputError(f"there is no function {name!r}", hint=hint)
    return frozenset(found)


def inside(mutants: Iterable[Mutant], functions: frozenset[str] | None, lines: Lines | None) -> Iterator[Mutant]:
    """Yield the mutants in the functions, and in the functions and classes inside these, that lie on the lines."""
    for mutant in mutants:
        if (functions is None or is_within(mutant.function, functions)) and (lines is None or mutant in lines):
            yield mutant


def is_within(function: str | None, functions: frozenset[str]) -> bool:
    """Whether a function or class is one of ``functions``, or stands in one."""
    return function is not None and any(function == each or function.startswith(f"{each}.") for each in functions)
