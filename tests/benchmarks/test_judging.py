"""What judging.py counts, on a task set of one small program."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from judged import rewrites, samples, speed
from judged.judging import Judged, Proposed, spread

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Outcome, Provenance, Rung, Step, StepGroup, Task, Verdict
from mendlab.verify.bench import set_up_bench

JUDGING = Path(__file__).parents[2] / "benchmarks" / "judging.py"
GOOD = "def total(numbers):\n    found = 0\n    for number in numbers:\n        found += number\n    return found\n"
BUGGY = GOOD.replace("+=", "-=")
STEPS = (
    "assert total([1, 2]) == 3",
    "assert total([]) == 0",
    "assert total([5]) == 5",
    "assert total([4, -4, 1]) == 1",
)


@pytest.fixture(scope="module")
def taskset(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    good, buggy = (FileTree({"solution.py": text.encode()}) for text in (GOOD, BUGGY))
    steps = tuple(Step(code=code, test_id=f"check[{n}]") for n, code in enumerate(STEPS))
    task = Task(
        id="total", subject="HumanEval/0", snapshot=good.digest, statement="", editable=("solution.py",),
        defect=Defect(origin="operator", files=("solution.py",), diff=make_diff(good, buggy)),
        fail_to_pass=("check[0]", "check[2]", "check[3]"), pass_to_pass=("check[1]",), held_out=("check[3]",),
        reference=make_diff(buggy, good), provenance=Provenance(source="test"),
        harness=FunctionHarness(module="solution.py", entry_points=("total",), groups=(StepGroup(steps=steps),)),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("sets") / "total"
    return write_taskset(folder, [task], [good], name="total", provenance=Provenance(source="test"))


def test_right_programs_are_counted(taskset: TaskSet) -> None:
    found = rewrites.section([(taskset, 4)], set_up_bench(), seed=1)
    (table,) = found.tables
    assert table.rows[0] == ("reference", "1", "0", "exact 1")
    assert table.rows[-1] == ("all rewrites", "4", "0", "equivalent 4")
    assert [goal.met for goal in found.goals] == [True, False]  # 300 rewrites are wanted
    assert found.data["refused"] == []


def test_a_refused_rewrite_is_counted(taskset: TaskSet) -> None:
    proposed = Proposed(taskset.tasks[0], "if not", "total", "")
    judged = [
        Judged(proposed, Verdict(run_id="r", task_id="total", sample=0, outcome=outcome, rung=Rung.EQUIVALENCE))
        for outcome in (Outcome.EXACT, Outcome.PLAUSIBLE, Outcome.EQUIVALENT, Outcome.DIVERGENT)
    ]
    assert [one.verdict.outcome.value for one in rewrites.refused(judged)] == ["plausible", "divergent"]


def test_kinds_take_turns(taskset: TaskSet) -> None:
    kinds = {name: [Proposed(taskset.tasks[0], name, "", "")] * many for name, many in (("a", 9), ("b", 1), ("c", 2))}
    assert Counter(one.kind for one in spread(kinds, 6)) == {"a": 3, "b": 1, "c": 2}


def test_samples_have_the_shares_and_speed_counts_what_passes(taskset: TaskSet) -> None:
    drawn = samples.draw(taskset, taskset.tasks, 100, seed=1)
    assert Counter(one.kind for one in drawn) == {"right": 60, "wrong": 34, "crashing": 5, "hanging": 1}
    some = [next(one for one in drawn if one.kind == kind) for kind in ("right", "crashing", "right")]
    wanted = [True, False, True]
    for ran in (speed.by_tests(taskset, set_up_bench(), some), speed.by_judge(taskset, set_up_bench(), some)):
        assert ran.passed == wanted
        assert ran.cpu > 0


@pytest.mark.slow
def test_tables_and_json(taskset: TaskSet, tmp_path: Path) -> None:
    sizes = [
        "--rewrites",
        "2",
        "--overfitting",
        "1",
        "--mutants",
        "5",
        "--speed-tasks",
        "1",
        "--samples",
        "2",
        "--runs",
        "1",
    ]
    command = [sys.executable, JUDGING, "--functions", taskset.path, *sizes, "--only", "rewrites,overfitting,speed"]
    done = subprocess.run(
        [str(part) for part in (*command, "--json", tmp_path / "out.json")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["rewrites"]["references"]["total"] == 1
    assert found["overfitting"]["total"] > 3
    assert found["speed"]["samples"] == 2


def test_an_unknown_part_is_refused() -> None:
    done = subprocess.run([sys.executable, JUDGING, "--only", "spead"], capture_output=True, text=True, check=False)
    assert (done.returncode, "spead; there are rewrites, over" in done.stderr) == (2, True)
