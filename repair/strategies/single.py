"""One question, one answer."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.repair.context import RepairContext
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.strategy import Proposal, strategy


@strategy("single", needs_model=True, batches=True)
@dataclass(frozen=True, slots=True)
class Single:
    """Ask a model once, and hand in its answer as it comes."""

    def propose(self, context: RepairContext) -> Proposal:
        """Return the answer."""
        return context.model.proposal(context.model.ask(0, opening_request(context)))
