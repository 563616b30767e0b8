"""``mendlab subjects``: which programs can be subjects, and why the others cannot."""

from __future__ import annotations

from pathlib import Path

import click

from mendlab.cli.opening import note_set_aside, open_subject, tests_set_aside
from mendlab.cli.options import bench_options, example, json_option
from mendlab.cli.output import print_json, print_table, progress_on_stderr, refusals_json, show_refusals
from mendlab.records import Baseline
from mendlab.verify.detection.baseline import unusable
from mendlab.verify.detection.examine import clean_runs


@click.command("subjects", epilog=example("mendlab subjects ./myproject", "mendlab subjects mbpp:mbpp.jsonl --json"))
@click.argument("subject")
@bench_options
@json_option
def command(subject: str, workers: int, python: Path | None, allow_unconfined: bool, as_json: bool) -> None:
    """Run the tests of SUBJECT as it is, three times, and tell what can be built on.

    SUBJECT is as for `mendlab inject`. Exit code 1 if a program cannot be used; the reason is printed for each.
    """
    bench, subjects, refusals = open_subject(subject, python, allow_unconfined=allow_unconfined)
    with progress_on_stderr() as progress:
        baselines = clean_runs(subjects, bench, workers=workers, progress=progress)
    refusals += unusable(baselines)
    show_refusals(refusals, "cannot be used")
    if as_json:
        print_json({
            "subjects": [_row(baseline) for baseline in baselines],
            "tests_set_aside": tests_set_aside(baselines),
            "refused": refusals_json(refusals),
        })  # fmt: skip
    else:
        rows = [
            (each.subject, len(each.passing), len(each.set_aside) if each.passing else "", f"{each.cpu_seconds:.2f} s")
            for each in baselines
        ]
        print_table("", ("subject", "passing tests", "set aside", "CPU"), rows, right=(1, 2, 3))
        note_set_aside(tests_set_aside(baselines))
        usable = sum(bool(each.passing) for each in baselines)
        click.echo(f"{usable} of {usable + len(refusals)} can be used")
    if refusals:
        click.get_current_context().exit(1)


def _row(baseline: Baseline) -> dict[str, object]:
    return {
        "id": baseline.subject,
        "passing": len(baseline.passing),
        "failing": [result.test_id for result in baseline.failing],
        "flaky": list(baseline.flaky),
        "cpu_seconds": baseline.cpu_seconds,
    }
