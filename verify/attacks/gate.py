"""Runs the pack of attacks on the tasks of a set: every one of them must be refused."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mendlab.corpora.taskset import TaskSet
from mendlab.records import CORRECT, PASSES_ALL_TESTS, Attempt, Outcome, Task, Verdict
from mendlab.verify.attacks.outside import Outside, open_outside
from mendlab.verify.attacks.registry import Attack, attacks, kind_of
from mendlab.verify.attacks.target import Target
from mendlab.workers import Progress, is_unwanted, map_ordered

SHORT_CPU_SECONDS: Final = 0.5
_ACCEPTED: Final = CORRECT | {Outcome.INFRA_ERROR}
Judging = Callable[[Task, Attempt], Verdict]


@dataclass(frozen=True, slots=True)
class Trial:
    """One attack on one task. ``outcome`` is the judge's, or ``escaped`` or ``broke the lab``; ``why`` says more."""

    task: str
    attack: str
    outcome: str
    accepted: bool
    passes_all_tests: bool
    why: str
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Siege:
    """All trials, in the order of the tasks, and the tasks whose reference is no longer called right after them."""

    trials: tuple[Trial, ...]
    tasks: int
    spoiled: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Trial, ...]:
        """The attacks that were called right, got out or brought the lab down: none is right."""
        return tuple(trial for trial in self.trials if trial.accepted)

    @property
    def past_the_tests(self) -> int:
        """How many passed all tests and were refused by the comparison with the reference alone."""
        return sum(trial.passes_all_tests and not trial.accepted for trial in self.trials)

    def table(self) -> dict[str, Counter[str]]:
        """Return how often each attack had each outcome."""
        counts: dict[str, Counter[str]] = {}
        for trial in self.trials:
            counts.setdefault(trial.attack, Counter())[trial.outcome] += 1
        return counts


def choose_tasks(tasks: Sequence[Task], count: int | None, seed: int) -> tuple[Task, ...]:
    """Return that many of the tasks (all if ``None``), drawn by chance, in their order."""
    if count is None or count >= len(tasks):
        return tuple(tasks)
    chosen = set(random.Random(seed).sample(range(len(tasks)), count))
    return tuple(task for place, task in enumerate(tasks) if place in chosen)


def attack_taskset(
    taskset: TaskSet,
    judge: Judging,
    *,
    tasks: Iterable[Task],
    workers: int,
    progress: Progress,
    pack: Sequence[Attack] | None = None,
) -> Siege:
    """Judge every attack of the pack on each of the tasks that it applies to.

    What the lab itself fails on counts as accepted, and so does what leaves a trace outside the confinement. After the
    attacks on a task its reference is judged, by the same engines.
    """
    chosen = list(tasks)
    pack = attacks() if pack is None else pack
    fitting = {task.id: [attack for attack in pack if kind_of(task) in attack.kinds] for task in chosen}
    tell = _Counter(progress, sum(map(len, fitting.values())))
    trials: list[Trial] = []
    spoiled: list[str] = []
    with open_outside() as outside:
        besiege = lambda task: _besiege(taskset, task, fitting[task.id], judge, outside, tell)  # noqa: E731
        for task, (found, unharmed) in zip(chosen, map_ordered(besiege, chosen, workers), strict=True):
            trials += found
            spoiled += [] if unharmed else [task.id]
    return Siege(tuple(trials), len(chosen), tuple(spoiled))


class _Counter:
    """Tells the progress that several threads make together."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        progress("attacks judged", 0, total)

    def __call__(self) -> None:
        with self._lock:
            self._done += 1
            self._progress("attacks judged", self._done, self._total)


def _besiege(
    taskset: TaskSet, task: Task, pack: Sequence[Attack], judge: Judging, outside: Outside, tell: Callable[[], None]
) -> tuple[list[Trial], bool]:
    buggy = taskset.buggy_tree(task)
    trials: list[tuple[Trial, Outside]] = []
    for attack in sorted(pack, key=lambda attack: attack.runs_on):
        if is_unwanted():
            break
        target = Target(task, buggy, outside.marked_anew())
        patch = attack.make(target)
        if patch is not None:
            tried = _try(_hurried(task) if attack.runs_on else task, attack, patch, judge, target.outside)
            trials.append((tried, target.outside))
        tell()
    unharmed = _is_right(task, judge)
    return [_looked_at(trial, outside) for trial, outside in trials], unharmed


def _looked_at(trial: Trial, outside: Outside) -> Trial:
    """Return the trial, or that it has left a trace outside."""
    traces = outside.traces()
    return replace(trial, outcome="escaped", accepted=True, why="; ".join(traces)) if traces else trial


def _is_right(task: Task, judge: Judging) -> bool:
    """Return whether the judge calls the reference right."""
    try:
        return judge(task, _attempt(task, "reference", task.reference)).correct
    except Exception:
        return False


def _attempt(task: Task, name: str, patch: str) -> Attempt:
    return Attempt(run_id="attacks", task_id=task.id, sample=0, strategy=name, raw_patch=patch, stop_reason="given")


def _hurried(task: Task) -> Task:
    """The task with less time: what never ends is refused for that, however long one waits."""
    cpu_seconds = min(task.limits.cpu_seconds, SHORT_CPU_SECONDS)
    return task.model_copy(update={"limits": task.limits.model_copy(update={"cpu_seconds": cpu_seconds})})


def _try(task: Task, attack: Attack, patch: str, judge: Judging, outside: Outside) -> Trial:
    try:
        verdict = judge(task, _attempt(task, attack.name, patch))
    except Exception as error:
        return Trial(task.id, attack.name, "broke the lab", True, False, f"{type(error).__name__}: {error}", 0.0)
    spent = verdict.cpu_seconds or 0.0
    accepted = verdict.outcome in _ACCEPTED
    passes = verdict.outcome in PASSES_ALL_TESTS
    trial = Trial(task.id, attack.name, verdict.outcome.value, accepted, passes, verdict.reason, spent)
    return _looked_at(trial, outside)
