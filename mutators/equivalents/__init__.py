"""Rules that rewrite code to a normal form: two programs of the same normal form do the same.

A rule is one decorated function in a file of this folder. Its first parameter is annotated with the type of node that
it rewrites (or a union of them), or is a ``list[ast.stmt]``, the statements of a suite; it returns what it becomes, or
``None``. A rewriting must be right whatever objects the names stand for: it may use only what no object can override.
Taken for granted are only that built-in names which a file does not bind are the built-ins, and that nothing looks at
frames, bytecode or the text of the code.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Final, TypeVar, final

from mendlab.mutators.equivalents.facts import Facts

__all__ = ["Facts", "Rule", "rule", "rules", "rules_by_kind"]

_F = TypeVar("_F", bound=Callable[..., object])
Pair = tuple[str, str]


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        name: the function's, with hyphens.
        proof: its docstring: what is equal, and why.
        examples: pairs of bodies of a function of ``a``, ``b`` and ``c`` that have one normal form.
        near: pairs that look like it, and do not.
        kinds: the types of node that it rewrites, or if it rewrites suites, of statement without which it does nothing.
        of_suites: whether it rewrites suites.
        apply: the function.
    """

    name: str
    proof: str
    examples: tuple[Pair, ...]
    near: tuple[Pair, ...]
    kinds: tuple[type[ast.AST], ...]
    of_suites: bool
    apply: Callable[[Any, Facts], Any]


_RULES: Final[dict[str, Rule]] = {}


def rule(*, examples: list[Pair], near: list[Pair], statements: tuple[type[ast.stmt], ...] = ()) -> Callable[[_F], _F]:
    """Register a function as a rule; see :class:`Rule`. ``statements`` are the ``kinds`` of a rule for suites."""

    def register(function: _F) -> _F:
        name = function.__name__.replace("_", "-")
        annotation = next(iter(typing.get_type_hints(function).values()))
        of_suites = typing.get_origin(annotation) is list
        kinds = typing.get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
        _RULES[name] = Rule(
            name=name,
            proof=inspect.cleandoc(function.__doc__ or ""),
            examples=tuple(examples),
            near=tuple(near),
            kinds=statements if of_suites else kinds,
            of_suites=of_suites,
            apply=function,
        )
        return function

    return register


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule, in order of name."""
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return tuple(_RULES[name] for name in sorted(_RULES))


@cache
def rules_by_kind() -> tuple[dict[type[ast.AST], tuple[Rule, ...]], tuple[Rule, ...]]:
    """The rules for each type of node that has any, and those for suites."""
    single = [r for r in rules() if not r.of_suites]
    kinds = {kind for each in single for kind in each.kinds}
    by_kind = {kind: tuple(r for r in single if kind in r.kinds) for kind in kinds}
    return by_kind, tuple(r for r in rules() if r.of_suites)
