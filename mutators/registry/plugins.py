"""Operators of other packages: found by entry points, each package loaded as a whole or left out as a whole."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from mendlab.errors import InputError, MendlabError
from mendlab.mutators.edits import Change, Edit
from mendlab.mutators.registry.declaration import Operator, Transform

GROUP: Final = "mendlab.mutators"


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """A package whose operators are left out: its name and version, and why."""

    origin: str
    reason: str


def load_plugins(registered: dict[str, Operator]) -> tuple[BrokenPlugin, ...]:
    """Load the operators of every installed package into the mapping, which they enter as they are declared.

    A package that fails leaves nothing behind, and does not keep the others from loading. Packages come in order of
    their names; where two have an operator of one name, the second is the broken one. What a package prints goes to
    standard error.
    """
    by_origin: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: (_origin(each), each.name, each.value)):
        by_origin.setdefault(_origin(point), []).append(point)
    broken = []
    for origin, points in by_origin.items():
        before = dict(registered)
        try:
            for point in points:
                with redirect_stdout(sys.stderr):  # standard output is for results
                    point.load()
            added = [op for name, op in registered.items() if name not in before]
            _check_inverses(added, registered)
        except BaseException as error:
            registered.clear()
            registered.update(before)
            broken.append(BrokenPlugin(origin, _reason(error)))
        else:
            registered.update((op.name, replace(op, origin=origin, transform=_guarded(op.transform))) for op in added)
    return tuple(broken)


def _guarded(transform: Transform) -> Transform:
    """The generator of a package: it prints to standard error, and whatever is wrong with it is an Exception."""

    def guarded(node: Any, ctx: Any) -> Iterator[Change]:
        changes: Iterator[Change] | None = None
        while True:
            try:
                with redirect_stdout(sys.stderr):
                    changes = iter(transform(node, ctx)) if changes is None else changes
                    change = next(changes)
            except StopIteration:
                return
            except (Exception, KeyboardInterrupt):
                raise
            except BaseException as error:  # SystemExit would end the command, GeneratorExit nothing but the loop
                raise RuntimeError(f"{type(error).__name__}: {error}") from error
            _check_types(change)
            yield change

    return guarded


def _check_types(change: object) -> None:
    edits = (change,) if isinstance(change, Edit) else change
    for edit in edits if isinstance(edits, tuple) else (edits,):
        fields = tuple(map(type, edit)) if isinstance(edit, Edit) else None
        if fields != (int, int, str):
            raise TypeError(f"{edit!r} is no Edit(start, end, text) of two whole numbers and a text")


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else f"{point.value} unknown"


def _reason(error: BaseException) -> str:
    if isinstance(error, MendlabError):
        return str(error)
    return f"it cannot be imported: {type(error).__name__}: {' '.join(str(error).split())}"


def _check_inverses(added: list[Operator], registered: dict[str, Operator]) -> None:
    for op in added:
        if op.inverse is not None and op.inverse not in registered:
            what = f"mutation operator {op.name!r}: its inverse {op.inverse!r} is no operator"
            raise InputError(what, where=op.transform.__module__, hint="leave it out if it has none")
