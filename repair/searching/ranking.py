"""Which of several plausible patches is right: those that do the same stand together, and the likeliest do win.

How patches behave is seen on inputs near those of the tests. The likelihood of what a group of patches does is the sum
of theirs; it is less for what raises where the buggy program does not, and more for what the statement's examples say.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from mendlab.corpora.text import decode
from mendlab.repair.candidates import Candidate
from mendlab.repair.problem import Problem
from mendlab.repair.searching.natural import naturalness
from mendlab.repair.searching.screening import QuickScreen, Screen
from mendlab.verify.confined.function.wire import Malformed
from mendlab.verify.equivalence.inputs.annotations import optional_parameters, parameters_of
from mendlab.verify.equivalence.inputs.generating import generate
from mendlab.verify.equivalence.inputs.literals import literals_of
from mendlab.verify.equivalence.inputs.travel import key_of, read_arguments

Call = list[Any]
Ends = list[tuple[str, str] | None]
MOST_COMPARED: Final = 60
INPUTS: Final = 120
EXAMPLE_WORTH: Final = 20.0
"""How much likelier a patch is for each example of the statement that holds with it and not with another."""
RAISING: Final = 4.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """Plausible patches, the best first, and how many groups of equal behaviour there are (None: not compared)."""

    patches: list[Candidate]
    groups: int | None


def rank(problem: Problem, plausible: Sequence[Candidate], screen: Screen, calls: Sequence[Call]) -> Ranked:
    """Return the patches in order. Raises EngineError."""
    scores = {id(patch): patch.likelihood * naturalness(patch) for patch in plausible}
    patches = sorted(plausible, key=lambda patch: (-scores[id(patch)], patch.size))[:MOST_COMPARED]
    if len(patches) < 2 or not isinstance(screen, QuickScreen):
        return Ranked(patches, None)
    inputs = fresh_calls(problem, calls)
    versions = [patch.data or b"" for patch in patches]
    buggy = problem.tree[patches[0].path]
    held = screen.examples_passed(versions)
    before, *ends = screen.behaviours([buggy, *versions], inputs) if inputs else ([], *([] for _ in versions))
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, told in enumerate(ends):
        groups.setdefault(tuple(told), []).append(at)
    totals: dict[int, float] = {}
    for members in groups.values():
        total = sum(scores[id(patches[at])] for at in members)
        at = members[0]
        total *= EXAMPLE_WORTH ** (held[at] - max(held)) / (1 + RAISING * _newly_raising(before, ends[at]))
        totals.update(dict.fromkeys(members, total))
    order = sorted(range(len(patches)), key=lambda at: (-totals[at], at))
    return Ranked([patches[at] for at in order], len(groups))


def _newly_raising(before: Ends, after: Ends) -> float:
    """The share of calls that end in an error, or not at all, and did not before."""
    pairs = [(one, other) for one, other in zip(before, after, strict=True) if one and other]
    worse = sum(one[0] == "returns" and other[0] != "returns" for one, other in pairs)
    return worse / len(pairs) if pairs else 0.0


def fresh_calls(problem: Problem, recorded: Sequence[Call]) -> list[Call]:
    """Return calls near the recorded ones, of each function that the tests call."""
    source = "\n".join(decode(path, problem.tree[path]).text for path in problem.editable if path in problem.tree)
    functions = dict.fromkeys((module, name) for module, name, _ in recorded)
    found: list[Call] = []
    for module, name in functions:
        messages = [message for place, called, message in recorded if (place, called) == (module, name)]
        given = []
        for message in messages:
            with suppress(Malformed):
                given.append(read_arguments(message))
        known = {key_of(message) for message in messages}
        fresh = generate(
            given, known, literals_of([source]), INPUTS // len(functions) + 1, parameters_of(source, name),
            optional_parameters(source, name),
        )  # fmt: skip
        found += [[module, name, one.message] for one in fresh if one.source != "beyond"]
    return found
