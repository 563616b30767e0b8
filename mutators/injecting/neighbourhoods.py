"""Where the parts of a higher-order defect are looked for: a function, and those that it may be combined with."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mendlab.corpora.candidates import LoadedSubject
from mendlab.mutators.choosing.sampling import in_turn, shuffled, take_turns
from mendlab.mutators.injecting.calls import Calls, Place
from mendlab.mutators.injecting.higher_order import fits, place_of
from mendlab.mutators.injecting.making import Choice
from mendlab.mutators.injecting.programs import Programs
from mendlab.mutators.mutant import Mutant

NEIGHBOURS: Final = 2
"""How many functions are joined to the one that a neighbourhood is about."""


class Ground:
    """The functions of one program, and the mutants of each that are still to be drawn, the likeliest first."""

    def __init__(self, loaded: LoadedSubject, mutants: Sequence[Mutant], choice: Choice) -> None:
        self.loaded = loaded
        self.calls = Calls({mutant.path: mutant.base.text for mutant in mutants})
        groups: dict[Place, list[Mutant]] = {}
        for mutant in mutants:
            groups.setdefault(place_of(mutant), []).append(mutant)
        self._waiting = {
            place: deque(in_turn(groups[place], seed=choice.seed, strategy=choice.strategy))
            for place in shuffled(groups, str, choice.seed)
        }
        self._across = choice.across

    def neighbourhoods(self) -> Iterator[Neighbourhood]:
        """Yield one about each function that has mutants left, again and again until none has."""
        joined = {place: self._join(place) for place in self._waiting}
        while any(self._waiting.values()):
            for place, waiting in self._waiting.items():
                if waiting:
                    yield Neighbourhood(self, joined[place])

    def draw(self, places: Sequence[Place], count: int) -> list[Mutant]:
        """Return the next mutants of the functions, which take turns; at most ``count``."""
        return list(islice(self._turns(places), count))

    def _turns(self, places: Sequence[Place]) -> Iterator[Mutant]:
        while any(self._waiting[place] for place in places):
            for place in places:
                if self._waiting[place]:
                    yield self._waiting[place].popleft()

    def _join(self, place: Place) -> tuple[Place, ...]:
        """The function and its neighbours: first those that it calls or that call it, then others that fit."""
        if self._across == "function":
            return (place,)
        able = [other for other in self._waiting if other != place and fits((place, other), self._across, self.calls)]
        able.sort(key=lambda other: not self.calls.linked(place, other))
        return (place, *able[:NEIGHBOURS])


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Functions of one program whose mutants may be combined."""

    ground: Ground
    places: tuple[Place, ...]


def neighbourhoods(programs: Programs, choice: Choice) -> Iterator[Neighbourhood]:
    """Yield the neighbourhoods of all programs, which take turns. A program is mutated when its first turn comes."""

    def of(loaded: LoadedSubject) -> Iterator[Neighbourhood]:
        yield from Ground(loaded, programs.mutants(loaded), choice).neighbourhoods()

    order = shuffled(programs.subjects, lambda loaded: loaded.subject.id, choice.seed)
    return take_turns(of(loaded) for loaded in order)
