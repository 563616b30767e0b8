"""Strategies and their registry: a strategy is one decorated class in one file.

Every module of :mod:`mendlab.repair.strategies` is loaded, and then every entry point of the group
``mendlab.strategies``. There is no list of strategies anywhere. ``docs/add-a-strategy.md`` shows how to add one.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final, Protocol, TypeVar, final

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from mendlab.errors import InputError
from mendlab.records import Usage
from mendlab.repair.context import RepairContext

GROUP: Final = "mendlab.strategies"


@final
@dataclass(frozen=True, slots=True)
class Proposal:
    """A strategy's answer. ``raw_patch`` is ``None`` where it has none, and ``stop_reason`` says why it ended.

    ``parameters`` are facts about this attempt, recorded beside the strategy's options. ``cpu_seconds`` is for work
    done elsewhere than in the strategy's own thread, as by test runs. What is unknown stays ``None``.
    """

    raw_patch: str | None
    stop_reason: str
    raw_answer: str | None = None
    parameters: Mapping[str, JsonValue] | None = None
    model_requested: str | None = None
    model_answered: str | None = None
    prompt_digest: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    cpu_seconds: float | None = None
    retries: int = 0


class Strategy(Protocol):
    """Proposes one patch for one problem. Used by several threads at once: what it keeps must allow for that."""

    def propose(self, context: RepairContext) -> Proposal:
        """Return an answer. What it raises becomes an attempt without a patch, and the run goes on."""
        ...


@final
@dataclass(frozen=True, slots=True)
class StrategyInfo:
    """An entry of the registry: ``options`` are the parameters of ``make``, with their defaults."""

    name: str
    summary: str
    options: Mapping[str, inspect.Parameter]
    sees_reference: bool
    needs_model: bool
    batches: bool
    make: Callable[..., Strategy]


@final
@dataclass(frozen=True, slots=True)
class ChosenStrategy:
    """A strategy made ready, and what of it goes on record: its name and every option's value."""

    name: str
    parameters: dict[str, JsonValue]
    sees_reference: bool
    strategy: Strategy
    needs_model: bool = False
    batches: bool = False


_registry: dict[str, StrategyInfo] = {}
_S = TypeVar("_S", bound=Callable[..., Strategy])


def strategy(
    name: str, *, sees_reference: bool = False, needs_model: bool = False, batches: bool = False
) -> Callable[[_S], _S]:
    """Register a class, or a function that returns a strategy; its annotated parameters are the options.

    The first line of its docstring is the summary. ``sees_reference`` is for baselines that know the answer,
    ``needs_model`` for what asks a model, ``batches`` for what makes each of its calls whatever the others bring.

    Raises:
        InputError: the name is taken.
    """

    def register(make: _S) -> _S:
        if name in _registry:
            raise InputError(f"two strategies are called {name!r}", where=make.__module__, hint="rename one")
        summary = (inspect.getdoc(make) or "").split("\n")[0]
        options = inspect.signature(make, eval_str=True).parameters
        _registry[name] = StrategyInfo(name, summary, options, sees_reference, needs_model, batches, make)
        return make

    return register


@cache
def strategies() -> tuple[StrategyInfo, ...]:
    """Return every strategy, by name."""
    package = importlib.import_module("mendlab.repair.strategies")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for plugin in sorted(entry_points(group=GROUP), key=lambda plugin: (plugin.name, plugin.value)):
        plugin.load()
    return tuple(sorted(_registry.values(), key=lambda info: info.name))


def make_strategy(name: str, **options: Any) -> ChosenStrategy:
    """Return the strategy of that name with the given options; text is turned into an option's type.

    Raises:
        InputError: there is no such strategy or option, one that is needed is not given, or a value does not fit.
    """
    info = next((info for info in strategies() if info.name == name), None)
    if info is None:
        raise InputError(f"there is no strategy {name!r}", hint=_near(name, [info.name for info in strategies()]))
    for option in options:
        if option not in info.options:
            what = f"strategy {name!r} has no option {option!r}"
            raise InputError(what, hint=_near(option, list(info.options)))
    values = {key: _value(info, key, parameter, options) for key, parameter in info.options.items()}
    recorded = {key: to_jsonable_python(value) for key, value in values.items()}
    return ChosenStrategy(name, recorded, info.sees_reference, info.make(**values), info.needs_model, info.batches)


def _value(info: StrategyInfo, key: str, parameter: inspect.Parameter, options: Mapping[str, Any]) -> Any:
    if key not in options:
        if parameter.default is parameter.empty:
            raise InputError(f"strategy {info.name!r} needs the option {key!r}", hint=info.summary)
        return parameter.default
    try:
        return TypeAdapter(parameter.annotation).validate_python(options[key])
    except ValidationError as error:
        what = f"option {key!r} of strategy {info.name!r} cannot be {options[key]!r}"
        raise InputError(what, hint=error.errors()[0]["msg"]) from None


def _near(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known) or 'none'}"
