"""How a call ended, as the lab reads it, and when two ends are the same. No class of the candidate's is made here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Self

from mendlab.records import TestOutcome
from mendlab.verify.confined.wire import Malformed, Wire
from mendlab.verify.confined.wire_values import Kind

RELATIVE_TOLERANCE = 1e-9
LONGEST = 2000
_DEEPEST = 200


@dataclass(eq=False)
class Opaque:
    """Something that is no plain value: which kind of thing, and what is known of it."""

    kind: str
    parts: list[Any] = field(default_factory=list)

    def __repr__(self) -> str:
        named = [part for part in self.parts if isinstance(part, str)]
        return f"<{' '.join([self.kind, *named])}>"


@dataclass(frozen=True, slots=True)
class Shown:
    """The end of one call: ``returns`` with a value (result, arguments afterwards), or another word, with a name."""

    word: str
    name: str = ""
    value: Any = None

    @classmethod
    def of_end(cls, outcome: TestOutcome | None) -> Self:
        """The call ended the process, or was ended with it."""
        return cls((outcome or TestOutcome.CRASH).value)

    @classmethod
    def lost(cls) -> Self:
        """The call was never come to."""
        return cls("not run")

    @property
    def is_evidence(self) -> bool:
        """Whether another program can be measured by it: a value that came back, or an exception."""
        return self.word in ("returns", "raises")

    @property
    def text(self) -> str:
        """As a person reads it."""
        if self.word != "returns":
            return f"{self.word.replace('_', ' ')} {self.name}".strip()
        result, args, kwargs = self.value if _is_triple(self.value) else (self.value, (), {})
        text = _repr(result)
        touched = [_repr(arg) for arg in (*args, *kwargs.values()) if isinstance(arg, list | dict | set | Opaque)]
        return f"{text}, arguments afterwards: {', '.join(touched)}"[:LONGEST] if touched else text


def read_outcome(outcome: Any) -> Shown:
    """Return what :func:`mendlab.verify.confined.calls.do` told; what is no such thing is ``garbled``."""
    match outcome:
        case ["returns", message]:
            try:
                return Shown("returns", value=_read(message))
            except (Malformed, RecursionError, MemoryError):
                return Shown("garbled")
        case ["raises" | "opaque" as word, str(name)]:
            return Shown(word, name)
        case _:
            return Shown("garbled")


def same(one: Shown, other: Shown) -> bool:
    """Whether two calls ended alike."""
    if one.word != other.word or one.name != other.name:
        return False
    return one.word != "returns" or same_value(one.value, other.value)


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are equal and of the same types all through; NaN equals NaN, floats have some tolerance."""
    return _same(one, other, set(), 0)


def _same(one: Any, other: Any, assumed: set[tuple[int, int]], depth: int) -> bool:
    if type(one) is not type(other) or depth > _DEEPEST:
        return False
    if isinstance(one, float):
        return _same_float(one, other)
    if isinstance(one, complex):
        return _same_float(one.real, other.real) and _same_float(one.imag, other.imag)
    pair = (id(one), id(other))
    if pair in assumed:
        return True
    if isinstance(one, list | tuple):
        assumed.add(pair)
        return len(one) == len(other) and all(_same(a, b, assumed, depth + 1) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict):
        assumed.add(pair)
        return _same_items(one, other, assumed, depth)
    if isinstance(one, set | frozenset):
        return _same_set(one, other)
    if isinstance(one, Opaque):
        assumed.add(pair)
        return one.kind == other.kind and _same(one.parts, other.parts, assumed, depth + 1)
    return bool(one == other)


def _same_float(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE) or (math.isnan(one) and math.isnan(other))


def _same_items(one: dict[Any, Any], other: dict[Any, Any], assumed: set[tuple[int, int]], depth: int) -> bool:
    """By keys, whatever their order; keys that are no plain values pair up in order."""
    if len(one) != len(other):
        return False
    if one.keys() == other.keys():
        return all(_same(value, other[key], assumed, depth + 1) for key, value in one.items())
    pairs = zip(one.items(), other.items(), strict=True)
    return all(_same(list(a), list(b), assumed, depth + 1) for a, b in pairs)


def _same_set(one: frozenset[Any] | set[Any], other: frozenset[Any] | set[Any]) -> bool:
    if one == other:
        return True
    return len(one) == len(other) and sorted(map(_repr, one)) == sorted(map(_repr, other))


def _read(message: Any) -> Any:
    end = _Reader(make=Opaque)
    return end.read(message)


class _Reader(Wire):
    """Reads instances of any class as opaque things with their attributes."""

    def kind_tagged(self, tag: Any) -> Any:
        return super().kind_tagged(tag) if not (type(tag) is str and tag.startswith("@")) else _instance_kind(tag)


def _instance_kind(tag: str) -> Any:
    def fill(value: Opaque, parts: list[Any]) -> None:
        value.parts[:] = parts

    return Kind(tag, lambda value: list(value.parts), lambda _: Opaque(tag[1:].rpartition(":")[2]), fill)


def _is_triple(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[1], tuple) and isinstance(value[2], dict)


def _repr(value: Any) -> str:
    try:
        return repr(value)[:LONGEST]
    except (RecursionError, ValueError):
        return f"<a {type(value).__name__} too deep or too large to show>"
