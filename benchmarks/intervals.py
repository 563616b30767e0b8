"""Whether 95% intervals hold the true rate in 95 of 100 cases, on made-up task sets whose rate is known.

    python benchmarks/intervals.py [--draws 2000] [--json FILE] [--markdown FILE]

docs/statistics.md says what the tables mean. Exits with 1 if the stated goal is missed. Progress goes to stderr.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import click
import numpy as np
from covering.drawing import KINDS, Cell, draw
from covering.methods import METHODS, WITH_BOOTSTRAP, Method, Z
from covering.ranks import rank_coverage
from measures.progress import each, say
from measures.section import Goal, Section, Table, goals_table, markdown, write
from scipy.stats import binom

from mendlab.reports.statistics.intervals import score_interval
from mendlab.reports.statistics.paired import difference

LOW, HIGH = 0.93, 0.97
RATES = "0.03,0.5,0.97"
BATCH = 250
Covered = dict[str, float]


@click.command()
@click.option("--draws", default=1000, show_default=True, help="Task sets drawn of each kind.")
@click.option("--paired-draws", default=300, show_default=True, help="The same, for differences.")
@click.option("--bootstrap-draws", default=200, show_default=True, help="The same, where the bootstrap is asked.")
@click.option("--tasks", default="50,100,300,1000", show_default=True, help="Sizes of task sets.")
@click.option("--samples", default="1,3,10", show_default=True, help="Samples of each task.")
@click.option("--rates", "true_rates", default=RATES, show_default=True, help="True rates.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=1, show_default=True)
@click.option("--only", default="rates,differences,bootstrap,ranks", show_default=True, help="Parts to measure.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(
    *, draws: int, paired_draws: int, bootstrap_draws: int, tasks: str, samples: str, true_rates: str, seed: int,
    jobs: int, only: str, json_file: Path | None, markdown_file: Path | None,
) -> None:  # fmt: skip
    """Measure the coverage of intervals."""
    sizes, counts = ([int(number) for number in text.split(",")] for text in (tasks, samples))
    cells = list(_cells(sizes, counts, [float(rate) for rate in true_rates.split(",")]))
    few = [cell for cell in cells if cell.rate <= 0.5 and cell.tasks <= 100]
    parts: dict[str, Callable[[], Section]] = {
        "rates": lambda: rates(cells, draws, seed, jobs),
        "differences": lambda: differences(few, paired_draws, seed, jobs),
        "bootstrap": lambda: bootstrapped(
            [cell for cell in few if cell.samples == counts[-1]], bootstrap_draws, seed, jobs
        ),
        "ranks": lambda: ranked(bootstrap_draws, seed, jobs),
    }
    if unknown := set(only.split(",")) - parts.keys():
        raise click.BadParameter(f"{', '.join(sorted(unknown))}; there are {', '.join(parts)}", param_hint="--only")
    sections: list[Section] = []
    for name in only.split(","):
        sections.append(parts[name]())
        for table in sections[-1].tables:
            print(markdown(table), flush=True)
        write(sections, json_file, markdown_file)
    goals = [goal for section in sections for goal in section.goals]
    print(markdown(goals_table(goals)))
    if missed := [goal.name for goal in goals if not goal.met]:
        say(f"missed: {', '.join(missed)}")
        sys.exit(1)


def _cells(sizes: Sequence[int], samples: Sequence[int], true_rates: Sequence[float]) -> Iterator[Cell]:
    for kind, tasks, count, rate in product(KINDS, sizes, samples, true_rates):
        for alike in (0.0,) if kind == "none" else (0.05, 0.2):
            yield Cell(kind, tasks, count, rate, alike)


def coverage(cell: Cell, methods: Mapping[str, Method], draws: int, seed: int) -> Covered:
    """Return the share of draws in which each method's interval holds the true rate.

    Where tasks have a sample and a subject each the successes are binomial, and mendlab's share needs no draws.
    """
    chance = np.random.default_rng([seed, *map(ord, repr(cell))])
    hits = dict.fromkeys(methods, 0)
    for start in range(0, draws, BATCH):
        values, subjects = draw(cell, chance, min(BATCH, draws - start))
        for name, method in methods.items():
            low, high = method(values, subjects, cell)
            hits[name] += int(((low - 1e-9 <= cell.rate) & (cell.rate <= high + 1e-9)).sum())
    covered = {name: hit / draws for name, hit in hits.items()}
    return covered | {"mendlab": exact(cell)} if cell.kind == "none" and cell.samples == 1 else covered


def exact(cell: Cell) -> float:
    """Return the coverage of Wilson's interval by the binomial distribution, summed over every outcome."""
    successes = np.arange(cell.tasks + 1)
    low, high = score_interval(successes / cell.tasks, cell.tasks, Z)
    return float(binom.pmf(successes, cell.tasks, cell.rate)[(low <= cell.rate) & (cell.rate <= high)].sum())


