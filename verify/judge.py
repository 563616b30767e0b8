"""The judge: one outcome for each attempt, by a ladder of rungs, cheapest first, each recorded."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import EngineError
from mendlab.records import Attempt, Outcome, Rung, RungReport, Task, Verdict
from mendlab.verify.audit import risk
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import Engine
from mendlab.verify.ladder import comparing, reading, testing
from mendlab.verify.ladder.case import Case, Ruling
from mendlab.verify.patches.results import Applied, ApplyRung, PatchFormat
from mendlab.workers import PerThread

LADDER: Final[tuple[tuple[Rung, Callable[[Case], Ruling]], ...]] = (
    (Rung.PARSE, reading.parse),
    (Rung.POLICY, reading.policy),
    (Rung.APPLY, reading.apply),
    (Rung.NO_OP, reading.no_op),
    (Rung.COMPILE, testing.compiles),
    (Rung.NEW_TESTS, testing.new_tests),
    (Rung.REGRESSION, testing.regression),
    (Rung.HELD_OUT, testing.held_out),
    (Rung.TAMPER, comparing.tamper),
    (Rung.EQUIVALENCE, comparing.equivalence),
    (Rung.CONFIRM, testing.confirm),
)
ENGINES_KEPT: Final = 4
_NO_ATTEMPT: Final = Attempt(run_id="", task_id="", sample=0, strategy="", stop_reason="")


class Judge:
    """Judges attempts at the tasks of one set. Threads may use it at once, each with engines of its own; close it.

    For so many ``symbolic_seconds`` of each comparison CrossHair looks for further inputs.
    """

    def __init__(self, taskset: TaskSet, bench: Bench, *, symbolic_seconds: float = 0.0) -> None:
        self._taskset = taskset
        self._bench = bench
        self._symbolic_seconds = symbolic_seconds
        self._engines = PerThread(lambda: _Engines(taskset, bench), _Engines.close)
        gc.freeze()  # what is there now mostly stays, and would be gone through every few dozen verdicts

    def judge(self, task: Task, attempt: Attempt) -> Verdict:
        """Return the verdict. A failure of the lab itself is tried once more, and is then an ``infra_error``."""
        engines = self._engines.get()
        try:
            return self._climb(task, attempt, engines)
        except EngineError:
            engines.close()
        try:
            return self._climb(task, attempt, engines)
        except EngineError as error:
            engines.close()
            return _verdict(attempt, Outcome.INFRA_ERROR, Rung.COMPILE, str(error), ())

    def prepare(self, task: Task) -> None:
        """Work out now what the first verdict on a task would else: what the reference does in its tests and beyond.

        Raises:
            EngineError: the lab fails.
        """
        case = self._case(task, _NO_ATTEMPT, self._engines.get())
        case.applied = Applied(case.good, "", ApplyRung.STRICT, PatchFormat.UNIFIED)
        testing.compiles(case)
        comparing.prepare(case)
        testing.confirm(case)

    def close(self) -> None:
        """End every engine."""
        self._engines.close()
        gc.unfreeze()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _climb(self, task: Task, attempt: Attempt, engines: _Engines) -> Verdict:
        case = self._case(task, attempt, engines)
        reports: list[RungReport] = []
        for rung, look in LADDER:
            before = case.cpu_seconds
            ruling = look(case)
            spent = case.cpu_seconds - before
            reports.append(RungReport(rung=rung, held=ruling.held, detail=ruling.detail, cpu_seconds=spent or None))
            if ruling.outcome is not None:
                return _verdict(attempt, ruling.outcome, rung, ruling.detail, tuple(reports), case)
        deciding = next(report for report in reports if report.rung is Rung.EQUIVALENCE)
        return _verdict(attempt, case.standing, Rung.EQUIVALENCE, deciding.detail, tuple(reports), case)

    def _case(self, task: Task, attempt: Attempt, engines: _Engines) -> Case:
        return Case(
            task=task,
            attempt=attempt,
            good=self._taskset.good_tree(task),
            buggy=self._taskset.buggy_tree(task),
            bench=self._bench.suited(task.harness),
            engine=lambda hash_seed: engines.for_task(task, hash_seed),
            symbolic_seconds=self._symbolic_seconds,
        )


class _Engines:
    """One thread's warm engines: those of the subjects it met last, of either hash seed."""

    def __init__(self, taskset: TaskSet, bench: Bench) -> None:
        self._taskset = taskset
        self._bench = bench
        self._kept: OrderedDict[object, Engine] = OrderedDict()

    def for_task(self, task: Task, hash_seed: int) -> Engine:
        key = (hash_seed, task.snapshot, task.harness.model_dump_json(), task.limits.model_dump_json())
        if key not in self._kept:
            while len(self._kept) >= ENGINES_KEPT:
                self._kept.popitem(last=False)[1].close()
            good = self._taskset.good_tree(task)
            self._kept[key] = self._bench.open(good, task.harness, task.limits, hash_seed=hash_seed)
        self._kept.move_to_end(key)
        return self._kept[key]

    def close(self) -> None:
        while self._kept:
            self._kept.popitem()[1].close()


def _verdict(
    attempt: Attempt, outcome: Outcome, rung: Rung, reason: str, rungs: tuple[RungReport, ...], case: Case | None = None
) -> Verdict:
    applied = None if case is None else case.applied
    return Verdict(
        run_id=attempt.run_id,
        task_id=attempt.task_id,
        sample=attempt.sample,
        outcome=outcome,
        rung=rung,
        reason=reason,
        rungs=rungs,
        canonical_patch=None if applied is None else applied.canonical_patch,
        apply_rung=None if applied is None else applied.rung.value,
        after={} if case is None else case.after,
        messages={} if case is None else case.messages,
        differential=None if case is None else case.differential,
        tamper_flags=() if case is None else tuple(str(flag) for flag in case.flags),
        risk=0.0 if case is None else risk(case.flags),
        sandbox=case.bench.level if case is not None and case.after else None,
        cpu_seconds=None if case is None else case.cpu_seconds,
    )
