"""What an operator is, and what must be right about the declaration of one."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, final

import libcst as cst

from mendlab.errors import InputError
from mendlab.mutators.edits import Change
from mendlab.mutators.registry.taxonomy import BUG_TYPES, ODC, PATTERNS, BugType, Odc, Pattern

if typing.TYPE_CHECKING:
    from mendlab.mutators.context import Context

Transform = Callable[[Any, "Context"], Iterator[Change]]

CATALOGUE: Final = "mendlab.mutators.catalogue"
BUILT_IN: Final = "mendlab"
"""The origin of the operators of the catalogue."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GUIDE: Final = "see docs/add-a-mutator.md"


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
        family: the family, which has one folder of the catalogue.
        summary: first line of the generator's docstring.
        term: its name in the mutation-testing literature (``ROR``, ``AOR``, ...), or ``None`` where it has none.
        odc: ODC defect type of what it injects.
        bug_type: HumanEvalFix type of what it injects.
        pattern: the TSSB pattern of the *fix*, or ``None`` where no single pattern is it.
        inverse: name of the operator that undoes it, or ``None``. A test proves it on the examples.
        examples: at least one; a test runs them all.
        node_types: the LibCST nodes that it is called on.
        transform: the generator.
        origin: whose it is: ``mendlab``, the distribution and version of a plugin, or a file of templates.
        count: how often the change was seen, of what is learned from fixes, else ``None``.
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
    origin: str = BUILT_IN
    count: int | None = None


def declared(
    function: Callable[..., Iterator[Change]],
    *,
    name: str,
    odc: Odc,
    bug_type: BugType,
    examples: Iterable[Example],
    family: str | None,
    term: str | None,
    pattern: Pattern | None,
    inverse: str | None,
) -> Operator:
    """Return the operator that a generator and what is said of it make.

    Raises:
        InputError: something is wrong or missing; the one line names the module and the operator.
    """
    module = function.__module__
    family = _family_of(module) if family is None else family
    given = tuple(examples)
    summary = (inspect.getdoc(function) or "").partition("\n")[0].strip()
    refuse = _Refusals(module, name)
    refuse.unless(is_name(name), "its name must be in lower case with hyphens")
    refuse.unless(is_name(family), f"family {family!r} must be in lower case with hyphens")
    refuse.unless(summary.endswith("."), "it needs a docstring whose first line is a sentence with a full stop")
    refuse.unless_known("odc", odc, ODC)
    refuse.unless_known("bug_type", bug_type, BUG_TYPES)
    refuse.unless_known("pattern", pattern, (*PATTERNS, None))
    for field, text in {"term": term, "inverse": inverse}.items():
        refuse.unless(text is None or (isinstance(text, str) and text != ""), f"{field} must be a text or left out")
    refuse.unless(bool(given), "it needs an example: examples=[Example(before, after)]")
    for one in given:
        refuse.unless(isinstance(one, Example), f"{one!r} is no Example(before, after)")
        refuse.unless(one.before != one.after, f"the example {one.before!r} changes nothing")
    return Operator(
        name=name,
        family=family,
        summary=summary,
        term=term,
        odc=odc,
        bug_type=bug_type,
        pattern=pattern,
        inverse=inverse,
        examples=given,
        node_types=_node_types(function, refuse),
        transform=function,
    )


def _family_of(module: str) -> str:
    """In the catalogue the name of the folder, elsewhere that of the file, with hyphens."""
    inside = module.removeprefix(f"{CATALOGUE}.")
    name = inside.partition(".")[0] if inside != module else module.rpartition(".")[2]
    return name.replace("_", "-")


def is_name(text: object) -> bool:
    """Whether a text may be the name of an operator or a family."""
    return isinstance(text, str) and _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class _Refusals:
    module: str
    name: object

    def unless(self, right: bool, what: str) -> None:
        if not right:
            raise InputError(f"mutation operator {self.name!r}: {what}", where=self.module, hint=_GUIDE)

    def unless_known(self, field: str, value: object, known: tuple[object, ...]) -> None:
        these = ", ".join(str(each) for each in known if each is not None)
        self.unless(value in known, f"{field} {value!r} is none of: {these}")


def _node_types(function: Callable[..., Iterator[Change]], refuse: _Refusals) -> tuple[type[cst.CSTNode], ...]:
    parameters = list(inspect.signature(function).parameters)
    refuse.unless(len(parameters) == 2, "its generator must take two parameters, the node and the context")
    hint = function.__annotations__.get(parameters[0])
    try:
        kind = eval(hint, getattr(function, "__globals__", {})) if isinstance(hint, str) else hint
    except Exception:
        kind = None
    kinds = typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, UnionType) else (kind,)
    fitting = all(isinstance(each, type) and issubclass(each, cst.CSTNode) for each in kinds)
    refuse.unless(
        fitting, f"its first parameter must be annotated with a LibCST node class or a union of them, not {hint!r}"
    )
    return kinds
