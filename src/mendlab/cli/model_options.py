"""The options that choose a model and say how it is asked; :mod:`mendlab.cli.models` makes the model of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mendlab.cli.options import existing_file, existing_path
from mendlab.repair.prompts.settings import EDIT_FORMATS, TOLD

F = TypeVar("F", bound=Callable[..., Any])


def naming_options(function: F) -> F:
    """Which model, and what goes with every request."""
    for option in (
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
    ):
        function = option(function)
    return naming_options(function)


def calling_options(function: F) -> F:
    """How calls are made, and what they may take."""
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
    return function


def model_options(function: F) -> F:
    """All of the options that :func:`mendlab.cli.models.choose_model` takes."""
    batch = click.option("--batch", is_flag=True, help="Send all calls as batches: for less, answered within a day.")
    return prompt_options(calling_options(batch(function)))
