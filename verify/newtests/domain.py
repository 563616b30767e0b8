"""What the recorded arguments of a function have in common: what is beyond that, nobody says the function is for.

No specification is known. What a new test asks of a repair stays within this, so that a right one that differs from the
reference only where nobody asked is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from mendlab.verify.newtests.habits import BY_CHANCE, HABITS, SIZED, shape_of, whether
from mendlab.verify.newtests.messages import Arguments

Place = int | str
_FEWEST: Final = 3
"""Of how many values something is taken for a rule."""
_DEEPEST: Final = 10
SHORT: Final = 2
"""How short a text or collection may be made where those that were seen have many lengths."""


class Seen:
    """What the values at one place have in common, parts of parts included."""

    def __init__(self) -> None:
        self.kinds: set[type] = set()
        self.values: list[Any] = []
        self.parts: Seen | None = None
        self.by_place: list[Seen] = []
        self.by_key: dict[Any, Seen] = {}
        self._numbers: dict[type, tuple[float, float]] = {}
        self._lengths: dict[type, set[int]] = {}
        self._texts: list[str] = []
        self._habits: dict[str, int] = {}  # how many values have each; below 0 if one has not

    def add(self, value: Any, depth: int = 0) -> None:
        """Take note of a value."""
        if depth > _DEEPEST:
            return
        kind = type(value)
        self.kinds.add(kind)
        self.values.append(value)
        if kind in (int, float):
            low, high = self._numbers.get(kind, (value, value))
            self._numbers[kind] = (min(low, value), max(high, value))
        if kind in SIZED:
            self._lengths.setdefault(kind, set()).add(len(value))
        if kind is str:
            self._texts.append(value)
        for name, holds in HABITS.items():
            if (found := whether(holds, value)) is not None:
                known = self._habits.get(name, 0)
                self._habits[name] = known + 1 if found and known >= 0 else -1
        for at, part in enumerate(_parts(value)):
            self.parts = self.parts or Seen()
            self.parts.add(part, depth + 1)
            if kind is tuple:
                if at == len(self.by_place):
                    self.by_place.append(Seen())
                self.by_place[at].add(part, depth + 1)
        if kind is dict:
            for key, item in value.items():
                self.by_key.setdefault(key, Seen()).add(item, depth + 1)

    def admits(self, value: Any) -> bool:
        """Whether a value is like those that were seen."""
        kind = type(value)
        if kind not in self.kinds:
            return False
        if kind in (int, float):
            low, high = self._numbers[kind]
            step = 1 if kind is int else 0.5
            return bool(low - (step if low < 0 else 0) <= value <= high + step)
        if self._breaks_a_habit(value):
            return False
        if kind is str:
            return self._admits_text(value)
        if kind in SIZED and not self._admits_length(kind, len(value)):
            return False
        if kind is dict:
            keys_vary = len(self._lengths[dict]) > 1
            return value.keys() <= self.by_key.keys() and (
                (keys_vary or value.keys() == self.by_key.keys())
                and all(self.by_key[key].admits(item) for key, item in value.items())
            )
        if kind is tuple and len(self._lengths[tuple]) == 1:
            return all(seen.admits(part) for seen, part in zip(self.by_place, value, strict=True))
        return all(self.parts is not None and self.parts.admits(part) for part in _parts(value))

    def is_like(self, value: Any, depth: int = 0) -> bool:
        """Whether a value is of a type that was seen and has what all that were seen have, its parts too."""
        if depth > _DEEPEST or type(value) not in self.kinds or self._breaks_a_habit(value):
            return False
        return all(self.parts is None or self.parts.is_like(part, depth + 1) for part in _parts(value))

    def _breaks_a_habit(self, value: Any) -> bool:
        return any(self._has(name) and whether(holds, value) is False for name, holds in HABITS.items())

    def _has(self, habit: str) -> bool:
        return self._habits.get(habit, 0) >= (_FEWEST if habit in BY_CHANCE else 1)

    def _admits_length(self, kind: type, length: int) -> bool:
        lengths = self._lengths[kind]
        if len(lengths) == 1 and (kind is tuple or len(self.values) > 1):
            return length in lengths
        shortest = min(lengths)
        return length >= (min(shortest, SHORT) if len(lengths) >= _FEWEST else shortest)

    def _admits_text(self, value: str) -> bool:
        if value in self._texts:
            return True
        shapes = {shape_of(text) for text in self._texts}
        if len(set(self._texts)) >= _FEWEST and len(shapes) == 1 and shape_of(value) not in shapes:
            return False
        letters = {letter for text in self._texts for letter in text}
        return set(value) <= letters and self._admits_length(str, len(value))


class Domain:
    """The arguments that a function was seen with, all in one form: so many by position, and these by name."""

    def __init__(self, recorded: Sequence[Arguments]) -> None:
        self.recorded = recorded
        self.seen: dict[Place, Seen] = {}
        for arguments in recorded:
            for place, value in places(arguments):
                self.seen.setdefault(place, Seen()).add(value)
        self._form = _form(recorded[0])
        self._relations = [
            (one, other, name)
            for one in self.seen
            for other in self.seen
            for name, holds in _RELATIONS.items()
            if one != other and all(holds(_at(each, one), _at(each, other)) for each in recorded)
            if name != "apart" or len(recorded) >= _FEWEST
        ]

    def admits(self, arguments: Arguments) -> bool:
        """Whether arguments are like those that were seen, each by itself and together."""
        return (
            _form(arguments) == self._form
            and all(self.seen[place].admits(value) for place, value in places(arguments))
            and all(_RELATIONS[name](_at(arguments, a), _at(arguments, b)) for a, b, name in self._relations)
        )


def places(arguments: Arguments) -> list[tuple[Place, Any]]:
    """Return the arguments, each with its place: a position or a name."""
    args, kwargs = arguments
    return [*enumerate(args), *kwargs.items()]


def put(arguments: Arguments, place: Place, value: Any) -> Arguments:
    """Return arguments with another value at one place."""
    args, kwargs = arguments
    if isinstance(place, str):
        return args, {**kwargs, place: value}
    return (*args[:place], value, *args[place + 1 :]), dict(kwargs)


def forms(recorded: Iterable[Arguments]) -> dict[object, list[Arguments]]:
    """Return recorded arguments by their form."""
    found: dict[object, list[Arguments]] = {}
    for arguments in recorded:
        found.setdefault(_form(arguments), []).append(arguments)
    return found


def _form(arguments: Arguments) -> tuple[int, tuple[str, ...]]:
    args, kwargs = arguments
    return len(args), tuple(kwargs)


def _at(arguments: Arguments, place: Place) -> Any:
    return arguments[1].get(place) if isinstance(place, str) else arguments[0][place]


def _parts(value: Any) -> Iterable[Any]:
    kind = type(value)
    if kind in (list, tuple):
        return list(value)
    if kind in (set, frozenset):
        return sorted(value, key=repr)
    return list(value) if kind is dict else ()


def _measure(value: Any) -> float | None:
    if type(value) in (int, float):
        return float(value) if abs(value) < 1e300 else None
    return float(len(value)) if type(value) in SIZED else None


def _at_most(one: Any, other: Any) -> bool:
    first, second = _measure(one), _measure(other)
    return first is not None and second is not None and first <= second


def _inside(one: Any, other: Any) -> bool:
    try:
        return type(other) in SIZED and one in other
    except TypeError:
        return False


def _apart(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one != other)


_RELATIONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {"at most": _at_most, "inside": _inside, "apart": _apart}