def difference_coverage(cell: Cell, draws: int, seed: int) -> Covered:
    """Return the same of the difference of two repairers whose true rates are equal, on tasks that they find alike."""
    chance = np.random.default_rng([seed, *map(ord, repr(cell))])
    hits = rejected = 0
    for _ in range(draws):
        drawn, subjects = draw(Cell(cell.kind, cell.tasks, 2 * cell.samples, cell.rate, cell.alike), chance)
        together = drawn[0]
        first = chance.hypergeometric(*_split(together, cell.samples)) / cell.samples
        found = difference(first.tolist(), (2 * together - first).tolist(), subjects.tolist())
        assert found.low is not None and found.high is not None
        hits += found.low <= 0 <= found.high
        rejected += found.p_value < 0.05
    return {"interval": hits / draws, "told apart": rejected / draws}


def _split(together: np.ndarray, samples: int) -> tuple[np.ndarray, np.ndarray, int]:
    successes = np.round(together * 2 * samples).astype(int)
    return successes, 2 * samples - successes, samples


def rates(cells: Sequence[Cell], draws: int, seed: int, jobs: int) -> Section:
    """The coverage of intervals of a rate."""
    found = dict(zip(cells, each("rates", _Rates(METHODS, draws, seed), cells, jobs), strict=True))
    within = [cell for cell in cells if LOW <= found[cell]["mendlab"] <= HIGH]
    low = [cell for cell in cells if found[cell]["mendlab"] < LOW]
    high = [cell for cell in cells if found[cell]["mendlab"] > HIGH]
    lowest = min(cells, key=lambda cell: found[cell]["mendlab"])
    measured = f"{len(within)} of {len(cells)} kinds; {len(low)} below, {len(high)} above"
    return Section(
        "rates",
        [
            _summary("Coverage of nominal 95% intervals", found, list(METHODS)),
            _by("by true rate", found, lambda cell: f"{cell.rate:g}"),
            _by("by subjects", found, lambda cell: f"{cell.kind}, alike {cell.alike:g}"),
            _by("by tasks", found, lambda cell: f"{cell.tasks:,}"),
            _by("by samples", found, lambda cell: str(cell.samples)),
            _outside(low + high, found),
        ],
        {"cells": [_plain(cell, covered) for cell, covered in found.items()]},
        [
            Goal("mendlab's intervals, every kind", "93 to 97%", measured, len(within) == len(cells)),
            Goal("the lowest of them", "93% or more", f"{found[lowest]['mendlab']:.1%}, {lowest}", not low),
        ],
    )


def _outside(cells: Sequence[Cell], found: Mapping[Cell, Covered]) -> Table:
    """What would be covered there if it were known how alike tasks are, and where they are alike otherwise."""
    rows = []
    for cell in cells:
        twins = [found[each]["mendlab"] for each in found if each != cell and replace(each, alike=cell.alike) == cell]
        rows.append(
            (
                f"{cell.kind}, {cell.tasks:,} tasks, {cell.samples} samples, {cell.rate:g}, alike {cell.alike:g}",
                f"{found[cell]['mendlab']:.1%}",
                f"{found[cell]['told how alike']:.1%}",
                ", ".join(f"{twin:.1%}" for twin in twins),
            )
        )
    return Table("Kinds that are not within", ("", "mendlab", "told how alike", "the same, otherwise alike"), rows)


