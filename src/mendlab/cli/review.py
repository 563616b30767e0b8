"""``mendlab review``: a person looks at what the machine is not sure of."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from mendlab.cli.options import example, existing_path, json_option, seed_option
from mendlab.cli.output import note, print_json
from mendlab.cli.places import find_taskset
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.reports.data import join
from mendlab.reports.load import load_material
from mendlab.reports.review.decisions import Decisions
from mendlab.reports.review.desk import Desk
from mendlab.reports.review.queue import review_queue
from mendlab.reports.review.serve import open_server


@click.command(
    "review",
    epilog=example(
        "mendlab review runs/search",
        "mendlab review runs/model --sample 50 --reviewer Ann",
    ),
)
@click.argument("run", type=existing_path)
@click.option("--taskset", type=existing_path, help="The task set of the run. [default: where it was]")
@click.option("--reviewer", help="Whose decisions they are. [default: the user's name on this machine]")
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="How many of the other attempts to look at, besides the divergent and the risky.",
)
@seed_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="any free one", help="Where to serve.")
@json_option
def command(
    run: Path, taskset: Path | None, reviewer: str | None, sample: int, seed: int, port: int, as_json: bool
) -> None:
    """Serve a page on which a person reviews the attempts of RUN, on this machine alone, until Ctrl-C.

    Decisions are appended to the run, in reviews.jsonl, as they are made; the same command goes on from there. Where
    two have reviewed a run, each under a name of their own, `mendlab report` tells how far they agree.
    """
    desk = _desk(run, find_taskset([run], taskset), reviewer or getpass.getuser(), sample, seed)
    server = open_server(desk, port)
    counts = {why: sum(waiting.why == why for waiting in desk.queue) for why in ("divergent", "risky", "sampled")}
    if as_json:
        print_json({"url": server.url, "reviewer": desk.reviewer, "queue": counts, "decided": desk.decided()})
    else:
        click.echo(", ".join(f"{count} {why}" for why, count in counts.items()) + f"; {desk.decided()} decided before")
        click.echo(f"review: {server.url}")
    note("the link is for you alone; Ctrl-C ends the review")
    server.run()
    note(f"{desk.decided()} of {len(desk.queue)} decided, kept in {desk.decisions.path}")


def _desk(run: Path, taskset: Path, reviewer: str, sample: int, seed: int) -> Desk:
    if not reviewer.strip():
        raise InputError("a reviewer needs a name", hint="give one with --reviewer")
    material = load_material([run], taskset)
    judged = join(material.runs[0], material.tasks)
    queue = review_queue(judged, sample=sample, seed=seed)
    return Desk(material.runs[0].config.run_id, reviewer.strip(), queue, Decisions(run), TaskSet.open(taskset))
