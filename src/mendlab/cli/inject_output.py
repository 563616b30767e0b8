"""What ``mendlab inject`` prints when it is done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from mendlab.cli.opening import note_set_aside, tests_set_aside
from mendlab.cli.output import note, print_json, print_table, refusals_json
from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.mutators.choosing.preference import median_kill_fraction
from mendlab.mutators.injecting.inject import Choice, Injected
from mendlab.records import Baseline


def print_injected(
    out: Path,
    subjects: list[LoadedSubject],
    baselines: dict[str, Baseline],
    made: Injected,
    refusals: list[Refusal],
    choice: Choice,
    as_json: bool,
) -> None:
    """Print the counts of a new task set, and where it is."""
    usable = sum(bool(baseline.passing) for baseline in baselines.values())
    set_aside = tests_set_aside(baselines.values())
    if as_json:
        print_json(
            {
                "taskset": str(out),
                "subjects": len(subjects),
                "examined": len(baselines),
                "usable": usable,
                "candidates": _candidates(made),
                "tasks": len(made.tasks),
                "wanted": choice.limit,
                **({} if choice.orders == (1,) else {"tags": _tags(made)}),
                **({"difficulty": _grades(made, choice)} if choice.mix else {}),
                "kill_fraction": median_kill_fraction(made.tasks),
                "dropped": made.dropped,
                "tests_set_aside": set_aside,
                "refused": refusals_json(refusals),
            }
        )
        return
    note_set_aside(set_aside)
    rows: list[tuple[str, object]] = [
        ("subjects", len(subjects)),
        ("of these examined", len(baselines)),
        ("of these usable", usable),
        ("candidates", _candidates(made)),
        ("of these tasks", len(made.tasks)),
    ]
    rows += [(f"of these dropped: {reason.replace('_', ' ')}", count) for reason, count in sorted(made.dropped.items())]
    if choice.orders != (1,):
        rows += [(f"tasks that are {what}", count) for what, count in _tags(made).items()]
    rows += [(f"tasks that are {grade}", count) for grade, count in _grades(made, choice).items()]
    if (fraction := median_kill_fraction(made.tasks)) is not None:
        rows.append(("tests that fail on a task, median", f"{fraction:.0%}"))
    print_table("", ("", ""), rows, right=(1,))
    if (choice.orders != (1,) or choice.mix) and choice.limit is not None and len(made.tasks) < choice.limit:
        more = "more --tries, or another --seed" if choice.orders != (1,) else "--order 1-3, or more --tries"
        note(f"{len(made.tasks)} of {choice.limit} tasks were found; {more}, may find more")
    click.echo(f"task set: {out}")


def _candidates(made: Injected) -> int:
    """Return how many changes were looked at: each is a task, or dropped for one reason."""
    return len(made.tasks) + sum(made.dropped.values())


def _grades(made: Injected, choice: Choice) -> dict[str, int]:
    """Return how many tasks there are of each grade that was wanted."""
    counts = Counter(task.difficulty.grade for task in made.tasks if task.difficulty is not None)
    return {grade: counts[grade] for grade, _ in choice.mix}


def _tags(made: Injected) -> dict[str, int]:
    """Return how many tasks have each tag: their order above 1, several files, strong subsumption."""
    return dict(sorted(Counter(tag for task in made.tasks for tag in task.tags).items()))
