"""The model that a command's options choose: how it is asked, and what it may take."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from pydantic import JsonValue

from mendlab.errors import InputError
from mendlab.repair.models.batching.batches import Batches
from mendlab.repair.models.batching.collecting import Collecting
from mendlab.repair.models.calls import ModelSettings
from mendlab.repair.models.endpoints import Endpoint
from mendlab.repair.models.model import Model
from mendlab.repair.models.prices import Price, Prices
from mendlab.repair.models.provider import make_settings, open_endpoint, providers
from mendlab.repair.models.tape import Tape
from mendlab.repair.prompts.settings import PromptSettings
from mendlab.repair.prompts.templates import Templates
from mendlab.repair.strategy import ChosenStrategy, strategies
from mendlab.workers import Progress


@final
@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model, how it is asked, and what it may take."""

    settings: ModelSettings
    prompting: PromptSettings
    price: Price | None
    max_cost: float | None
    timeout: float
    at_once: int
    per_minute: float | None
    replay: Path | None
    batch: bool = False

    def recorded(self) -> dict[str, JsonValue]:
        """Return what decides the outcome, for ``run.json``."""
        return {**self.settings.recorded(), **self.prompting.recorded()}

    def open(self, run: Path) -> Model:
        """Open the model for a run in that folder.

        Raises:
            InputError: the SDK or the key is missing, or there is nothing to replay.
        """
        tape = Tape(run, self.replay)
        endpoint = self._endpoint() if self.replay is None and not self.batch else None
        missing = {"missing": "its prompt is another each time: the same command asks again"} if self.batch else {}
        return Model(
            self.settings,
            tape,
            endpoint=endpoint,
            price=self.price,
            limit=self.max_cost if endpoint is not None else None,
            at_once=self.at_once,
            per_minute=self.per_minute,
            **missing,
        )

    @contextmanager
    def open_batches(self, run: Path, progress: Progress) -> Iterator[tuple[Collecting, Batches]]:
        """Yield what collects the calls of a run in that folder, and what sends them; errors as :meth:`open`."""
        with closing(Tape(run)) as tape:
            batches = Batches(
                run, self.settings, self._endpoint(), tape, price=self.price, limit=self.max_cost, progress=progress
            )
            with closing(batches):
                yield Collecting(self.settings, tape), batches

    def _endpoint(self) -> Endpoint:
        return open_endpoint(self.settings, timeout=self.timeout)


def choose_model(
    strategy: ChosenStrategy, *, model: str | None, batch: bool = False, **options: Any
) -> ModelChoice | None:
    """Return the model that the options name, ``None`` for a strategy that needs none.

    Raises:
        InputError: the strategy needs a model and none is named, or the other way round; or as :func:`make_choice`.
    """
    if model is None:
        if strategy.needs_model:
            raise InputError(f"strategy {strategy.name!r} needs a model", hint="name it: --model PROVIDER:NAME")
        return None
    if not strategy.needs_model:
        raise InputError(f"strategy {strategy.name!r} asks no model", hint="leave --model out")
    choice = make_choice(model=model, **options)
    if strategy.parameters.get("cost") is not None and choice.price is None:
        raise _no_price(choice.settings, "cost")
    return _in_batches(choice, strategy) if batch else choice


def make_choice(
    *,
    model: str,
    replay: Path | None = None,
    prices: Path | None = None,
    max_cost: float | None = None,
    retries: int = 0,
    timeout: float = 600.0,
    per_minute: float | None = None,
    at_once: int = 4,
    **prompt: Any,
) -> ModelChoice:
    """Return the model that the options name.

    Raises:
        InputError: they name none, or a price is not known that ``max_cost`` needs.
    """
    prompting, settings = prompt_settings(model=model, retries=retries, **prompt)
    price = Prices.read(prices).find(settings.label)
    if max_cost is not None and price is None:
        raise _no_price(settings, "--max-cost")
    return ModelChoice(settings, prompting, price, max_cost, timeout, at_once, per_minute, replay)


def _no_price(settings: ModelSettings, limit: str) -> InputError:
    known = "--prices FILE can tell it"
    return InputError(f"the price of {settings.label} is not known, so {limit} cannot be held", hint=known)


def _in_batches(choice: ModelChoice, strategy: ChosenStrategy) -> ModelChoice:
    """The same model, asked in batches.

    Raises:
        InputError: the strategy or the provider has none, or the price of one is not known where it is needed.
    """
    if choice.replay is not None:
        raise InputError("--replay sends nothing, so there is nothing to batch", hint="leave --batch out")
    if not strategy.batches:
        known = ", ".join(info.name for info in strategies() if info.batches)
        what = f"strategy {strategy.name!r} cannot be batched: its calls follow each other"
        raise InputError(what, hint=f"batches are for {known}")
    if not providers()[choice.settings.provider].takes_batches:
        raise InputError(f"{choice.settings.provider} takes no batches", hint="leave --batch out")
    price = choice.price and choice.price.batched()
    if choice.max_cost is not None and price is None:
        raise _no_price(choice.settings, "--max-cost with --batch")
    return replace(choice, price=price, batch=True)


def prompt_settings(
    *,
    model: str,
    base_url: str | None,
    parameters: Sequence[str],
    max_output_tokens: int,
    prompts: Path | None,
    edit_format: Any = "diff",
    localisation: Any = "none",
    retries: int = 0,
) -> tuple[PromptSettings, ModelSettings]:
    """Return how the model is asked, and which one it is; errors as :func:`make_settings` and :class:`Templates`."""
    settings = make_settings(
        model,
        base_url=base_url,
        max_output_tokens=max_output_tokens,
        parameters=_named(parameters),
        retries=retries,
    )
    return PromptSettings(Templates(prompts), edit_format, localisation), settings


def _named(parameters: Sequence[str]) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for parameter in parameters:
        name, equals, value = parameter.partition("=")
        if not equals or not name:
            raise InputError(f"--parameter {parameter!r} has no value", hint="write NAME=VALUE")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found
