"""What difficulty.py counts: the candidates of a search on one small program, and what solvers hand in."""

from __future__ import annotations

from pathlib import Path

import pytest
from graded.solving import Solver, write_runs
from graded.trying import Tried, _distinct, try_all

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.mutators.edits import Edit
from mendlab.mutators.mutant import SourceText
from mendlab.records import Defect, FunctionHarness, Outcome, Provenance, Step, StepGroup, Task
from mendlab.repair.candidates import Candidate
from mendlab.repair.runs import Run
from mendlab.verify.bench import set_up_bench

GOOD = "def total(numbers):\n    found = 0\n    for number in numbers:\n        found += number\n    return found\n"
BUGGY = GOOD.replace("+=", "-=")
STEPS = ("assert total([1, 2]) == 3", "assert total([]) == 0", "assert total([5]) == 5")


@pytest.fixture(scope="module")
def taskset(tmp_path_factory: pytest.TempPathFactory) -> TaskSet:
    good, buggy = (FileTree({"solution.py": text.encode()}) for text in (GOOD, BUGGY))
    steps = tuple(Step(code=code, test_id=f"check[{n}]") for n, code in enumerate(STEPS))
    task = Task(
        id="total", subject="s", snapshot=good.digest, statement="", editable=("solution.py",),
        defect=Defect(origin="operator", files=("solution.py",), diff=make_diff(good, buggy)),
        fail_to_pass=("check[0]", "check[2]"), pass_to_pass=("check[1]",),
        reference=make_diff(buggy, good), provenance=Provenance(source="test"),
        harness=FunctionHarness(module="solution.py", entry_points=("total",), groups=(StepGroup(steps=steps),)),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("sets") / "total"
    return write_taskset(folder, [task], [good], name="total", provenance=Provenance(source="test"))


def test_a_solver_hands_in_the_first_that_passes_of_what_it_may_try() -> None:
    tried = Tried("t", ("a", "b", "a", "b"), ("o",) * 4, {1: "first", 2: "second"})
    assert Solver("s", 1).answer(tried) is None
    assert Solver("s", 2).answer(tried) == "first"
    assert Solver("s", 1, frozenset("a")).answer(tried) is None
    assert Solver("s", 2, frozenset("a")).answer(tried) == "second"


def test_of_candidates_those_are_tried_that_are_programs_and_of_equal_ones_the_first() -> None:
    base = SourceText.of("solution.py", "def f(x):\n    return x\n")
    at = base.text.index("return x") + len("return ")
    made = [
        Candidate("o", (Edit(at, at + 1, text),), base, "utf-8", 1.0) for text in ("x = 1", "x", "(1)", "1", "2", "1")
    ]
    broken = Candidate("o", (Edit(14, at + 1, "False = x"),), base, "utf-8", 1.0)
    assert [data.decode().split("return ")[1].strip() for _, data in _distinct(iter([broken, *made]))] == ["(1)", "2"]


@pytest.mark.slow
def test_runs_are_what_the_solvers_would_do(taskset: TaskSet, tmp_path: Path) -> None:
    bench = set_up_bench()
    tried = try_all(taskset, bench, 60, tmp_path / "tried.jsonl", 1)
    assert try_all(taskset, bench, 60, tmp_path / "tried.jsonl", 1) == tried
    assert tried["total"].passing
    first = min(tried["total"].passing)
    solvers = [Solver("enough", first + 1), Solver("few", first)]
    paths = write_runs(taskset, bench, solvers, tried, tmp_path / "runs")
    (enough,), (few,) = (Run.open(path).verdicts() for path in paths)
    assert enough.outcome in {Outcome.EXACT, Outcome.EQUIVALENT}
    assert few.outcome is Outcome.NO_PATCH
    assert write_runs(taskset, bench, solvers, tried, tmp_path / "runs") == paths
