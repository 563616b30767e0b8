"""Arguments as long, or as great, as a constant that a patch alone mentions, and a little less and more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.domain import Domain, Shape, places
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.sizes import weight
from mendlab.verify.equivalence.inputs.travel import Arguments, Kept, changed

GREATEST: Final = 500
MOST_CONSTANTS: Final = 4
MOST_DIGITS: Final = 60


def lengths(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Recorded arguments made as long as constants by repetition: one of them, and all that have a length."""
    constants = [int(number) for number in literals.numbers if number == int(number) and 2 <= number <= GREATEST]
    constants = list(dict.fromkeys(constants))[:MOST_CONSTANTS]
    sources = [_around(recorded, domain, constant, chance) for constant in constants]
    while sources:
        for source in list(sources):
            found = next(source, None)
            if found is None:
                sources.remove(source)
            else:
                yield found


def _around(recorded: Sequence[Arguments], domain: Domain, constant: int, chance: Random) -> Iterator[Arguments]:
    base = sorted(recorded, key=weight)
    for length in (constant + 1, constant + constant // 2 + 3, constant, constant - 1):
        for arguments in dict.fromkeys((len(base) - 1, len(base) // 2, len(base) // 4, chance.randrange(len(base)))):
            given = places(base[arguments])
            ways = {place: list(grown(value, domain.shapes[place], length, chance)) for place, value in given}
            for at in range(max(map(len, ways.values()), default=0)):
                longer = base[arguments]
                for place, values in ways.items():
                    if at < len(values):
                        yield changed(base[arguments], place, values[at])
                        longer = changed(longer, place, values[at])
                if sum(bool(values) for values in ways.values()) > 1:
                    yield longer


def grown(value: Any, shape: Shape, length: int, chance: Random, depth: int = 0) -> Iterator[Any]:
    """Yield values of a length, made of a value and what else was seen in its place; and numbers of that size."""
    kind = type(value)
    if kind is int:
        yield from (length, *_numbers(value, length))
    elif kind is str:
        yield from _texts(value, shape, length, chance)
    elif kind in (list, tuple, deque) and value and not shape.has_one_length(kind):
        yield from map(kind, _sequences(list(value), shape, length))
    elif kind in (set, frozenset) and value:
        yield kind(_distinct(list(value), length))
    elif kind is dict and value:
        yield dict(zip(_distinct(list(value), length), cycle(value.values()), strict=False))
    elif kind is Kept and value.tag.startswith("@") and depth == 0:
        for at in range(1, len(value.parts), 2):
            part, inner = value.parts[at], shape.parts.get((value.tag, value.parts[at - 1]))
            if inner is not None and type(part) in (list, tuple, deque, set, frozenset, dict, str):
                for longer in grown(part, inner, length, chance, depth + 1):
                    yield Kept(value.tag, [*value.parts[:at], longer, *value.parts[at + 1 :]])


def _numbers(value: int, length: int) -> Iterator[int]:
    """Numbers that take so many steps to halve, have so many digits, or have no divisor that is less."""
    yield max(abs(value), 1) << length
    yield length * length
    yield length + 10 * length
    if length <= MOST_DIGITS:
        yield 10 ** (length - 1)


def _texts(value: str, shape: Shape, length: int, chance: Random) -> Iterator[str]:
    if not value:
        return
    repeated = "".join(islice(cycle(value), length))
    yield repeated
    yield repeated[:-1] + repeated[-2:-1]
    yield from (separator.join([value] * length) for separator in shape.alphabet() if not separator.isalnum())
    yield value[0] * length
    yield "".join(chance.choices(shape.alphabet() or [value[0]], k=length))


def _sequences(items: list[Any], shape: Shape, length: int) -> Iterator[list[Any]]:
    repeated = list(islice(cycle(items), length))
    inner = shape.parts.get("item")
    if not shape.is_distinct() and not shape.is_sorted():
        yield repeated
        yield [items[0]] * length
        yield repeated[:-1] + repeated[-2:-1]
    yield _distinct(items, length)
    if inner is not None and inner.kinds == [int]:
        yield [length * length]
        yield [*items, length * length]


def _distinct(items: Sequence[Any], length: int) -> list[Any]:
    """So many items, each of them once as far as they are numbers or texts."""
    first = items[0]
    if all(type(item) is int for item in items):
        return [max(items) + at for at in range(length)]
    if all(type(item) is str for item in items) and first:
        return [first + first[0] * at for at in range(length)]
    if all(type(item) is tuple for item in items) and all(items):
        return [
            (*item[:-1], each)
            for item, each in zip(cycle(items), _distinct([item[-1] for item in items], length), strict=False)
        ][:length]
    return list(islice(cycle(items), length))
