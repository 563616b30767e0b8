"""A run whose calls go as batches: what its attempts would ask is collected, sent, and waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from mendlab.records import Task
from mendlab.repair.models.batching.batches import Batches
from mendlab.repair.models.batching.collecting import Collecting
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import Run
from mendlab.workers import Progress, parse_in_turn


def answer_in_batches(
    run: Run,
    tasks: Iterable[Task],
    collecting: Collecting,
    batches: Batches,
    make_repairer: Callable[[Collecting], Repairer],
    *,
    workers: int,
    progress: Progress,
) -> None:
    """Have every call answered that the pending attempts of a run make, those of earlier batches first.

    Raises:
        KeyboardInterrupt: from the user. Batches go on at the service, and a later call comes back to them.
        ModelError: as :meth:`Batches.send`.
    """
    batches.resume()
    pending = [item for item in run.pending(tasks) if item.attempt is None]
    repairer = make_repairer(collecting)
    with ThreadPoolExecutor(workers, thread_name_prefix="collect", initializer=parse_in_turn) as pool:
        futures = [pool.submit(repairer.attempt, item.task, item.sample) for item in pending]
        try:
            for done, future in enumerate(as_completed(futures), start=1):
                future.result()
                progress("batches: prompts made", done, len(pending))
        except BaseException:
            repairer.stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    batches.send(collecting.wanted)
