"""The choice among mutants: apart from making them, by a seed, the same on every machine and Python version."""

from __future__ import annotations

import hashlib
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeVar

from mendlab.errors import InputError
from mendlab.mutators.choosing.shares import weights
from mendlab.mutators.mutant import Mutant

Item = TypeVar("Item")
FunctionKey = tuple[str, str]
"""A file, and the qualified name of a function or class in it; the name is empty at module level."""

STRATEGIES: Final = ("uniform", "operator", "family", "natural")


def sample(mutants: Iterable[Mutant], n: int, *, seed: int, strategy: str = "uniform") -> list[Mutant]:
    """At most ``n`` of the mutants, without repetition, in the order drawn: a smaller sample is the start of a larger.

    The functions take turns, and within their turns the families, so that none has more than its share while others
    still have mutants (:func:`in_turn`). What a family's share is, and which of its mutants come first, the strategy
    says (:func:`mendlab.mutators.choosing.shares.weights`). The choice depends on the ids and the seed, not on the
    order of the mutants.

    Raises:
        InputError: the strategy is unknown or ``n`` is negative.
    """
    if n < 0:
        raise InputError(f"cannot choose {n} mutants", hint="give 0 or more")
    return list(islice(in_turn(mutants, seed=seed, strategy=strategy), min(n, sys.maxsize)))


def per_function(mutants: Iterable[Mutant], limit: int, *, seed: int) -> list[Mutant]:
    """At most ``limit`` mutants of each function of each file, with equal chances; in order of path and position.

    What stands in no function counts as one function of its file.
    """
    groups = _functions(mutants)
    return sorted((m for group in groups.values() for m in sample(group, limit, seed=seed)), key=_place)


class Balance:
    """What each family is owed: its share of all that was drawn, less what it got. Several drawings may have one."""

    def __init__(self) -> None:
        self._owed: dict[str, float] = defaultdict(float)

    def pick(self, shares: Mapping[str, float], chance: float) -> str:
        """Return the family whose turn it is, among those that have a share; ``chance`` is above 0 and at most 1.

        Each is owed its share more, and one that is owed something is picked, with odds by how much that is. So a
        family never has as much as one mutant more than the shares it was given add up to, while others have some.
        """
        total = sum(shares.values())
        for family, share in shares.items():
            self._owed[family] += share / total
        owed = {family: self._owed[family] for family in shares if self._owed[family] > 0}
        picked = _at(owed, chance) if owed else max(shares, key=lambda family: (self._owed[family], family))
        self._owed[picked] -= 1
        return picked


def in_turn(
    mutants: Iterable[Mutant], *, seed: int, strategy: str = "uniform", balance: Balance | None = None
) -> Iterator[Mutant]:
    """Every mutant once, in the order of :func:`sample`: round by round, one from each function that has any left.

    ``balance`` holds the families' turns; it is shared where programs are drawn from side by side.

    Raises:
        InputError: the strategy is unknown. Raised by this call, not by the iterator.
    """
    groups = _functions(mutants)
    return functions_in_turn(groups, groups.__getitem__, seed=seed, strategy=strategy, balance=balance)


def functions_in_turn(
    functions: Iterable[FunctionKey],
    mutants_of: Callable[[FunctionKey], Iterable[Mutant]],
    *,
    seed: int,
    strategy: str = "uniform",
    balance: Balance | None = None,
) -> Iterator[Mutant]:
    """What :func:`in_turn` yields, for functions whose mutants are made when their first turn comes.

    A function without mutants makes no difference.

    Raises:
        InputError: the strategy is unknown. Raised by this call, not by the iterator.
    """
    if strategy not in STRATEGIES:
        raise InputError(f"no sampling strategy is called {strategy!r}", hint=f"one of {', '.join(STRATEGIES)}")
    shared = Balance() if balance is None else balance

    def drawn(key: FunctionKey) -> Iterator[Mutant]:
        yield from _Queue(key, mutants_of(key), seed, strategy).drawn(shared)

    return take_turns(drawn(key) for key in shuffled(functions, str, seed))


def shuffled(items: Iterable[Item], name: Callable[[Item], str], seed: int) -> list[Item]:
    """Return the items in an order that the seed and their names decide."""
    return sorted(items, key=lambda item: _unit(f"{seed}:{name(item)}"))


def take_turns(iterators: Iterable[Iterator[Item]]) -> Iterator[Item]:
    """Yield one item of each iterator that has any left, round by round."""
    turns = list(iterators)
    while turns:
        left = []
        for turn in turns:
            for item in islice(turn, 1):
                yield item
                left.append(turn)
        turns = left


class _Queue:
    """The mutants of one function by family, each family's in the order in which they come."""

    def __init__(self, key: FunctionKey, mutants: Iterable[Mutant], seed: int, strategy: str) -> None:
        by_id = dict(sorted((mutant.id, mutant) for mutant in mutants))
        likely = weights(list(by_id.values()), strategy)
        self._chance = f"{seed}:{key}"
        self._waiting: dict[str, list[Mutant]] = defaultdict(list)
        self._shares: dict[str, float] = defaultdict(float)
        for id_ in sorted(by_id, key=lambda id_: (_priority(id_, likely[id_], seed), id_)):
            self._waiting[by_id[id_].family].append(by_id[id_])
            self._shares[by_id[id_].family] += likely[id_]

    def drawn(self, balance: Balance) -> Iterator[Mutant]:
        for count in range(1, sum(map(len, self._waiting.values())) + 1):
            family = balance.pick(self._shares, _unit(f"{self._chance}:{count}"))
            yield self._waiting[family].pop()
            if not self._waiting[family]:
                del self._shares[family]


def _functions(mutants: Iterable[Mutant]) -> dict[FunctionKey, list[Mutant]]:
    groups: dict[FunctionKey, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        groups[mutant.path, mutant.function or ""].append(mutant)
    return groups


def _place(mutant: Mutant) -> tuple[str, int, int, str]:
    return mutant.path, mutant.edits[0].start, mutant.edits[-1].end, mutant.id


def _priority(id_: str, weight: float, seed: int) -> float:
    """A key whose largest values are a weighted sample without replacement (Efraimidis and Spirakis, 2006)."""
    return math.log(_unit(f"{seed}:{id_}")) / weight


def _at(odds: Mapping[str, float], chance: float) -> str:
    """The name at which the running sum of the odds, in order of name, reaches ``chance`` of the whole."""
    left = chance * sum(odds.values())
    name = ""
    for name in sorted(odds):
        left -= odds[name]
        if left <= 0:
            break
    return name


def _unit(text: str) -> float:
    """A number above 0 and at most 1 out of a text, evenly spread."""
    return (int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") + 1) / 2**48
