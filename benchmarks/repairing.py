"""What the offline search mends, and where it fails.

    python benchmarks/repairing.py TASKSET... [--held-out] [--strict] [--limit N] [--only ID,ID] [--json FILE]

Each TASKSET was made by `mendlab import` or `mendlab inject`. Each task is mended once and judged; prints the shares
that are correct (exact or equivalent by the judge) and plausible, with 95% intervals, the median time to a correct
patch, and for each other task whether the reference's change is a candidate at all.

`--held-out` is for sets that `mendlab inject` made: the search is not given the family of the operator that made the
defect, nor an operator that is its inverse; with `--strict`, nor the templates that make such edits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from measures.progress import counted
from repaired.held_out import left_out
from repaired.mending import Mended, mend
from repaired.telling import by_family, failures, summary

from mendlab.corpora.taskset import TaskSet
from mendlab.verify.bench import set_up_bench
from mendlab.verify.judge import Judge


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--held-out", is_flag=True, help="Without the operators of the defect's family and their inverses.")
@click.option("--strict", is_flag=True, help="Nor templates of that kind.")
@click.option("--limit", type=int, help="Of so many tasks, the first.")
@click.option("--only", default="", help="Ids of tasks.")
@click.option("--json", "json_file", type=click.Path(path_type=Path))
def main(
    folders: tuple[Path, ...], held_out: bool, strict: bool, limit: int | None, only: str, json_file: Path
) -> None:
    """Measure on each set."""
    data: dict[str, list[Any]] = {}
    for folder in folders:
        mended: list[Mended] = []
        chosen = [each for each in only.split(",") if each]
        for each in mended_of(folder, held_out or strict, strict, limit, chosen):
            mended.append(each)
            data.setdefault(folder.name, []).append(asdict(each))
            if json_file is not None:  # after each task: a long measurement that is stopped is not lost
                json_file.write_text(json.dumps(data, indent=1), encoding="utf-8")
        print("\n".join([*summary(folder.name, mended), *failures(mended), *(by_family(mended) if held_out else [])]))


def mended_of(folder: Path, held_out: bool, strict: bool, limit: int | None, only: list[str]) -> Iterator[Mended]:
    """Yield what becomes of the tasks of a set."""
    taskset, bench = TaskSet.open(folder), set_up_bench()
    tasks = [task for task in taskset.tasks if not only or task.id in only][:limit]
    with closing(Judge(taskset, bench)) as judge:
        done = (
            mend(taskset, task, bench, judge, {"without": left_out(task, with_templates=strict)} if held_out else {})
            for task in tasks
        )
        yield from counted(folder.name, done, len(tasks))


if __name__ == "__main__":
    main()
