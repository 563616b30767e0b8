"""The kinds of plain values, and how each is taken apart into parts and put together again. See :mod:`wire`.

A part is again a value. Only exact types count: an instance of a subclass is no plain value. Python 3.8 to 3.13,
standard library only.
"""

from __future__ import annotations

import builtins
import collections
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

LARGEST_INLINE_INT = 2**62

Parts = List[Any]


class Malformed(Exception):
    """What came is no encoding of a value."""


class Kind:
    """One kind of value: ``build(*parts)`` makes it.

    Mutable kinds have ``fill(value, parts)`` as well; their ``build`` takes the list of raw references and makes an
    empty one, which is there before its parts are.
    """

    __slots__ = ("build", "fill", "parts", "tag")

    def __init__(
        self,
        tag: str,
        parts: Callable[[Any], Parts],
        build: Callable[..., Any],
        fill: Optional[Callable[[Any, Parts], None]] = None,
    ) -> None:
        self.tag = tag
        self.parts = parts
        self.build = build
        self.fill = fill


def is_inline(value: Any) -> bool:
    """Whether JSON holds the value exactly as it is."""
    kind = type(value)
    if kind is str:
        return value.isascii() or _has_no_surrogates(value)
    if kind is int:
        return -LARGEST_INLINE_INT < value < LARGEST_INLINE_INT
    return value is None or kind is bool or kind is float


