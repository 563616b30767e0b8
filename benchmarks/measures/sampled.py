"""Reach within the first so many mutants drawn, by strategy: what weights are worth."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev
from typing import Final

from measures.reach import DEEPEST, Reached
from measures.section import Goal, Section, Table
from measures.shares import Share
from mendlab.mutators import STRATEGIES

DEPTHS: Final = (10, 30, 100, DEEPEST)


def section(sets: dict[str, list[Reached]], seeds: int) -> Section:
    """A curve for each set and strategy, mean over the seeds with their standard deviation, and the natural goal."""
    rows, goals = [], []
    data: dict[str, dict[str, dict[str, list[float]]]] = {}
    for label, found in sets.items():
        whole = Share.of(one.hit for one in found)
        data[label] = {}
        for strategy in STRATEGIES:
            curve = {depth: shares_within(found, strategy, depth, seeds) for depth in DEPTHS}
            data[label][strategy] = {str(depth): shares for depth, shares in curve.items()}
            rows.append((label, strategy, *(_spread(shares) for shares in curve.values()), f"{whole.value:.1%}"))
        goals.append(_natural_goal(label, data[label]))
    columns = ("set", "weights", *(f"first {depth}" for depth in DEPTHS), "all")
    note = f"mean and standard deviation over {seeds} seeds"
    return Section("sampled", [Table("Reach within the first mutants drawn", columns, rows, [note])], data, goals)


def shares_within(found: Sequence[Reached], strategy: str, depth: int, seeds: int) -> list[float]:
    """For each seed the share of pairs whose bug is among the first ``depth`` mutants drawn."""
    return [
        mean((rank := one.ranks[strategy][seed]) is not None and rank <= depth for one in found)
        for seed in range(seeds)
    ]


def _natural_goal(label: str, curves: dict[str, dict[str, list[float]]]) -> Goal:
    natural, uniform = curves["natural"]["100"], curves["uniform"]["100"]
    gaps = [n - u for n, u in zip(natural, uniform, strict=True)]
    error = stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else 0.0
    measured = f"{mean(natural):.1%} against {mean(uniform):.1%}, difference {mean(gaps):+.1%} (error {error:.1%})"
    return Goal(f"natural weights, first 100, {label}", "above uniform by two errors", measured, mean(gaps) > 2 * error)


def _spread(shares: Sequence[float]) -> str:
    return f"{mean(shares):.1%} ± {stdev(shares) if len(shares) > 1 else 0.0:.1%}"
