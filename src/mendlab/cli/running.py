"""What ``repair``, ``verify`` and ``demo`` share: do a run, resumed if it is there, and print what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import click
from pydantic import JsonValue

from mendlab.cli.models import ModelChoice
from mendlab.cli.output import print_json, print_renderable, print_table, progress_on_stderr
from mendlab.cli.places import remember_taskset
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import Verdict
from mendlab.repair.batch_loop import answer_in_batches
from mendlab.repair.loop import repair_all
from mendlab.repair.models.model import Answers
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import VERDICTS_FILE, Run, make_config
from mendlab.repair.strategy import ChosenStrategy
from mendlab.reports.json_report import as_json as summary_json
from mendlab.reports.load import load_material
from mendlab.reports.outcomes import WORDS
from mendlab.reports.summary import summarise
from mendlab.reports.terminal import summary_renderable
from mendlab.verify.bench import Bench
from mendlab.verify.judge import Judge
from mendlab.verify.patches import ApplyRung
from mendlab.workers import Progress

MOST_SHOWN = 50
"""Verdicts of a kept run that are shown one by one."""
LONGEST_ID = 40
"""Columns; longer ids of tasks are broken."""


def named_options(options: tuple[str, ...]) -> dict[str, str]:
    """Return ``NAME=VALUE`` options as a mapping.

    Raises:
        InputError: one has no value.
    """
    pairs = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"--option {option!r} has no value", hint="write NAME=VALUE")
        pairs[name] = value
    return pairs


def do_run(
    taskset: TaskSet,
    strategy: ChosenStrategy,
    bench: Bench,
    out: Path,
    *,
    samples: int,
    seed: int,
    workers: int,
    progress: Progress,
    choice: ModelChoice | None = None,
    symbolic_seconds: float = 0.0,
    only: Mapping[str, tuple[int, ...]] | None = None,
) -> None:
    """Bring a run to its end, from wherever it is."""
    decides: dict[str, JsonValue] = {"python": bench.interpreter.version_text}
    if symbolic_seconds:
        decides["symbolic_seconds"] = symbolic_seconds
    if choice is not None:
        decides |= choice.recorded()
    config = make_config(taskset, strategy, samples=samples, seed=seed, parameters=decides, only=only)
    stage = f"{strategy.name}: attempts judged"
    with ExitStack() as closing:
        run = closing.enter_context(Run.begin(out, config))
        if choice is not None and choice.batch:
            _answer_in_batches(run, taskset, strategy, bench, choice, workers=workers, progress=progress)
        model = closing.enter_context(choice.open(out)) if choice is not None else None
        judge = closing.enter_context(Judge(taskset, bench, symbolic_seconds=symbolic_seconds))
        remember_taskset(out, taskset.path)
        todo = len(run.pending(taskset.tasks))
        progress(stage, 0, todo)
        repairer = Repairer(
            run.config,
            taskset,
            strategy,
            bench.open,
            answers=model,
            prompting=choice.prompting if choice is not None else None,
            stopping=model.stopping if model is not None else None,
        )
        repair_all(
            run,
            taskset.tasks,
            repairer,
            judge.judge,
            workers=workers,
            attempts_at_once=max(workers, choice.at_once) if choice is not None else None,
            on_progress=lambda made: progress(stage, made.done, made.total),
        )
        if model is not None:
            model.finalise()


def _answer_in_batches(
    run: Run,
    taskset: TaskSet,
    strategy: ChosenStrategy,
    bench: Bench,
    choice: ModelChoice,
    *,
    workers: int,
    progress: Progress,
) -> None:
    def make_repairer(answers: Answers) -> Repairer:
        return Repairer(run.config, taskset, strategy, bench.open, answers=answers, prompting=choice.prompting)

    with choice.open_batches(run.directory, progress) as (collecting, batches):
        answer_in_batches(run, taskset.tasks, collecting, batches, make_repairer, workers=workers, progress=progress)


def finish_run(
    taskset: TaskSet,
    strategy: ChosenStrategy,
    bench: Bench,
    out: Path,
    *,
    samples: int,
    seed: int,
    workers: int,
    as_json: bool,
    keep: bool = True,
    each: bool = False,
    choice: ModelChoice | None = None,
    symbolic_seconds: float = 0.0,
    only: Mapping[str, tuple[int, ...]] | None = None,
) -> None:
    """Do a run with progress shown, and print its summary, and where it is if that is kept.

    If ``each``, every verdict comes first: of many that are kept the text says where they are.
    """
    with progress_on_stderr() as progress:
        do_run(
            taskset,
            strategy,
            bench,
            out,
            samples=samples,
            seed=seed,
            workers=workers,
            progress=progress,
            choice=choice,
            symbolic_seconds=symbolic_seconds,
            only=only,
        )
    summary = summarise(load_material([out], taskset.path))
    verdicts = Run.open(out).verdicts() if each else []
    if as_json:
        told = [_told(verdict) for verdict in verdicts]
        print_json({"run": str(out) if keep else None, **summary_json(summary), **({"verdicts": told} if each else {})})
        return
    if verdicts and (len(verdicts) <= MOST_SHOWN or not keep):
        print_verdicts(verdicts)
    print_renderable(summary_renderable(summary))
    if keep:
        click.echo(f"run: {out}")
        if len(verdicts) > MOST_SHOWN:
            click.echo(f"each verdict: {out / VERDICTS_FILE}")


def _told(verdict: Verdict) -> dict[str, JsonValue]:
    return {
        "task": verdict.task_id,
        "sample": verdict.sample,
        "outcome": verdict.outcome.value,
        "reason": verdict.reason,
        "apply_rung": verdict.apply_rung,
    }


def print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Print a table of verdicts, with samples where there are several, and how a patch was applied if not as it is."""
    sampled = any(verdict.sample for verdict in verdicts)
    rows = [
        (
            verdict.task_id,
            *([verdict.sample] if sampled else []),
            WORDS[verdict.outcome].label,
            "; ".join(filter(None, (verdict.reason, _applied(verdict)))),
        )
        for verdict in verdicts
    ]
    columns = ("task", *(["sample"] if sampled else []), "verdict", "why")
    print_table("", columns, rows, right=(1,) if sampled else (), first=LONGEST_ID)
    click.echo()


def _applied(verdict: Verdict) -> str:
    if verdict.apply_rung in (None, ApplyRung.STRICT):
        return ""
    return f"applied by the rung {verdict.apply_rung}"
