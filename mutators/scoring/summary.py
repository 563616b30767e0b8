"""The mutation score, and the counts it is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from mendlab.records import MutantStatus, MutantVerdict

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
    """Return the mutants that survive: one of each line before a second, and those first that most tests reach."""
    seen: Counter[tuple[str, str, int]] = Counter()
    ranked = []
    for verdict in verdicts:
        if verdict.status in SURVIVED:
            line = 0 if verdict.defect.span is None else verdict.defect.span.start_line
            place = verdict.subject, file_of(verdict), line
            ranked.append((seen[place], -(verdict.reached or 0), verdict))
            seen[place] += 1
    return [verdict for *_, verdict in sorted(ranked, key=lambda item: item[:2])]


def file_of(verdict: MutantVerdict) -> str:
    """Return the file that a mutant changes."""
    return verdict.defect.files[0]


def _grouped(verdicts: Iterable[MutantVerdict], key: Callable[[MutantVerdict], str]) -> dict[str, Counts]:
    groups: dict[str, list[MutantVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(key(verdict), []).append(verdict)
    return {name: Counts.of(group) for name, group in sorted(groups.items())}
