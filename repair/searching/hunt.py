"""One search: candidates in their order, those that pass, and the best of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, final

from mendlab.corpora.diffs import make_diff
from mendlab.errors import EngineError
from mendlab.records import TestResult
from mendlab.repair.budget import Budget
from mendlab.repair.candidates import Candidate
from mendlab.repair.context import VisibleTests
from mendlab.repair.problem import Problem
from mendlab.repair.searching.keys import Keys
from mendlab.repair.searching.pairs import pairs
from mendlab.repair.searching.ranking import Ranked, rank
from mendlab.repair.searching.screening import Screen
from mendlab.repair.searching.tidying import tidy
from mendlab.repair.strategy import Proposal
from mendlab.verify.engines.function_screen import Call, Screened

UNLIKELY: Final = 0.01
"""Once a patch is found, what is so much less likely is not tried any more."""
MOST_PLAUSIBLE: Final = 200


@final
class Hunt:
    """What one search has tried and found. ``slow`` are the candidates that took too long."""

    def __init__(self, problem: Problem, budget: Budget, failing: Sequence[TestResult]) -> None:
        self.plausible: list[Candidate] = []
        self.slow: list[Candidate] = []
        self._problem = problem
        self._budget = budget
        self._failing = len(failing)
        self._seen: set[Hashable] = set()
        self._keys = Keys()
        self._tried: list[Candidate] = []
        self._helpful: set[int] = set()

    def single_edits(self, ranked: Iterable[Candidate], screen: Screen, seconds: float) -> None:
        """Try candidates in order, until enough are found or the budget ends."""
        after = 0
        for batch in self._batches(self._new(ranked), screen.together):
            for candidate, fared in self._fared(batch, screen, seconds):
                self._tried.append(candidate)
                if fared.passed and self._failing > 1 and fared.word != "passed":
                    self._helpful.add(id(candidate))
            after += len(batch) if self.plausible else 0
            if self._is_enough(batch[-1], after, screen):
                return

    def again(self, screen: Screen, seconds: float) -> None:
        """Try those that took too long under a longer limit."""
        slow, self.slow = self.slow, []
        for batch in self._batches(slow, screen.together):
            for _ in self._fared(batch, screen, seconds):
                pass
            if self.plausible:
                return

    def two_edits(self, screen: Screen, seconds: float) -> None:
        """Try pairs of what was tried, until one is found or the budget ends."""
        for batch in self._batches(self._new(pairs(self._tried, self._helpful)), screen.together):
            for _ in self._fared(batch, screen, seconds):
                pass
            if self.plausible:
                return

    def best(self, screen: Screen, tests: VisibleTests, calls: Sequence[Call]) -> Proposal:
        """Return the best patch that the engine of the tests passes too."""
        ranked = self._ranked(screen, calls)
        for patch in ranked.patches:
            changes = {patch.path: patch.data}
            run = tests.run(changes, self._problem.visible, stop_at_first=True)
            self._budget.elsewhere += run.cpu_seconds
            if not run.failing():
                return self.answer("found", patch, ranked.groups)
        return self.answer(f"budget: {limit}" if (limit := self._budget.exhausted) else "exhausted")

    def answer(self, why: str, patch: Candidate | None = None, groups: int | None = None) -> Proposal:
        """Return an answer, with how much was done for it."""
        facts = {
            "tried": self._budget.tried,
            "operator": patch.operator if patch else None,
            "plausible": len(self.plausible),
            "behaviours": groups,
        }
        diff = None
        if patch is not None:
            tree = self._problem.tree
            diff = make_diff(tree, tree.replace({patch.path: tidy(patch).data}))
        return Proposal(diff, why, parameters=facts, cpu_seconds=self._budget.elsewhere)

    def stopped(self) -> Proposal | None:
        """Return the likeliest patch so far, for a search that the user stops; None if there is none."""
        found = max(self.plausible, key=lambda each: each.likelihood, default=None)
        return self.answer("stopped: the best so far", found) if found else None

    def _ranked(self, screen: Screen, calls: Sequence[Call]) -> Ranked:
        try:
            return rank(self._problem, self.plausible, screen, calls)
        except EngineError:
            return Ranked(sorted(self.plausible, key=lambda each: -each.likelihood), None)

    def _fared(
        self, batch: Sequence[Candidate], screen: Screen, seconds: float
    ) -> Iterator[tuple[Candidate, Screened]]:
        """Try a batch, and keep what passes and what is slow."""
        for candidate, fared in zip(batch, screen.tried(batch, seconds), strict=True):
            self._budget.tried += 1
            if fared.word == "passed":
                self.plausible.append(candidate)
            elif fared.word == "slow":
                self.slow.append(candidate)
            yield candidate, fared

    def _is_enough(self, last: Candidate, after: int, screen: Screen) -> bool:
        if not self.plausible:
            return False
        best = max(each.likelihood for each in self.plausible)
        return after >= screen.patience or last.likelihood < UNLIKELY * best or len(self.plausible) >= MOST_PLAUSIBLE

    def _batches(self, ranked: Iterable[Candidate], size: int) -> Iterator[list[Candidate]]:
        """Yield so many at a time, as long as the budget lasts."""
        waiting = iter(ranked)
        while self._budget.exhausted is None:
            batch = list(islice(waiting, min(size, self._budget.left)))
            if not batch:
                return
            yield batch

    def _new(self, ranked: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield those that are programs, of equal ones the first."""
        for candidate in ranked:
            key = self._keys.of(candidate)
            if key is not None and key not in self._seen:
                self._seen.add(key)
                yield candidate
