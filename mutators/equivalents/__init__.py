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
        kinds: the types of node that it rewrites; empty if it rewrites suites.
        apply: the function.
    """

    name: str
    proof: str
    examples: tuple[Pair, ...]
    near: tuple[Pair, ...]
    kinds: tuple[type[ast.AST], ...]
    apply: Callable[[Any, Facts], Any]


_RULES: Final[dict[str, Rule]] = {}


def rule(*, examples: list[Pair], near: list[Pair]) -> Callable[[_F], _F]:
    """Register a function as a rule; see :class:`Rule` for the arguments."""

    def register(function: _F) -> _F:
        name = function.__name__.replace("_", "-")
        annotation = next(iter(typing.get_type_hints(function).values()))
        if isinstance(annotation, UnionType):
            kinds = typing.get_args(annotation)
        else:
            kinds = () if typing.get_origin(annotation) is list else (annotation,)
        _RULES[name] = Rule(
            name, inspect.cleandoc(function.__doc__ or ""), tuple(examples), tuple(near), kinds, function
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
    kinds = {kind for each in rules() for kind in each.kinds}
    return {kind: tuple(r for r in rules() if kind in r.kinds) for kind in kinds}, tuple(
        r for r in rules() if not r.kinds
    )
