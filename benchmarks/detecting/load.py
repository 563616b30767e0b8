"""The same decisions on a quiet machine and on one with four times as many busy processes as it has cores."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from measures.progress import say
from measures.section import Goal, Section, Table

from detecting.agreement import Difference
from detecting.deciding import decide
from detecting.subjects import Prepared

TIMES = 4
_BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Have so many processes compute all the while; where this one is killed, they end by themselves."""
    processes = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def section(subjects: Sequence[Prepared], count: int, workers: int) -> Section:
    """Full rows of so many mutants of each subject, twice; a mutant is the same if every test has the same outcome."""
    cores, rows, data = os.cpu_count() or 1, [], {}
    same = total = 0
    for one in subjects:
        mutants = one.mutants[:count]
        quiet = decide(one, mutants, workers=workers, full=True, label="without load")
        with busy(TIMES * cores):
            loaded = decide(one, mutants, workers=workers, full=True, label="under load")
        found = [
            Difference(mutant, _what(before, after), of_order=False)
            for mutant, before, after in zip(mutants, quiet.outcomes, loaded.outcomes, strict=True) if before != after
        ]  # fmt: skip
        for difference in found:
            say(f"{one.name}: DIFFERS UNDER LOAD: {difference.what}\n{difference.mutant.diff}")
        rows.append([one.name, f"{len(mutants)}", f"{len(found)}"])
        data[one.name] = {"compared": len(mutants), "different": [[d.mutant.diff, d.what] for d in found]}
        same += len(mutants) - len(found)
        total += len(mutants)
    share = same / max(1, total)
    table = Table(
        f"The same results under load ({TIMES * cores} busy processes on {cores} cores)",
        ("subject", "mutants", "different"), rows,
    )  # fmt: skip
    goal = Goal("same result oversubscribed", "99.9% or more", f"{share:.2%} of {total}", share >= 0.999)
    return Section("load", [table], data, [goal])


def _what(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    tests = [test for test in before if before[test] != after[test]]
    return f"{len(tests)} tests, {tests[0]}: {before[tests[0]]} before, {after[tests[0]]} under load"
