"""The registry of operators: one decorated generator is a whole operator.

Every module of :mod:`mendlab.mutators.catalogue` is loaded, whatever its name, and then every module named by an
entry point of the group ``mendlab.mutators``. There is no list of operators anywhere.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from types import UnionType
from typing import Any, Final, Literal, TypeVar, final

import libcst as cst

from mendlab.errors import InputError
from mendlab.mutators.edits import Change

if typing.TYPE_CHECKING:
    from mendlab.mutators.context import Context

GROUP: Final = "mendlab.mutators"

BugType = Literal[
    "value misuse", "operator misuse", "variable misuse", "function misuse", "missing logic", "excess logic"
]
"""The six types of bug in HumanEvalFix (OctoPack, 2023)."""

Odc = Literal["assignment", "checking", "algorithm", "interface", "function", "timing", "build"]
"""Defect types of Orthogonal Defect Classification (Chillarege et al., 1992)."""

Pattern = Literal[
    "change identifier",
    "change binary operand",
    "same function more args",
    "wrong function name",
    "add function around expression",
    "change attribute used",
    "change numeric literal",
    "more specific if",
    "add method call",
    "add elements to iterable",
    "same function less args",
    "change boolean literal",
    "add attribute access",
    "change binary operator",
    "same function wrong caller",
    "less specific if",
    "change keyword argument used",
    "change unary operator",
    "same function swap args",
    "change constant type",
]
"""The simple-bug patterns of TSSB-3M (Richter and Wehrheim, 2022), named after the fix."""

Transform = Callable[[Any, "Context"], Iterator[Change]]
_F = TypeVar("_F", bound=Callable[..., Iterator[Change]])


@final
@dataclass(frozen=True, slots=True)
class Example:
    """A text before, and one of the texts that the operator makes of it."""

    before: str
    after: str


@final
@dataclass(frozen=True, slots=True)
class Operator:
    """A mutation operator.

    Attributes:
        name: unique, in lower case with hyphens.
        family: the family, which is the subject of one file.
        summary: first line of the generator's docstring.
        term: its name in the mutation-testing literature (``ROR``, ``AOR``, ...), or ``None`` where it has none.
        odc: ODC defect type of what it injects.
        bug_type: HumanEvalFix type of what it injects.
        pattern: the TSSB pattern of the *fix*, or ``None`` where no single pattern is it.
        inverse: name of the operator that undoes it, or ``None``.
        examples: at least one; a test runs them all.
        node_types: the LibCST nodes that it is called on.
        transform: the generator.
    """

    name: str
    family: str
    summary: str
    term: str | None
    odc: Odc
    bug_type: BugType
    pattern: Pattern | None
    inverse: str | None
    examples: tuple[Example, ...]
    node_types: tuple[type[cst.CSTNode], ...]
    transform: Transform


_operators: dict[str, Operator] = {}


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
    The family is the name of the file, with hyphens, unless it is given.

    Raises:
        InputError: the name is taken.
    """

    def register(function: _F) -> _F:
        if name in _operators:
            raise InputError(f"two operators are called {name!r}", where=function.__module__, hint="rename one")
        _operators[name] = Operator(
            name=name,
            family=family or function.__module__.rpartition(".")[2].replace("_", "-"),
            summary=(function.__doc__ or "").strip().split("\n")[0],
            term=term,
            odc=odc,
            bug_type=bug_type,
            pattern=pattern,
            inverse=inverse,
            examples=tuple(examples),
            node_types=_node_types(function),
            transform=function,
        )
        return function

    return register


def _node_types(function: Callable[..., Iterator[Change]]) -> tuple[type[cst.CSTNode], ...]:
    hint = next(iter(inspect.get_annotations(function, eval_str=True).values()))
    union = typing.get_origin(hint) in (typing.Union, UnionType)
    return typing.get_args(hint) if union else (hint,)


@cache
def _load() -> tuple[Operator, ...]:
    catalogue = importlib.import_module(f"{__package__}.catalogue")
    for module in sorted(pkgutil.iter_modules(catalogue.__path__), key=lambda m: m.name):
        importlib.import_module(f"{catalogue.__name__}.{module.name}")
    for plugin in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        plugin.load()
    return tuple(sorted(_operators.values(), key=lambda op: (op.family, op.name)))


def operators() -> tuple[Operator, ...]:
    """Every operator, by family and name."""
    return _load()


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
