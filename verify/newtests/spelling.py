"""Values as source text that a person reads, in the form that ruff gives it; what cannot be written so is refused."""

from __future__ import annotations

import ast
import math
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from mendlab.corpora.functions import named_scopes
from mendlab.verify.newtests.messages import Instance

LONGEST: Final = 74
_DEEPEST: Final = 6


class Unspellable(Exception):
    """A value that has no literal, or too long a one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How instances of a class are made: the parameters of its constructor, and whether each has a default."""

    module: str
    name: str
    parameters: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Speller:
    """Writes values; ``shapes`` has the classes whose instances it can make, by tag.

    With ``approximately`` floats are compared with a tolerance, as ``pytest.approx`` does.
    """

    shapes: Mapping[str, Shape]
    approximately: bool = False

    def spell(self, value: Any) -> str:
        """Return the text of a value. Raises Unspellable."""
        text = self._spell(value, _DEEPEST)
        if len(text) > LONGEST:
            raise Unspellable("too long")
        return text

    def _spell(self, value: Any, depth: int) -> str:
        if depth < 0:
            raise Unspellable("too deep")
        kind = type(value)
        if kind in (bool, int, type(None)):
            if kind is int and abs(value) >= 10**LONGEST:
                raise Unspellable("too long")
            return repr(value)
        if kind is float:
            return self._float(value)
        if kind is str:
            return _quoted(value, lambda each: repr(each)[1:-1])
        if kind is bytes:
            return "b" + _quoted(value.decode("latin-1"), lambda each: repr(each.encode("latin-1"))[2:-1])
        if isinstance(value, Instance):
            return self._instance(value, depth)
        if kind in _STANDARD:
            return self._standard(value, depth)
        if kind not in _BRACKETS and kind is not dict:
            raise Unspellable(f"a {kind.__name__}")
        if len(value) > LONGEST:
            raise Unspellable("too long")
        if kind is dict:
            exactly = Speller(self.shapes)
            items = [f"{exactly._spell(k, depth - 1)}: {self._spell(v, depth - 1)}" for k, v in value.items()]
            return f"{{{', '.join(items)}}}"
        return self._collection(value, depth)

    def _collection(self, value: Any, depth: int) -> str:
        kind = type(value)
        inside = self if kind in (list, tuple) else Speller(self.shapes)
        if not value and kind in (set, frozenset):
            return f"{kind.__name__}()"
        parts = [inside._spell(item, depth - 1) for item in value]
        if kind in (set, frozenset):
            if self.approximately and any(isinstance(item, float) for item in value):
                raise Unspellable("floats in a set have no tolerance")
            parts.sort()
        opening, closing = _BRACKETS[kind]
        return opening + ", ".join(parts) + ("," if kind is tuple and len(parts) == 1 else "") + closing

    def _standard(self, value: Any, depth: int) -> str:
        """Return how something of the standard library is made."""
        given = _STANDARD[type(value)](value)
        texts = [(f"{key}=" if key.strip() else "") + self._spell(each, depth - 1) for key, each in given.items()]
        return f"{type(value).__name__}({', '.join(texts)})"

    def _float(self, value: float) -> str:
        text = repr(value).replace("e+", "e") if math.isfinite(value) else f'float("{value}")'
        if not self.approximately or math.isinf(value):
            return text
        return f"pytest.approx({text}, nan_ok=True)" if math.isnan(value) else f"pytest.approx({text})"

    def _instance(self, value: Instance, depth: int) -> str:
        shape = self.shapes.get(value.tag)
        if shape is None:
            raise Unspellable(f"how to make {value.tag} is not known")
        attributes, given = value.attributes, []
        positional = True
        for name, has_default in shape.parameters:
            held = next((each for each in (name, f"_{name}", f"_{shape.name}__{name}") if each in attributes), None)
            if held is None and not has_default:
                raise Unspellable(f"{value.tag} does not keep its {name}")
            if held is None:
                positional = False
                continue
            text = self._spell(attributes[held], depth - 1)
            given.append(text if positional else f"{name}={text}")
        return f"{shape.name}({', '.join(given)})"


_BRACKETS: Final[Mapping[type, tuple[str, str]]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


def _clock(value: Any) -> dict[str, Any]:
    """Return hour, minute and what else is not 0."""
    if value.tzinfo is not None or value.fold:
        raise Unspellable("a time zone")
    parts = [value.hour, value.minute, value.second, value.microsecond]
    while len(parts) > 2 and not parts[-1]:
        parts.pop()
    return dict(zip(_UNNAMED[3:], parts, strict=False))


def _moment(value: datetime) -> dict[str, Any]:
    return {**_day(value), **(_clock(value) if value.time() != time() or value.tzinfo else {})}


def _day(value: date) -> dict[str, Any]:
    return dict(zip(_UNNAMED, (value.year, value.month, value.day), strict=False))


def _span(value: timedelta) -> dict[str, Any]:
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    return {name: part for name, part in parts.items() if part}


def _queue(value: deque[Any]) -> dict[str, Any]:
    return {"": list(value)} if value.maxlen is None else {"": list(value), "maxlen": value.maxlen}


_UNNAMED: Final = tuple(" " * number for number in range(7))
"""Keys for arguments without a name."""
_STANDARD: Final[Mapping[type, Callable[[Any], dict[str, Any]]]] = {
    Decimal: lambda value: {"": str(value)},
    Fraction: lambda value: {"": value.numerator, " ": value.denominator},
    date: _day,
    time: _clock,
    datetime: _moment,
    timedelta: _span,
    deque: _queue,
    Counter: lambda value: {"": dict(value)},
    OrderedDict: lambda value: {"": dict(value)},
}
STANDARD: Final = {kind.__name__: kind.__module__ for kind in _STANDARD}
"""The names from the standard library that a text may have, and where they come from."""


def names_in(*texts: str) -> frozenset[str]:
    """Return the names that statements or expressions use."""
    return frozenset(node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))


def _quoted(text: str, escaped: Callable[[str], str]) -> str:
    """Return a string literal with double quotes, or single ones where these need fewer escapes."""
    mark = "'" if text.count('"') > text.count("'") else '"'
    return (
        mark
        + "".join(f"\\{mark}" if each == mark else each if each in "'\"" else escaped(each) for each in text)
        + mark
    )


def shapes_of(sources: Mapping[str, str]) -> dict[str, Shape]:
    """Return how instances of the classes of modules are made, by tag; ``sources`` has their texts by module name."""
    found: dict[str, Shape] = {}
    for module, source in sources.items():
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for name, node in named_scopes(tree):
            if isinstance(node, ast.ClassDef) and "." not in name:
                parameters = _constructor(node)
                if parameters is not None:
                    found[f"@{module}:{name}"] = Shape(module, name, parameters)
    return found


def _constructor(node: ast.ClassDef) -> tuple[tuple[str, bool], ...] | None:
    """Return the parameters that a class is made with, where its own text tells them."""
    own = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    if own is not None:
        spec = own.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs:
            return None
        names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)][1:]
        first_default = len(names) - len(spec.defaults)
        return tuple((name, place >= first_default) for place, name in enumerate(names))
    if any("dataclass" in ast.unparse(each) for each in node.decorator_list) and not node.bases:
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
        return tuple((ast.unparse(each.target), each.value is not None) for each in fields)
    return () if not node.bases else None
