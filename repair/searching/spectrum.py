"""Spectrum-based fault localisation: how suspect a line is, by which tests run it and how they end."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal, final

Formula = Literal["ochiai", "tarantula", "dstar", "op2"]


def _ochiai(failed: int, passed: int, all_failed: int, all_passed: int) -> float:
    """Abreu et al., 2006."""
    return failed / math.sqrt(all_failed * (failed + passed)) if failed else 0.0


def _tarantula(failed: int, passed: int, all_failed: int, all_passed: int) -> float:
    """Jones and Harrold, 2005."""
    bad, good = failed / all_failed, passed / all_passed if all_passed else 0.0
    return bad / (bad + good) if failed else 0.0


def _dstar(failed: int, passed: int, all_failed: int, all_passed: int) -> float:
    """D* with the exponent 2 (Wong et al., 2014); what would be infinite is one more than can be reached otherwise."""
    rest = passed + all_failed - failed
    return failed**2 / rest if rest else all_failed**2 + 1.0


def _op2(failed: int, passed: int, all_failed: int, all_passed: int) -> float:
    """Naish et al., 2011; lifted so that nothing is below 0."""
    return failed - passed / (all_passed + 1) + 1.0 if failed else 0.0


FORMULAS: Final[Mapping[Formula, Callable[[int, int, int, int], float]]] = {
    "ochiai": _ochiai,
    "tarantula": _tarantula,
    "dstar": _dstar,
    "op2": _op2,
}


@final
@dataclass(frozen=True, slots=True)
class Spectrum:
    """Which lines of which files each test runs, and which run when the files are imported, whatever the test."""

    lines: Mapping[str, Mapping[str, frozenset[int]]]
    imported: Mapping[str, frozenset[int]]


def suspicion(spectrum: Spectrum, failing: Collection[str], formula: Formula = "ochiai") -> dict[str, dict[int, float]]:
    """Return how suspect each line is that a failing test runs, by file, the most suspect 1.

    Lines that run at import are as suspect as the least of those. Of a file none of which is run nothing is said.
    """
    all_failed = sum(test in failing for test in spectrum.lines)
    all_passed = len(spectrum.lines) - all_failed
    if not all_failed:
        return {}
    counts: dict[tuple[str, int], list[int]] = {}
    for test, files in spectrum.lines.items():
        for path, run in files.items():
            for line in run:
                counts.setdefault((path, line), [0, 0])[test not in failing] += 1
    scores = {
        place: FORMULAS[formula](failed, passed, all_failed, all_passed) for place, (failed, passed) in counts.items()
    }
    most, least = max(scores.values(), default=0.0), min((score for score in scores.values() if score), default=0.0)
    if not most:
        return {}
    found: dict[str, dict[int, float]] = {
        path: dict.fromkeys(lines, least / most) for path, lines in spectrum.imported.items()
    }
    for (path, line), score in scores.items():
        if score:
            found.setdefault(path, {})[line] = score / most
    return found
