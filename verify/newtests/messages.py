"""Recorded calls as plain values, and back. Instances of the program's own classes are told by name and attributes."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from mendlab.verify.confined.function.wire import Malformed, Wire
from mendlab.verify.confined.function.wire_values import Kind
from mendlab.verify.equivalence.same import Opaque, Shown, read_outcome

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


class Instance(Opaque):
    """An instance of a program's own class. ``tag`` is ``@module:Class``, ``parts`` are names and values in turn."""

    tag: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(self.tag)

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes by name."""
        return dict(zip(self.parts[::2], self.parts[1::2], strict=False))


def read_arguments(message: Any) -> Arguments | None:
    """Return the arguments of a recorded call; None where one of them cannot be made here."""
    try:
        args, kwargs = _Messages().read(message)
    except (Malformed, TypeError, ValueError, RecursionError):
        return None
    return (args, kwargs) if isinstance(args, tuple) and isinstance(kwargs, dict) else None


def write_arguments(arguments: Arguments) -> Any:
    """Return the message of a call with these arguments. Raises TypeError for what cannot travel."""
    return _Messages().write(arguments)


def read_end(outcome: Any) -> Shown:
    """Return how a call ended, as :func:`read_outcome` does, with instances of the program's classes as such."""
    match outcome:
        case ["returns", message, *_]:
            try:
                return Shown("returns", value=_with_items(_Messages(make=Opaque).read(message)))
            except (Malformed, RecursionError, MemoryError):
                return Shown("garbled")
        case _:
            return read_outcome(outcome)


def _with_items(value: Any) -> Any:
    """The end of a call, with a list for an iterator that it returned."""
    match value:
        case (Opaque(kind="iterator") as result, args, kwargs):
            return list(result.parts), args, kwargs
    return value


class _Messages(Wire):
    def kind_tagged(self, tag: Any) -> Any:
        return _kind(tag) if type(tag) is str and tag.startswith("@") else super().kind_tagged(tag)

    def kind_of(self, cls: type) -> Any:
        return _kind(cls.tag) if issubclass(cls, Instance) else super().kind_of(cls)


@cache
def _kind(tag: str) -> Kind:
    made = type("Instance", (Instance,), {"tag": tag})

    def fill(value: Instance, parts: list[Any]) -> None:
        value.parts[:] = parts

    return Kind(tag, lambda value: list(value.parts), lambda _: made(), fill)
