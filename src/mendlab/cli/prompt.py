"""``mendlab prompt``: exactly what a model would be sent for a task, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mendlab.cli.model_options import prompt_options
from mendlab.cli.models import prompt_settings
from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option
from mendlab.cli.output import print_json
from mendlab.corpora.taskset import TaskSet
from mendlab.repair.models.provider import providers
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import make_strategy


@click.command(
    "prompt",
    epilog=example(
        "mendlab prompt tasks HumanEval/0",
        "mendlab prompt tasks HumanEval/0 --edit-format function --localisation search",
        "mendlab prompt tasks HumanEval/0 --prompts my-templates --model anthropic:NAME --json",
    ),
)
@click.argument("taskset", type=existing_path)
@click.argument("task")
@prompt_options
@bench_options
@json_option
def command(
    taskset: Path,
    task: str,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
    model: str | None,
    **prompt: Any,
) -> None:
    """Print what a model would be asked first for TASK of TASKSET; its failing tests are run for that.

    With --model and --json it is the body of the request, as it would be sent.
    """
    # Without a model the provider makes no difference to the text.
    prompting, settings = prompt_settings(model=model or "openai:none", **prompt)
    opened = TaskSet.open(taskset)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    strategy = make_strategy("single")
    repairer = Repairer(make_config(opened, strategy), opened, strategy, bench.open, prompting=prompting)
    request = opening_request(repairer.context(opened.task(task), 0))
    if as_json and model is not None:
        body = providers()[settings.provider].make.body(settings, request, settings.parameters)
        print_json({"request": settings.digest(request), "prompts": prompting.templates.digest, "body": body})
    elif as_json:
        told = [{"role": message.role, "content": message.text} for message in request.messages]
        print_json({"prompts": prompting.templates.digest, "system": request.system, "messages": told})
    else:
        click.echo(f"[system]\n{request.system}")
        for message in request.messages:
            click.echo(f"\n[{message.role}]\n{message.text}")
