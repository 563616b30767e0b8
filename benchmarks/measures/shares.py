"""A share of yes among yes and no, with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mendlab.reports.statistics import wilson


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``total``."""

    hits: int
    total: int

    @classmethod
    def of(cls, answers: Iterable[bool]) -> Share:
        """Count the answers."""
        listed = list(answers)
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float:
        """From 0 to 1; 0 of nothing is 0."""
        return self.hits / self.total if self.total else 0.0

    def __str__(self) -> str:
        """Percent and counts."""
        return f"{self.value:.1%} ({self.hits}/{self.total})" if self.total else "-"

    def with_interval(self) -> str:
        """Percent, counts and the 95% Wilson interval."""
        if not self.total:
            return "-"
        low, high = wilson(self.hits, self.total)
        return f"{self} [{low:.1%}, {high:.1%}]"

    def data(self) -> dict[str, Any]:
        """Plain data, with the interval."""
        low, high = wilson(self.hits, self.total) if self.total else (None, None)
        return {"hits": self.hits, "total": self.total, "share": self.value, "low": low, "high": high}
