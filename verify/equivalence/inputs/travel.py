"""Arguments of recorded calls as values that can be changed here, and back. No class of the subject's is made."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from mendlab.verify.confined.function.wire import Wire
from mendlab.verify.confined.function.wire_values import Kind

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(eq=False)
class Kept:
    """Something that only the subject can make: its tag and its parts, as they travel."""

    tag: str
    parts: list[Any] = field(default_factory=list)


class _End(Wire):
    """Reads instances of any class as kept ones."""

    def kind_tagged(self, tag: Any) -> Kind | None:
        if type(tag) is str and tag.startswith("@"):
            return Kind(tag, lambda value: list(value.parts), lambda _: Kept(tag), _fill)
        return super().kind_tagged(tag)


def _fill(value: Kept, parts: list[Any]) -> None:
    value.parts[:] = parts


def read_arguments(message: Any) -> Arguments:
    """Return the arguments of a recorded call. Raises Malformed."""
    args, kwargs = _End(make=Kept).read(message)
    return tuple(args), dict(kwargs)


def write_arguments(arguments: Arguments) -> Any:
    """Return the message for arguments. Raises TypeError, ValueError, RecursionError for what cannot travel."""
    return Wire(describe=lambda value: (value.tag, list(value.parts)) if type(value) is Kept else _refuse(value)).write(
        arguments
    )


def _refuse(value: Any) -> tuple[str, list[Any]]:
    raise TypeError(f"a {type(value).__name__} cannot travel")


def changed(arguments: Arguments, place: object, value: Any) -> Arguments:
    """Return arguments with another value at a place."""
    args, kwargs = arguments
    if place in kwargs:
        return args, {**kwargs, str(place): value}
    assert isinstance(place, int)
    return (*args[:place], value, *args[place + 1 :]), kwargs


def key_of(message: Any) -> str:
    """Return what is equal for equal messages."""
    return json.dumps(message)
