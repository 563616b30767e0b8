"""``mendlab check``: whether a task set keeps its word, and whether attacks on it are refused."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from mendlab.cli.opening import open_bench
from mendlab.cli.options import bench_options, example, existing_path, json_option, new_path, seed_option
from mendlab.cli.output import keeping_nothing, print_json, print_table, progress_on_stderr
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import BuildConfig, SandboxLevel, Task
from mendlab.verify.attacks.gate import Siege, attack_taskset, choose_tasks
from mendlab.verify.attacks.registry import attacks as pack
from mendlab.verify.bench import Bench
from mendlab.verify.check import Finding, check_taskset
from mendlab.verify.check_folder import CheckFolder
from mendlab.verify.judge import Judge
from mendlab.versions import tool_versions
from mendlab.workers import Progress


@click.command(
    "check",
    epilog=example(
        "mendlab check tasks",
        "mendlab check tasks.zip --runs 5 --json",
        "mendlab check tasks --attacks --attack-sample 10",
        "mendlab check tasks --attacks --out checked",
    ),
)
@click.argument("taskset", type=existing_path)
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="How often every test is run.")
@click.option("--attacks", is_flag=True, help="Also judge the pack of attacks on every task: all must be refused.")
@click.option("--attack-sample", type=click.IntRange(1), metavar="N", help="Attack N of the tasks, drawn by the seed.")
@click.option("--out", type=new_path, help="Folder of what was found out, to go on from. [default: none is kept]")
@seed_option
@bench_options
@json_option
def command(
    taskset: Path,
    runs: int,
    attacks: bool,
    attack_sample: int | None,
    out: Path | None,
    seed: int,
    workers: int,
    python: Path | None,
    allow_unconfined: bool,
    as_json: bool,
) -> None:
    """Prove TASKSET: digests match, every reference passes and every buggy program fails, in several shuffled runs.

    With --attacks also that wrong programs that set out to be called right are not, nor get out of the confinement.
    Prints what does not hold. Exit code 1 if there is anything. With --out, the same command goes on where it was
    stopped, and one that attacks more of the tasks takes what was found of the others.
    """
    opened = TaskSet.open(taskset, damaged=True)
    bench = open_bench(opened, python, allow_unconfined=allow_unconfined)
    attacks = attacks or attack_sample is not None
    if attacks and bench.level is SandboxLevel.NONE:
        raise InputError("attacks are not run unconfined", hint="`mendlab doctor` says what is missing here")
    with _folder(out, _config(opened, bench, runs)) as folder, progress_on_stderr() as progress:
        findings = check_taskset(
            opened, bench, runs=runs, workers=workers, progress=progress, known=folder.proved, keep=folder.add_proved
        )
        siege = None
        if attacks and not findings:
            siege = _attack(opened, bench, choose_tasks(opened.tasks, attack_sample, seed), workers, progress, folder)
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


@contextmanager
def _folder(out: Path | None, config: BuildConfig) -> Iterator[CheckFolder]:
    """The folder that was named, or one that is removed in the end; an interruption then says so."""
    if out is not None:
        with CheckFolder(out, config) as folder:
            yield folder
        return
    with (
        keeping_nothing("a check without --out"),
        tempfile.TemporaryDirectory(prefix="mendlab-check-") as scratch,
        CheckFolder(Path(scratch), config) as folder,
    ):
        yield folder


def _config(taskset: TaskSet, bench: Bench, runs: int) -> BuildConfig:
    """What decides what is found of a task, whichever of them are attacked."""
    return BuildConfig(
        command="check",
        parameters={
            "taskset": taskset.digest,
            "runs": runs,
            "attacks": [attack.name for attack in pack()],
            "python": bench.interpreter.version_text,
            "confinement": bench.level.value,
        },
        tools=tool_versions(),
    )


def _attack(
    taskset: TaskSet, bench: Bench, tasks: Sequence[Task], workers: int, progress: Progress, folder: CheckFolder
) -> Siege:
    with Judge(taskset, bench) as judge:
        return attack_taskset(
            taskset, judge.judge, tasks=tasks, workers=workers, progress=progress,
            known=folder.besieged, keep=folder.add_besieged,
        )  # fmt: skip


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
        "accepted": [trial.model_dump() for trial in siege.accepted],
        "spoiled": list(siege.spoiled),
        "past_the_tests": siege.past_the_tests,
        "cpu_seconds": round(sum(trial.cpu_seconds for trial in siege.trials), 1),
        "outcomes": {name: dict(counts) for name, counts in siege.table().items()},
    }
