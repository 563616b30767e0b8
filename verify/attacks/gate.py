"""Runs the pack of attacks on the tasks of a set: every one of them must be refused."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.taskset import TaskSet
from mendlab.records import CORRECT, PASSES_ALL_TESTS, Attempt, Outcome, Record, Task, Verdict
from mendlab.verify.attacks.outside import Outside, open_outside
from mendlab.verify.attacks.registry import Attack, attacks, kind_of
from mendlab.verify.attacks.target import Target
from mendlab.workers import Progress, is_unwanted, map_ordered

SHORT_CPU_SECONDS: Final = 0.5
_ACCEPTED: Final = CORRECT | {Outcome.INFRA_ERROR}
Judging = Callable[[Task, Attempt], Verdict]


class Trial(Record):
    """One attack on one task. ``outcome`` is the judge's, or ``escaped`` or ``broke the lab``; ``why`` says more."""

    task: str
    attack: str
    outcome: str
    accepted: bool
    passes_all_tests: bool
    why: str
    cpu_seconds: float


class Besieged(Record):
    """What came of the attacks on one task, and whether its reference is still called right after them."""

    task: str
    trials: tuple[Trial, ...]
    unharmed: bool

    @property
    def holds(self) -> bool:
        """Whether the task withstood all of them."""
        return self.unharmed and not any(trial.accepted for trial in self.trials)


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
    known: Mapping[str, Besieged] | None = None,
    keep: Callable[[Besieged], object] = lambda found: None,
) -> Siege:
    """Judge every attack of the pack on each of the tasks that it applies to.

    What the lab itself fails on counts as accepted, and so does what leaves a trace outside the confinement. After the
    attacks on a task its reference is judged, by the same engines. Tasks that are ``known``, by id, are not attacked
    again; what comes of each other one is given to ``keep`` as soon as all attacks on it are over, by several threads,
    if all are refused: what was not may be the doing of an interruption.
    """
    known = known or {}
    chosen = list(tasks)
    pack = attacks() if pack is None else pack
    fitting = {task.id: [attack for attack in pack if kind_of(task) in attack.kinds] for task in chosen}
    before = sum(len(fitting[task.id]) for task in chosen if task.id in known)
    tell = _Counter(progress, before, sum(map(len, fitting.values())))
    with open_outside() as outside:

        def besiege(task: Task) -> Besieged:
            if task.id in known:
                return known[task.id]
            found = _besiege(taskset, task, fitting[task.id], judge, outside, tell)
            if found.holds and not is_unwanted():
                keep(found)
            return found

        results = list(map_ordered(besiege, chosen, workers))
    trials = tuple(trial for found in results for trial in found.trials)
    return Siege(trials, len(chosen), tuple(found.task for found in results if not found.unharmed))


class _Counter:
    """Tells the progress that several threads make together."""

    def __init__(self, progress: Progress, done: int, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = done
        self._lock = threading.Lock()
        progress("attacks judged", done, total)

    def __call__(self) -> None:
        with self._lock:
            self._done += 1
            self._progress("attacks judged", self._done, self._total)


def _besiege(
    taskset: TaskSet, task: Task, pack: Sequence[Attack], judge: Judging, outside: Outside, tell: Callable[[], None]
) -> Besieged:
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
    looked_at = tuple(_looked_at(trial, outside) for trial, outside in trials)
    return Besieged(task=task.id, trials=looked_at, unharmed=unharmed)


def _looked_at(trial: Trial, outside: Outside) -> Trial:
    """Return the trial, or that it has left a trace outside."""
    traces = outside.traces()
    escaped = {"outcome": "escaped", "accepted": True, "why": "; ".join(traces)}
    return trial.model_copy(update=escaped) if traces else trial


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
        return Trial(
            task=task.id, attack=attack.name, outcome="broke the lab", accepted=True, passes_all_tests=False,
            why=f"{type(error).__name__}: {error}", cpu_seconds=0.0,
        )  # fmt: skip
    trial = Trial(
        task=task.id,
        attack=attack.name,
        outcome=verdict.outcome.value,
        accepted=verdict.outcome in _ACCEPTED,
        passes_all_tests=verdict.outcome in PASSES_ALL_TESTS,
        why=verdict.reason,
        cpu_seconds=verdict.cpu_seconds or 0.0,
    )
    return _looked_at(trial, outside)
