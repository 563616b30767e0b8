"""What the tests say of chosen commits of real repositories, with the ladder of environments, and what they are."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from measures.progress import say
from measures.section import Goal, Section, Table

from harvested.places import name_of
from mendlab.harvest.candidates import candidates, candidates_named
from mendlab.harvest.classify import classify
from mendlab.harvest.climbing import climb
from mendlab.harvest.environment.ladder import Environments
from mendlab.harvest.examiner import facts_of
from mendlab.harvest.git import PrivateCopy, private_copy
from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Candidate
from mendlab.harvest.trees import commit_trees
from mendlab.verify.bench import Bench, set_up_bench

WANTED: Final = {"sqlparse": (27, 30), "packaging": (18, 20), "boltons": (27, 30), "parso": (17, 20)}
FIX_WORD: Final = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|defect|regression|broken|crash(?:es|ed)?|error|wrong|incorrect(?:ly)?)\b",
    re.IGNORECASE,
)
_MOST_SOURCES: Final = 2


def telling(repositories: Sequence[Path], work: Path, limit: int | None) -> Section:
    """The last commits with a fix word that touch source, at most two files of it, and tests: how many have a
    fail-to-pass test. Only the tests that they touch are run."""
    bench, rows, data, goals = set_up_bench(), [], {}, []
    for repository in repositories:
        name = name_of(repository)
        least, count = WANTED.get(name, (0, 30))
        with private_copy(str(repository), work / f"{name}.copy") as copy:
            chosen = islice(_with_a_fix_word(copy), limit or count)
            found = list(_climbed(copy, chosen, _environments(work, bench), bench, name))
        told = [each for each in found if each["dropped"] is None]
        rungs = [str(each["rung"]) for each in told]
        per_rung = ", ".join(f"{rung} {rungs.count(rung)}" for rung in dict.fromkeys(rungs))
        missed = "; ".join(f"{each['sha'][:9]} {each['dropped']}" for each in found if each["dropped"])
        rows.append((name, f"{len(told)} of {len(found)}", per_rung, missed))
        data[name] = found
        if least and limit is None:
            goals.append(
                Goal(f"fail-to-pass, {name}", f"{least} of {count}", f"{len(told)} of {len(found)}", len(told) >= least)
            )
    columns = ("repository", "with a fail-to-pass test", "on the rung", "without")
    return Section("telling", [Table("Fixes whose tests tell", columns, rows)], data, goals)


def labelled(repositories: Sequence[Path], work: Path, labels: Path, limit: int | None) -> Section:
    """Commits that were read and labelled by hand: how many of those that are called bugs are bugs."""
    bench, rows, data = set_up_bench(), [], {}
    read = [line.split("\t") for line in labels.read_text(encoding="utf-8").splitlines()[1:]]
    called = right = harvested = 0
    for repository in repositories:
        name = name_of(repository)
        truth = {sha: label for place, sha, label, _ in read if place == name}
        if not truth:
            continue
        with private_copy(str(repository), work / f"{name}.copy") as copy:
            chosen = candidates_named(copy, list(truth)[:limit])
            found = list(_climbed(copy, chosen, _environments(work, bench), bench, name))
        bugs = [each for each in found if each["label"] == "bug"]
        sound = [each for each in bugs if truth[each["sha"]] == "bug"]
        called, right = called + len(bugs), right + len(sound)
        harvested += sum(each["dropped"] is None for each in found)
        wrong = "; ".join(f"{each['sha'][:9]} {truth[each['sha']]}" for each in bugs if each not in sound)
        rows.append((name, str(len(found)), str(len(bugs)), str(len(sound)), wrong))
        data[name] = found
    share = right / called if called else 0.0
    measured = f"{share:.1%}: {right} of {called} called bugs, of {harvested} harvested"
    goal = Goal("precision of the label bug", "90% on 100", measured, share >= 0.9 and harvested >= 100)
    columns = ("repository", "read", "called bugs", "that are", "that are not")
    return Section("labels", [Table("Labels", columns, rows)], data, [goal])


def _with_a_fix_word(copy: PrivateCopy) -> Iterator[Candidate]:
    for each in candidates(copy, compare_programs=False):
        if not isinstance(each, Candidate) or each.commit.is_merge or not FIX_WORD.search(each.commit.message):
            continue
        sources = [path for path in each.source.paths if is_python(path)]
        if 0 < len(sources) <= _MOST_SOURCES and any(is_python(path) for path in each.tests.paths):
            yield each


def _environments(work: Path, bench: Bench) -> Environments:
    return Environments(work / "environments", bench.level, datetime.now(UTC))


def _climbed(
    copy: PrivateCopy, chosen: Iterable[Candidate], environments: Environments, bench: Bench, name: str
) -> Iterator[dict[str, Any]]:
    for candidate in chosen:
        began = time.monotonic()
        trees = commit_trees(copy, candidate)
        date = datetime.fromisoformat(candidate.commit.committed)
        climbed = climb(trees, date, environments, bench, whole_suite=False)
        report = climbed.report
        label = None if report.dropped is not None else classify(facts_of(candidate, climbed)).label.value
        seconds = time.monotonic() - began
        say(f"{name} {candidate.fix[:9]}: {report.dropped or label}, {seconds:.0f} s")
        yield {
            "sha": candidate.fix,
            "dropped": report.dropped,
            "why": report.why,
            "rung": None if report.environment is None else report.environment.rung,
            "fail_to_pass": len(report.fail_to_pass),
            "label": label,
            "seconds": seconds,
        }
