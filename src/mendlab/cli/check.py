"""``mendlab check``: whether a task set keeps its word, and whether attacks on it are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, seed_option
from mendlab.cli.output import keeping_nothing, print_json, print_table, progress_on_stderr
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import SandboxLevel
from mendlab.verify.attacks.gate import Siege, attack_taskset, choose_tasks
from mendlab.verify.bench import Bench
from mendlab.verify.check import Finding, check_taskset
from mendlab.verify.judge import Judge
from mendlab.workers import Progress


@click.command(
    "check",
    epilog=example(
        "mendlab check tasks",
        "mendlab check tasks.zip --runs 5 --json",
        "mendlab check tasks --attacks --attack-sample 10",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="How often every test is run.")
@click.option("--attacks", is_flag=True, help="Also judge the pack of attacks on every task: all must be refused.")
@click.option("--attack-sample", type=click.IntRange(1), metavar="N", help="Attack N of the tasks, drawn by the seed.")
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    runs: int,
    attacks: bool,
    attack_sample: int | None,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Prove TASKSET: digests match, every reference passes and every buggy program fails, in several shuffled runs.

    With --attacks also that wrong programs that set out to be called right are not, nor get out of the confinement.
    Prints what does not hold. Exit code 1 if there is anything.
    """
    opened = TaskSet.open(taskset, damaged=True)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    attacks = attacks or attack_sample is not None
    if attacks and bench.level is SandboxLevel.NONE:
        raise InputError("attacks are not run unconfined", hint="`mendlab doctor` says what is missing here")
    with keeping_nothing("a check"), progress_on_stderr() as progress:
        findings = check_taskset(opened, bench, runs=runs, workers=workers, progress=progress)
        siege = _attack(opened, bench, attack_sample, seed, workers, progress) if attacks and not findings else None
    holds = not findings and not (siege and (siege.accepted or siege.spoiled))
    if as_json:
        result = {
            "taskset": str(taskset),
            "digest": opened.digest,
            "tasks": len(opened.tasks),
            "runs": runs,
            "holds": holds,
            "findings": [{"task": finding.task, "what": finding.what} for finding in findings],
        }
        print_json(result if siege is None else {**result, "attacks": _as_json(siege)})
    else:
        _print_findings(findings, len(opened.tasks), runs)
        if siege is not None:
            _print_siege(siege)
        elif attacks:
            click.echo("no attacks are made on a set that does not hold")
    if not holds:
        click.get_current_context().exit(1)


def _attack(taskset: TaskSet, bench: Bench, sample: int | None, seed: int, workers: int, progress: Progress) -> Siege:
    tasks = choose_tasks(taskset.tasks, sample, seed)
    with Judge(taskset, bench) as judge:
        return attack_taskset(taskset, judge.judge, tasks=tasks, workers=workers, progress=progress)


def _print_findings(findings: Sequence[Finding], tasks: int, runs: int) -> None:
    for finding in findings:
        click.echo(f"{finding.task}: {finding.what}" if finding.task else finding.what)
    bad = {finding.task for finding in findings}
    word = "holds" if not findings else f"does not hold: {len(findings)} findings in {len(bad)} places"
    click.echo(f"{tasks} tasks, {runs} runs each: {word}")


def _print_siege(siege: Siege) -> None:
    rows = [
        (name, sum(counts.values()), ", ".join(f"{outcome} {count}" for outcome, count in counts.most_common()))
        for name, counts in siege.table().items()
    ]
    print_table("", ("attack", "tried", "outcomes"), rows, right=(1,))
    for trial in siege.accepted:
        click.echo(f"{trial.task}: accepted {trial.attack}: {trial.outcome}: {trial.why}")
    for task in siege.spoiled:
        click.echo(f"{task}: after the attacks its reference is no longer called right")
    attempts = f"{len(siege.trials)} attempts by {len(siege.table())} attacks on {siege.tasks} tasks"
    click.echo(f"{attempts}: {len(siege.accepted)} accepted, {siege.past_the_tests} refused by comparison alone")


def _as_json(siege: Siege) -> dict[str, Any]:
    return {
        "tasks": siege.tasks,
        "tried": len(siege.trials),
        "accepted": [asdict(trial) for trial in siege.accepted],
        "spoiled": list(siege.spoiled),
        "past_the_tests": siege.past_the_tests,
        "cpu_seconds": round(sum(trial.cpu_seconds for trial in siege.trials), 1),
        "outcomes": {name: dict(counts) for name, counts in siege.table().items()},
    }
