"""What the clean runs say of a program, and the limits that follow from them."""

import subprocess
import sys

import pytest

from mendlab.errors import SubjectError
from mendlab.records import Baseline, TestOutcome, TestResult
from mendlab.verify.detection.baseline import compare, hang_limits, problem, take_baseline, task_limits, unusable
from mendlab.verify.engines.engine import TestRun

DOUBLE = "def double(x):\n    return 2 * x\n"
TESTS = """
import random
import pytest
from double import double

def test_passes():
    assert double(2) == 4

def test_fails():
    assert double(2) == 5

def test_depends_on_the_order_of_a_set():
    assert list({"one", "two", "three", "four"}) == ORDER

def test_is_a_throw_of_dice():
    assert random.SystemRandom().random() < 0.4

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_known_to_fail():
    assert False
"""


def test_a_function_subject_passes(shapes, bench):
    (loaded,) = shapes.subjects([shapes.problem("T/0", DOUBLE, ["candidate(2) == 4", "candidate(0) == 0"])])
    baseline = take_baseline(loaded, bench)
    assert baseline.subject == "T/0"
    assert len(baseline.passing) == 2
    assert not baseline.failing
    assert not baseline.flaky
    assert baseline.cpu_seconds > 0
    assert problem(baseline) is None


def test_what_fails_every_time_is_told_with_its_reason(shapes, bench):
    (loaded,) = shapes.subjects([shapes.problem("T/0", DOUBLE, ["candidate(2) == 4", "candidate(0) == 7"])])
    baseline = take_baseline(loaded, bench)
    (failing,) = baseline.failing
    assert failing.outcome is TestOutcome.FAILED
    assert failing.message
    assert failing.test_id not in baseline.passing
    assert problem(baseline) is None


def test_a_program_whose_tests_all_fail_cannot_be_used(shapes, bench):
    (loaded,) = shapes.subjects([shapes.problem("T/0", DOUBLE, ["candidate(2) == 5"])])
    baseline = take_baseline(loaded, bench)
    assert not baseline.passing
    (refusal,) = unusable([baseline])
    assert refusal.id == "T/0"
    assert refusal.reason.startswith(f"its own tests do not pass: {baseline.failing[0].test_id}: ")
    assert "\n" not in refusal.reason


def test_it_is_told_how_many_tests_have_run(shapes, bench):
    tests = (
        "from double import double\n\ndef test_two(): assert double(2) == 4\n\ndef test_none(): assert double(0) == 0\n"
    )
    (loaded,) = shapes.read(shapes.project({"double.py": DOUBLE, "test_double.py": tests}))
    told = []
    take_baseline(loaded, bench, heard=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert set(told) == {(done, 6) for done in range(7)}


@pytest.mark.slow
def test_the_hash_seed_and_chance_make_tests_flaky(shapes, bench):
    program = "print(list({'one', 'two', 'three', 'four'}))"
    ours = subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": "0"}, capture_output=True, check=True)
    tests = TESTS.replace("ORDER", ours.stdout.decode().strip())
    project = shapes.project({"double.py": DOUBLE, "test_double.py": tests})
    (loaded,) = shapes.read(project)
    baseline = take_baseline(loaded, bench, runs=12)
    assert baseline.passing == ("test_double.py::test_passes",)
    assert set(baseline.flaky) == {
        "test_double.py::test_depends_on_the_order_of_a_set",
        "test_double.py::test_is_a_throw_of_dice",
    }
    outcomes = {result.test_id.partition("::")[2]: result.outcome for result in baseline.failing}
    assert outcomes == {
        "test_fails": TestOutcome.FAILED,
        "test_skipped": TestOutcome.SKIPPED,
        "test_known_to_fail": TestOutcome.XFAILED,
    }


def test_tests_that_cannot_be_collected_are_no_baseline(shapes, bench):
    project = shapes.project({"double.py": DOUBLE, "test_double.py": "import nothing_of_the_kind\n"})
    (loaded,) = shapes.read(project)
    with pytest.raises(SubjectError, match="nothing_of_the_kind"):
        take_baseline(loaded, bench)


def run(**outcomes):
    results = (TestResult(test_id=name, outcome=outcome) for name, outcome in outcomes.items())
    return TestRun(tuple(results), cpu_seconds=1.0)


def test_several_runs_are_sorted_by_what_is_the_same_in_each():
    passed, failed, error = TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.ERROR
    baseline = compare("s", [run(a=passed, b=failed, c=passed), run(a=passed, b=error, c=TestOutcome.TIMEOUT)])
    assert baseline.passing == ("a",)
    assert [result.test_id for result in baseline.failing] == ["b"]
    assert baseline.flaky == ("c",)


def test_a_program_without_tests_or_with_flaky_ones_alone_says_which():
    assert problem(Baseline(subject="s", passing=(), cpu_seconds=0.0)) == "it has no tests"
    assert problem(Baseline(subject="s", passing=(), flaky=("a",), cpu_seconds=0.0)) == (
        "no test of it passes in every run"
    )


@pytest.mark.parametrize(
    ("clean", "limit"), [(0.0, 2), (0.2, 2), (0.5, 2), (0.51, 4), (1.0, 4), (1.01, 8), (2.0, 8), (2.1, 16), (9.0, 64)]
)
def test_limits_of_a_task_come_in_coarse_steps(clean, limit):
    limits = task_limits(Baseline(subject="s", passing=("a",), cpu_seconds=clean))
    assert limits.cpu_seconds == limit
    assert limits.wall_seconds >= 5 * limit


@pytest.mark.parametrize("clean", [0.0, 0.3, 5.0])
def test_a_hang_costs_a_few_times_the_clean_run(clean):
    limits = hang_limits(Baseline(subject="s", passing=("a",), cpu_seconds=clean))
    assert 3 * clean < limits.cpu_seconds <= 1 + 6 * clean
    assert limits.wall_seconds > limits.cpu_seconds
