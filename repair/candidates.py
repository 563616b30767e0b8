"""Candidate patches for search, likeliest first: what templates make of the buggy files, and mutation operators."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, final

from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.mutators import Mutant, get_operator, operators, propose_mutants
from mendlab.mutators.edits import Edit, apply
from mendlab.mutators.mutant import SourceText
from mendlab.records import PytestHarness, Span
from mendlab.repair.localisation import UNRUN, Localisation
from mendlab.repair.problem import Problem
from mendlab.repair.searching.source import Source, Types
from mendlab.repair.searching.template import Change, changes, templates

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
_FEW: Final = 5.0
"""A template that a program gives so little to do (by the sum of its weights) has half of its share."""
_SHARE_OF_TYPES: Final = 1 / sum(_BUG_TYPES.values())


@final
@dataclass(frozen=True, slots=True)
class Candidate:
    """One changed file: by which operator or template, and by how much it is likelier than others to be right."""

    operator: str
    edits: tuple[Edit, ...]
    base: SourceText
    encoding: str
    likelihood: float

    @property
    def path(self) -> str:
        """The file that is changed."""
        return self.base.path

    @property
    def text(self) -> str:
        """The file's new text."""
        return apply(self.base.text, self.edits)

    @property
    def data(self) -> bytes | None:
        """The file's new content, or ``None`` where its encoding has no place for it."""
        try:
            return self.text.encode(self.encoding)
        except UnicodeEncodeError:
            return None

    @property
    def size(self) -> int:
        """How many characters are taken away and put in."""
        return sum(end - start + len(text) for start, end, text in self.edits)


def candidates(
    problem: Problem, places: Localisation, types: Types | None = None, without: Collection[str] = ()
) -> Iterator[Candidate]:
    """Yield every candidate: first the files that the failing tests reach, together; then the others, one by one.

    Within these, by suspicion of the place times the share of its kind of mistake, less for what a template or operator
    itself holds to be less likely; then small edits first. Not all are programs.

    ``types`` are those that names had while tests ran. ``without`` has operators, families and templates to leave out.
    """
    reached = [path for path in _sources(problem) if places.reaches(path)]
    if isinstance(problem.harness, PytestHarness) and places.knows_lines:  # a project is large, and little of it is run
        yield from _ranked(problem, reached, places, types or {}, without, run=True)
        yield from _ranked(problem, reached, places, types or {}, without, run=False)
    else:
        yield from _ranked(problem, reached, places, types or {}, without)
    for path in _sources(problem):
        if path not in reached:
            yield from _ranked(problem, [path], places, types or {}, without)


def names_of_all() -> frozenset[str]:
    """Return the names that ``without`` may have."""
    known = operators()
    return frozenset({op.name for op in known} | {op.family for op in known} | {each.name for each in templates()})


def _sources(problem: Problem) -> list[str]:
    return [path for path in problem.editable if path.endswith(".py") and path in problem.tree]


def _ranked(
    problem: Problem,
    paths: list[str],
    places: Localisation,
    types: Types,
    without: Collection[str],
    run: bool | None = None,
) -> list[Candidate]:
    """Return candidates, likeliest first: all, or those at places that failing tests ``run``, or those elsewhere."""

    def wanted(weight: float) -> bool:
        return run is None or (weight > UNRUN) is run

    mutants: list[tuple[Mutant, float, str]] = []
    made: list[tuple[Change, float, Source, SourceText]] = []
    for path in paths:
        text, encoding = decode(path, problem.tree[path])
        with suppress(InputError):  # the file does not parse: no operator can be applied to it
            near = partial(places.is_run, path) if run else None
            for mutant in propose_mutants(text, path=path, near=near).changes:
                weight = places.weight(path, mutant.function, mutant.span)
                if wanted(weight):
                    mutants.append((mutant, weight, encoding))
        with suppress(SyntaxError, ValueError, RecursionError):
            source = Source(path, text, encoding, types, problem.statement)
            base = SourceText.of(path, text)
            weigh = _weigher(source, places)
            for each in templates():
                if each.name not in without:
                    for change in changes(source, each):
                        weight = weigh(change.place)
                        if wanted(weight):
                            made.append((change, weight, source, base))
    mutants = [each for each in mutants if each[0].operator not in without and each[0].family not in without]
    found = [*_of_mutants(mutants), *_of_templates(made)]
    found.sort(key=lambda candidate: (-candidate.likelihood, candidate.size))
    return found


def _of_mutants(mutants: list[tuple[Mutant, float, str]]) -> Iterator[Candidate]:
    counts = Counter(_mended_type(mutant) for mutant, _, _ in mutants)
    for mutant, weight, encoding in mutants:
        kind = _mended_type(mutant)
        share = _BUG_TYPES[kind] * _SHARE_OF_TYPES / counts[kind] / (1 + mutant.rank)
        yield Candidate(mutant.operator, mutant.edits, mutant.base, encoding, share * weight)


def _of_templates(made: list[tuple[Change, float, Source, SourceText]]) -> Iterator[Candidate]:
    shares = {each.name: each.share for each in templates()}
    totals: Counter[str] = Counter()
    for change, suspicion, _, _ in made:
        totals[change.template] += change.weight * suspicion  # type: ignore[assignment]
    for change, suspicion, source, base in made:
        share = shares[change.template] * (change.weight * suspicion) / (totals[change.template] + _FEW)
        yield Candidate(change.template, change.edits, base, source.encoding, share)


def _weigher(source: Source, places: Localisation) -> Callable[[ast.AST], float]:
    """Return what tells how suspect a place of a source is; there are many changes at each."""
    known: dict[ast.AST, float] = {}

    def weigh(place: ast.AST) -> float:
        if place not in known:
            known[place] = places.weight(source.path, source.qualified_name(place), _span(source, place))
        return known[place]

    return weigh


def _span(source: Source, place: ast.AST) -> Span:
    """The lines of the statement that a change is made in, those of the head where it has a body."""
    statement = source.statement(place)
    if statement is None:
        return Span(start_line=1, start_column=0, end_line=1, end_column=0)
    body = getattr(statement, "body", None)
    end = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno or statement.lineno
    return Span(start_line=statement.lineno, start_column=0, end_line=end, end_column=0)


def _mended_type(mutant: Mutant) -> str:
    injected = get_operator(mutant.operator).bug_type
    return _MENDS.get(injected, injected)