def ranked(draws: int, seed: int, jobs: int) -> Section:
    """The coverage of the bootstrap for what the reports ask it for: rank correlations."""
    kinds = [(kind, tasks, rho) for kind in KINDS for tasks in (100,) for rho in (0.0, 0.7)]
    found = list(each("ranks", _Ranks(draws, seed), kinds, jobs))
    rows = [
        (f"{kind}, {tasks} tasks", f"{rho:g}", f"{share:.1%}")
        for (kind, tasks, rho), share in zip(kinds, found, strict=True)
    ]
    title = f"Coverage of the cluster bootstrap for Spearman's correlation, {draws} draws"
    return Section("ranks", [Table(title, ("", "correlation", "coverage"), rows)], {"covered": dict(enumerate(found))})


def differences(cells: Sequence[Cell], draws: int, seed: int, jobs: int) -> Section:
    """The coverage of intervals of a difference, and how often equal repairers are told apart."""
    found = dict(zip(cells, each("differences", _Differences(draws, seed), cells, jobs), strict=True))
    return Section(
        "differences",
        [_summary("Differences of equal repairers", found, ["interval", "told apart"])],
        {"cells": [_plain(cell, covered) for cell, covered in found.items()]},
    )


def bootstrapped(cells: Sequence[Cell], draws: int, seed: int, jobs: int) -> Section:
    """The coverage of the bootstrap beside the others."""
    found = dict(zip(cells, each("bootstrap", _Rates(WITH_BOOTSTRAP, draws, seed), cells, jobs), strict=True))
    return Section(
        "bootstrap",
        [_summary(f"The same with {cells[0].samples} samples of few tasks", found, list(WITH_BOOTSTRAP))],
        {"cells": [_plain(cell, covered) for cell, covered in found.items()]},
    )


class _Rates:
    def __init__(self, methods: Mapping[str, Method], draws: int, seed: int) -> None:
        self._arguments = methods, draws, seed

    def __call__(self, cell: Cell) -> Covered:
        return coverage(cell, *self._arguments)


class _Ranks:
    def __init__(self, draws: int, seed: int) -> None:
        self._arguments = draws, seed

    def __call__(self, kind: tuple[str, int, float]) -> float:
        return rank_coverage(*kind, *self._arguments)


class _Differences:
    def __init__(self, draws: int, seed: int) -> None:
        self._arguments = draws, seed

    def __call__(self, cell: Cell) -> Covered:
        return difference_coverage(cell, *self._arguments)


def _summary(title: str, found: Mapping[Cell, Covered], names: Sequence[str]) -> Table:
    rows = []
    for name in names:
        values = sorted(covered[name] for covered in found.values())
        within = sum(LOW <= value <= HIGH for value in values)
        cells = (values[0], values[len(values) // 2], values[-1])
        rows.append((name, *(f"{value:.1%}" for value in cells), f"{within} of {len(values)}"))
    return Table(title, ("", "lowest", "median", "highest", "93 to 97%"), rows)


def _by(title: str, found: Mapping[Cell, Covered], key: object) -> Table:
    assert callable(key)
    groups: defaultdict[str, list[Covered]] = defaultdict(list)
    for cell, covered in found.items():
        groups[key(cell)].append(covered)
    rows = [
        (name, *(f"{min(values):.1%} to {max(values):.1%}" for values in _columns(some)))
        for name, some in groups.items()
    ]
    return Table(f"Lowest and highest coverage {title}", ("", *METHODS), rows)


def _columns(some: Sequence[Covered]) -> list[list[float]]:
    return [[covered[name] for covered in some] for name in METHODS]


def _plain(cell: Cell, covered: Covered) -> dict[str, object]:
    return {
        "kind": cell.kind, "tasks": cell.tasks, "samples": cell.samples, "rate": cell.rate, "alike": cell.alike,
        **covered,
    }  # fmt: skip


if __name__ == "__main__":
    main()
