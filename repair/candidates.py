"""Candidate patches for search: what mendlab's own mutation operators make of the buggy files, likeliest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Final, final

from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.mutators import Mutant, Proposals, get_operator, propose_mutants
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

    Within these, by suspicion of the place times the share of its type of bug, less for what the operator itself holds
    to be less likely; then small edits first, then by place. What is no program is found out when its turn comes.
    """
    reached = [path for path in _sources(problem) if places.reaches(path)]
    yield from _ranked(problem, reached, places)
    for path in _sources(problem):
        if path not in reached:
            yield from _ranked(problem, [path], places)


def _sources(problem: Problem) -> list[str]:
    return [path for path in problem.editable if path.endswith(".py") and path in problem.tree]


def _ranked(problem: Problem, paths: list[str], places: Localisation) -> Iterator[Candidate]:
    proposals: dict[str, Proposals] = {}
    encodings: dict[str, str] = {}
    for path in paths:
        text, encodings[path] = decode(path, problem.tree[path])
        with suppress(InputError):  # the file does not parse: no operator can be applied to it
            proposals[path] = propose_mutants(text, path=path)
    found = list(chain.from_iterable(proposed.changes for proposed in proposals.values()))
    counts = Counter(_mended_type(mutant) for mutant in found)
    ranked = [
        Candidate(
            mutant,
            encodings[mutant.path],
            places.weight(mutant.path, mutant.function, mutant.span)
            * _BUG_TYPES[_mended_type(mutant)]
            / counts[_mended_type(mutant)]
            / (1 + mutant.rank),
        )
        for mutant in found
    ]
    ranked.sort(key=lambda candidate: (-candidate.likelihood, _size(candidate.mutant)))
    for candidate in ranked:
        if proposals[candidate.mutant.path].is_mutant(candidate.mutant):
            yield candidate


def _mended_type(mutant: Mutant) -> str:
    injected = get_operator(mutant.operator).bug_type
    return _MENDS.get(injected, injected)


def _size(mutant: Mutant) -> int:
    return sum(end - start + len(text) for start, end, text in mutant.edits)
