"""A quick look at a candidate beside the reference: it does all calls in the process in which it answered the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.verify.equivalence.input import Input
from mendlab.verify.equivalence.plain import is_plain
from mendlab.verify.ladder.case import Case


def quick_look(case: Case) -> Callable[[Sequence[Input]], bool] | None:
    """Return what finds out whether all inputs of the task end alike; None where only the long way is."""
    engine = case.engine(0)
    if not isinstance(engine, FunctionEngine) or len(case.good) != 1:
        return None

    def look(inputs: Sequence[Input]) -> bool:
        if not inputs:
            return False
        if engine.prepared is not inputs:
            engine.prepare([[*one.call, is_plain(one.expected.value)] for one in inputs], inputs)
            case.run_all()
        return case.alike is True

    return look
