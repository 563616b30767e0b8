"""Patches made elsewhere, or in an earlier run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mendlab.repair.context import RepairContext
from mendlab.repair.predictions import Predictions, read_predictions
from mendlab.repair.strategy import Proposal, strategy

GIVEN: Final = "given"
NOT_GIVEN: Final = "no prediction for this task and sample"


@strategy("replay")
@dataclass(frozen=True, slots=True)
class Replay:
    """Propose patches made elsewhere: a folder of diffs, SWE-bench predictions, or an earlier run."""

    patches: Path
    predictions: Predictions = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "predictions", read_predictions(self.patches))

    def propose(self, context: RepairContext) -> Proposal:
        """Return the patch for this task and sample, if there is one."""
        found = self.predictions.find(context.problem.task_id, context.sample)
        if found is None:
            return Proposal(raw_patch=None, stop_reason=NOT_GIVEN)
        return Proposal(
            raw_patch=found.patch,
            raw_answer=found.answer,
            stop_reason=GIVEN,
            model_answered=found.model,
            parameters={"prediction": found.where},
        )
