"""Scanning, and candidates' patches, against reading the same commits with other tools, in the same run."""

from __future__ import annotations

import sys
from pathlib import Path

from measures.progress import say
from measures.section import Goal, Section, Table

from harvested.costs import OURS, READERS, Cost, cost
from mendlab.harvest.git import private_copy

PASSES = {
    "scan": "scan: all changed paths",
    "patches": "scan, and candidates' patches",
    "unmerged": "the same without merges",
    "candidates": "and their programs compared",
}
PEERS = {"pydriller": "PyDriller, modified_files", "unidiff": "git log -p, read by unidiff"}
WANTED = {"pydriller": 40.0, "unidiff": 8.0}


def section(repository: Path, work: Path, peers: str | None, limit: int, runs: int) -> Section:
    """One row a reader; the goals are of the second pass."""
    copy = work / f"{repository.parent.name}.copy"
    private_copy(str(repository), copy).close()
    costs: dict[str, Cost] = {}
    for name in PASSES:
        say(f"scan: {name}")
        costs[name] = cost([sys.executable, str(OURS), str(copy), name, str(limit)], runs)
    for name in PEERS if peers else ():
        say(f"scan: {name}")
        costs[name] = cost([str(peers), str(READERS), name, str(copy), str(limit)], 1 if name == "pydriller" else runs)
    ours = costs["patches"]
    rows = [
        (
            {**PASSES, **PEERS}[name],
            f"{each.cpu:.2f}",
            f"{each.wall:.2f}",
            f"{each.cpu / ours.cpu:.1f}",
            f"{each.wall / ours.wall:.1f}",
            ", ".join(f"{key} {value}" for key, value in each.said.items() if key not in ("own_mb", "largest_git_mb")),
        )
        for name, each in costs.items()
    ]
    goals = [
        Goal(
            f"{PEERS[name]}, {limit} commits",
            f"{WANTED[name]:.0f} times",
            f"{costs[name].cpu / ours.cpu:.1f} times of CPU, {costs[name].wall / ours.wall:.1f} of wall time",
            costs[name].cpu / ours.cpu >= WANTED[name],
        )
        for name in PEERS
        if name in costs
    ]
    columns = ("reader", "CPU s", "wall s", "CPU, of ours", "wall, of ours", "found")
    notes = [
        f"the newest {limit} commits of {repository.parent.name}; median of {runs} runs, one of PyDriller",
        "whole trees of processes, starting up included; ours is the second row",
        "the others diff every commit that is no merge; ours those that modify source, and merges of the main line",
    ]
    data = {name: {"cpu": each.cpu, "wall": each.wall, **each.said} for name, each in costs.items()}
    return Section("scan", [Table("Reading a history", columns, rows, notes)], data, goals)
