"""The lower baseline."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.repair.context import RepairContext
from mendlab.repair.strategy import Proposal, strategy


@strategy("noop")
@dataclass(frozen=True, slots=True)
class Noop:
    """Do nothing: the lower baseline, which must resolve no task at all."""

    def propose(self, context: RepairContext) -> Proposal:
        """Return no patch."""
        return Proposal(raw_patch=None, stop_reason="nothing is proposed")
