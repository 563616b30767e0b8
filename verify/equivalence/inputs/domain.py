"""What the recorded arguments of a function have in common: fresh inputs stay within it.

No specification is known, and a right program may do something else than the reference where nobody may call it: so
types, the sign of numbers, letters, sorted and distinct lists, equal lengths and the like are kept where all recorded
calls have them.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from mendlab.verify.equivalence.inputs.travel import Arguments, Kept

SEQUENCES: Final = (list, tuple, deque)
SETS: Final = (set, frozenset)
SIZED: Final = (str, bytes, *SEQUENCES, *SETS, dict)
CLASSES_OF_LETTERS: Final = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
ENOUGH: Final = 3
"""So many observations make a rule of what they have in common."""
MOST_KEPT: Final = 60
DEEPEST: Final = 6


class Shape:
    """What values seen at one place have in common, with the shapes of their parts."""

    def __init__(self, is_optional: bool = False) -> None:
        """Of what is ``is_optional`` nothing, 0 or empty, is a value like any other."""
        self.is_optional = is_optional
        self.seen: dict[type, list[Any]] = {}
        self._bounds: dict[type, tuple[float, float]] = {}
        self._lengths: dict[type, tuple[int, int]] = {}
        self._counts: Counter[type] = Counter()
        self._unusual: set[str] = set()
        self._alphabet: list[str] | None = None
        self.letters: set[str] = set()
        self.parts: dict[object, Shape] = {}
        self.in_order = self.distinct = self.even = True
        self.long_lists = self.nested = 0

    def add(self, value: Any, depth: int = 0) -> None:
        """Take one more value into account."""
        kind = type(value)
        known = self.seen.setdefault(kind, [])
        self._counts[kind] += 1
        if len(known) < MOST_KEPT:
            known.append(value)
        if kind is float and not math.isfinite(value):
            self._unusual.add(repr(value))
        elif kind in (int, float):
            low, high = self._bounds.get(kind, (value, value))
            self._bounds[kind] = (min(low, value), max(high, value))
        if kind in SIZED:
            short, long = self._lengths.get(kind, (len(value), len(value)))
            self._lengths[kind] = (min(short, len(value)), max(long, len(value)))
        if depth > DEEPEST:
            return
        if kind is str:
            self.letters.update(value)
            self._alphabet = None
        for place, part in parts_of(value):
            self.parts.setdefault(place, Shape()).add(part, depth + 1)
        if kind in SEQUENCES:
            self._add_sequence(value)

    def _add_sequence(self, value: Any) -> None:
        items = list(value)
        if len(items) > 1:
            self.long_lists += 1
            self.in_order = self.in_order and is_sorted(items)
            self.distinct = self.distinct and all_distinct(items)
            if all(type(item) in SIZED for item in items):
                self.nested += 1
                self.even = self.even and len({len(item) for item in items}) == 1

    @property
    def kinds(self) -> list[type]:
        """The types seen, in order of their first appearance."""
        return list(self.seen)

    def low(self, kind: type) -> float:
        """Return the least number seen of a type; infinite if there is none."""
        return self._bounds[kind][0] if kind in self._bounds else math.inf

    def high(self, kind: type) -> float:
        """Return the greatest number seen of a type; minus infinite if there is none."""
        return self._bounds[kind][1] if kind in self._bounds else -math.inf

    def floor(self, kind: type, depth: int = 0) -> float:
        """Return what no number of a type may be below: of arguments that are never below 1, and of others, 0."""
        low = self.low(kind)
        return -math.inf if low < 0 else min(low, 1 if depth == 0 and not self.is_optional else 0)

    def shortest(self, kind: type) -> int:
        """Return the least length seen of a type."""
        return self._lengths.get(kind, (0, 0))[0]

    def longest(self, kind: type) -> int:
        """Return the greatest length seen of a type."""
        return self._lengths.get(kind, (0, 0))[1]

    def has_one_length(self, kind: type) -> bool:
        """Whether the values of a type have the same length, often enough not to be by chance."""
        return self._counts[kind] >= ENOUGH and self.shortest(kind) == self.longest(kind)

    def is_sorted(self) -> bool:
        """Whether sequences are in order, often enough not to be by chance."""
        return self.in_order and self.long_lists >= ENOUGH

    def is_distinct(self) -> bool:
        """Whether the items of sequences are distinct, often enough not to be by chance."""
        return self.distinct and self.long_lists >= ENOUGH

    def alphabet(self) -> list[str]:
        """Return the letters that texts may have: those seen, and the classes that they are of if several are seen."""
        if self._alphabet is None:
            found = set(self.letters)
            for letters in CLASSES_OF_LETTERS:
                if len(found.intersection(letters)) >= ENOUGH:
                    found.update(letters)
            self._alphabet = sorted(found)
        return self._alphabet

    def admits(self, value: Any, depth: int = 0) -> bool:
        """Whether a value is within what was seen."""
        kind = type(value)
        if kind not in self.seen:
            return False
        if depth > DEEPEST:
            return True
        if kind is float and not math.isfinite(value):
            return repr(value) in self._unusual
        if kind in (int, float) and value < self.floor(kind, depth):
            return False
        if kind is str and not set(value).issubset(self.alphabet()):
            return False
        if kind in SIZED and not self._admits_length(value):
            return False
        if kind in SEQUENCES and not self._admits_order(list(value)):
            return False
        return all(place in self.parts and self.parts[place].admits(part, depth + 1) for place, part in parts_of(value))

    def has_types_of(self, value: Any, depth: int = 0) -> bool:
        """Whether a value and its parts are of types that were seen there."""
        if type(value) not in self.seen:
            return False
        if type(value) is tuple and not self._admits_length(value):
            return False
        return depth > DEEPEST or all(
            place in self.parts and self.parts[place].has_types_of(part, depth + 1) for place, part in parts_of(value)
        )

    def _admits_length(self, value: Any) -> bool:
        kind, length = type(value), len(value)
        if self.is_optional and not length:
            return True
        if kind is tuple or self.has_one_length(kind):
            return self.shortest(kind) <= length <= self.longest(kind)
        return True

    def _admits_order(self, items: list[Any]) -> bool:
        if self.is_sorted() and not is_sorted(items):
            return False
        if self.is_distinct() and not all_distinct(items):
            return False
        lengths = {len(item) for item in items if type(item) in SIZED}
        return not (self.even and self.nested >= ENOUGH and len(lengths) > 1)


class Domain:
    """What the arguments of one function have in common, each by itself and together."""

    def __init__(self, calls: Sequence[Arguments], optional: Collection[object] = ()) -> None:
        """``optional`` are the places of arguments that may be left out, or are asked whether they are None."""
        self.shapes: dict[object, Shape] = {}
        self.forms = {(len(args), tuple(kwargs)) for args, kwargs in calls}
        for arguments in calls:
            for place, value in places(arguments):
                self.shapes.setdefault(place, Shape(place in optional)).add(value)
        self._relations = [
            (one, other, holds)
            for one, other in combinations(self.shapes, 2)
            for holds in RELATIONS
            if _is_rule(calls, one, other, holds)
        ]
        self._of_one_type = [
            (one, other) for one, other in combinations(self.shapes, 2) if self._have_one_type(calls, one, other)
        ]

    def _have_one_type(self, calls: Sequence[Arguments], one: object, other: object) -> bool:
        """Whether two arguments, each of which may be of several types, are of the same in every call."""
        if min(len(self.shapes[one].kinds), len(self.shapes[other].kinds)) < 2:
            return False
        given = [dict(places(arguments)) for arguments in calls]
        return all(type(each[one]) is type(each[other]) for each in given if one in each and other in each)

    def admits(self, arguments: Arguments) -> bool:
        """Whether arguments are within what was seen."""
        args, kwargs = arguments
        if (len(args), tuple(kwargs)) not in self.forms:
            return False
        given = dict(places(arguments))
        return (
            all(self.shapes[place].admits(value) for place, value in given.items())
            and all(
                holds(given[one], given[other]) is not False
                for one, other, holds in self._relations
                if one in given and other in given
            )
            and all(
                type(given[one]) is type(given[other])
                for one, other in self._of_one_type
                if one in given and other in given
            )
        )

    def is_of_numbers(self) -> bool:
        """Whether all arguments are numbers."""
        return all(set(shape.kinds) <= {int, float, bool} for shape in self.shapes.values())

    def is_of_types(self, arguments: Arguments) -> bool:
        """Whether arguments have the form and the types of those seen."""
        args, kwargs = arguments
        return (len(args), tuple(kwargs)) in self.forms and all(
            self.shapes[place].has_types_of(value) for place, value in places(arguments)
        )


def _equally_long(one: Any, other: Any) -> bool | None:
    return len(one) == len(other) if type(one) in SIZED and type(one) is type(other) else None


def _no_longer_than(one: Any, other: Any) -> bool | None:
    return len(one) >= other if type(one) in SIZED and type(other) is int else None


def _within_length(one: Any, other: Any) -> bool | None:
    return len(other) >= one if type(other) in SIZED and type(one) is int else None


RELATIONS: Final = (_equally_long, _no_longer_than, _within_length)


def _is_rule(calls: Sequence[Arguments], one: object, other: object, holds: Any) -> bool:
    """Whether a relation of two arguments holds in all calls, and these are many and differ."""
    seen = []
    for arguments in calls:
        given = dict(places(arguments))
        if one in given and other in given:
            seen.append((given[one], given[other]))
    told = [holds(*pair) for pair in seen]
    sizes = {len(first) if type(first) in SIZED else first for first, _ in seen if type(first) in (*SIZED, int, float)}
    return len(told) > ENOUGH and all(each is True for each in told) and len(sizes) > 1


def places(arguments: Arguments) -> list[tuple[object, Any]]:
    """Return arguments by position or name."""
    args, kwargs = arguments
    return [*enumerate(args), *kwargs.items()]


def parts_of(value: Any) -> Iterator[tuple[object, Any]]:
    """Yield the parts of a value, each with the place that it shares with those of other values."""
    kind = type(value)
    if kind is tuple:
        yield from enumerate(value)
    elif kind in SEQUENCES or kind in SETS:
        for item in value:
            yield "item", item
    elif kind is dict:
        for key, item in value.items():
            yield "key", key
            yield "value", item
    elif kind is Kept:
        for index, part in enumerate(value.parts):
            named = value.tag.startswith("@") and index % 2
            yield (value.tag, value.parts[index - 1] if named else index), part


def is_sorted(items: Sequence[Any]) -> bool:
    """Whether items are in order, rising; what cannot be ordered is not."""
    try:
        return all(items[at] <= items[at + 1] for at in range(len(items) - 1))
    except TypeError:
        return False


def all_distinct(items: Sequence[Any]) -> bool:
    """Whether no two items are equal."""
    return all(item not in items[:at] for at, item in enumerate(items))
