"""``mendlab repair --dry-run``: what a run with a model would send, and may cost."""

from __future__ import annotations

from collections.abc import Mapping

import click

from mendlab.cli.models import ModelChoice
from mendlab.cli.output import note, print_json, print_table, progress_on_stderr
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.repair.models.counting import Counting
from mendlab.repair.models.prices import CHARACTERS_A_TOKEN
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import ChosenStrategy
from mendlab.verify.bench import Bench


def dry_run(
    taskset: TaskSet,
    strategy: ChosenStrategy,
    bench: Bench,
    choice: ModelChoice | None,
    *,
    samples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Make every attempt with a model that answers nothing, and print what was asked of it.

    Raises:
        InputError: the strategy asks no model.
    """
    if choice is None:
        raise InputError(f"strategy {strategy.name!r} asks no model: there is nothing to count", hint="leave it out")
    counted = Counting(choice.settings, choice.price)
    config = make_config(taskset, strategy, samples=samples, seed=seed)
    repairer = Repairer(config, taskset, strategy, bench.open, answers=counted, prompting=choice.prompting)
    todo = [(task, sample) for task in taskset.tasks for sample in range(samples)]
    with progress_on_stderr() as progress:
        for done, (task, sample) in enumerate(todo):
            progress("attempts counted", done, len(todo))
            attempt = repairer.attempt(task, sample)
            if attempt.stop_reason.startswith(("error", "infra")):
                note(f"{task.id}: {attempt.stop_reason}")
    print_counted(choice, counted, {"attempts": len(todo)}, as_json=as_json)


def print_counted(choice: ModelChoice, counted: Counting, of: Mapping[str, int], *, as_json: bool) -> None:
    """Print what was counted, after what it is the count ``of``."""
    if as_json:
        print_json(
            {
                "model": choice.settings.label,
                **of,
                "calls": counted.calls,
                "prompt_tokens": counted.prompt_tokens,
                "output_tokens": counted.output_tokens,
                "cost_usd": counted.most,
                "prices_as_of": choice.price.as_of if choice.price is not None else None,
                "estimated": True,
            }
        )
        return
    cost = "not known" if counted.most is None else f"${counted.most:.2f}"
    rows = [
        *((what, f"{count:,}") for what, count in of.items()),
        ("calls, at most", f"{counted.calls:,}"),
        ("tokens of prompts, estimated", f"{counted.prompt_tokens:,}"),
        ("tokens of answers, at most", f"{counted.output_tokens:,}"),
        ("cost, at most", cost),
    ]
    print_table("", ("", ""), rows, right=(1,))
    if choice.price is None:
        what = f"{choice.settings.label} in batches" if choice.batch else choice.settings.label
        click.echo(f"no price for {what}: name a file that has one with --prices")
    click.echo(f"nothing was sent; tokens are estimated, {CHARACTERS_A_TOKEN} characters each, without the tokenizer")