def _has_no_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def all_inline(values: Parts) -> bool:
    """Whether every one of many values is inline; quick for long lists of one type."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return -LARGEST_INLINE_INT < min(values) and max(values) < LARGEST_INLINE_INT
    if kinds == {str}:
        return "".join(values).isascii() or all(map(is_inline, values))
    return kinds <= {float, bool, type(None)}


def _need(kind: type, *values: Any) -> None:
    for value in values:
        if type(value) is not kind:
            raise Malformed("a %s where a %s must be" % (type(value).__name__, kind.__name__))


def _build_int(text: str) -> int:
    _need(str, text)
    return int(text, 16)


def _build_str(text: str) -> str:
    _need(str, text)
    return bytes.fromhex(text).decode("utf-8", "surrogatepass")


def _build_bytes(text: str) -> bytes:
    _need(str, text)
    return bytes.fromhex(text)


def _build_complex(real: float, imaginary: float) -> complex:
    _need(float, real, imaginary)
    return complex(real, imaginary)


def _build_range(start: int, stop: int, step: int) -> range:
    _need(int, start, stop, step)
    return range(start, stop, step)


def _fill_list(value: List[Any], parts: Parts) -> None:
    value[:] = parts


def _fill_set(value: Any, parts: Parts) -> None:
    value.clear()
    value.update(parts)


def _fill_bytearray(value: bytearray, parts: Parts) -> None:
    value[:] = _build_bytes(*parts)


def items_of(value: Dict[Any, Any]) -> Parts:
    """Keys and values in turn, read past whatever a subclass makes of them."""
    return [part for item in dict.items(value) for part in item]


def fill_items(value: Dict[Any, Any], parts: Parts) -> None:
    """Make a dictionary hold just these keys and values."""
    if len(parts) % 2:
        raise Malformed("a key without a value")
    value.clear()
    for index in range(0, len(parts), 2):
        dict.__setitem__(value, parts[index], parts[index + 1])


def _fill_ordered(value: Dict[Any, Any], parts: Parts) -> None:
    if len(parts) % 2:
        raise Malformed("a key without a value")
    value.clear()
    value.update(zip(parts[::2], parts[1::2]))


def _fill_defaultdict(value: Any, parts: Parts) -> None:
    value.default_factory = parts[0]
    fill_items(value, parts[1:])


def _fill_deque(value: Any, parts: Parts) -> None:
    value.clear()
    value.extend(parts[1:])


PLAIN: Dict[type, Kind] = {
    int: Kind("I", lambda v: [hex(v)], _build_int),
    str: Kind("S", lambda v: [v.encode("utf-8", "surrogatepass").hex()], _build_str),
    bytes: Kind("b", lambda v: [v.hex()], _build_bytes),
    complex: Kind("c", lambda v: [v.real, v.imag], _build_complex),
    range: Kind("r", lambda v: [v.start, v.stop, v.step], _build_range),
    slice: Kind("slice", lambda v: [v.start, v.stop, v.step], slice),
    type(Ellipsis): Kind("...", lambda v: [], lambda: Ellipsis),
    type(NotImplemented): Kind("NotImplemented", lambda v: [], lambda: NotImplemented),
    tuple: Kind("t", list, lambda *parts: parts),
    frozenset: Kind("f", list, lambda *parts: frozenset(parts)),
    list: Kind("l", list, lambda _: [], _fill_list),
    dict: Kind("d", items_of, lambda _: {}, fill_items),
    set: Kind("s", list, lambda _: set(), _fill_set),
    bytearray: Kind("ba", lambda v: [v.hex()], lambda _: bytearray(), _fill_bytearray),
    type({}.keys()): Kind("keys", list, lambda *parts: dict.fromkeys(parts).keys()),
    type({}.values()): Kind("values", list, lambda *parts: dict(enumerate(parts)).values()),
    type({}.items()): Kind("items", list, lambda *parts: dict(parts).items()),
    collections.deque: Kind(
        "dq", lambda v: [v.maxlen, *v], lambda references: collections.deque(maxlen=references[0]), _fill_deque
    ),
    collections.OrderedDict: Kind(
        "od",
        lambda v: [part for item in v.items() for part in item],
        lambda _: collections.OrderedDict(),
        _fill_ordered,
    ),
    collections.defaultdict: Kind(
        "dd", lambda v: [v.default_factory, *items_of(v)], lambda _: collections.defaultdict(), _fill_defaultdict
    ),
    collections.Counter: Kind("C", items_of, lambda _: collections.Counter(), fill_items),
}


def _datetime_parts(value: Any) -> Parts:
    clock = [value.hour, value.minute, value.second, value.microsecond, value.tzinfo, value.fold]
    return [value.year, value.month, value.day, *clock] if hasattr(value, "year") else clock


def _with_fold(build: Callable[..., Any], parts: Tuple[Any, ...]) -> Any:
    *fields, fold = parts
    return build(*fields, fold=fold)


def _fraction(build: Callable[..., Any], numerator: int, denominator: int) -> Any:
    _need(int, numerator, denominator)
    return build(numerator, denominator)


def _decimal(build: Callable[..., Any], text: str) -> Any:
    _need(str, text)
    return build(text)


# Values of modules that are imported only where one of them turns up: (module, class) -> parts, build(class, *parts).
_LATE: Dict[Tuple[str, str], Tuple[Callable[[Any], Parts], Callable[..., Any]]] = {
    ("decimal", "Decimal"): (lambda v: [str(v)], _decimal),
    ("fractions", "Fraction"): (lambda v: [v.numerator, v.denominator], _fraction),
    ("datetime", "date"): (lambda v: [v.year, v.month, v.day], lambda build, *parts: build(*parts)),
    ("datetime", "time"): (_datetime_parts, lambda build, *parts: _with_fold(build, parts)),
    ("datetime", "datetime"): (_datetime_parts, lambda build, *parts: _with_fold(build, parts)),
    ("datetime", "timedelta"): (lambda v: [v.days, v.seconds, v.microseconds], lambda build, *parts: build(*parts)),
    ("re", "Pattern"): (lambda v: [v.pattern, v.flags], lambda _, *parts: re.compile(*parts)),
    ("datetime", "timezone"): (lambda v: [v.utcoffset(None)], lambda build, *parts: build(*parts)),
}
_LATE_BY_TAG = {"%s.%s" % place: place for place in _LATE}
_BY_TAG = {kind.tag: kind for kind in PLAIN.values()}


def kind_of(cls: type) -> Optional[Kind]:
    """Return the kind that an exact type is of, or None if its instances are no plain values."""
    kind = PLAIN.get(cls)
    if kind is None:
        place = (cls.__module__, cls.__name__)
        # A private implementation module may be named (_decimal): only the class that the public one holds is meant.
        if type(place[0]) is str and place in _LATE and getattr(sys.modules.get(place[0]), place[1], None) is cls:
            kind = PLAIN[cls] = _late_kind(place, cls)
    return kind


def kind_tagged(tag: Any) -> Optional[Kind]:
    """Return the kind with a tag, or None."""
    kind = _BY_TAG.get(tag)
    if kind is None and tag in _LATE_BY_TAG:
        place = _LATE_BY_TAG[tag]
        cls = getattr(__import__(place[0]), place[1])
        kind = PLAIN[cls] = _late_kind(place, cls)
    return kind


def _late_kind(place: Tuple[str, str], cls: type) -> Kind:
    parts, build = _LATE[place]
    kind = Kind("%s.%s" % place, parts, lambda *given: build(cls, *given))
    _BY_TAG[kind.tag] = kind
    return kind


# Functions that are known on both sides by name. They only compute: whoever is given one can do no harm with it.
_FUNCTIONS = (
    "abs all any ascii bin callable chr divmod format hash hex isinstance issubclass iter len max min next oct ord pow"
    " print repr reversed round sorted sum"
)
_METHOD_TYPES: Any = (type(str.upper), type(dict.__dict__["fromkeys"]))


def name_of(value: Any) -> Optional[Tuple[str, str]]:
    """Return module and name of a builtin class or function that both sides have, else None."""
    if isinstance(value, _METHOD_TYPES):
        owner = name_of(value.__objclass__)
        return ("builtins", "%s.%s" % (owner[1], value.__name__)) if owner and "." not in owner[1] else None
    if type(value) not in (type, type(len)):
        return None
    name, module = value.__name__, value.__module__
    if type(name) is not str or module not in ("builtins", "math", "_operator", "collections"):
        return None
    module = module.lstrip("_")
    try:
        known = named(module, name)
    except Malformed:
        return None
    return (module, name) if known is value else None


def named(module: Any, name: Any) -> Any:
    """Return the class or function of that name. Raises Malformed for any that may not travel."""
    _need(str, module, name)
    if module == "builtins":
        name, _, method = name.partition(".")
        found = getattr(builtins, name, None)
        if isinstance(found, type) and found.__name__ == name:
            return getattr(found, method) if method else found
        if name in _FUNCTIONS.split() and not method:
            return found
    elif module in ("math", "operator"):
        found = getattr(__import__(module), name, None)
        if type(found) is type(len) and name != "call":
            return found
    elif module == "collections":
        found = getattr(collections, name, None)
        if isinstance(found, type) and found in PLAIN:
            return found
    raise Malformed("%s.%s may not travel" % (module, name))
