"""Answers that are told what became of the ones before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue, PositiveInt

from mendlab.records import ModelAnswer
from mendlab.repair.context import RepairContext
from mendlab.repair.problem import Problem
from mendlab.repair.prompts.facts import TESTS_SHOWN, shown_tests
from mendlab.repair.prompts.requests import following_request, opening_request
from mendlab.repair.strategy import Proposal, strategy
from mendlab.repair.trying import Trial, read_answer, run_visible


@strategy("feedback", needs_model=True)
@dataclass(frozen=True, slots=True)
class Feedback:
    """Ask a model, run the visible tests on its answer, tell it what fails, and ask again, up to so many rounds."""

    rounds: PositiveInt = 3

    def propose(self, context: RepairContext) -> Proposal:
        """Return the first answer that passes every visible test, else the last of those that fail the fewest."""
        problem, model = context.problem, context.model
        request = opening_request(context, cache=self.rounds > 1)
        answers: list[ModelAnswer] = []
        trials: list[Trial] = []
        repeats = 0
        with context.open_tests(problem.limits) as tests:
            while len(answers) < self.rounds:
                answer = model.ask(len(answers), request)
                if answer.finish == "failed" and answers:
                    break
                answers.append(answer)
                if answer.finish == "failed":
                    return model.proposal(answer, facts={"rounds": 1})
                read = read_answer(problem, answer.text)
                earlier = next((round_ for round_, trial in enumerate(trials, 1) if _same(trial, read)), None)
                repeats += earlier is not None
                known = replace(trials[earlier - 1], cpu_seconds=0.0) if earlier else None
                trials.append(known or run_visible(problem, tests, read))
                if trials[-1].passes:
                    break
                request = following_request(context, request, answer.text, _told(problem, trials[-1], earlier))
        chosen = min(range(len(trials)), key=lambda index: (trials[index].rank, -index))
        facts: dict[str, JsonValue] = {
            "rounds": len(trials),
            "chosen": chosen,
            "repeats": repeats,
            "trials": [t.told for t in trials],
        }
        reason = "passes the visible tests" if trials[chosen].passes else "rounds are over"
        proposal = model.proposal(answers[chosen], reason=reason, facts=facts)
        return replace(proposal, cpu_seconds=sum(trial.cpu_seconds for trial in trials))


def _same(trial: Trial, read: Trial) -> bool:
    return trial.tree is not None and trial.tree == read.tree


def _told(problem: Problem, trial: Trial, earlier: int | None) -> dict[str, Any]:
    """What the template ``feedback`` is told of a round."""
    return {
        "event": "repeated" if earlier else trial.event,
        "repeats": earlier,
        "reason": trial.reason,
        "diff": trial.diff.rstrip("\n"),
        "ran": trial.ran,
        "failing": len(trial.failing),
        "tests": shown_tests(problem.harness, trial.failing),
        "more_tests": max(0, len(trial.failing) - TESTS_SHOWN),
    }
