"""The registry of operators: one decorated generator is a whole operator.

Every module of :mod:`mendlab.mutators.catalogue` is loaded, whatever its name, and then every module named by an
entry point of the group ``mendlab.mutators``. There is no list of operators anywhere.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

from mendlab.errors import InputError
from mendlab.mutators.edits import Change
from mendlab.mutators.registry.declaration import BUILT_IN, CATALOGUE, Example, Operator, declared
from mendlab.mutators.registry.plugins import BrokenPlugin, load_plugins
from mendlab.mutators.registry.taxonomy import BugType, Odc, Pattern

__all__ = [
    "BugType",
    "Example",
    "Odc",
    "Operator",
    "Pattern",
    "add_operators",
    "broken_plugins",
    "families",
    "get_operator",
    "operator",
    "operators",
    "origins",
    "select",
]

_F = TypeVar("_F", bound=Callable[..., Iterator[Change]])
_registered: dict[str, Operator] = {}


def operator(
    *,
    name: str,
    odc: Odc,
    bug_type: BugType,
    examples: Iterable[Example],
    family: str | None = None,
    term: str | None = None,
    pattern: Pattern | None = None,
    inverse: str | None = None,
) -> Callable[[_F], _F]:
    """Register a generator ``(node: SomeNode, ctx: Context) -> Iterator[Change]`` as an operator.

    The annotation of its first parameter (a LibCST node class or a union of them) says which nodes it is called on.
    The generator yields every change it can make to that node, in a fixed order, and draws no random numbers.
    The family is the name of the catalogue's folder, elsewhere of the file, with hyphens, unless it is given.

    Raises:
        InputError: the name is taken, by a family too, or the declaration is wrong; the one line names the module and
            the operator.
    """

    def register(function: _F) -> _F:
        made = declared(
            function,
            name=name,
            odc=odc,
            bug_type=bug_type,
            examples=examples,
            family=family,
            term=term,
            pattern=pattern,
            inverse=inverse,
        )
        _add(made, function.__module__)
        return function

    return register


def add_operators(added: Iterable[Operator]) -> None:
    """Add operators that were made otherwise than by the decorator, for the rest of the process.

    Raises:
        InputError: a name is taken.
    """
    _load()
    for op in added:
        _add(op, op.origin)


def _add(op: Operator, where: str) -> None:
    other = _registered.get(op.name)
    if other is not None:
        whose = other.origin if other.origin != BUILT_IN else other.transform.__module__
        what = f"two operators are called {op.name!r}; the other is in {whose}"
        raise InputError(what, where=where, hint="rename this one")
    if op.family in _registered or op.name in {op.family, *(each.family for each in _registered.values())}:
        name = op.family if op.family in _registered else op.name
        what = f"mutation operator {op.name!r}: {name!r} would be both a family and an operator"
        raise InputError(what, where=where, hint="rename one of them")
    _registered[op.name] = op
    _sorted.cache_clear()


@cache
def _load() -> tuple[BrokenPlugin, ...]:
    catalogue = importlib.import_module(CATALOGUE)
    for module in sorted(pkgutil.walk_packages(catalogue.__path__, f"{CATALOGUE}."), key=lambda m: m.name):
        importlib.import_module(module.name)
    broken = load_plugins(_registered)
    _sorted.cache_clear()
    return broken


@cache
def _sorted() -> tuple[Operator, ...]:
    return tuple(sorted(_registered.values(), key=lambda op: (op.family, op.name)))


def operators() -> tuple[Operator, ...]:
    """Every operator, by family and name."""
    _load()
    return _sorted()


def broken_plugins() -> tuple[BrokenPlugin, ...]:
    """The packages whose operators are left out because something is wrong with them."""
    return _load()


def origins(names: Iterable[str] | None) -> dict[str, str]:
    """The packages and template files that the operators of :func:`select` come from, with their versions."""
    found = sorted({op.origin for op in select(names)} - {BUILT_IN})
    return {package: version for package, _, version in (origin.rpartition(" ") for origin in found)}


def families() -> tuple[str, ...]:
    """The names of the families, in alphabetical order."""
    return tuple(sorted({op.family for op in operators()}))


def get_operator(name: str) -> Operator:
    """The operator of that name.

    Raises:
        InputError: there is none; the hint has the names that are near.
    """
    for op in operators():
        if op.name == name:
            return op
    raise _unknown(name, [op.name for op in operators()])


def select(names: Iterable[str] | None) -> tuple[Operator, ...]:
    """The operators meant by names of operators and families, in the order of :func:`operators`; ``None``: all.

    Raises:
        InputError: a name is neither; the hint has the names that are near.
    """
    if names is None:
        return operators()
    wanted = set(names)
    chosen = tuple(op for op in operators() if op.name in wanted or op.family in wanted)
    unknown = wanted - {op.name for op in chosen} - {op.family for op in chosen}
    if unknown:
        raise _unknown(min(unknown), [op.name for op in operators()] + list(families()))
    return chosen


def _unknown(name: str, known: list[str]) -> InputError:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    hint = f"near names: {', '.join(near)}" if near else "`mendlab mutators list` shows them all"
    return InputError(f"no mutation operator or family is called {name!r}", hint=hint)
