"""Whether parent, source, tests and other give the fix's tree, for every candidate of whole repositories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from measures.progress import say
from measures.section import Goal, Section, Table

from harvested.places import name_of
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import private_copy, rebuilds
from mendlab.harvest.records import Candidate


def section(repositories: Sequence[Path], work: Path, limit: int | None) -> Section:
    """One row a repository."""
    rows, data = [], {}
    total = proved = 0
    for repository in repositories:
        name = name_of(repository)
        counts: Counter[str] = Counter()
        failed = []
        with private_copy(str(repository), work / f"{name}.copy") as copy:
            for each in candidates(copy):
                if not isinstance(each, Candidate):
                    counts[each.reason] += 1
                elif limit is None or counts["candidates"] < limit:
                    counts["candidates"] += 1
                    if rebuilds(copy, each):
                        counts["proved"] += 1
                    else:
                        failed.append(each.fix)
                    if counts["candidates"] % 500 == 0:
                        say(f"identity, {name}: {counts['candidates']}")
        total, proved = total + counts["candidates"], proved + counts["proved"]
        dropped = ", ".join(f"{reason} {n}" for reason, n in counts.items() if reason not in ("candidates", "proved"))
        rows.append((name, str(counts["candidates"]), str(counts["proved"]), dropped))
        data[name] = {"counts": counts, "failed": failed}
    goal = Goal("tree-hash identity", "100%", f"{proved} of {total}", proved == total)
    columns = ("repository", "candidates", "proved by tree hash", "dropped")
    return Section("identity", [Table("Identity", columns, rows)], data, [goal])
