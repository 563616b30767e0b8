"""What is cheap first, what is dear for the rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mendlab.errors import InputError
from mendlab.repair.context import RepairContext
from mendlab.repair.strategy import ChosenStrategy, Proposal, make_strategy, strategy


@strategy("chain", needs_model=True)
@dataclass(frozen=True, slots=True)
class Chain:
    """Try one strategy after another until one has a patch: search first, a model for the rest."""

    links: str = "search,feedback"
    chosen: tuple[ChosenStrategy, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        names = [name.strip() for name in self.links.split(",")]
        if "chain" in names:
            raise InputError("a chain cannot be a link of itself", hint="name strategies: search,feedback")
        chosen = tuple(make_strategy(name) for name in names)
        if any(link.sees_reference for link in chosen):
            raise InputError("no link of a chain may know the answer", hint="name strategies: search,feedback")
        object.__setattr__(self, "chosen", chosen)

    def propose(self, context: RepairContext) -> Proposal:
        """Return the first patch, or what the last link says; ``link`` tells which it was."""
        spent = 0.0
        proposal = Proposal(raw_patch=None, stop_reason="there is no link")
        for link in self.chosen:
            proposal = link.strategy.propose(context)
            spent += proposal.cpu_seconds or 0.0
            proposal = replace(proposal, parameters={"link": link.name, **(proposal.parameters or {})})
            if proposal.raw_patch is not None:
                break
        return replace(proposal, cpu_seconds=spent)
