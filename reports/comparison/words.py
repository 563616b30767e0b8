"""A comparison in words: sentences, and the cells of its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mendlab.reports.comparison.compare import Comparison, Pair
from mendlab.reports.comparison.contenders import Contender
from mendlab.reports.statistics.paired import Difference
from mendlab.reports.words import counted, percent, rate

CONTENDER_COLUMNS: Final = ("", "run", "correct, 95% interval", "runs' range", "infra failing")
PAIR_COLUMNS: Final = ("pair", "points, 95% interval", "infra failing", "only 1st", "only 2nd", "p", "Holm", "")


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what came of the comparison: who is ahead of whom, who is tied, and what could have been seen."""
    for pair in comparison.pairs:
        if not pair.tied:
            points, span = 100 * pair.difference.value, _span(pair.difference)
            yield f"{pair.first} is better than {pair.second} by {points:.0f} points{span}."
    for tie in comparison.ties:
        yield f"Statistically tied: {', '.join(tie)}."
    if comparison.smallest is not None:
        yield (
            f"Differences below about {100 * comparison.smallest:.0f} points are too small for these "
            f"{counted(comparison.compared, 'task')} to show in four cases of five."
        )
    if left := comparison.tasks - comparison.compared:
        yield f"{counted(left, 'task')} without a verdict of every run or without weight: left out of the differences."


def contender_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return the cells of :data:`CONTENDER_COLUMNS`, a row a contender; they are numbered by rank."""
    return [(str(rank), *_contender(one)) for rank, one in enumerate(comparison.contenders, start=1)]


def _contender(one: Contender) -> tuple[str, ...]:
    name = one.label + (f" ({counted(len(one.runs), 'run')})" if len(one.runs) > 1 else "")
    span = "" if one.span is None else f"{percent(one.span[0])} to {percent(one.span[1])}"
    failing = percent(one.failing_infra.value) if one.infra_errors else ""
    return f"{name}, baseline" if one.baseline else name, rate(one.rate), span, failing


def pair_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """Return the cells of :data:`PAIR_COLUMNS`, a row a pair; contenders are named by their numbers."""
    ranks = {one.label: rank for rank, one in enumerate(comparison.contenders, start=1)}
    return [_pair(pair, ranks) for pair in comparison.pairs]


def _pair(pair: Pair, ranks: Mapping[str, int]) -> tuple[str, ...]:
    one = pair.difference
    return (
        f"{ranks[pair.first]} less {ranks[pair.second]}",
        f"{100 * one.value:+.0f}{_span(one)}",
        "" if pair.failing_infra is None else f"{100 * pair.failing_infra:+.0f}",
        str(one.only_first),
        str(one.only_second),
        p_value(one.p_value),
        p_value(pair.corrected),
        "tied" if pair.tied else "",
    )


def tests(comparison: Comparison) -> str:
    """Return which tests the p-values are of."""
    words = {
        "mcnemar": "exact McNemar",
        "sign_flip": "permutation of signs, all tasks of a program together",
    }
    used = dict.fromkeys(words[pair.difference.test] for pair in comparison.pairs)
    return f"p: {'; '.join(used)}. Holm: corrected for {counted(len(comparison.pairs), 'pair')}."


def _span(one: Difference) -> str:
    return "" if one.low is None or one.high is None else f" ({100 * one.low:+.0f} to {100 * one.high:+.0f})"


def p_value(value: float) -> str:
    """Return a p-value with two digits that count, never as nothing."""
    return "<0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
