"""The few numbers that tables of code models have: pass@1 by the tests, time to execute, tokens, money, retries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.records import Outcome, Rung, Usage
from mendlab.reports.costs import Total, total
from mendlab.reports.data import Judged
from mendlab.reports.rates import Rates

_RUN_THE_TESTS: Final = frozenset({Rung.COMPILE, Rung.NEW_TESTS, Rung.REGRESSION, Rung.HELD_OUT})


@dataclass(frozen=True, slots=True)
class Metrics:
    """A run in a row of a table.

    Attributes:
        completion: whether its tasks are functions to be written, and not mended.
        pass_at_1: the share of first tries that pass every test (0 to 1), infra errors left out.
        average_execution_seconds: CPU time that the tests of one program take, over the programs that were run.
        tokens: of prompts and answers together, of every kind.
        cost_usd: in US dollars.
        retries: how many calls were made again.
    """

    completion: bool
    pass_at_1: float | None
    average_execution_seconds: float | None
    tokens: Total
    cost_usd: Total
    retries: int


def metrics(judged: Sequence[Judged], found: Rates) -> Metrics:
    """Return the metrics of a run, whose rates are known."""
    attempts = [one.attempt for one in judged if one.attempt is not None]
    seconds = [spent for one in judged if (spent := _executed(one)) is not None]
    return Metrics(
        completion=bool(judged) and all(one.task.kind == "completion" for one in judged),
        pass_at_1=found.passes_all_tests[0].excluding_infra.value,
        average_execution_seconds=sum(seconds) / len(seconds) if seconds else None,
        tokens=total(_tokens(attempt.usage) for attempt in attempts),
        cost_usd=total(attempt.cost_usd for attempt in attempts),
        retries=sum(attempt.retries for attempt in attempts),
    )


def _executed(one: Judged) -> float | None:
    """The CPU seconds of the tests, ``None`` where none were run."""
    if one.verdict is None or one.verdict.outcome is Outcome.INFRA_ERROR or not one.verdict.after:
        return None
    return sum(report.cpu_seconds or 0.0 for report in one.verdict.rungs if report.rung in _RUN_THE_TESTS)


def _tokens(usage: Usage | None) -> float | None:
    """All tokens of an attempt; those of the output have the reasoning in them. ``None`` where either is unknown."""
    if usage is None or usage.uncached_tokens is None or usage.output_tokens is None:
        return None
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    return usage.uncached_tokens + cached + usage.output_tokens
