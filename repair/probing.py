"""The completion probe: a model is given the first half of a reference and asked to go on, word for word.

After Golchin and Surdeanu 2023 (arXiv:2308.08493), who ask for the second half of an instance. What comes close to the
true rest is a sign that the model has seen it; but short and obvious code is continued rightly by all who can program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from mendlab.corpora.contamination.records import PROBE, Check, Marked
from mendlab.corpora.contamination.texts import sources
from mendlab.corpora.taskset import TaskSet
from mendlab.records import ContaminationMark, Task
from mendlab.repair.models.calls import Message, Request
from mendlab.repair.models.model import Answers
from mendlab.workers import Progress, map_ordered

KNOWN: Final = 0.9
"""So like the true rest is what marks a task."""
FEWEST_CHARACTERS: Final = 50
"""A rest that is shorter, without white space, says nothing."""
_SYSTEM: Final = "You continue Python source code from memory."
_FENCE: Final = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Halves:
    """A text cut after a line: what is shown of it, and the rest."""

    file: str
    shown: str
    rest: str


def halves(taskset: TaskSet, task: Task) -> Halves | None:
    """Return the first function that a task's defect is in, cut in the middle; ``None`` where its rest is too short."""
    for source in sources(taskset, task):
        lines = source.text.splitlines(keepends=True)
        middle = (len(lines) + 1) // 2
        rest = "".join(lines[middle:])
        if len("".join(rest.split())) >= FEWEST_CHARACTERS:
            return Halves(source.file, "".join(lines[:middle]), rest)
    return None


def probe_request(halves: Halves) -> Request:
    """Return what the model is asked."""
    text = (
        f"Below is the first half of a function from the file {halves.file}, as it is published. Write the rest of it,"
        " exactly as it stands there, and nothing else. Do not repeat what is given.\n\n"
        f"```python\n{halves.shown}```"
    )
    return Request(_SYSTEM, (Message("user", text),))


def likeness(answer: str, halves: Halves) -> float:
    """Return how like an answer is to the true rest, from 0 to 1: the share of tokens in common, in order."""
    code = _FENCE.search(answer)
    text = code[1] if code else answer
    text = text.removeprefix(halves.shown)
    given, true = _TOKEN.findall(text), _TOKEN.findall(halves.rest)
    return SequenceMatcher(None, given[: 2 * len(true)], true, autojunk=False).ratio()


def probe(taskset: TaskSet, answers: Answers, *, workers: int, progress: Progress) -> tuple[list[Check], list[Marked]]:
    """Ask a model about every task; one that it can continue is marked. What fails counts as unknown.

    Raises:
        ModelError: no call will be answered any more.
    """
    model = answers.settings.label
    cut = [(task.id, found) for task in taskset.tasks if (found := halves(taskset, task)) is not None]
    unknown, marks, told = len(taskset.tasks) - len(cut), [], []
    for done, (task_id, score) in enumerate(_scores(cut, answers, workers), start=1):
        progress("tasks probed", done, len(cut))
        if score is None:
            unknown += 1
            continue
        told.append(score)
        if score >= KNOWN:
            mark = ContaminationMark(method=PROBE, corpus=model, strength=round(score, 4))
            marks.append(Marked(task=task_id, mark=mark))
    mean = round(sum(told) / len(told), 4) if told else None
    return [Check(method=PROBE, corpus=model, unknown=unknown, facts={"mean_likeness": mean})], marks


def _scores(cut: list[tuple[str, Halves]], answers: Answers, workers: int) -> Iterator[tuple[str, float | None]]:
    def ask(item: tuple[str, Halves]) -> tuple[str, float | None]:
        task_id, found = item
        answer = answers.ask(task_id, 0, 0, probe_request(found))
        return task_id, None if answer.finish in ("failed", "refused") else likeness(answer.text, found)

    return map_ordered(ask, cut, workers)
