"""The loop: for every sample of every task, propose, judge, and have each on the disk before going on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import final

from mendlab.errors import ModelError
from mendlab.records import Attempt, Task, Verdict
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import Pending, Run
from mendlab.workers import parse_in_turn

Judge = Callable[[Task, Attempt], Verdict]


@final
@dataclass(frozen=True, slots=True)
class SampleDone:
    """One sample done: its attempt and verdict, and how far the run is."""

    attempt: Attempt
    verdict: Verdict
    done: int
    total: int


def repair_all(
    run: Run,
    tasks: Iterable[Task],
    repairer: Repairer,
    judge: Judge,
    *,
    workers: int = 1,
    attempts_at_once: int | None = None,
    on_progress: Callable[[SampleDone], None] = lambda done: None,
) -> None:
    """Do whatever of the run is pending for these tasks, ``workers`` samples at a time, and put the records in order.

    ``attempts_at_once`` is for attempts that mostly wait, as for a model: so many are made at a time, and ``workers``
    judged.

    ``judge`` is called from the workers' threads, ``on_progress`` from this one. An attempt without a verdict, left by
    a kill, is judged without being made again. However this ends, what was done is kept, and a later call goes on.

    Raises:
        KeyboardInterrupt: from the user, after the work under way has been cut short.
        ModelError: the model cannot be asked any further. What was under way has come to its end.
        MendlabError: whatever the judge raises, or a record cannot be written.
    """

    def repair(pending: Pending) -> tuple[Attempt, Verdict]:
        attempt = pending.attempt
        if attempt is None:
            attempt = repairer.attempt(pending.task, pending.sample)
            run.add_attempt(attempt)
        if repairer.stopping.is_set():
            raise KeyboardInterrupt
        verdict = judging.submit(judge, pending.task, attempt).result()
        run.add_verdict(verdict)
        return attempt, verdict

    pending = run.pending(tasks)
    with (
        ThreadPoolExecutor(workers, thread_name_prefix="judge", initializer=parse_in_turn) as judging,
        ThreadPoolExecutor(attempts_at_once or workers, thread_name_prefix="repair", initializer=parse_in_turn) as pool,
    ):
        futures = [pool.submit(repair, item) for item in pending]
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                on_progress(SampleDone(*future.result(), done=done, total=len(pending)))
        except ModelError:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        except BaseException:  # told to stop before they are waited for, or a user's Ctrl-C would take its time
            repairer.stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)
            judging.shutdown(wait=False, cancel_futures=True)
            raise
    run.finalise()
