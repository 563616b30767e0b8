"""Whether a patch need not be run once more: another process could do nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from mendlab.records import FunctionHarness
from mendlab.verify.engines.engine import OTHER_HASH_SEED, RunOptions
from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.verify.ladder.case import Case
from mendlab.verify.pure import is_pure


def needs_no_other_process(case: Case, options: RunOptions) -> bool:
    """Whether a run with these options, of all tests under another hash seed, is known to pass.

    A candidate that is pure (:mod:`mendlab.verify.pure.program`) answers a question in one way alone. If the good
    program is asked the same questions there as it was here, in whatever order, and answers them as it did here, and
    the candidate has answered as that did, then it would do so again, and pass there as the good program does.

    Raises:
        EngineError: the lab fails.
    """
    harness = case.task.harness
    if not case.in_the_same_words or not isinstance(harness, FunctionHarness):
        return False
    here, there = case.engine(0), case.engine(OTHER_HASH_SEED)
    if not isinstance(here, FunctionEngine) or not isinstance(there, FunctionEngine):
        return False
    source = case.patched.get(harness.module)
    if source is None or not is_pure(source, PurePosixPath(harness.module).stem):
        return False
    exchange = there.exchange(options)
    return exchange is not None and exchange == here.exchange(replace(options, shuffle_seed=None))
