"""The formulas of fault localisation, on spectra small enough to be worked out by hand."""

from __future__ import annotations

import math

import pytest

from mendlab.repair.searching.spectrum import FORMULAS, Formula, Spectrum, suspicion

# Line 1 runs in all tests, 2 in the failing one alone, 3 in one that passes and the one that fails, 4 in passing ones.
LINES = {"bad": {1, 2, 3}, "one": {1, 3, 4}, "two": {1, 4}}
SPECTRUM = Spectrum({test: {"m.py": frozenset(lines)} for test, lines in LINES.items()}, {"m.py": frozenset({9})})


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("ochiai", {1: 1 / math.sqrt(3), 2: 1.0, 3: 1 / math.sqrt(2)}),
        ("tarantula", {1: 1 / 2, 2: 1.0, 3: 1 / 1.5}),
        ("dstar", {1: 1 / 2 / 2, 2: 1.0, 3: 1 / 2}),
        ("op2", {1: (2 - 2 / 3) / 2, 2: 1.0, 3: (2 - 1 / 3) / 2}),
    ],
)
def test_each_formula_is_that_of_its_paper(formula: Formula, expected: dict[int, float]) -> None:
    found = suspicion(SPECTRUM, {"bad"}, formula)["m.py"]
    assert {line: found.get(line) for line in (1, 2, 3)} == pytest.approx(expected)
    assert 4 not in found
    assert found[9] == min(expected.values())  # what runs at import is as suspect as the least


def test_without_a_failing_test_or_a_line_nothing_is_suspect() -> None:
    assert suspicion(SPECTRUM, set()) == {}
    assert suspicion(Spectrum({"bad": {}}, {}), {"bad"}) == {}
    assert set(FORMULAS) == {"ochiai", "tarantula", "dstar", "op2"}
