"""Memory as mutants grow: of this process, and of the processes it runs them in."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

from measures.progress import say
from measures.section import Goal, Section, Table

from detecting.deciding import check, open_quick
from detecting.subjects import Prepared
from mendlab.verify.engines.engine import RunOptions

FIRST = 1000
SLACK_MB = 5.0
TIMES = 1.05


def section(prepared: Prepared, count: int) -> Section:
    """Decide so many mutants on one engine, the same ones again and again; flat is within 5% and 5 MB."""
    options = RunOptions(tests=prepared.baseline.passing, stop_at_first=True)
    step = max(FIRST, count // 10)
    marks = {FIRST, count, *range(step, count, step)}
    found = []
    with closing(open_quick(prepared)) as engine:
        check(prepared, engine)
        for number, mutant in enumerate(islice(cycle(prepared.mutants), count), 1):
            engine.run(mutant.changes, options)
            if number in marks:
                found.append((number, own_mb(), children_mb()))
                say(f"memory: {number} mutants, {found[-1][1]:.0f} MB, {found[-1][2]:.0f} MB below")
    rows = [[f"{number}", f"{own:.1f}", f"{below:.1f}"] for number, own, below in found]
    flat = all(last <= TIMES * first + SLACK_MB for first, last in zip(found[0][1:], found[-1][1:], strict=True))
    measured = f"{found[0][1] + found[0][2]:.0f} MB at {found[0][0]:,}, {found[-1][1] + found[-1][2]:.0f} at {count:,}"
    table = Table(
        f"Memory as mutants grow ({prepared.name})", ("mutants", "this process, MB", "its processes, MB"), rows,
        ["resident memory of this process; proportional memory of those below it, between two runs"],
    )  # fmt: skip
    return Section("memory", [table], {"marks": found}, [Goal("memory as mutants grow", "flat", measured, flat)])


def own_mb() -> float:
    """Resident memory of this process, in MB."""
    return _field(Path("/proc/self/status"), "VmRSS:")


def children_mb() -> float:
    """Memory of all descendants, shared parts by share, in MB."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(_field(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") for pid in mine - {os.getpid()})


def _field(path: Path, name: str) -> float:
    try:
        text = path.read_text()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(name)) / 1024
