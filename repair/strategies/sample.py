"""Several answers, of which the visible tests choose one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from pydantic import JsonValue, PositiveInt

from mendlab.repair.context import RepairContext
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.strategy import Proposal, strategy
from mendlab.repair.trying import Trial, read_answer, run_visible


@strategy("sample", needs_model=True, batches=True)
@dataclass(frozen=True, slots=True)
class Sample:
    """Ask a model the same n times, and hand in the first answer that passes most of the visible tests."""

    n: PositiveInt = 5

    def propose(self, context: RepairContext) -> Proposal:
        """Return the answer chosen. The first is waited for, so that the others can use the cache that it fills."""
        request = opening_request(context, cache=self.n > 2)
        answers = [context.model.ask(0, request)]
        with ThreadPoolExecutor(max(1, self.n - 1), thread_name_prefix="sample") as pool:
            answers += pool.map(lambda call: context.model.ask(call, request), range(1, self.n))
        trials = [Trial("unreadable", "there is no answer") for _ in answers]
        tried = 0
        with context.open_tests(context.problem.limits) as tests:
            while tried < self.n and not (tried and trials[tried - 1].passes):
                if answers[tried].finish != "failed":
                    read = read_answer(context.problem, answers[tried].text)
                    trials[tried] = run_visible(context.problem, tests, read)
                tried += 1
        chosen = min(range(self.n), key=lambda call: (trials[call].rank, answers[call].finish == "failed", call))
        facts: dict[str, JsonValue] = {"chosen": chosen, "trials": [trial.told for trial in trials[:tried]]}
        reason = "passes the visible tests" if trials[chosen].passes else "the best of its kind"
        proposal = context.model.proposal(answers[chosen], reason=reason, facts=facts)
        return replace(proposal, cpu_seconds=sum(trial.cpu_seconds for trial in trials))
