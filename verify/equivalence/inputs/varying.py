"""Values near a value: one step of change at a random place in it. The domain has the last word on what comes out."""

from __future__ import annotations

import re
from collections import deque
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.domain import SEQUENCES, SETS, Shape
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.travel import Kept

LONGEST: Final = 400
DIGITS: Final = re.compile(r"[0-9]+")


class Varying:
    """Changes values at random, with the constants that the code mentions at hand."""

    def __init__(self, chance: Random, literals: Literals) -> None:
        self._chance = chance
        self._literals = literals

    def vary(self, value: Any, shape: Shape) -> Any:
        """Return a value near the given one, which stays as it is."""
        kind = type(value)
        others = [other for other in shape.kinds if other is not kind]
        if others and self._chance.random() < 0.1:
            return self._chance.choice(shape.seen[self._chance.choice(others)])
        if kind is bool:
            return not value
        if kind is int:
            return self._int(value, shape)
        if kind is float:
            return self._float(value, shape)
        if kind is str:
            return self._text(value, shape)
        if kind in SEQUENCES:
            return self._sequence(value, shape)
        if kind is dict:
            return self._dict(value, shape)
        if kind in SETS:
            return self._set(value, shape)
        if kind is Kept:
            return self._kept(value, shape)
        return self._chance.choice(shape.seen[kind])

    def fresh(self, shape: Shape, size: int, depth: int = 0) -> Any:
        """Return a value made from nothing but a shape, of about a size."""
        kind = self._chance.choice(shape.kinds)
        if kind is int:
            return self._chance.choice(
                [self._small_int(shape, size), self._small_int(shape, size), self._int(0, shape)]
            )
        if kind is float:
            return self._chance.choice([float(self._small_int(shape, size)), self._float(0.0, shape)])
        if kind is str:
            letters = shape.alphabet()
            few = self._chance.sample(letters, min(len(letters), self._chance.choice([1, 2, 3, len(letters)])))
            return "".join(self._chance.choices(few, k=self._length(shape, str, size))) if few else ""
        if kind in (list, deque, set, frozenset) and "item" in shape.parts and depth < 4:
            inner = max(1, size // 2) if any(part in (list, str) for part in shape.parts["item"].kinds) else size
            length = self._length(shape, kind, size)
            items = [self.fresh(shape.parts["item"], inner, depth + 1) for _ in range(length)]
            if kind in SETS:
                return kind(item for item in items if _hashes(item))
            return kind(self._arranged(items, shape))
        if kind is tuple and depth < 4:
            length = self._length(shape, kind, size)
            return tuple(self.fresh(shape.parts[at], size, depth + 1) for at in range(length) if at in shape.parts)
        if kind is dict and "key" in shape.parts and depth < 4:
            made = [
                (self.fresh(shape.parts["key"], size, depth + 1), self.fresh(shape.parts["value"], size, depth + 1))
                for _ in range(self._length(shape, kind, size))
            ]
            return {key: item for key, item in made if _hashes(key)}
        return self._chance.choice(shape.seen[kind])

    def _length(self, shape: Shape, kind: type, size: int) -> int:
        if shape.has_one_length(kind) or kind is tuple:
            return self._chance.randint(shape.shortest(kind), shape.longest(kind))
        return self._chance.randint(0, max(size, 1))

    def _small_int(self, shape: Shape, size: int) -> int:
        floor = shape.floor(int if int in shape.seen else float, depth=1)
        low = -size if floor < 0 else int(max(floor, 0))
        return self._chance.randint(low, low + max(size, 1) + (size if floor < 0 else 0))

    def _arranged(self, items: list[Any], shape: Shape) -> list[Any]:
        """In the order that a shape asks for."""
        if shape.is_distinct():
            items = [item for at, item in enumerate(items) if item not in items[:at]]
        if shape.is_sorted():
            try:
                return sorted(items)
            except TypeError:
                return items
        return items

    def _int(self, value: int, shape: Shape) -> int:
        known: list[int] = shape.seen.get(int) or [value]
        options = [value + 1, value - 1, value + 2, value // 2, 2 * value, -value, 0, 1, self._chance.choice(known)]
        whole = [int(number) for number in self._literals.numbers if abs(number) < 1e12 and number == int(number)]
        if whole:
            options += [self._chance.choice(whole) + self._chance.choice([-1, 0, 0, 1]) for _ in range(3)]
        low, high = min(known), max(known)
        options += [self._chance.randint(low, high), self._chance.randint(low, high + 10)]
        options += [10 ** self._chance.randint(1, 3) - self._chance.choice([0, 1])]
        return self._chance.choice([option for option in options if option <= max(4 * abs(high), 200)] or [value])

    def _float(self, value: float, shape: Shape) -> float:
        known: list[float] = shape.seen.get(float) or [value]
        numbers = [float(number) for number in self._literals.numbers if abs(number) < 1e12] or [0.0]
        near = self._chance.choice(numbers)
        options = [value + 0.5, value - 0.5, value + 1, value / 2, -value, 0.0, 1.0, 0.1, self._chance.choice(known)]
        options += [near, near + 1, near - 1, near + 0.5, self._chance.uniform(min(known), max(known))]
        options += [round(value, 1), float(int(value)) if abs(value) < 1e15 else value, value + 1e-6]
        return self._chance.choice(options)

    def _text(self, value: str, shape: Shape) -> str:
        letters = shape.alphabet() or ["a"]
        letter = self._chance.choice(letters)
        known = self._chance.choice(shape.seen.get(str) or [value])
        at = self._chance.randint(0, len(value))
        end = self._chance.randint(at, len(value))
        options = [
            value[:at] + letter + value[at:],
            value[:at] + letter + value[at + 1 :],
            value[:at] + value[at + 1 :],
        ]
        options += options
        options += [value[at:end], value[:at], value[at:], value[::-1], value + value, value + known, known]
        options += [letter + value, value + letter, value[:at] + value[:at][::-1], value[:at] + value[at:][::-1]]
        options += [value.upper(), value.lower(), value.swapcase(), value.title(), value + value[-1:], letter]
        options += [value[:at] + value[at:end] + value[at:], letter * self._chance.randint(1, 4), value[:1], value[-1:]]
        words = value.split(" ")
        if len(words) > 1:
            self._chance.shuffle(words)
            options += [" ".join(words), " ".join(words[1:]), " ".join(words + words[:1]), value.replace(" ", "  ", 1)]
        if DIGITS.search(value):
            options += [self._with_other_numbers(value) for _ in range(8)]
        for _ in range(3 if self._literals.texts else 0):
            text = self._chance.choice(self._literals.texts)
            options += [value[:at] + text + value[at:], text]
        return self._chance.choice(options)[:LONGEST]

    def _with_other_numbers(self, value: str) -> str:
        """Put constants of the code, and 0 and 1, in place of some numbers in a text, as long as these at least."""
        numbers = [0, 1, *(abs(int(number)) for number in self._literals.numbers if abs(number) < 1e9)]

        def replaced(match: re.Match[str]) -> str:
            if self._chance.random() < 0.4:
                return match.group()
            return str(self._chance.choice(numbers)).zfill(len(match.group()))

        return DIGITS.sub(replaced, value)

    def _sequence(self, value: Any, shape: Shape) -> Any:
        kind, items = type(value), list(value)
        if kind is tuple:
            at = self._chance.randrange(len(items)) if items else 0
            if not items or self._chance.random() < 0.1:
                return self._chance.choice(shape.seen.get(kind) or [value])
            items[at] = self.vary(items[at], shape.parts[at]) if at in shape.parts else items[at]
            return tuple(items)
        inner = shape.parts.get("item")
        if inner is None:
            return kind(items)
        new = self._item(items, inner)
        at = self._chance.randint(0, len(items))
        way = self._chance.randrange(14)
        if way <= 2 and items:
            at = min(at, len(items) - 1)
            items[at] = self.vary(items[at], inner)
        elif way <= 4:
            items.insert(at, new)
        elif way <= 6 and items:
            del items[min(at, len(items) - 1)]
        elif way == 7 and items:
            items.insert(at, self._chance.choice(items))
        elif way == 8 and len(items) > 1:
            one, other = self._chance.sample(range(len(items)), 2)
            items[one], items[other] = items[other], items[one]
        elif way == 9 and items:
            one, other = self._chance.randrange(len(items)), self._chance.randrange(len(items))
            items[one] = items[other]
        elif way == 10:
            items = items[:at] if self._chance.random() < 0.5 else items[at:]
        elif way == 11:
            items = self._chance.choice([items[::-1], items + items, items + items[::-1], [new] * len(items)])
        elif way == 12:
            items = [*items, *list(self._chance.choice(shape.seen.get(kind) or [value]))]
        else:
            items = [self._item(items, inner) for _ in range(self._chance.randint(0, 4))]
        return kind(self._arranged(items[:LONGEST], shape))

    def _item(self, items: list[Any], inner: Shape) -> Any:
        choice = self._chance.random()
        if items and choice < 0.5:
            return self.vary(self._chance.choice(items), inner)
        return (
            self.fresh(inner, 3) if choice < 0.75 else self._chance.choice(inner.seen[self._chance.choice(inner.kinds)])
        )

    def _dict(self, value: dict[Any, Any], shape: Shape) -> dict[Any, Any]:
        if "key" not in shape.parts:
            return dict(value)
        items = list(value.items())
        way = self._chance.randrange(4)
        if way == 0 or not items:
            key = self.vary(items[0][0], shape.parts["key"]) if items else self.fresh(shape.parts["key"], 3)
            items.insert(self._chance.randint(0, len(items)), (key, self.fresh(shape.parts["value"], 3)))
        elif way == 1:
            del items[self._chance.randrange(len(items))]
        else:
            at = self._chance.randrange(len(items))
            key, item = items[at]
            changed = (self.vary(key, shape.parts["key"]), item) if way == 2 else None
            items[at] = changed or (key, self.vary(item, shape.parts["value"]))
        return {key: item for key, item in items if _hashes(key)}

    def _set(self, value: Any, shape: Shape) -> Any:
        items = sorted(value, key=repr)
        inner = shape.parts.get("item")
        if inner is None:
            return type(value)(items)
        if items and self._chance.random() < 0.4:
            del items[self._chance.randrange(len(items))]
        else:
            items.append(self._item(items, inner))
        return type(value)(item for item in items if _hashes(item))

    def _kept(self, value: Kept, shape: Shape) -> Kept:
        parts = list(value.parts)
        able = list(range(1, len(parts), 2)) if value.tag.startswith("@") else []
        if able:
            at = self._chance.choice(able)
            inner = shape.parts.get((value.tag, parts[at - 1]))
            parts[at] = parts[at] if inner is None else self.vary(parts[at], inner)
        return Kept(value.tag, parts)


def _hashes(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
