"""Memory of our process over a long history, which is written for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from measures.progress import say
from measures.section import Goal, Section, Table

from harvested.costs import OURS, cost
from mendlab.harvest.git import private_copy

MODULES = 200
FUNCTIONS = 30
MOST_MB = 100.0


def section(work: Path, commits: int) -> Section:
    """The peak over all three passes."""
    history = work / f"history-{commits}.git"
    if not history.exists():
        say(f"memory: writing {commits} commits")
        _write(history, commits)
    copy = work / f"history-{commits}.copy"
    private_copy(str(history), copy).close()
    rows, data = [], {}
    for name in ("scan", "patches", "candidates"):
        say(f"memory: {name}")
        said = cost([sys.executable, str(OURS), str(copy), name, str(2 * commits)], 1)
        own, git = said.said["own_mb"], said.said["largest_git_mb"]
        rows.append((name, f"{own:.1f}", f"{git:.1f}", f"{said.cpu:.1f}", str(sum(said.said["counts"].values()))))
        data[name] = {"cpu": said.cpu, **said.said}
    peak = max(each["own_mb"] for each in data.values())
    goal = Goal(f"memory over {commits} commits", f"{MOST_MB:.0f} MB or less", f"{peak:.1f} MB", peak <= MOST_MB)
    columns = ("pass", "our process, MB", "largest git, MB", "CPU s", "commits or candidates")
    notes = ["peak resident memory; of ten commits six change a module, three of these a test too, and one is a merge"]
    return Section("memory", [Table("Memory", columns, rows, notes)], data, [goal])


def _write(repository: Path, commits: int) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(repository)], check=True)
    command = ["git", "-C", str(repository), "fast-import", "--quiet"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    for piece in _stream(commits):
        process.stdin.write(piece)
    process.stdin.close()
    if process.wait():
        raise SystemExit("git fast-import failed")


def _stream(commits: int) -> Iterator[bytes]:
    values = [[0] * FUNCTIONS for _ in range(MODULES)]
    files = {f"pkg/m{number}.py": _module(number, values[number]) for number in range(MODULES)}
    yield _commit(1, "Begin", files)
    for number in range(2, commits + 1):
        which = number * 7919 % MODULES
        if number % 10 == 0:  # a branch of one commit before, merged into the one before that
            yield _commit(number, f"Merge pull request #{number}", {f"docs/{which}.rst": f"{number}\n"}, number - 2)
        elif number % 3:
            values[which][number * 31 % FUNCTIONS] += 1
            changed = {f"pkg/m{which}.py": _module(which, values[which])}
            if number % 3 == 1:
                changed[f"tests/test_m{which}.py"] = f"assert {number}\n"
            yield _commit(number, f"Fix number {number}\n\n{'It was wrong. ' * 20}", changed)
        else:
            yield _commit(number, f"Describe {number}", {f"docs/{which}.rst": f"{number}\n"})


def _module(number: int, values: list[int]) -> str:
    return "\n\n".join(f"def f{at}(x):\n    return x * {number} + {value}\n" for at, value in enumerate(values))


def _commit(number: int, message: str, files: dict[str, str], merged: int | None = None) -> bytes:
    when = 1_000_000_000 + 3600 * number
    head = f"commit refs/heads/main\nmark :{number}\ncommitter A <a@b> {when} +0000\ndata {len(message)}\n{message}\n"
    if number > 1:
        head += f"from :{number - 1}\n"
    if merged is not None:
        head += f"merge :{merged}\n"
    body = "".join(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n" for path, text in files.items())
    return (head + body).encode()
