"""How well grades rank tasks for solvers that had no part in them.

    mendlab inject humaneval --per-function 3 --limit 400 --seed 8 --out tasks
    python benchmarks/difficulty.py tasks --work WORK [--candidates 150] [--json FILE] [--markdown FILE]

The solvers are searches with several budgets and subsets of the operators; WORK keeps what was tried, and their runs.
docs/difficulty.md says what the tables mean. Exits with 1 if the stated goal is missed. Progress goes to stderr.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from graded.solving import Solver, write_runs
from graded.trying import Tried, try_all
from measures.progress import say
from measures.section import Goal, Section, Table, goals_table, markdown, write

from mendlab.corpora.taskset import TaskSet
from mendlab.records import Grades
from mendlab.reports.comparison.contenders import contenders
from mendlab.reports.data import Material
from mendlab.reports.difficulty.agreeing import spearman
from mendlab.reports.difficulty.features import Features
from mendlab.reports.difficulty.grading import features_of, grade
from mendlab.reports.difficulty.solvers import outcomes
from mendlab.reports.load import load_runs
from mendlab.verify.bench import set_up_bench
from mendlab.workers import unheard

WANTED = 0.6
TASKS = 300
EFFORT = ("search_rank",)


@click.command()
@click.argument("taskset", type=click.Path(exists=True, path_type=Path))
@click.option("--work", type=click.Path(path_type=Path), required=True, help="Where what is found out is kept.")
@click.option("--candidates", default=150, show_default=True, help="Candidates tried on each task.")
@click.option("--jobs", default=1, show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(
    *, taskset: Path, work: Path, candidates: int, jobs: int, json_file: Path | None, markdown_file: Path | None
) -> None:
    """Measure how well grades agree with solvers held out."""
    opened, bench = TaskSet.open(taskset), set_up_bench()
    work.mkdir(parents=True, exist_ok=True)
    tried = try_all(opened, bench, candidates, work / "tried.jsonl", jobs)
    named = solvers(tried, candidates)
    paths = write_runs(opened, bench, named, tried, work / "runs")
    known = features_of(opened, workers=1, progress=unheard)
    section = measured(opened, known, paths, named)
    for table in [*section.tables, goals_table(section.goals)]:
        print(markdown(table))
    write([section], json_file, markdown_file)
    if missed := [goal.name for goal in section.goals if not goal.met]:
        say(f"missed: {', '.join(missed)}")
        sys.exit(1)


def solvers(tried: Mapping[str, Tried], most: int) -> list[Solver]:
    """Return searches with four budgets over all families, and two over each half of them.

    The halves are of like size: families by how many candidates they have, taken in turn.
    """
    counts = Counter(family for each in tried.values() for family in each.families)
    ranked = [family for family, _ in counts.most_common()]
    odd, even = frozenset(ranked[::2]), frozenset(ranked[1::2])
    whole = [Solver(f"all-{most // part}", most // part) for part in (1, 3, 8, 25)]
    half = [Solver(f"{name}-{b}", b, some) for name, some in (("odd", odd), ("even", even)) for b in (most, most // 8)]
    return [*whole, *half]


def measured(taskset: TaskSet, known: Sequence[Features], paths: Sequence[Path], named: Sequence[Solver]) -> Section:
    """Return what came of it, with every solver's rate.

    Two ways to hold out: every other solver by strength, and those of one half of the operators against those of the
    other half, which try no candidate that the first try.
    """
    runs = load_runs(paths, taskset)
    everyone = Material(runs, taskset.tasks)
    odd, even = (
        Material(tuple(run for run in runs if run.config.run_id.startswith(side)), taskset.tasks)
        for side in ("odd", "even")
    )
    blind = [{name: value for name, value in one.items() if name not in EFFORT} for one in known]
    ways = {
        "every other solver": grade(taskset, known, everyone),
        "the same, without search_rank": grade(taskset, blind, everyone),
        "operators that share no family": grade(taskset, known, odd, even),
    }
    best = next(one for one in ways["every other solver"].agreement if one.method == "calibrated")
    told = f"{_value(best.correlation)} ({_value(best.low)} to {_value(best.high)}) on {best.tasks} tasks"
    met = (best.correlation or 0.0) >= WANTED and best.tasks >= TASKS
    return Section(
        "difficulty",
        [
            _solvers(everyone),
            _agreements(ways),
            _each_feature(taskset, known, everyone),
            _calibration(ways["every other solver"]),
        ],
        {way: grades.model_dump(mode="json", exclude={"tasks"}) for way, grades in ways.items()},
        [Goal("rank correlation on solvers held out", f"{WANTED} or more on {TASKS} tasks", told, met)],
    )


def _solvers(material: Material) -> Table:
    found = contenders(material)
    rows = [
        (one.label, _percent(one.rate.value), f"{_percent(one.rate.low)} to {_percent(one.rate.high)}") for one in found
    ]
    return Table("Solvers", ("solver", "correct", "95% interval"), rows)


def _agreements(ways: Mapping[str, Grades]) -> Table:
    rows = [
        (way, one.method, _value(one.correlation), f"{_value(one.low)} to {_value(one.high)}", str(one.tasks))
        for way, grades in ways.items()
        for one in grades.agreement
    ]
    columns = ("held out", "grades by", "rho", "95% interval", "tasks")
    return Table("Spearman's correlation with failure rates of solvers held out", columns, rows)


def _each_feature(taskset: TaskSet, known: Sequence[Features], material: Material) -> Table:
    failing = outcomes(contenders(material), taskset.tasks).fail_rates
    rows = [(name, _value(spearman([one[name] for one in known], failing))) for name in known[0]]
    return Table("Each feature by itself, with the failure rates of all solvers", ("feature", "rho"), rows)


def _calibration(grades: Grades) -> Table:
    rows = [
        (
            str(one.tasks),
            _percent(one.predicted),
            _percent(one.observed),
            f"{_percent(one.low)} to {_percent(one.high)}",
        )
        for one in grades.calibration
    ]
    return Table("Calibration, tasks and solvers held out", ("tasks", "predicted", "observed", "95% interval"), rows)


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


if __name__ == "__main__":
    main()
