"""``mendlab report``: runs on one task set, side by side, as one HTML page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from mendlab.cli.contamination_output import print_contamination
from mendlab.cli.options import example, existing_path, json_option, new_file
from mendlab.cli.output import patient, print_json, print_renderable, progress_on_stderr
from mendlab.cli.places import find_taskset
from mendlab.corpora.durable import replace_file
from mendlab.reports.contamination import contamination_scores
from mendlab.reports.html import render_html
from mendlab.reports.json_report import as_json as summary_json
from mendlab.reports.load import load_material
from mendlab.reports.markdown import render_markdown
from mendlab.reports.review.agreement import reviewed
from mendlab.reports.section import Report
from mendlab.reports.summary import summarise
from mendlab.reports.terminal import summary_renderable


@click.command(
    "report",
    epilog=example(
        "mendlab report runs/search --out report.html",
        "mendlab report runs/noop runs/reference runs/search --out report.html --taskset tasks",
        "mendlab report runs/search --markdown comment.md    # for a pull request",
    ),
)
@click.argument("runs", nargs=-1, required=True, type=existing_path)
@click.option("--taskset", type=existing_path, help="The task set of the runs. [default: where it was]")
@click.option(
    "--baseline", "baselines", multiple=True, type=existing_path, help="A run to stand beside the others as a baseline."
)
@click.option("--out", type=new_file, help="The page to write. [default: only the summary is printed]")
@click.option("--markdown", type=new_file, help="The report in short as Markdown, for a pull request.")
@json_option
def command(
    runs: tuple[Path, ...],
    taskset: Path | None,
    baselines: tuple[Path, ...],
    out: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> None:
    """Report on RUNS: outcomes, pass@k with intervals, baselines, and every task with its evidence.

    The page is one file that opens from disk with no network. Runs with the strategies noop, reference and search
    stand beside the others as baselines, and so do those named with --baseline.
    """
    material = load_material(runs, find_taskset(runs, taskset), baselines)
    summary = summarise(material)
    if out is not None:
        with progress_on_stderr() as progress:
            page = render_html(material, summary, patient(progress))
        replace_file(out, page.encode())
    report = Report(material, summary)
    if markdown is not None:
        replace_file(markdown, render_markdown(report).encode())
    seen = contamination_scores(material)
    if as_json:
        people = {label: asdict(done) for label, judged in report.judged.items() if (done := reviewed(judged))}
        told = {"reviews": people, "contamination": None if seen is None else asdict(seen)}
        print_json({"report": None if out is None else str(out), **summary_json(summary), **told})
        return
    print_renderable(summary_renderable(summary))
    if seen is not None:
        click.echo()
        print_contamination(seen)
    for path in (out, markdown):
        if path is not None:
            click.echo(f"report: {path}")
