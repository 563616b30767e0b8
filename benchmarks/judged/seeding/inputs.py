"""Many fresh inputs for a function, made after the arguments in its tests; nothing here is shared with the judge.

Every argument is made anew: numbers from the range of those in its place in all calls and somewhat beyond, texts of the
same words or letters, lists of all lengths with elements of the same kinds. Order and distinctness, where all lists in
that place have them, are kept.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

_SPAN: Final = 10**6


@dataclass
class Kind:
    """What the values in one place are like, those inside them included."""

    values: dict[type, list[Any]] = field(default_factory=dict)
    inner: Kind | None = None
    keys: Kind | None = None

    def add(self, value: Any) -> None:
        """Take in one more value."""
        self.values.setdefault(type(value), []).append(value)
        if isinstance(value, list | tuple | set | frozenset):
            self._add_inner(value)
        elif isinstance(value, dict):
            self._add_inner(value.values())
            self.keys = self.keys or Kind()
            for key in value:
                self.keys.add(key)

    def _add_inner(self, items: Iterable[Any]) -> None:
        self.inner = self.inner or Kind()
        for item in items:
            self.inner.add(item)

    def make(self, chance: random.Random) -> Any:
        """Return a fresh value."""
        kinds = [kind for kind, found in self.values.items() for _ in found]
        kind = chance.choice(kinds)
        known = self.values[kind]
        if kind is bool:
            return chance.random() < 0.5
        if kind in (int, float):
            return _number(kind, known, chance)
        if kind is str:
            return _text(known, chance)
        if kind in (list, tuple, set, frozenset):
            return self._items(kind, known, chance)
        if kind is dict and self.keys is not None and self.inner is not None:
            size = chance.randint(min(map(len, known)), max(map(len, known)) + 1)
            return {self.keys.make(chance): self.inner.make(chance) for _ in range(size)}
        return chance.choice(known)

    def _items(self, kind: Any, known: list[Any], chance: random.Random) -> Any:
        if self.inner is None or not self.inner.values:
            return chance.choice(known)
        shortest, longest = min(map(len, known)), max(map(len, known))
        size = chance.randint(shortest, longest if shortest == longest else longest + 3)
        items = [self.inner.make(chance) for _ in range(size)]
        several = [each for each in known if len(each) > 1] if kind in (list, tuple) else []
        if several and all(_in_order(each) for each in several):
            items = sorted(items)
        if several and all(_distinct(each) for each in several) and not _distinct(items):
            items = [item for at, item in enumerate(items) if item not in items[:at]]
        return kind(items)


def fresh_inputs(calls: list[tuple[Any, ...]], count: int, seed: int) -> list[tuple[Any, ...]]:
    """Return so many lists of arguments for a function that is called like this."""
    chance = random.Random(seed)
    arities = sorted({len(call) for call in calls})
    kinds = {arity: [Kind() for _ in range(arity)] for arity in arities}
    for call in calls:
        for kind, argument in zip(kinds[len(call)], call, strict=True):
            kind.add(argument)
    return [tuple(kind.make(chance) for kind in kinds[len(chance.choice(calls))]) for _ in range(count)]


def _number(kind: Any, known: list[Any], chance: random.Random) -> Any:
    if chance.random() < 0.3:
        return chance.choice(known)
    low, high = min(known), min(max(known), min(known) + _SPAN)
    beyond = max(2, (high - low) // 2)
    low = low if low >= 0 else low - beyond
    if kind is int:
        return chance.randint(int(low), int(high + beyond))
    return round(chance.uniform(low, high + beyond), chance.choice((0, 1, 2)))


def _text(known: list[str], chance: random.Random) -> str:
    if chance.random() < 0.2:
        return chance.choice(known)
    words = [word for text in known for word in text.split(" ")]
    if len(words) > len(known):
        counts = [text.count(" ") + 1 for text in known]
        return " ".join(chance.choice(words) for _ in range(chance.randint(min(counts), max(counts) + 1)))
    letters = [letter for text in known for letter in text] or ["a"]
    lengths = [len(text) for text in known]
    size = chance.randint(min(lengths), max(lengths) if min(lengths) == max(lengths) else max(lengths) + 2)
    return "".join(chance.choice(letters) for _ in range(size))


def _in_order(items: Any) -> bool:
    try:
        return all(one <= other for one, other in pairwise(items))
    except TypeError:
        return False


def _distinct(items: Any) -> bool:
    return all(item not in items[:at] for at, item in enumerate(items))
