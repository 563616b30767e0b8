"""``mendlab contamination``: whether a model may have seen the tasks of a set."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.filesize import decimal

from mendlab.cli.model_options import calling_options, naming_options
from mendlab.cli.models import make_choice
from mendlab.cli.options import example, existing_path, json_option, new_file
from mendlab.cli.output import note, patient, print_json, print_table, progress_on_stderr
from mendlab.corpora.contamination.corpus import Corpus
from mendlab.corpora.contamination.dates import fixed_before, read_cutoff
from mendlab.corpora.contamination.near_duplicates import near_duplicates
from mendlab.corpora.contamination.overlap import find_overlaps
from mendlab.corpora.contamination.records import Check, Contamination, Marked, read_contamination, write_contamination
from mendlab.corpora.contamination.texts import task_texts
from mendlab.corpora.layout import CONTAMINATION, PROBES
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import storable_name
from mendlab.errors import FormatError, InputError, OutputError
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
    "--against", multiple=True, type=existing_path, help="A corpus: a file, JSONL, a pipe or a folder. May be repeated."
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
    corpora = [Corpus(path) for path in against]
    before = _known(file, opened)
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
        outcomes: list[Outcome] = [_overlaps(opened, corpus, progress) for corpus in corpora]
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


def _known(file: Path, taskset: TaskSet) -> Contamination | None:
    """What was found before; a file that has something else is no place for what is found now."""
    try:
        return read_contamination(file, taskset.digest)
    except FormatError as error:
        hint = "name another file with --out"
        raise OutputError(f"is not overwritten: {error.what}", where=file, hint=hint) from error


def _overlaps(taskset: TaskSet, corpus: Corpus, progress: Progress) -> Outcome:
    texts = {task.id: task_texts(taskset, task) for task in taskset.tasks}
    guid = taskset.manifest.canary.rpartition(" ")[2]
    started = time.monotonic()
    outcome = find_overlaps(texts, corpus, [guid], _megabytes(corpus, patient(progress)))
    seconds = time.monotonic() - started
    speed = f", {decimal(int(corpus.read / seconds))}/s" if seconds >= 1 else ""
    note(f"{corpus.name}: {decimal(corpus.read)} of text in {seconds:.1f} s{speed}")
    if corpus.passed_over:
        note(f"  passed over, as they are no text: {corpus.passed_over:,} files or rows")
    for name in corpus.unreadable[:SHOWN]:
        note(f"  cannot be read, and is passed over: {name}")
    return outcome


def _megabytes(corpus: Corpus, progress: Progress) -> Callable[[int], None]:
    """Progress in megabytes."""
    size, stage = corpus.size(), f"MB of {storable_name(corpus.path.name)}"
    total = None if size is None else size // MEGABYTE
    return lambda read: progress(stage, read // MEGABYTE, total)


def _show(taskset: TaskSet, found: Contamination, file: Path, as_json: bool) -> None:
    if as_json:
        figures = {"tasks": len(taskset.tasks), "marked": len(found.marked)}
        print_json({"file": storable_name(file), **figures, **found.model_dump()})
        return
    counts = Counter((each.mark.method, each.mark.corpus) for each in found.marks)
    rows = [
        (check.method, check.corpus, counts[check.method, check.corpus], check.unknown or "") for check in found.checks
    ]
    print_table("", ("looked for", "in", "marked", "unknown"), rows, right=(2, 3))
    _show_marks(found.marks)
    _show_pairs(found.checks)
    click.echo(f"{len(found.marked)} of {len(taskset.tasks)} tasks are marked: {storable_name(file)}")


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
