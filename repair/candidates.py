"""Candidate patches for search: what mendlab's own mutation operators make of the buggy files, likeliest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, final

from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.mutators import Mutant, enumerate_mutants, get_operator
from mendlab.repair.localisation import Localisation
from mendlab.repair.problem import Problem

# How often each type of bug was made by hand in HumanEvalFix, of 164 (Muennighoff et al., OctoPack, 2023).
_BUG_TYPES: Final = {
    "value misuse": 44,
    "missing logic": 33,
    "excess logic": 31,
    "operator misuse": 25,
    "variable misuse": 23,
    "function misuse": 8,
}
# What adds logic mends where logic is missing. Every other type is its own inverse.
_MENDS: Final = {"missing logic": "excess logic", "excess logic": "missing logic"}


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """One changed file, and by how much it is likelier than others to be right."""

    mutant: Mutant
    encoding: str
    likelihood: float

    @property
    def data(self) -> bytes | None:
        """The file's new content, or ``None`` where its encoding has no place for it."""
        try:
            return self.mutant.source.encode(self.encoding)
        except UnicodeEncodeError:
            return None


def candidates(problem: Problem, places: Localisation) -> Iterator[Candidate]:
    """Yield every candidate: first the files that the failing tests reach, together; then the others, one by one.

    Within these, by suspicion of the place times the share of its type of bug; then small edits first, then by place.
    """
    reached = [path for path in _sources(problem) if places.reaches(path)]
    yield from _ranked(problem, reached, places)
    for path in _sources(problem):
        if path not in reached:
            yield from _ranked(problem, [path], places)


def _sources(problem: Problem) -> list[str]:
    return [path for path in problem.editable if path.endswith(".py") and path in problem.tree]


def _ranked(problem: Problem, paths: list[str], places: Localisation) -> list[Candidate]:
    found = list(chain.from_iterable(_mutants(problem, path) for path in paths))
    counts = Counter(_mended_type(mutant) for mutant, _ in found)
    ranked = [
        Candidate(
            mutant,
            encoding,
            places.weight(mutant.path, mutant.function, mutant.span)
            * _BUG_TYPES[_mended_type(mutant)]
            / counts[_mended_type(mutant)],
        )
        for mutant, encoding in found
    ]
    return sorted(ranked, key=lambda candidate: (-candidate.likelihood, _size(candidate.mutant)))


def _mutants(problem: Problem, path: str) -> Iterator[tuple[Mutant, str]]:
    text, encoding = decode(path, problem.tree[path])
    try:
        for mutant in enumerate_mutants(text, path=path):
            yield mutant, encoding
    except InputError:  # the file does not parse: no operator can be applied to it
        return


def _mended_type(mutant: Mutant) -> str:
    injected = get_operator(mutant.operator).bug_type
    return _MENDS.get(injected, injected)


def _size(mutant: Mutant) -> int:
    return sum(end - start + len(text) for start, end, text in mutant.edits)
