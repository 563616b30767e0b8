"""``mendlab contamination``: whether a model may have seen the tasks of a set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from mendlab.cli.model_options import calling_options, naming_options
from mendlab.cli.models import make_choice
from mendlab.cli.options import example, existing_path, json_option, new_file
from mendlab.cli.output import note, print_json, print_table, progress_on_stderr
from mendlab.corpora.contamination.corpus import Corpus
from mendlab.corpora.contamination.dates import fixed_before, read_cutoff
from mendlab.corpora.contamination.near_duplicates import near_duplicates
from mendlab.corpora.contamination.overlap import find_overlaps
from mendlab.corpora.contamination.records import Check, Contamination, Marked, read_contamination, write_contamination
from mendlab.corpora.contamination.texts import task_texts
from mendlab.corpora.layout import CONTAMINATION, PROBES
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.repair.probing import probe
from mendlab.workers import Progress

SHOWN = 10
MEGABYTE = 10**6
Outcome = tuple[list[Check], list[Marked]]


@click.command(
    "contamination",
    epilog=example(
        "mendlab contamination tasks --against ./pile --against rows.jsonl.gz",
        "mendlab contamination tasks --between humaneval-tasks",
        "mendlab contamination tasks --cutoff 2024-06",
        "mendlab contamination tasks --model anthropic:NAME --max-cost 1",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option(
    "--against", multiple=True, type=existing_path, help="A corpus: a file, JSONL or a folder. May be repeated."
)
@click.option(
    "--between", multiple=True, type=existing_path, help="Another task set, for near-duplicates. May be repeated."
)
@click.option("--cutoff", metavar="DATE", help="Mark fixes that were public by this day, as 2024-06-30 or 2024-06.")
@click.option("--out", type=new_file, help=f"File of what is found. [default: TASKSET/{CONTAMINATION}]")
@calling_options
@naming_options
@json_option
def command(
    taskset: Path,
    against: tuple[Path, ...],
    between: tuple[Path, ...],
    cutoff: str | None,
    out: Path | None,
    as_json: bool,
    **model: Any,
) -> None:
    """Look for signs that a model has seen the tasks of TASKSET: overlap with corpora (13 words or 50 characters in a
    row, or the set's canary), near-duplicates, dates of fixes, and with --model, whether it can go on from half of a
    reference.

    What is found is kept beside the set, each check in place of the same one before, and `mendlab report` then gives
    scores on clean and on marked tasks apart. docs/contamination.md says what a mark means.
    """
    opened = TaskSet.open(taskset)
    if out is None and not taskset.is_dir():
        raise InputError("a zipped task set cannot be added to", where=taskset, hint="name a file with --out")
    file = out or taskset / CONTAMINATION
    before = read_contamination(file, opened.digest)
    found = before or Contamination(taskset=opened.manifest.name, taskset_digest=opened.digest)
    if not (against or between or cutoff or model["model"]):
        if before is None:
            raise InputError(
                "nothing to compare with", where=taskset, hint="give --against, --between, --cutoff or --model"
            )
        _show(opened, found, file, as_json)
        return
    others = [TaskSet.open(path) for path in between]
    day = None if cutoff is None else read_cutoff(cutoff)
    choice = make_choice(**model) if model["model"] else None
    with progress_on_stderr() as progress:
        outcomes: list[Outcome] = [_overlaps(opened, path, progress) for path in against]
        if against or between:
            outcomes.append(near_duplicates(opened, others))
        if day is not None:
            outcomes.append(fixed_before(opened.tasks, day))
        for outcome in outcomes:
            found = found.with_checks(*outcome)
        write_contamination(file, found)
        if choice is not None:
            with choice.open(file.with_name(PROBES)) as answers:
                found = found.with_checks(*probe(opened, answers, workers=choice.at_once, progress=progress))
            write_contamination(file, found)
    _show(opened, found, file, as_json)


def _overlaps(taskset: TaskSet, path: Path, progress: Progress) -> Outcome:
    corpus = Corpus(path)
    texts = {task.id: task_texts(taskset, task) for task in taskset.tasks}
    guid = taskset.manifest.canary.rpartition(" ")[2]
    started = time.monotonic()
    outcome = find_overlaps(texts, corpus, [guid], _megabytes(path, corpus.size(), progress))
    seconds = time.monotonic() - started
    megabytes = corpus.read / MEGABYTE
    note(f"{path}: {megabytes:,.1f} MB of text in {seconds:.1f} s, {megabytes / seconds:.0f} MB/s")
    for name in corpus.unreadable[:SHOWN]:
        note(f"  cannot be read, and is passed over: {name}")
    return outcome


def _megabytes(path: Path, size: int, progress: Progress) -> Callable[[int], None]:
    """Progress in megabytes; of what is packed the whole is not known."""
    packed = path.name.endswith(".gz")
    return lambda read: progress(f"MB of {path.name}", read // MEGABYTE, None if packed else size // MEGABYTE)


def _show(taskset: TaskSet, found: Contamination, file: Path, as_json: bool) -> None:
    if as_json:
        print_json({"file": str(file), "tasks": len(taskset.tasks), "marked": len(found.marked), **found.model_dump()})
        return
    counts = Counter((each.mark.method, each.mark.corpus) for each in found.marks)
    rows = [
        (check.method, check.corpus, counts[check.method, check.corpus], check.unknown or "") for check in found.checks
    ]
    print_table("", ("looked for", "in", "marked", "unknown"), rows, right=(2, 3))
    _show_marks(found.marks)
    _show_pairs(found.checks)
    click.echo(f"{len(found.marked)} of {len(taskset.tasks)} tasks are marked: {file}")


def _show_marks(marks: Sequence[Marked]) -> None:
    if marks:
        strongest = sorted(marks, key=lambda each: -each.mark.strength)
        rows = [(m.task, m.mark.method, f"{m.mark.strength:.2f}", m.place) for m in strongest[:SHOWN]]
        print_table("the strongest marks", ("task", "sign", "strength", "where"), rows, right=(2,))
    if len(marks) > SHOWN:
        click.echo(f"and {len(marks) - SHOWN} more (--json lists all)")


def _show_pairs(checks: Sequence[Check]) -> None:
    for check in checks:
        pairs = check.facts.get("pairs")
        if isinstance(pairs, list) and pairs:
            click.echo(f"{len(pairs)} pairs of tasks of different programs are near-duplicates (--json lists them)")
