"""How a call ended, as the lab reads it, and when two ends are the same. No class of the candidate's is made here."""

from __future__ import annotations

import json
import math
import reprlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Self

from mendlab.records import TestOutcome
from mendlab.verify.confined.function.wire import Malformed, Wire
from mendlab.verify.confined.function.wire_values import Kind
from mendlab.verify.equivalence.plain import is_plain

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12
LONGEST = 2000
ANY_EXCEPTION = ("Exception", "BaseException")
UNTOLD = "opaque"
"""The kind of what is known by its type alone."""
_DEEPEST = 200
_MOST_STEPS = 20_000
_MOST_TRIALS = 20_000  # of matching unordered parts; what needs more is not known to be alike


class Likeness(Enum):
    """What comparing two ends of a call comes to; ``UNKNOWN`` where they differ in nothing that can be compared."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(eq=False)
class Opaque:
    """Something that is no plain value: which kind of thing, and what is known of it."""

    kind: str
    parts: list[Any] = field(default_factory=list)

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        match self.kind, self.parts:
            case "own", [_, name]:
                return str(name)
            case "iterator", items:
                return f"<iterator of {items!r}>"
            case "member", [_, name, member]:
                return f"{name}.{member}"
            case "namedtuple", [_, name, *items]:
                return f"{name}({', '.join(map(repr, items))})"
        named = [part for part in self.parts if isinstance(part, str)]
        return f"<{' '.join([self.kind, *named])}>"


class Instance(Opaque):
    """An instance of a class of the subject's: ``kind`` is the name, ``parts`` are its attributes, names and values."""

    @property
    def attributes(self) -> dict[Any, Any]:
        """The attributes by name."""
        return dict(zip(self.parts[::2], self.parts[1::2], strict=False))

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in zip(self.parts[::2], self.parts[1::2], strict=False)]
        return f"{self.kind}({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class Shown:
    """The end of one call: ``returns`` with a value (result, arguments afterwards), or another word, with a name.

    ``sent`` is what came, as text, where equal text means equal values. ``said`` is the text of an exception, which
    :func:`likeness` does not look at; ``bases`` names the classes that its class is derived from.
    """

    word: str
    name: str = ""
    value: Any = None
    printed: str = ""
    sent: str | None = None
    said: str = ""
    bases: tuple[str, ...] = ()

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
        text = f"{show(result)}, printed {show(self.printed)}" if self.printed else show(result)
        touched = [show(arg) for arg in (*args, *kwargs.values()) if isinstance(arg, list | dict | set | Opaque)]
        return f"{text}, arguments afterwards: {', '.join(touched)}"[:LONGEST] if touched else text


def read_outcome(outcome: Any, beside: Shown | None = None) -> Shown:
    """Return what :func:`mendlab.verify.confined.calls.calls.do` told; what is no such thing is ``garbled``.

    It is ``beside`` itself where that came as the same text.
    """
    match outcome:
        case ["returns", message, str(printed)]:
            sent = _text_of(outcome)
            if beside is not None and sent is not None and sent == beside.sent:
                return beside
            try:
                return Shown("returns", value=_read(message), printed=printed, sent=sent)
            except (Malformed, RecursionError, MemoryError):
                return Shown("garbled")
        case ["raises", str(name), *rest]:
            said = next((part for part in rest if isinstance(part, str)), "")
            bases = next((part for part in rest if isinstance(part, list)), [])
            return Shown("raises", name, said=said, bases=tuple(base for base in bases if isinstance(base, str)))
        case ["opaque" | "absent" | "timeout" as word, str(name)]:
            return Shown(word, name)
        case _:
            return Shown("garbled")


def _text_of(outcome: Any) -> str | None:
    """The text, or None of what has, or may have, parts that are known by their type alone."""
    try:
        text = json.dumps(outcome)
    except RecursionError:
        return None
    return None if f'"{UNTOLD}"' in text else text


def same(one: Shown, other: Shown) -> bool:
    """Whether two calls are known to have ended alike."""
    return likeness(one, other) is Likeness.SAME


def likeness(one: Shown, other: Shown) -> Likeness:
    """Compare two ends: the value, the arguments afterwards and what was printed; exceptions by type.

    ``one`` is the reference's: the other may raise what is derived from its exception, and instances may have further
    attributes with names that begin with ``_``.
    """
    if one.word != other.word or one.printed != other.printed:
        return Likeness.DIFFERENT
    if one.name != other.name and not (one.name in other.bases and one.name not in ANY_EXCEPTION):
        return Likeness.DIFFERENT
    if one.sent is not None and one.sent == other.sent:
        return Likeness.SAME
    if one.word == "opaque":
        return Likeness.UNKNOWN
    if one.word != "returns":
        return Likeness.SAME
    found = _likeness_of_values(one.value, other.value)
    if found is Likeness.SAME and sharing_differs(one.value, other.value, of_instances=True):
        return Likeness.DIFFERENT
    return found


