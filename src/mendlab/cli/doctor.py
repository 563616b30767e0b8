"""``mendlab doctor``: what this machine can do."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from typing import Any, Final

import click

from mendlab import __version__
from mendlab.cli.options import example, json_option
from mendlab.cli.output import print_json, print_table
from mendlab.errors import MendlabError
from mendlab.records import SandboxLevel
from mendlab.verify.confinement.container import container_problem, engine
from mendlab.verify.confinement.escape import try_to_escape
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import bubblewrap, namespaces_problem, way_out

KEYS: Final = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
LITTLE_DISK: Final = 2 * 1024**3


@click.command("doctor", epilog=example("mendlab doctor", "mendlab doctor --json"))
@json_option
def command(as_json: bool) -> None:
    """Tell what this machine can do: Python, git, how far untrusted code can be confined, keys, disk.

    The confinement is proved by trying to break out of it. Exit code 1 if something is missing that mendlab needs.
    """
    report = {
        "mendlab": __version__,
        "python": _python(),
        "git": _git(),
        "confinement": _confinement(),
        "cores": os.cpu_count(),
        "keys": {name: bool(os.environ.get(name)) for name in KEYS},
        "disk_free_bytes": shutil.disk_usage(tempfile.gettempdir()).free,
    }
    problems = _problems(report)
    if as_json:
        print_json({**report, "problems": problems})
    else:
        print_table("", ("", ""), _rows(report))
        for problem in problems:
            click.echo(f"! {problem}")
    if problems:
        click.get_current_context().exit(1)


def _python() -> dict[str, Any]:
    interpreter = find_interpreter()
    return {"version": platform.python_version(), "pytest": interpreter.has_pytest}


def _git() -> str | None:
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip().removeprefix("git version ")


def _confinement() -> dict[str, Any]:
    problem = namespaces_problem()
    contained = problem is not None and container_problem() is None
    if problem is not None and not contained:
        return {"level": SandboxLevel.NONE, "problem": f"{problem}: {way_out()}", "escapes": {}}
    try:
        tried = try_to_escape(SandboxLevel.CONTAINER if contained else SandboxLevel.NAMESPACES)
    except (MendlabError, OSError, subprocess.SubprocessError) as error:
        return {"level": SandboxLevel.NONE, "problem": str(error), "escapes": {}}
    return {
        "level": tried.level,
        "problem": tried.problem,
        "escapes": tried.succeeded,
        "by": _version_of(engine() or "" if contained else bubblewrap()),
    }


def _version_of(program: str) -> str:
    return subprocess.run(
        [program, "--version"], capture_output=True, text=True, timeout=20, check=False
    ).stdout.strip()


def _problems(report: dict[str, Any]) -> list[str]:
    problems = []
    confinement = report["confinement"]
    if confinement["problem"]:
        problems.append(f"untrusted code cannot be confined: {confinement['problem']}")
    problems += [f"untrusted code could {what}" for what, done in confinement["escapes"].items() if done]
    if report["git"] is None:
        problems.append("there is no git: install it to use git histories and local checkouts")
    if report["disk_free_bytes"] < LITTLE_DISK:
        problems.append(
            f"little room on the disk: {report['disk_free_bytes'] // 2**20} MiB are free for temporary files"
        )
    return problems


def _rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    confinement = report["confinement"]
    tried = confinement["escapes"]
    held = sum(not done for done in tried.values())
    how = f"{confinement['level']} ({held} of {len(tried)} break-outs refused)" if tried else confinement["level"]
    return [
        ("mendlab", report["mendlab"]),
        ("Python", report["python"]["version"]),
        ("git", report["git"] or "not found"),
        ("confinement", how),
        *((f"  {what}", "could" if done else "refused") for what, done in tried.items()),
        ("cores", str(report["cores"])),
        *((name, "present" if present else "not set") for name, present in report["keys"].items()),
        ("disk", f"{report['disk_free_bytes'] / 2**30:.1f} GiB free"),
    ]
