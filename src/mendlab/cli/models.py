"""The options that choose a model and say how it is asked, and the model that they make."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, final

import click
from pydantic import JsonValue

from mendlab.cli.options import existing_file, existing_path
from mendlab.errors import InputError
from mendlab.repair.models.calls import ModelSettings
from mendlab.repair.models.model import Model
from mendlab.repair.models.prices import Price, Prices
from mendlab.repair.models.provider import make_settings, open_endpoint
from mendlab.repair.models.tape import Tape
from mendlab.repair.prompts.settings import EDIT_FORMATS, TOLD, PromptSettings
from mendlab.repair.prompts.templates import Templates
from mendlab.repair.strategy import ChosenStrategy

F = TypeVar("F", bound=Callable[..., Any])


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

    def recorded(self) -> dict[str, JsonValue]:
        """Return what decides the outcome, for ``run.json``."""
        return {**self.settings.recorded(), **self.prompting.recorded()}

    def open(self, run: Path) -> Model:
        """Open the model for a run in that folder.

        Raises:
            InputError: the SDK or the key is missing, or there is nothing to replay.
        """
        tape = Tape(run, self.replay)
        endpoint = open_endpoint(self.settings, timeout=self.timeout) if self.replay is None else None
        return Model(
            self.settings,
            tape,
            endpoint=endpoint,
            price=self.price,
            limit=self.max_cost if endpoint is not None else None,
            at_once=self.at_once,
            per_minute=self.per_minute,
        )


def prompt_options(function: F) -> F:
    """What decides the text that a model is sent."""
    for option in (
        click.option(
            "--localisation",
            type=click.Choice(TOLD),
            default="none",
            show_default=True,
            help="What the prompt says of the place: nothing, search's likeliest lines, or the true ones.",
        ),
        click.option(
            "--edit-format",
            type=click.Choice(EDIT_FORMATS),
            default="diff",
            show_default=True,
            help="The form in which a model is to answer.",
        ),
        click.option("--prompts", type=existing_path, help="Folder of templates to use in place of mendlab's own."),
        click.option(
            "--max-output-tokens",
            type=click.IntRange(1),
            default=8192,
            show_default=True,
            help="Longest answer, thinking included.",
        ),
        click.option(
            "--parameter",
            "parameters",
            multiple=True,
            metavar="NAME=VALUE",
            help="Goes into each request as it is, as JSON or else text: temperature=0.2.",
        ),
        click.option("--base-url", metavar="URL", help="Address of the model's server, if not the provider's own."),
        click.option("--model", metavar="PROVIDER:NAME", help="anthropic:NAME, openai:NAME or openai-compatible:NAME."),
    ):
        function = option(function)
    return function


def model_options(function: F) -> F:
    """All of the options that :func:`choose_model` takes."""
    for option in (
        click.option("--replay", type=existing_path, help="Take all answers from this run, and send nothing."),
        click.option("--prices", type=existing_file, help="File of prices to use in place of mendlab's own."),
        click.option(
            "--max-cost", type=click.FloatRange(0, min_open=True), help="Stop before more US dollars are spent."
        ),
        click.option(
            "--retries",
            type=click.IntRange(0, 10),
            default=0,
            show_default=True,
            help="How often a call is made again on 408, 429, 5xx and failed connections.",
        ),
        click.option(
            "--timeout", type=click.FloatRange(1), default=600.0, show_default=True, help="Seconds an answer."
        ),
        click.option("--per-minute", type=click.FloatRange(0, min_open=True), help="Calls a minute, at most."),
        click.option(
            "--concurrency", "at_once", type=click.IntRange(1), default=4, show_default=True, help="Calls at a time."
        ),
    ):
        function = option(function)
    return prompt_options(function)


def choose_model(
    strategy: ChosenStrategy,
    *,
    model: str | None,
    replay: Path | None = None,
    prices: Path | None = None,
    max_cost: float | None = None,
    retries: int = 0,
    timeout: float = 600.0,
    per_minute: float | None = None,
    at_once: int = 4,
    **prompt: Any,
) -> ModelChoice | None:
    """Return the model that the options name, ``None`` for a strategy that needs none.

    Raises:
        InputError: the strategy needs a model and none is named, or the other way round; or a price is not known that
            ``max_cost`` needs.
    """
    if model is None:
        if strategy.needs_model:
            raise InputError(f"strategy {strategy.name!r} needs a model", hint="name it: --model PROVIDER:NAME")
        return None
    if not strategy.needs_model:
        raise InputError(f"strategy {strategy.name!r} asks no model", hint="leave --model out")
    return named_model(
        model=model,
        replay=replay,
        prices=prices,
        max_cost=max_cost,
        retries=retries,
        timeout=timeout,
        per_minute=per_minute,
        at_once=at_once,
        **prompt,
    )


def named_model(
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
    """Return the model of that name.

    Raises:
        InputError: there is none, or its price is not known and ``max_cost`` needs it.
    """
    prompting, settings = prompt_settings(model=model, retries=retries, **prompt)
    price = Prices.read(prices).find(settings.label)
    if max_cost is not None and price is None:
        known = "--prices FILE can tell it"
        raise InputError(f"the price of {settings.label} is not known, so --max-cost cannot be held", hint=known)
    return ModelChoice(settings, prompting, price, max_cost, timeout, at_once, per_minute, replay)


def prompt_settings(
    *,
    model: str,
    base_url: str | None,
    parameters: Sequence[str],
    max_output_tokens: int,
    prompts: Path | None,
    edit_format: Any,
    localisation: Any,
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
        except ValueError:
            found[name] = value
    return found
