"""The registry of attacks: one decorated function is a whole attack.

Every module of :mod:`mendlab.verify.attacks.families` is loaded, whatever its name. There is no list of them anywhere.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, final

from mendlab.errors import InputError
from mendlab.records import FunctionHarness, Task
from mendlab.verify.attacks.target import Target

Kind = Literal["function", "project"]
Make = Callable[[Target], str | None]
KINDS: Final[tuple[Kind, ...]] = ("function", "project")


@final
@dataclass(frozen=True, slots=True)
class Attack:
    """An entry of the registry. ``make`` returns the patch, or ``None`` where the attack does not apply to a task.

    ``kinds`` are the kinds of task that it is for. One that ``runs_on`` until a limit ends it is judged under a short
    one. One that is ``hidden`` keeps its code from whoever only reads it.
    """

    name: str
    summary: str
    kinds: tuple[Kind, ...]
    family: str
    make: Make
    runs_on: bool = False
    hidden: bool = False


_registry: dict[str, Attack] = {}


def attack(
    name: str, *, kinds: tuple[Kind, ...] = KINDS, runs_on: bool = False, hide: bool = False
) -> Callable[[Make], Make]:
    """Register a function that makes an attack's patch for a task; its docstring's first line is the summary.

    With ``hide`` there is a second attack, whose code is a text that is put in order when it runs: no audit reads it.

    Raises:
        InputError: the name is taken.
    """

    def register(make: Make) -> Make:
        summary = (inspect.getdoc(make) or "").split("\n")[0]
        family = make.__module__.rpartition(".")[2]
        made = Attack(name, summary, kinds, family, make, runs_on)
        _add(made)
        if hide:
            hidden = lambda target: make(replace(target, hides=True))  # noqa: E731
            _add(replace(made, name=f"{name}-hidden", summary=f"{summary} Hidden.", make=hidden, hidden=True))
        return make

    return register


def _add(made: Attack) -> None:
    if made.name in _registry:
        raise InputError(f"two attacks are called {made.name!r}", where=made.family, hint="rename one")
    _registry[made.name] = made


@cache
def attacks() -> tuple[Attack, ...]:
    """Return every attack, by family and name."""
    package = importlib.import_module("mendlab.verify.attacks.families")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(sorted(_registry.values(), key=lambda made: (made.family, made.name)))


def kind_of(task: Task) -> Kind:
    """Return the kind of attack that a task is open to."""
    return "function" if isinstance(task.harness, FunctionHarness) else "project"
