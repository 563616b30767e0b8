"""Defects of several mutants each, which fewer tests detect than each mutant alone.

A higher-order mutant that is harder to kill than its parts is subsuming; strongly so if every test that kills it kills
each of the parts (Jia and Harman, 2009; Harman, Jia, Reales and Polo, 2014). What is kept is detected by fewer tests
than every single part, which is more than weakly subsuming asks; the strongly subsuming are tagged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice
from typing import Final

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.mutators.choosing.preference import Detected
from mendlab.mutators.injecting.first_order import detected
from mendlab.mutators.injecting.higher_order import place_of
from mendlab.mutators.injecting.joining import Experience, Found, Proposal, joined
from mendlab.mutators.injecting.making import Choice, Making
from mendlab.mutators.injecting.neighbourhoods import Neighbourhood, neighbourhoods
from mendlab.mutators.injecting.programs import Programs, make_candidate, make_combined
from mendlab.mutators.mutant import Mutant
from mendlab.records import DropReason
from mendlab.verify.detection.examine import Examiner
from mendlab.workers import Progress

VISITS: Final = 8
"""How many neighbourhoods are visited at a time, at most; their candidates are tried side by side."""
PORTION: Final = 24
"""How many mutants are drawn at a visit of a neighbourhood."""
COMBINATIONS: Final = 48
"""How many combinations of each order are tried at a visit."""
STRONGLY: Final = "strongly-subsuming"


def inject_higher_order(
    programs: Programs, choice: Choice, examiner: Examiner, making: Making, progress: Progress
) -> None:
    """Make tasks until there are as many of each order as are wanted, or all is tried, or the runs are used up.

    At a visit of a neighbourhood some mutants are drawn and tried alone; those detected are joined to combinations,
    and of those of each order that hold one becomes a task. What is missing in the end is filled up with what was
    found, but not taken.
    """
    missing = making.missing or 0
    search = _Search(programs, choice, examiner, runs=choice.tries * missing)
    share, more = divmod(missing, len(choice.orders))
    wanted = {order: share + (place < more) for place, order in enumerate(choice.orders)}
    baselines = examiner.building.baselines

    def can_be_used(hood: Neighbourhood) -> bool:
        known = baselines.get(hood.ground.loaded.subject.id)
        return known is None or bool(known.passing)

    grounds = filter(can_be_used, neighbourhoods(programs, choice))
    while (left := sum(wanted.values())) and search.runs and (group := list(islice(grounds, min(left, VISITS)))):
        for offers in search.visit(group):
            for order in choice.orders:
                if not wanted[order]:
                    making.set_aside += offers[order][:1]
                elif offers[order] and making.take_one(offers[order]) is not None:
                    wanted[order] -= 1
        progress("tasks made", len(making.tasks), choice.limit)
    making.detected = search.detected
    making.fill()


class _Search:
    """Tries mutants and their combinations, and remembers what came of them.

    ``runs`` is how many more it may try, ``detected`` how many of the orders that are wanted hold.
    """

    def __init__(self, programs: Programs, choice: Choice, examiner: Examiner, runs: int) -> None:
        self.runs = runs
        self.detected = 0
        self._programs, self._choice, self._examiner = programs, choice, examiner
        self._parts: dict[object, list[Found]] = defaultdict(list)
        self._killers: dict[str, frozenset[str]] = {}
        self._tried: set[frozenset[str]] = set()
        self._detected: set[frozenset[str]] = set()
        self._experience = Experience()

    def visit(self, group: Sequence[Neighbourhood]) -> list[dict[int, list[Detected]]]:
        """Return, for each neighbourhood, the defects of each order that hold."""
        drawn = [[Proposal((mutant,)) for mutant in hood.ground.draw(hood.places, PORTION)] for hood in group]
        level = self._try(group, drawn, 1)
        for part in chain.from_iterable(level):
            self._parts[place_of(part.mutants[0])].append(part)
            self._killers |= dict.fromkeys(part.ids, part.killers)
        offers = [
            {1: self._offered(hood, found[: self._choice.oversample])} for hood, found in zip(group, level, strict=True)
        ]
        for order in range(2, max(self._choice.orders) + 1):
            level = self._try(group, [self._proposed(*each) for each in zip(group, level, strict=True)], order)
            for place, found in enumerate(self._without_idle_parts(group, level, order)):
                offers[place][order] = self._offered(group[place], found)
        return offers

    def _proposed(self, hood: Neighbourhood, below: Sequence[Found]) -> list[Proposal]:
        parts = [part for place in hood.places for part in self._parts[place]]
        across, calls = self._choice.across, hood.ground.calls
        return joined(below, parts, across, calls, self._tried, self._experience)[:COMBINATIONS]

    def _without_idle_parts(
        self, group: Sequence[Neighbourhood], level: Sequence[list[Found]], order: int
    ) -> list[list[Found]]:
        """Keep those of which no part can be left in place, the others mended, without the tests telling."""
        lesser = [[fewer for found in some for fewer in _without_one(found)] for some in level]
        untried = [[Proposal(fewer) for fewer in some if _ids(fewer) not in self._tried] for some in lesser]
        self._try(group, untried, order - 1)
        return [
            [found for found in some if self._detected.issuperset(map(_ids, _without_one(found)))] for some in level
        ]

    def _try(
        self, group: Sequence[Neighbourhood], proposed: Sequence[Sequence[Proposal]], order: int
    ) -> list[list[Found]]:
        """Run the tests on mutants made at once; return what holds, apart for each neighbourhood."""
        batch: dict[str, tuple[int, Proposal]] = {}
        candidates: list[Candidate] = []
        for place, some in enumerate(proposed):
            for proposal in some:
                if len(candidates) == self.runs:
                    break
                self._tried.add(_ids(proposal.mutants))
                candidate = self._candidate(group[place].ground.loaded, proposal.mutants)
                if self._programs.admits(candidate, self._dropped(order)):
                    candidates.append(candidate)
                    batch[candidate.id] = place, proposal
        level: list[list[Found]] = [[] for _ in group]
        if not candidates:
            return level
        self.runs -= len(candidates)
        for offer in detected(candidates, self._examiner, self._dropped(order)):
            place, proposal = batch[offer.candidate.id]
            level[place].append(Found(proposal.mutants, offer.detection))
            self.detected += order in self._choice.orders
        self._learn(batch)
        return level

    def _learn(self, batch: Mapping[str, tuple[int, Proposal]]) -> None:
        for name, (_, proposal) in batch.items():
            if name not in self._examiner.building.detections:
                continue
            dropped = self._examiner.building.detections[name].dropped
            if dropped is None or dropped is DropReason.NOT_HARDER:
                self._detected.add(_ids(proposal.mutants))
            self._experience.learn(proposal.features, held=dropped is None)

    def _candidate(self, loaded: LoadedSubject, mutants: tuple[Mutant, ...]) -> Candidate:
        if len(mutants) == 1:
            return make_candidate(loaded, mutants[0])
        return make_combined(loaded, mutants, [len(self._killers[mutant.id]) for mutant in mutants])

    def _offered(self, hood: Neighbourhood, found: Sequence[Found]) -> list[Detected]:
        loaded = hood.ground.loaded
        baseline = self._examiner.building.baselines[loaded.subject.id]
        return [Detected(self._tagged(loaded, each), each.detection, baseline) for each in found]

    def _tagged(self, loaded: LoadedSubject, found: Found) -> Candidate:
        candidate = self._candidate(loaded, found.mutants)
        strongly = len(found.mutants) > 1 and all(found.killers <= self._killers[mutant.id] for mutant in found.mutants)
        return replace(candidate, tags=(*candidate.tags, STRONGLY)) if strongly else candidate

    def _dropped(self, order: int) -> Counter[str]:
        """What is no candidate for a task, but only tried as a part of others, is not counted as dropped."""
        return self._programs.dropped if order in self._choice.orders else Counter()


def _ids(mutants: Sequence[Mutant]) -> frozenset[str]:
    return frozenset(mutant.id for mutant in mutants)


def _without_one(found: Found) -> list[tuple[Mutant, ...]]:
    """What is left when one of the mutants is mended."""
    return list(combinations(found.mutants, len(found.mutants) - 1))
