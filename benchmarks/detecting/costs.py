"""What verdicts of pytest projects cost: full rows against stopping at the first, and against a plain subprocess."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean

from measures.progress import say
from measures.section import Goal, Section, Table

from detecting.cpu import spending
from detecting.deciding import decide
from detecting.peers import copy
from detecting.subjects import Drawn, Prepared

_LEAN = ("-m", "pytest", "-p", "no:cacheprovider", "-x", "-q", "--no-header", "--tb=no")


def full_rows(subjects: Sequence[Prepared], count: int) -> Section:
    """CPU of full rows over that of stopping at the first, of the same mutants on one worker."""
    rows, ratios, data = [], [], {}
    for one in subjects:
        mutants = one.mutants[:count]
        first = decide(one, mutants, label="first").deciding.cpu
        full = decide(one, mutants, full=True, label="full rows").deciding.cpu
        ratios.append(full / first)
        data[one.name] = {"mutants": len(mutants), "first": first, "full": full}
        each = [f"{1000 * cpu / max(1, len(mutants)):.0f}" for cpu in (first, full)]
        rows.append([one.name, f"{len(mutants)}", *each, f"{ratios[-1]:.2f}"])
    mean = geometric_mean(ratios)
    table = Table(
        "Full rows", ("subject", "mutants", "CPU ms, first failure", "CPU ms, full row", "ratio"), rows
    )  # fmt: skip
    goal = Goal(
        "full rows over stop-at-first, CPU", "2.5 times or less, geometric mean", f"{mean:.2f} times", mean <= 2.5
    )
    return Section("rows", [table], data, [goal])


def lean(subjects: Sequence[Prepared], count: int) -> Section:
    """CPU of a verdict over that of a plain pytest run in a copy, of the same mutants."""
    rows, ratios, data = [], [], {}
    for one in subjects:
        mutants = [mutant for mutant in one.mutants if mutant.reached][:count]
        decided = decide(one, mutants, label="beside plain pytest")
        killed, plain = plain_runs(one, mutants)
        ours = decided.deciding.cpu
        ratios.append(plain / ours)
        same = sum((kind != "survived") == dead for kind, dead in zip(decided.kinds, killed, strict=True))
        data[one.name] = {"mutants": len(mutants), "mendlab": ours, "plain": plain, "same verdict": same}
        each = [f"{1000 * cpu / max(1, len(mutants)):.0f}" for cpu in (ours, plain)]
        rows.append([one.name, f"{len(mutants)}", *each, f"{ratios[-1]:.1f}", f"{same}"])
    mean = geometric_mean(ratios)
    table = Table(
        "A verdict beside a plain pytest run", ("subject", "mutants", "CPU ms", "plain, CPU ms", "ratio", "same"),
        rows, ["plain: pytest -x in a copy of the project, plugin autoload off, no cache, bytecode of the rest cached"],
    )  # fmt: skip
    goal = Goal(
        "pytest verdict against a lean run", "10 times cheaper, geometric mean", f"{mean:.1f} times", mean >= 10
    )
    return Section("lean", [table], data, [goal])


def plain_runs(prepared: Prepared, mutants: Sequence[Drawn]) -> tuple[list[bool], float]:
    """Whether a plain run kills each mutant, and the CPU seconds of all these runs."""
    killed = []
    with tempfile.TemporaryDirectory(prefix="plain-") as folder:
        directory = Path(folder) / prepared.name
        copy(prepared, directory)
        command = [str(prepared.request.python), *_LEAN]
        variables = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": "src:.", "PYTHONHASHSEED": "0"}

        def passes() -> bool:
            try:
                run = subprocess.run(
                    command, cwd=directory, env=variables, capture_output=True, timeout=120, check=False
                )
            except subprocess.TimeoutExpired:
                return False
            return run.returncode == 0

        if not passes():
            say(f"{prepared.name}: a plain run does not pass on the good tree")
        with spending() as spent:
            for mutant in mutants:
                place = directory / mutant.path
                place.write_bytes(mutant.data)
                killed.append(not passes())
                place.write_bytes(prepared.loaded.tree[mutant.path])
                os.utime(place, (1, 1))
    return killed, spent.cpu
