"""Repositories that run programs when they are looked at: the traps of the tests, each under git and under the lab."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measures.section import Goal, Section, Table

from mendlab.errors import InputError
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import private_copy, rebuilds
from mendlab.harvest.records import Candidate

TESTS = Path(__file__).parents[2] / "tests" / "harvest"


def section() -> Section:
    """One row a kind of trap."""
    sys.path.append(str(TESTS))
    from traps import TRAPS, Place
    from written_histories import run_git, small_history

    rows, data, gone_off = [], dict[str, dict[str, object]](), 0
    for name, trap in TRAPS.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            small_history().write(root / "repository")
            (root / "markers").mkdir()
            script = root / "script"
            script.write_text(f"#!/bin/sh\ntouch {root}/markers/ran\n")
            script.chmod(0o755)
            (root / "user").write_text("")
            place = Place(root / "repository", script, root / "markers" / "ran", root / "user")
            command = trap.lay(place)
            for path in (root / "markers").iterdir():
                path.unlink()
            outcome = _harvested(root)
            here = any((root / "markers").iterdir())
            run_git(place.repository, *command, check=False, env={"GIT_CONFIG_GLOBAL": str(place.user)})
            there = any((root / "markers").iterdir())
        rows.append((name, " ".join(command)[:40], "yes" if there else "no", "yes" if here else "no", outcome))
        gone_off += here
        data[name] = {"under_git": there, "here": here, "outcome": outcome}
    goal = Goal(f"side effects of {len(rows)} kinds of traps", "none", str(gone_off), gone_off == 0 and len(rows) >= 8)
    columns = ("trap", "plain command of git", "goes off there", "goes off here", "here")
    return Section("traps", [Table("Traps", columns, rows)], data, [goal])


def _harvested(root: Path) -> str:
    try:
        with private_copy(str(root / "repository"), root / "copy") as copy:
            found = [each for each in candidates(copy) if isinstance(each, Candidate)]
            return f"{sum(rebuilds(copy, each) for each in found)} candidate"
    except InputError as error:
        return f"refused: {error.what}"
