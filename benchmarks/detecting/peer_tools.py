"""Other mutation tools as people run them: the command for a project, and how to read what it decided."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

LEAN: Final = "-x -q -p no:cacheprovider"


@dataclass(frozen=True, slots=True)
class Work:
    """A copy of a project for one tool: ``sources`` and ``tests`` are paths in it."""

    directory: Path
    environment: Path
    sources: tuple[str, ...]
    tests: str
    jobs: int
    limit: int
    seconds: float

    @property
    def python(self) -> Path:
        """The tool's interpreter."""
        return self.environment / "bin" / "python"

    def tool(self, name: str) -> str:
        """A command of the tool's environment."""
        return str(self.environment / "bin" / name)

    def write(self, name: str, text: str) -> None:
        """Write a file into the copy."""
        (self.directory / name).write_text(text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its package, how it is started, and how its verdicts are counted: killed, survived, timeout, untested."""

    name: str
    how: str
    command: Callable[[Work], Sequence[str]]
    counts: Callable[[Work], Mapping[str, int]]
    environment: Mapping[str, str] = field(default_factory=dict)


def _json_list(paths: Sequence[str]) -> str:
    return json.dumps(list(paths))


def _folders(paths: Sequence[str]) -> list[str]:
    """The packages or modules at the top that hold the files."""
    tops = set()
    for path in paths:
        first, *rest = path.split("/")
        tops.add("/".join([first, rest[0]]) if first in ("src", "lib") and rest else first)
    return sorted(tops)


def _mutmut(work: Work) -> Sequence[str]:
    lines = ["[mutmut]", "source_paths="]
    lines += [f"    {folder}" for folder in (["src"] if work.sources[0].startswith("src/") else _folders(work.sources))]
    lines += ["only_mutate=", *(f"    {path}" for path in work.sources)]
    lines += [
        "pytest_add_cli_args_test_selection=",
        f"    {work.tests}",
        "pytest_add_cli_args=",
        "    -p",
        "    no:cacheprovider",
    ]
    lines += ["also_copy=", "    conftest.py", *(["    README.md"])]
    old = work.directory / "setup.cfg"
    work.write("setup.cfg", (old.read_text() if old.exists() else "") + "\n" + "\n".join(lines) + "\n")
    return [work.tool("mutmut"), "run", "--max-children", str(work.jobs)]


def _mutmut_counts(work: Work) -> Mapping[str, int]:
    found = Counter[str]()
    for path in (work.directory / "mutants").rglob("*.meta"):
        for code in json.loads(path.read_text())["exit_code_by_key"].values():
            match code:
                case None:
                    continue
                case 0:
                    found["survived"] += 1
                case 1 | 3:
                    found["killed"] += 1
                case 5 | 33 | 34 | 35:
                    found["untested"] += 1
                case 24 | 36 | 152 | 255 | -24 | -9:
                    found["timeout"] += 1
                case _:
                    found["other"] += 1
    return found


def _cosmic_ray(work: Work) -> Sequence[str]:
    workers = "\n".join(f'        "http://127.0.0.1:{9870 + number}",' for number in range(work.jobs))
    name = "http" if work.jobs > 1 else "local"
    text = f"""\
[cosmic-ray]
module-path = {_json_list(work.sources)}
timeout = 60.0
excluded-modules = []
test-command = "{work.python} -m pytest {LEAN} {work.tests}"
[cosmic-ray.distributor]
name = "{name}"
"""
    if work.jobs > 1:
        text += f"[cosmic-ray.distributor.http]\nworker-urls = [\n{workers}\n]\n"
    work.write("cr.toml", text)
    tool, script = work.tool("cosmic-ray"), []
    if work.jobs > 1:
        for number in range(work.jobs):
            copy = f"../worker{number}"
            script.append(f"cp -r . {copy} && (cd {copy} && exec {tool} http-worker --port {9870 + number}) &")
        script.append("sleep 5")
    script += [f"{tool} init cr.toml session.sqlite", f"{tool} exec cr.toml session.sqlite"]
    return ["sh", "-c", "\n".join(script)]


def _cosmic_ray_counts(work: Work) -> Mapping[str, int]:
    found = Counter[str]()
    with closing(sqlite3.connect(work.directory / "session.sqlite")) as database:
        rows = database.execute("select worker_outcome, test_outcome, output from work_results").fetchall()
    for worker, test, output in rows:
        if str(worker).lower().endswith("normal"):
            killed = "killed" in str(test).lower()
            found["timeout" if killed and output == "timeout" else "killed" if killed else "survived"] += 1
        else:
            found["untested"] += 1
    return found


def _irradiate(work: Work) -> Sequence[str]:
    (folder, *_) = _folders(work.sources)  # of single files it makes a package that cannot be imported
    others = [
        str(path.relative_to(work.directory))
        for path in (work.directory / folder).rglob("*.py")
        if str(path.relative_to(work.directory)) not in work.sources
    ]
    return [
        work.tool("irradiate"), "run", folder, "--tests-dir", work.tests, "--workers", str(work.jobs),
        "--python", str(work.python), "--report", "json", "-o", "irradiate.json", "--sample", str(work.limit),
        "--no-cache", "--no-source-patch", *(word for path in others for word in ("--ignore", path)),
    ]  # fmt: skip


def _stryker_counts(work: Work) -> Mapping[str, int]:
    names = {"Killed": "killed", "Survived": "survived", "Timeout": "timeout"}
    report = json.loads((work.directory / "irradiate.json").read_text())
    return Counter(
        names.get(mutant["status"], "untested") for file in report["files"].values() for mutant in file["mutants"]
    )


def _fermut(work: Work) -> Sequence[str]:
    return [
        work.tool("fermut"), "run", work.sources[0] if len(work.sources) == 1 else _folders(work.sources)[0],
        "--tests", work.tests, "--jobs", str(work.jobs), "--python", str(work.python), "--json", "fermut.json",
        "--no-cache", "--max-time", str(int(work.seconds / 2)), "--no-ty-filter", "--fail-under", "0",
    ]  # fmt: skip


def _fermut_counts(work: Work) -> Mapping[str, int]:
    names = {"killed": "killed", "survived": "survived", "timed_out": "timeout", "equivalent": "survived"}
    report = json.loads((work.directory / "fermut.json").read_text())
    return Counter(names.get(row["status"], "untested") for row in report["outcomes"])


def _fest(work: Work) -> Sequence[str]:
    sources = [str(work.directory / path) for path in work.sources]  # relative ones match nothing in its coverage
    work.write("fest.toml", f'[fest]\nsource = {_json_list(sources)}\nbackend = "subprocess"\n')
    return [
        work.tool("fest"), "run", "--config", "fest.toml", "--workers", str(work.jobs), "--output", "json",
        "--progress", "quiet", "--session", "fest.sqlite", "--fail-under", "0",
    ]  # fmt: skip


def _fest_counts(work: Work) -> Mapping[str, int]:
    names = {"killed": "killed", "survived": "survived", "timeout": "timeout", "no_coverage": "untested"}
    found = Counter[str]()
    with closing(sqlite3.connect(work.directory / "fest.sqlite")) as database:
        for status, count in database.execute("select status, count(*) from mutants group by status").fetchall():
            if str(status).lower() not in ("pending", "none"):
                found[names.get(str(status).lower(), "untested")] += count
    return found


def _gremlins(work: Work) -> Sequence[str]:
    return [
        str(work.python), "-m", "pytest", "--gremlins", f"--gremlin-targets={','.join(work.sources)}",
        f"--gremlin-workers={work.jobs}", "--gremlin-batch", "--gremlin-report=json", "-p", "no:cacheprovider",
        "-q", work.tests,
    ]  # fmt: skip


def _gremlins_counts(work: Work) -> Mapping[str, int]:
    report = next(iter(work.directory.rglob("gremlins*.json")), None)
    if report is None:
        return {}
    statuses = re.findall(r'"status":\s*"(\w+)"', report.read_text())
    names = {"zapped": "killed", "killed": "killed", "survived": "survived", "timeout": "timeout"}
    return Counter(names.get(status.lower(), "untested") for status in statuses)


_BESIDE: Final = {"PYTHONPATH": "src:."}
_COVERED: Final = {**_BESIDE, "COVERAGE_RCFILE": "/dev/null", "PYTEST_ADDOPTS": "-W ignore"}
"""For tools whose measuring of coverage fails on a project's own settings."""
TOOLS: Final = (
    Tool("mutmut", "forks with mutants compiled in", _mutmut, _mutmut_counts),
    Tool(
        "cosmic-ray", "local, or one http worker a core; pytest without plugins and cache", _cosmic_ray,
        _cosmic_ray_counts, {**_BESIDE, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    ),
    Tool("irradiate", "without its slow phase for decorated functions", _irradiate, _stryker_counts, _BESIDE),
    Tool("fermut", "without the ty filter", _fermut, _fermut_counts, _BESIDE),
    Tool("fest-mutate", "subprocess mode", _fest, _fest_counts, _COVERED),
    Tool("pytest-gremlins", "batches", _gremlins, _gremlins_counts, _COVERED),
)  # fmt: skip
