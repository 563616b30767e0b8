"""A small task set, and a real engine for it: each run executes the program and its asserts in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mendlab.corpora.diffs import apply_diff, make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import (
    Attempt,
    Defect,
    FunctionHarness,
    Harness,
    Limits,
    Outcome,
    Provenance,
    RunConfig,
    Rung,
    SandboxLevel,
    Step,
    StepGroup,
    Task,
    TestOutcome,
    TestResult,
    Verdict,
)
from mendlab.repair.repairer import OpenEngine, Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import ChosenStrategy
from mendlab.verify.engines.engine import RunOptions, TestRun

PROVENANCE = Provenance(source="written for these tests")

RUNNER = """
import json, sys, traceback
source, groups, stop = json.load(sys.stdin)
space = {"__name__": "solution"}
results = []
try:
    exec(compile(source, "solution.py", "exec"), space)
except BaseException:
    results = [[test, "error", traceback.format_exc()] for _, test in groups]
    groups = []
for code, test in groups:
    try:
        exec(code, dict(space))
        results.append([test, "passed", ""])
    except AssertionError:
        results.append([test, "failed", traceback.format_exc()])
    except BaseException:
        results.append([test, "error", traceback.format_exc()])
    if stop and results[-1][1] != "passed":
        break
print(json.dumps(results))
"""


class ProcessEngine:
    """Runs the steps of a function harness, each by itself, and remembers which tests it was asked for."""

    def __init__(self, tree: FileTree, harness: Harness, limits: Limits) -> None:
        assert isinstance(harness, FunctionHarness)
        self._tree, self._harness, self._limits = tree, harness, limits
        self.asked: list[tuple[str, ...]] = []
        self.closed = False
        self.breaks = 0  # how many runs it refuses

    @property
    def test_ids(self) -> tuple[str, ...]:
        return tuple(step.test_id for group in self._harness.groups for step in group.steps if step.test_id)

    @property
    def level(self) -> SandboxLevel:
        return SandboxLevel.NONE

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions | None = None) -> TestRun:
        if self.breaks:
            self.breaks -= 1
            raise EngineError("the engine broke")
        options = options or RunOptions()
        tests = self.test_ids if options.tests is None else tuple(options.tests)
        self.asked.append(tests)
        tree = self._tree.replace(changes)
        steps = [(s.code, s.test_id) for g in self._harness.groups for s in g.steps if s.test_id in tests]
        given = json.dumps([tree["solution.py"].decode(), steps, options.stop_at_first])
        try:
            ran = subprocess.run(
                [sys.executable, "-S", "-c", RUNNER], input=given, capture_output=True, text=True, check=True, timeout=2
            )
            results = [
                TestResult(test_id=test, outcome=TestOutcome(outcome), message=message)
                for test, outcome, message in json.loads(ran.stdout)
            ]
            found = {result.test_id: result for result in results}
            default = TestOutcome.MISSING
        except subprocess.TimeoutExpired:
            found, default = {}, TestOutcome.TIMEOUT
        return TestRun(tuple(found.get(t, TestResult(test_id=t, outcome=default)) for t in tests), cpu_seconds=0.01)

    def close(self) -> None:
        self.closed = True


def make_task(
    name: str, good: str, buggy: str, tests: list[str], held_out: tuple[str, ...] = ()
) -> tuple[Task, FileTree]:
    """Return a task whose asserts are named ``t0``, ``t1``, ..., and its good tree; running tells which fail."""
    good_tree = FileTree({"solution.py": good.encode()})
    buggy_tree = good_tree.replace({"solution.py": buggy.encode()})
    steps = tuple(Step(code=code, test_id=f"t{number}") for number, code in enumerate(tests))
    harness = FunctionHarness(groups=tuple(StepGroup(steps=(step,)) for step in steps))
    outcomes = ProcessEngine(good_tree, harness, Limits()).run(good_tree.changed(buggy_tree)).outcomes()
    failing = tuple(test for test, outcome in outcomes.items() if outcome is not TestOutcome.PASSED)
    task = Task(
        id=name,
        subject=name.rpartition("/")[0],
        snapshot=good_tree.digest,
        defect=Defect(origin="import", files=("solution.py",), diff=make_diff(good_tree, buggy_tree)),
        statement="Mend the program.",
        editable=("solution.py",),
        harness=harness,
        fail_to_pass=failing,
        pass_to_pass=tuple(test for test in outcomes if test not in failing),
        held_out=held_out,
        before={test: outcomes[test] for test in failing},
        reference=make_diff(buggy_tree, good_tree),
        provenance=PROVENANCE,
    )
    return task, good_tree


def programs() -> list[tuple[Task, FileTree]]:
    changes = [("x > high", "x < high"), ("return low", "return high"), ("return x", "return low")]
    return [
        make_task(f"lab/{number}", CLAMP, CLAMP.replace(*change), CLAMP_TESTS) for number, change in enumerate(changes)
    ]


CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
CLAMP_TESTS = ["assert clamp(1, 2, 3) == 2", "assert clamp(5, 2, 4) == 4", "assert clamp(3, 2, 4) == 3"]


def judge_with(taskset: TaskSet) -> Callable[[Task, Attempt], Verdict]:
    """Return a judge in small: it applies the patch and runs every test."""

    def judge(task: Task, attempt: Attempt) -> Verdict:
        outcome, rung, after = Outcome.NO_PATCH, Rung.PARSE, {}
        if attempt.raw_patch:
            good, patched = taskset.good_tree(task), apply_diff(taskset.buggy_tree(task), attempt.raw_patch)
            after = ProcessEngine(good, task.harness, task.limits).run(good.changed(patched)).outcomes()
            passed = set(after.values()) == {TestOutcome.PASSED}
            outcome = Outcome.EXACT if patched == good else Outcome.PLAUSIBLE if passed else Outcome.NEW_TEST_FAILED
            rung = Rung.EQUIVALENCE if passed else Rung.NEW_TESTS
        return Verdict(
            run_id=attempt.run_id, task_id=task.id, sample=attempt.sample, outcome=outcome, rung=rung, after=after
        )

    return judge


class Lab:
    """A folder to work in, and what a run needs."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.opened: list[ProcessEngine] = []
        self.next_breaks = 0

    make_task = staticmethod(make_task)
    judge_with = staticmethod(judge_with)

    def taskset(self, tasks: list[tuple[Task, FileTree]] | None = None, name: str = "set") -> TaskSet:
        tasks = tasks or programs()
        trees = [tree for _, tree in tasks]
        return write_taskset(
            self.directory / name, [task for task, _ in tasks], trees, name="lab", provenance=PROVENANCE
        )

    def open_engine(self, tree: FileTree, harness: Harness, limits: Limits) -> ProcessEngine:
        self.opened.append(ProcessEngine(tree, harness, limits))
        self.opened[-1].breaks = self.next_breaks
        return self.opened[-1]

    def repairer(self, config: RunConfig, taskset: TaskSet, strategy: ChosenStrategy) -> Repairer:
        return Repairer(config, taskset, strategy, self.open_engine)

    def attempt(
        self,
        taskset: TaskSet,
        strategy: ChosenStrategy,
        task: Task | None = None,
        seed: int = 0,
        open_engine: OpenEngine | None = None,
    ) -> Attempt:
        """Have one task (the first) attempted once."""
        config = make_config(taskset, strategy, seed=seed)
        repairer = Repairer(config, taskset, strategy, open_engine or self.open_engine)
        return repairer.attempt(task or taskset.tasks[0], 0)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)
