"""The mutation score, and the counts it is made of."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from mendlab.records import MutantStatus, MutantVerdict, TestOutcome

KILLED: Final = (MutantStatus.KILLED_BY_ASSERTION, MutantStatus.KILLED_BY_ERROR)
SURVIVED: Final = (MutantStatus.SURVIVED, MutantStatus.NOT_INFECTED)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many mutants there are of each status."""

    by_status: dict[MutantStatus, int]

    @classmethod
    def of(cls, verdicts: Iterable[MutantVerdict]) -> Counts:
        """Count; a status that no mutant has is there with 0."""
        counted = Counter(verdict.status for verdict in verdicts)
        return cls({status: counted[status] for status in MutantStatus})

    @property
    def total(self) -> int:
        """All mutants."""
        return sum(self.by_status.values())

    @property
    def killed(self) -> int:
        """Those on which a test fails."""
        return sum(self.by_status[status] for status in KILLED)

    @property
    def survived(self) -> int:
        """Those that tests reach and all tests pass on."""
        return sum(self.by_status[status] for status in SURVIVED)

    @property
    def score(self) -> float | None:
        """``killed / (killed + survived)``, from 0 to 1; None where nothing was killed and nothing survived."""
        decided = self.killed + self.survived
        return self.killed / decided if decided else None

    @property
    def score_with_unreached(self) -> float | None:
        """``killed / (killed + survived + unreached)``: what no test reaches counts as surviving."""
        decided = self.killed + self.survived + self.by_status[MutantStatus.UNREACHED]
        return self.killed / decided if decided else None


def by_file(verdicts: Iterable[MutantVerdict]) -> dict[str, Counts]:
    """Return the counts of each file; of several programs each file has the program's name before it."""
    verdicts = list(verdicts)
    several = len({verdict.subject for verdict in verdicts}) > 1
    return _grouped(verdicts, lambda each: f"{each.subject}:{file_of(each)}" if several else file_of(each))


def by_family(verdicts: Iterable[MutantVerdict]) -> dict[str, Counts]:
    """Return the counts of each family of operators."""
    return _grouped(verdicts, lambda verdict: verdict.defect.family or "")


def survivors(verdicts: Iterable[MutantVerdict]) -> list[MutantVerdict]:
    """Return the mutants that survive: one of each line before a second, and those first that most tests reach.

    Those that run at import, where no test comes by of its own, are last.
    """
    seen: Counter[tuple[str, str, int]] = Counter()
    ranked = []
    for verdict in verdicts:
        if verdict.status in SURVIVED:
            line = 0 if verdict.defect.span is None else verdict.defect.span.start_line
            place = verdict.subject, file_of(verdict), line
            ranked.append((verdict.at_import, seen[place], -(verdict.reached or 0), verdict))
            seen[place] += 1
    return [verdict for *_, verdict in sorted(ranked, key=lambda item: item[:3])]


@dataclass(frozen=True, slots=True)
class Kills:
    """How many mutants a test kills, and how many of these no other test does."""

    kills: int
    alone: int


def kills_by_test(verdicts: Iterable[MutantVerdict], tests: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Kills]:
    """Return what each test, named with its program, kills of mutants on which every test was run."""
    kills, alone = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for verdict in verdicts:
        killers = _killers(verdict)
        kills.update((verdict.subject, test) for test in killers)
        if len(killers) == 1:
            alone[verdict.subject, killers[0]] += 1
    return {test: Kills(kills[test], alone[test]) for test in tests}


def median_killers(verdicts: Iterable[MutantVerdict]) -> float | None:
    """Return the median number of tests that kill a killed mutant, or None if none is killed."""
    numbers = [len(killers) for verdict in verdicts if (killers := _killers(verdict))]
    return statistics.median(numbers) if numbers else None


def _killers(verdict: MutantVerdict) -> list[str]:
    """The tests that kill a killed mutant; of one that takes too long nobody knows whether it would fail."""
    if verdict.status not in KILLED:
        return []
    return [test for test, outcome in verdict.killers.items() if outcome is not TestOutcome.TIMEOUT]


def file_of(verdict: MutantVerdict) -> str:
    """Return the file that a mutant changes."""
    return verdict.defect.files[0]


def _grouped(verdicts: Iterable[MutantVerdict], key: Callable[[MutantVerdict], str]) -> dict[str, Counts]:
    groups: dict[str, list[MutantVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return {name: Counts.of(group) for name, group in sorted(groups.items())}
