"""What the report was made from: versions, digests, seeds, confinement and limits."""

from __future__ import annotations

from collections.abc import Mapping

from mendlab.records import Limits, Manifest, RunConfig
from mendlab.reports.commands import repeat_run
from mendlab.reports.section import Report, section
from mendlab.reports.summary import run_labels
from mendlab.reports.words import counted

Facts = list[tuple[str, str]]


@section(order=80, title="How this was made", template="manifest.html.j2")
def manifest(report: Report) -> Mapping[str, object] | None:
    """Return the facts of the task set, and of each run, with the command that makes the run again."""
    material = report.material
    levels = {run.label: ", ".join(run.sandbox_levels) or "unknown" for run in report.summary.runs}
    taskset = _taskset_facts(material.manifest) if material.manifest else []
    limits = sorted({_limits(task.limits) for task in material.tasks})
    runs = [
        (_run_facts(run.config, levels[label]), repeat_run(run.config, material.taskset_path))
        for run, label in zip(material.runs, run_labels(material.runs), strict=True)
    ]
    return {"taskset": [*taskset, *(("Limits of one run of the tests", limit) for limit in limits)], "runs": runs}


def _taskset_facts(manifest: Manifest) -> Facts:
    made = manifest.provenance
    return [
        ("Task set", f"{manifest.name}, version {manifest.version}"),
        ("Size", f"{counted(manifest.tasks, 'task')}, {counted(manifest.snapshots, 'snapshot')}"),
        ("Source", made.source),
        ("Licence", manifest.licence or made.licence or "unknown"),
        *([("Seed", str(made.seed))] if made.seed is not None else []),
        ("Made with", _tools(made.tools)),
        ("Canary", manifest.canary),
    ]


def _run_facts(config: RunConfig, level: str) -> Facts:
    parameters = ", ".join(f"{name} = {value}" for name, value in config.parameters.items())
    return [
        ("Run", config.run_id),
        ("Strategy", config.strategy),
        *([("Parameters", parameters)] if parameters else []),
        ("Samples a task", str(config.samples)),
        ("Seed", str(config.seed)),
        ("Task set", f"{config.taskset}, SHA-256 {config.taskset_digest}"),
        ("Confinement of the verdicts", level),
        ("Made with", _tools(config.tools)),
    ]


def _tools(tools: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(tools.items())) or "unknown"


def _limits(limits: Limits) -> str:
    mebibyte = 1024**2
    return (
        f"{limits.cpu_seconds:g} s CPU, {limits.wall_seconds:g} s wall, "
        f"{limits.memory_bytes // mebibyte:,} MiB memory, {limits.processes} processes, "
        f"{limits.disk_bytes // mebibyte:,} MiB written, "
        f"{limits.output_bytes // 1024:,} KiB output"
    )
