"""What commands print: results on standard output, progress and refusals on standard error."""

from __future__ import annotations

import io
import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from mendlab.cli import fail
from mendlab.corpora.candidates import Refusal
from mendlab.records import Manifest
from mendlab.workers import Progress as Report

REFUSALS_SHOWN = 10
_PLAIN_SECONDS = 10.0
_PATIENCE_SECONDS = 2.0
_LEAST_WORDS = 20
_BESIDE_WORDS = 34
"""Columns of a terminal that bar, count and time take beside what is being done."""
_MOST_SECONDS = 300.0
_TICK_SECONDS = 0.2


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result for programs."""
    click.echo(json.dumps(result, indent=1, ensure_ascii=False, default=str))


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[int] = (), first: int = 0
) -> None:
    """Print a plain table; the columns in ``right`` (from 0) are aligned to the right.

    Cells of up to ``first`` columns in the first one are not broken.
    """
    table = Table(
        title=title or None,
        title_justify="left",
        show_header=any(columns),
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    if columns:
        table.columns[0].min_width = max((len(str(row[0])) for row in rows if len(str(row[0])) <= first), default=0)
    print_renderable(table)


def print_renderable(renderable: RenderableType) -> None:
    """Print on standard output: as the terminal likes it, else 80 columns of plain text without trailing spaces."""
    if sys.stdout.isatty():
        Console(highlight=False, markup=False).print(renderable)
        return
    text = io.StringIO()
    Console(file=text, width=80, highlight=False, markup=False, color_system=None).print(renderable)
    click.echo("\n".join(line.rstrip() for line in text.getvalue().rstrip("\n").split("\n")))


def note(line: str) -> None:
    """Print a line on standard error."""
    click.echo(line, err=True)


def print_finished(out: Path, manifest: Manifest, as_json: bool) -> None:
    """Say that a task set was made before, by the same command."""
    note(f"{out} was made by this very command before: nothing is left to do")
    if as_json:
        print_json({"taskset": str(out), "tasks": manifest.tasks, "dropped": manifest.dropped, "finished": True})
    else:
        click.echo(f"{manifest.tasks} tasks\ntask set: {out}")


def show_refusals(refusals: Sequence[Refusal], what: str) -> None:
    """Name what could not be used, and why: the first few, and how many more there are."""
    if not refusals:
        return
    note(f"{len(refusals)} {what}:")
    for refusal in refusals[:REFUSALS_SHOWN]:
        reason = refusal.reason if refusal.id in refusal.reason else f"{refusal.id}: {refusal.reason}"
        note(f"  {reason}")
    if len(refusals) > REFUSALS_SHOWN:
        note(f"  and {len(refusals) - REFUSALS_SHOWN} more (--json lists all)")


def refusals_json(refusals: Sequence[Refusal]) -> list[dict[str, str]]:
    """Return refusals for :func:`print_json`."""
    return [{"id": refusal.id, "reason": refusal.reason} for refusal in refusals]


class _Count(MofNCompleteColumn):
    """How many are done, and of how many where that is known; of what is being done at the moment, nothing."""

    def render(self, task: Task) -> Text:
        return super().render(task) if task.total is not None else Text(str(int(task.completed) or ""))


class Shown(Protocol):
    """Shows how far the work is when it is called, and what is being done at the moment."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show how much of a stage is done."""

    def step(self, text: str) -> None:
        """Show what is begun; the last that was said stands."""


@contextmanager
def progress_on_stderr() -> Iterator[Shown]:
    """Yield a callable that shows how far the work is: bars on a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        with _Lines() as lines:
            yield lines
        return
    console = Console(stderr=True)
    words = Column(no_wrap=True, overflow="ellipsis", max_width=max(_LEAST_WORDS, console.width - _BESIDE_WORDS))
    columns = (TextColumn("{task.description}", table_column=words), BarColumn(), _Count(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bars:
        yield _Bars(bars)


class _Bars:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._step: TaskID | None = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)

    def step(self, text: str) -> None:
        if self._step is not None:
            self._bars.remove_task(self._step)
        self._step = self._bars.add_task(text, total=None)


@contextmanager
def keeping_nothing(what: str) -> Iterator[None]:
    """Say of an interruption that the work begins again with the next command."""
    try:
        yield
    except KeyboardInterrupt:
        fail(f"interrupted; {what} keeps nothing, and begins anew the next time", 130)


def patient(report: Report) -> Report:
    """Return progress of work that may be short: nothing is said before it has taken a while."""
    started = time.monotonic()

    def later(stage: str, done: int, total: int | None) -> None:
        if time.monotonic() - started >= _PATIENCE_SECONDS:
            report(stage, done, total)

    return later


class _Lines:
    """Lines on how far the work is: of a stage one when it is done, and before that one now and then if it is long.

    They are said whether or not anything is done meanwhile, and ever more seldom, so that a log stays short.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stages: dict[str, _Stage] = {}
        self._watch = threading.Thread(target=self._speak, daemon=True)

    def __enter__(self) -> _Lines:
        self._watch.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._ended.set()
        self._watch.join()
        for stage in self._stages.values():
            if kind is None and stage.done:
                stage.say()

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        with self._lock:
            known = self._stages.setdefault(stage, _Stage())
            known.line = f"{stage}: {done}" + (f" of {total}" if total is not None else "")
            if done == total and not known.done:  # where more turns up, the rest is said in time
                known.say()
            known.done = done == total or known.done

    def step(self, text: str) -> None:
        with self._lock:
            self._stages.setdefault("", _Stage()).line = text

    def _speak(self) -> None:
        while not self._ended.wait(_TICK_SECONDS):
            with self._lock:
                for stage in self._stages.values():
                    if time.monotonic() >= stage.due:
                        stage.say()


@dataclass(slots=True)
class _Stage:
    pause: float = _PLAIN_SECONDS
    due: float = field(default_factory=lambda: time.monotonic() + _PATIENCE_SECONDS)
    line: str = ""
    said: str = ""
    done: bool = False

    def say(self) -> None:
        """Print the line, if it is another than before."""
        if self.line != self.said:
            self.said, self.due = self.line, time.monotonic() + self.pause
            self.pause = min(2 * self.pause, _MOST_SECONDS)
            click.echo(self.line, err=True)
