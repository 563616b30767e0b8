"""How many of a history's bug fixes come first by the score, beside those that a word of the message tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from measures.progress import say
from measures.section import Goal, Section, Table

from harvested.climbs import FIX_WORD
from harvested.places import name_of
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import private_copy
from mendlab.harvest.records import Candidate

READ: Final = {path.stem: path for path in Path(__file__).parent.glob("*.tsv") if path.stem != "labels"}
"""The histories that were read in full, a file each: every candidate's commit, what it is, and why."""


def section(repositories: Sequence[Path], work: Path) -> Section:
    """Four rows a repository that was read: fix words; the score, as many, no less precise, and twice as many."""
    rows, data, goals = [], {}, []
    for repository in repositories:
        name = name_of(repository)
        if name not in READ:
            continue
        say(f"recall: {name}")
        truth = _truth(READ[name])
        with private_copy(str(repository), work / f"{name}.copy") as copy:
            every = [each for each in candidates(copy) if isinstance(each, Candidate) and each.fix in truth]
        ranked = [truth[each.fix] for each in sorted(every, key=lambda each: -each.score.value)]
        told = [truth[each.fix] for each in every if FIX_WORD.search(each.commit.message)]
        bugs = sum(ranked)
        precise = max((n for n in range(1, len(ranked) + 1) if sum(ranked[:n]) / n >= sum(told) / len(told)), default=0)
        ways = {
            "a fix word": told,
            "the score, as many": ranked[: len(told)],
            "the score, as precise": ranked[:precise],
            "the score, twice as many": ranked[: 2 * len(told)],
        }
        for way, chosen in ways.items():
            found = sum(chosen)
            share = f"{found / max(1, len(chosen)):.0%}"
            rows.append((name, way, str(len(chosen)), str(found), share, f"{found / bugs:.0%} of {bugs}"))
        data[name] = {way: {"chosen": len(chosen), "bugs": sum(chosen)} for way, chosen in ways.items()}
        data[name]["all"] = {"chosen": len(ranked), "bugs": bugs}
        most = max(sum(ways["the score, as many"]), sum(ways["the score, as precise"]))
        goals.append(
            Goal(
                f"recall above fix words, {name}",
                f"more than {sum(told)} of {bugs}",
                f"{sum(ways['the score, as many'])} at as many, {sum(ways['the score, as precise'])} as precise",
                most > sum(told),
            )
        )
    columns = ("repository", "chosen by", "candidates", "bugs", "precision", "recall")
    return Section("recall", [Table("Recall of bugs", columns, rows)], data, goals)


def _truth(path: Path) -> dict[str, bool]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return {sha: label == "bug" for sha, label, _ in (line.split("\t") for line in lines)}
