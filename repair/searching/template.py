"""What a repair template is, and the list of them: a template is one decorated generator in ``templates/``."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, final

from mendlab.mutators.edits import Edit, normalise
from mendlab.repair.searching.source import Source

Weighted = tuple[Edit | tuple[Edit, ...], float]
Generate = Callable[[Source], Iterator[tuple[ast.AST, Edit | tuple[Edit, ...], float]]]


@final
@dataclass(frozen=True, slots=True)
class Template:
    """A template: ``share`` of all mistakes that it is held to mend, and what yields place, edits and weight."""

    name: str
    share: float
    generate: Generate


@final
@dataclass(frozen=True, slots=True)
class Change:
    """One change that a template makes. ``weight`` compares it with others of the template."""

    template: str
    edits: tuple[Edit, ...]
    place: ast.AST
    weight: float


_registry: Final[dict[str, Template]] = {}


def template(name: str, share: float) -> Callable[[Generate], Generate]:
    """Register a generator: it yields, for a source, places with edits and how likely they are among its own."""

    def register(generate: Generate) -> Generate:
        _registry[name] = Template(name, share, generate)
        return generate

    return register


@cache
def templates() -> tuple[Template, ...]:
    """Return every template, by name."""
    package = importlib.import_module("mendlab.repair.searching.templates")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(sorted(_registry.values(), key=lambda each: each.name))


def changes(source: Source, each: Template) -> Iterator[Change]:
    """Yield what a template makes of a source."""
    for place, edits, weight in each.generate(source):
        yield Change(each.name, normalise(edits), place, weight)
