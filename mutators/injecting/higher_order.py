"""Higher-order mutants: two or more first-order mutants of a program, made at once (Jia and Harman, 2009)."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, final

from mendlab.corpora.diffs import unified_hunks
from mendlab.errors import InputError
from mendlab.mutators.edits import Edit, apply
from mendlab.mutators.injecting.calls import Calls, Place
from mendlab.mutators.mutant import Mutant
from mendlab.records import Span

Across = Literal["any", "function", "functions", "files"]
ACROSS: Final[tuple[Across, ...]] = ("any", "function", "functions", "files")
HIGHEST_ORDER: Final = 3


@final
@dataclass(frozen=True, slots=True)
class HigherOrderMutant:
    """Mutants made at once, which do not overlap; made by :func:`combine`.

    Attributes:
        parts: the first-order mutants, by path and position.
    """

    parts: tuple[Mutant, ...]

    @property
    def order(self) -> int:
        """How many first-order mutants it is made of."""
        return len(self.parts)

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits out of the ids of the parts: the same in every run and Python version."""
        return hashlib.sha256("\0".join(part.id for part in self.parts).encode()).hexdigest()[:16]

    @property
    def operator(self) -> str:
        """The names of the parts' operators, joined by `` + ``."""
        return " + ".join(part.operator for part in self.parts)

    @property
    def places(self) -> tuple[Place, ...]:
        """The functions that are changed, each once."""
        return tuple(dict.fromkeys(place_of(part) for part in self.parts))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that are changed, each once."""
        return tuple(dict.fromkeys(part.path for part in self.parts))

    @property
    def function(self) -> str | None:
        """The function of every part; ``None`` if they stand in several, or at module level."""
        names = {part.function for part in self.parts}
        return names.pop() if len(names) == 1 else None

    @property
    def sources(self) -> dict[str, str]:
        """The whole mutated text of each file that is changed."""
        return {path: apply(self._base(path), self._edits(path)) for path in self.paths}

    @property
    def spans(self) -> dict[str, Span]:
        """The stretch of the original, in each file, from the first to the last place that is changed."""
        found: dict[str, Span] = {}
        for path in self.paths:
            spans = [part.span for part in self.parts if part.path == path]
            start = min((span.start_line, span.start_column) for span in spans)
            end = max((span.end_line, span.end_column) for span in spans)
            found[path] = Span(start_line=start[0], start_column=start[1], end_line=end[0], end_column=end[1])
        return found

    @property
    def diff(self) -> str:
        """Unified diff from the originals to :attr:`sources`, with ``a/`` and ``b/`` before the paths."""
        return "".join(
            f"--- a/{path}\n+++ b/{path}\n{unified_hunks(self._base(path), source)}"
            for path, source in self.sources.items()
        )

    @property
    def compiles(self) -> bool:
        """Whether every file compiles. Its parts do, each alone; that does not follow for all at once."""
        return all(_compiles(source) for source in self.sources.values())

    def _base(self, path: str) -> str:
        return next(part.base.text for part in self.parts if part.path == path)

    def _edits(self, path: str) -> list[Edit]:
        return sorted(edit for part in self.parts if part.path == path for edit in part.edits)


def combine(mutants: Iterable[Mutant]) -> HigherOrderMutant:
    """Return the mutants as one. The order in which they are given does not count.

    Raises:
        InputError: there are fewer than two, or edits of them touch the same place.
    """
    parts = tuple(sorted(mutants, key=lambda part: (part.path, part.edits[0].start, part.edits[-1].end, part.id)))
    if len(parts) < 2:
        raise InputError("a higher-order mutant has two parts or more", hint="give more mutants")
    if overlap(parts):
        names = " and ".join(part.id for part in parts)
        raise InputError(f"mutants {names} change the same place", where=parts[0].path, hint="give others")
    return HigherOrderMutant(parts)


def overlap(mutants: Sequence[Mutant]) -> bool:
    """Whether edits of different mutants touch: they share a character, or one inserts where the other ends."""
    for one, other in combinations(mutants, 2):
        if one.path == other.path and any(_touch(a, b) for a in one.edits for b in other.edits):
            return True
    return False


def _touch(one: Edit, other: Edit) -> bool:
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def place_of(mutant: Mutant) -> Place:
    """Return the function that a mutant changes."""
    return mutant.path, mutant.function


def fits(places: Sequence[Place], across: Across, calls: Calls) -> bool:
    """Whether defects in these functions, one for each part, may be combined.

    ``function``: all are the same one. ``functions``: there are several, and each calls another or is called by it.
    ``files``: they stand in more than one file. ``any``: one of the first two, in whatever files.
    """
    distinct = set(places)
    one_function = len(distinct) == 1
    joined = not one_function and all(
        any(calls.linked(place, other) for other in distinct if other != place) for place in distinct
    )
    several_files = len({path for path, _ in distinct}) > 1
    match across:
        case "function":
            return one_function
        case "functions":
            return joined
        case "files":
            return several_files
        case _:
            return one_function or joined


def sample_combinations(
    mutants: Iterable[Mutant], n: int, *, order: int = 2, across: Across = "any", seed: int
) -> list[HigherOrderMutant]:
    """At most ``n`` higher-order mutants of the order, chosen by the seed alone; no test is asked. All compile.

    For each choice one mutant is drawn, and then others that do not overlap with it and :func:`fits` lets join it.

    Raises:
        InputError: the order is below 2.
    """
    if order < 2:
        raise InputError(f"no higher-order mutant has order {order}", hint="give 2 or more")
    pool = sorted(mutants, key=lambda mutant: _digest(seed, mutant.id))
    calls = Calls({mutant.path: mutant.base.text for mutant in pool})
    found: dict[str, HigherOrderMutant] = {}
    for first in pool:
        if len(found) >= n:
            break
        parts = [first]
        turn = int(first.id, 16) % len(pool)
        for other in (*pool[turn:], *pool[:turn]):
            if len(parts) == order:
                break
            if not overlap([*parts, other]) and fits([place_of(part) for part in (*parts, other)], across, calls):
                parts.append(other)
        if len(parts) == order and (made := combine(parts)).compiles:
            found.setdefault(made.id, made)
    return list(found.values())


def _digest(seed: int, text: str) -> bytes:
    return hashlib.sha256(f"{seed}:{text}".encode()).digest()


def _compiles(source: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source.removeprefix("\ufeff"), "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