def leaves_arguments_alone(one: Shown, other: Shown, call: Sequence[Any]) -> bool:
    """Whether the other end of a call differs in nothing but that it does not change plain arguments.

    The result must be the same, and there must be one.
    """
    if one.word != "returns" or other.word != "returns" or one.printed != other.printed:
        return False
    if not (_is_triple(one.value) and _is_triple(other.value)):
        return False
    (result, args, kwargs), (theirs, given, named) = one.value, other.value
    if result is None or not same_value(result, theirs) or len(args) != len(given) or kwargs.keys() != named.keys():
        return False
    before = read_outcome(["returns", call[2], ""]).value
    if not (isinstance(before, tuple) and len(before) == 2):
        return False
    if sharing_differs(one.value, other.value, of_instances=True):
        return False
    after = [
        *zip(args, given, before[0], strict=True),
        *((kwargs[name], named[name], before[1][name]) for name in kwargs),
    ]
    return all(same_value(ours, end) or (is_plain(end) and same_value(first, end)) for ours, end, first in after)


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are equal and of the same types all through; NaN equals NaN, floats have some tolerance."""
    return _likeness_of_values(one, other) is Likeness.SAME


def _likeness_of_values(one: Any, other: Any) -> Likeness:
    comparison = _Comparison()
    try:
        if not comparison.same(one, other, 0):
            return Likeness.DIFFERENT
    except _Incomparable:
        return Likeness.UNKNOWN
    return Likeness.UNKNOWN if comparison.met_opaque else Likeness.SAME


class _Incomparable(Exception):
    """Two values are too deep, or too much alike in too many ways, to be compared to the end."""


class _Comparison:
    """One comparison: pairs that are being compared further up, or were found alike, count as alike in a cycle."""

    def __init__(self) -> None:
        self._assumed: dict[tuple[int, int], None] = {}
        self._trials = 0
        self.met_opaque = False

    def same(self, one: Any, other: Any, depth: int) -> bool:
        if type(one) is not type(other):
            return False
        if depth > _DEEPEST:
            raise _Incomparable
        if isinstance(one, float):
            return _same_float(one, other)
        if isinstance(one, complex):
            return _same_float(one.real, other.real) and _same_float(one.imag, other.imag)
        if not isinstance(one, list | tuple | deque | dict | set | frozenset | Opaque):
            return bool(one == other)
        pair = (id(one), id(other))
        if pair in self._assumed:
            return True
        self._assumed[pair] = None
        return self._same_parts(one, other, depth + 1)

    def _same_parts(self, one: Any, other: Any, depth: int) -> bool:
        if isinstance(one, Opaque):
            self.met_opaque = self.met_opaque or one.kind == UNTOLD
            if isinstance(one, Instance):
                return one.kind == other.kind and self._same_attributes(one.attributes, other.attributes, depth)
            return one.kind == other.kind and self.same(one.parts, other.parts, depth)
        if len(one) != len(other):
            return False
        if isinstance(one, dict):
            return self._same_items(one, other, depth)
        if isinstance(one, set | frozenset):
            return self._same_items(dict.fromkeys(one), dict.fromkeys(other), depth)
        return all(self.same(a, b, depth) for a, b in zip(one, other, strict=True))

    def _same_attributes(self, one: dict[Any, Any], other: dict[Any, Any], depth: int) -> bool:
        further = other.keys() - one.keys()
        if one.keys() - other.keys() or not all(type(name) is str and name.startswith("_") for name in further):
            return False
        return all(self.same(value, other[name], depth) for name, value in one.items())

    def _same_items(self, one: dict[Any, Any], other: dict[Any, Any], depth: int) -> bool:
        """In any order. A key that equals none, as what is no plain value does, is tried on each that is left."""
        twins = {key: key for key in other}
        left = dict(other)
        strangers = []
        for key, value in one.items():
            if key not in twins:
                strangers.append((key, value))
            elif self.same(key, twins[key], depth) and self.same(value, left.pop(key), depth):
                continue
            else:
                return False
        return all(self._take_alike(key, value, left, depth) for key, value in strangers)

    def _take_alike(self, key: Any, value: Any, left: dict[Any, Any], depth: int) -> bool:
        for their_key, their_value in left.items():
            self._trials += 1
            if self._trials > _MOST_TRIALS:
                raise _Incomparable
            mark = len(self._assumed)
            if self.same(key, their_key, depth) and self.same(value, their_value, depth):
                del left[their_key]
                return True
            while len(self._assumed) > mark:
                self._assumed.popitem()
        return False


def _same_float(one: float, other: float) -> bool:
    close = math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)
    return close or (math.isnan(one) and math.isnan(other))


Path = tuple[object, ...]


def further_attributes(one: Any, other: Any) -> set[str]:
    """Return the names of attributes that instances in the other value have, and none of their class in the first."""
    return {name for _, name in _attributes(other) - _attributes(one)}


def _attributes(value: Any) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    waiting, seen = [value], set[int]()
    while waiting:
        item = waiting.pop()
        if id(item) in seen or not isinstance(item, list | tuple | deque | dict | set | frozenset | Opaque):
            continue
        seen.add(id(item))
        if isinstance(item, Instance):
            found.update((item.kind, str(name)) for name in item.attributes)
        inside = item.parts if isinstance(item, Opaque) else item
        waiting += [*inside, *inside.values()] if isinstance(inside, dict) else list(inside)
    return found


def sharing_differs(one: Any, other: Any, *, of_instances: bool) -> bool:
    """Whether different parts of two equal values are the same object, among those that can be changed.

    ``of_instances``: among instances of the program's classes and what they hold alone.
    """
    first, second = _Sharing(of_instances), _Sharing(of_instances)
    first.walk(one)
    second.walk(other)
    common = first.paths & second.paths
    return first.among(common) != second.among(common)


def order_differs(one: Any, other: Any) -> bool:
    """Whether dicts at the same place of two values that are the same have their keys in another order."""
    waiting, seen = [(one, other)], set[tuple[int, int]]()
    while waiting:
        first, second = waiting.pop()
        if type(first) is not type(second) or (id(first), id(second)) in seen or len(seen) >= _MOST_STEPS:
            continue
        seen.add((id(first), id(second)))
        match first:
            case dict():
                if first.keys() == second.keys() and list(first) != list(second):
                    return True
                waiting += [(value, second[key]) for key, value in first.items() if key in second]
            case Instance():
                theirs = second.attributes
                waiting += [(value, theirs[name]) for name, value in first.attributes.items() if name in theirs]
            case Opaque():
                waiting += zip(first.parts, second.parts, strict=False)
            case list() | tuple() | deque():
                waiting += zip(first, second, strict=False)
    return False


class _Sharing:
    """At which paths within a value the same object is found."""

    def __init__(self, of_instances: bool) -> None:
        self.paths: set[Path] = set()
        self._of_instances = of_instances
        self._found: dict[int, list[Path]] = {}
        self._of_interest: set[int] = set()

    def walk(self, whole: Any) -> None:
        """Find all objects that can be changed, each through one path as far as what it holds is concerned."""
        waiting: deque[tuple[Any, Path, bool]] = deque([(whole, (), not self._of_instances)])
        while waiting and len(self.paths) < _MOST_STEPS:
            value, path, within = waiting.popleft()
            within = within or isinstance(value, Instance)
            self.paths.add(path)
            if isinstance(value, list | dict | set | deque | bytearray | Instance):
                known = self._found.setdefault(id(value), [])
                known.append(path)
                if within:
                    self._of_interest.add(id(value))
                if len(known) > 1:
                    continue
            waiting.extend((part, (*path, name), within) for name, part in _parts(value))

    def among(self, paths: set[Path]) -> set[frozenset[Path]]:
        """Return those of some paths at which there is the same object."""
        groups = (frozenset(paths.intersection(self._found[each])) for each in self._of_interest)
        return {group for group in groups if len(group) > 1}


def _parts(value: Any) -> list[tuple[object, Any]]:
    """Parts with their names, except of sets; attributes that begin with ``_`` come last."""
    match value:
        case Instance():
            named = {str(name): part for name, part in value.attributes.items()}
            return [(name, named[name]) for name in sorted(named, key=lambda name: (name.startswith("_"), name))]
        case Opaque():
            return list(enumerate(value.parts))
        case dict():
            named = {show(key): part for key, part in value.items()}
            return [(name, named[name]) for name in sorted(named)]
        case list() | tuple() | deque():
            return list(enumerate(value))
    return []


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

    return Kind(tag, lambda value: list(value.parts), lambda _: Instance(tag[1:].rpartition(":")[2]), fill)


def _is_triple(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[1], tuple) and isinstance(value[2], dict)


def show(value: Any) -> str:
    """Return a value as source text, cut where it is long: what comes from a candidate may be without bounds."""
    try:
        text = repr(value) if _is_small(value) else _SHORT.repr(value)
        return text[:LONGEST]
    except (RecursionError, ValueError):
        return f"<a {type(value).__name__} too deep or too large to show>"


def show_call(call: Sequence[Any]) -> str:
    """Return a recorded call as source text."""
    module, name, message = call
    shown = read_outcome(["returns", message, ""])
    args, kwargs = shown.value if isinstance(shown.value, tuple) and len(shown.value) == 2 else ((), {})
    parts = [show(arg) for arg in args] + [f"{key}={show(value)}" for key, value in kwargs.items()]
    return f"{module}.{name}({', '.join(parts)})"


def _is_small(value: Any) -> bool:
    """Whether writing a value out takes few steps: what it shares is written out again and again."""
    steps, waiting = 0, [(value, frozenset[int]())]
    while waiting:
        item, around = waiting.pop()
        steps += 1
        if steps > _MOST_STEPS:
            return False
        if isinstance(item, list | tuple | set | frozenset | dict | Opaque) and id(item) not in around:
            inside = item.parts if isinstance(item, Opaque) else item
            parts = [*inside, *inside.values()] if isinstance(inside, dict) else list(inside)
            waiting += [(part, around | {id(item)}) for part in parts]
    return True


_SHORT = reprlib.Repr()
_SHORT.maxlevel = 5
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = _SHORT.maxfrozenset = _SHORT.maxdeque = 12
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = LONGEST
