"""What tests say of a defect: that they tell, which of them do, and why it is dropped where they do not."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from mendlab.corpora.candidates import Candidate
from mendlab.corpora.diffs import make_diff
from mendlab.records import Defect, DropReason, TestOutcome
from mendlab.verify.detection.baseline import take_baseline, task_limits
from mendlab.verify.detection.detect import Detector
from mendlab.verify.detection.reach import take_coverage
from mendlab.verify.engines.engine import RunOptions

GOOD = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
CHECKS = ["candidate(1, 2, 3) == 2", "candidate(5, 2, 4) == 4", "candidate(3, 2, 4) == 3"]
TESTS = """
from clamp import clamp

def test_low():
    assert clamp(1, 2, 3) == 2

def test_high():
    assert clamp(5, 2, 4) == 4

def test_between():
    assert clamp(3, 2, 4) == 3
"""
UNUSED = "\n\ndef unused():\n    return 1\n"
LOW, HIGH, BETWEEN = 0, 1, 2


def candidate(loaded, old, new):
    (path,) = loaded.subject.source_files
    text = loaded.tree[path].decode()
    assert old in text
    buggy = loaded.tree.replace({path: text.replace(old, new, 1).encode()})
    line = text[: text.index(old)].count("\n") + 1
    span = {"start_line": line, "start_column": 0, "end_line": line + old.count("\n"), "end_column": 99}
    defect = Defect.model_validate(
        {"origin": "operator", "files": (path,), "span": span, "diff": make_diff(loaded.tree, buggy)}
    )
    return Candidate(f"{loaded.subject.id}.x", loaded, buggy, defect, "", (path,))


@pytest.fixture(scope="module", params=["function", pytest.param("pytest", marks=pytest.mark.slow)])
def loaded(request, module_shapes):
    if request.param == "function":
        return module_shapes.subjects([module_shapes.problem("T/0", GOOD + UNUSED, CHECKS)])[0]
    return module_shapes.read(module_shapes.project({"clamp.py": GOOD + UNUSED, "test_clamp.py": TESTS}))[0]


@pytest.fixture(scope="module")
def baseline(loaded, bench):
    return take_baseline(loaded, bench, runs=2)


@pytest.fixture(scope="module")
def detector(loaded, baseline, bench):
    detector = Detector(loaded, baseline, bench)
    with closing(detector):
        yield detector


def named(baseline, *numbers):
    return tuple(baseline.passing[number] for number in numbers)


def test_the_tests_that_tell_and_those_that_still_pass(detector, loaded, baseline):
    found = detector.detect(candidate(loaded, "return high", "return low"))
    assert found.dropped is None
    assert found.fail_to_pass == named(baseline, HIGH)
    assert found.pass_to_pass == named(baseline, LOW, BETWEEN)
    assert found.before == dict.fromkeys(named(baseline, HIGH), TestOutcome.FAILED)


def test_an_exception_tells_as_well(detector, loaded, baseline):
    found = detector.detect(candidate(loaded, "return x", "return y"))
    assert found.before == dict.fromkeys(named(baseline, BETWEEN), TestOutcome.ERROR)


def test_what_no_test_notices_survives(detector, loaded):
    assert detector.detect(candidate(loaded, "x > high", "x >= high")).dropped is DropReason.SURVIVED


def test_a_hang_alone_does_not_tell(detector, loaded):
    hang = candidate(loaded, "    return x\n", "    while True:\n        pass\n")
    assert detector.detect(hang).dropped is DropReason.TIMEOUT


def test_a_program_that_cannot_be_imported_is_dropped(detector, loaded):
    found = detector.detect(candidate(loaded, "def clamp", "import nothing_of_the_kind\ndef clamp"))
    assert found.dropped is DropReason.BREAKS_IMPORT


@pytest.mark.slow
def test_a_published_bug_may_hang_or_break_the_import(loaded, baseline, bench):
    detector = Detector(loaded, baseline, bench, any_failure=True)
    with closing(detector):
        broken = detector.detect(candidate(loaded, "def clamp", "import nothing_of_the_kind\ndef clamp"))
        hanging = detector.detect(candidate(loaded, "    return x\n", "    while True:\n        pass\n"))
    assert broken.fail_to_pass == baseline.passing
    assert hanging.before == dict.fromkeys(named(baseline, BETWEEN), TestOutcome.TIMEOUT)
    assert hanging.pass_to_pass == named(baseline, LOW, HIGH)


def test_what_fails_under_one_hash_seed_alone_is_flaky(detector, loaded):
    command = [sys.executable, "-c", "print(hash('mendlab') % 64)"]
    told = subprocess.run(command, env={"PYTHONHASHSEED": "0"}, capture_output=True, check=True, text=True)
    chance = f"    if hash('mendlab') % 64 == {told.stdout.strip()}: return low\n    return x\n"
    assert detector.detect(candidate(loaded, "    return x\n", chance)).dropped is DropReason.FLAKY


def test_what_fails_now_and_then_is_flaky_or_survives(detector, loaded):
    chance = "    import os\n    if os.urandom(1)[0] % 2: return low\n    return x\n"
    seen = set()
    for _ in range(30):
        seen.add(detector.detect(candidate(loaded, "    return x\n", chance)).dropped)
        if DropReason.FLAKY in seen:
            break
    assert DropReason.FLAKY in seen
    assert seen <= {DropReason.FLAKY, DropReason.SURVIVED, None}


def test_a_line_that_no_test_runs_is_not_tried(loaded, baseline, bench):
    coverage = take_coverage(loaded, bench, take_baseline(loaded, bench).passing)
    detector = Detector(loaded, baseline, bench, coverage=coverage)
    with closing(detector):
        assert detector.detect(candidate(loaded, "return 1", "return 2")).dropped is DropReason.UNREACHED
        assert detector.detect(candidate(loaded, "return high", "return low")).dropped is None


def test_the_warm_path_says_what_a_new_process_says(detector, loaded, baseline, bench):
    good = loaded.subject.harness
    engine = bench.open(loaded.tree, good, task_limits(baseline))
    with closing(engine):
        for old, new in [("return high", "return low"), ("x < low", "x <= high"), ("return x", "return None")]:
            defect = candidate(loaded, old, new)
            changes = loaded.tree.changed(defect.buggy)
            fresh = engine.run(changes, RunOptions(tests=baseline.passing, fresh=True)).outcomes()
            found = detector.detect(defect)
            failing = {test: outcome for test, outcome in fresh.items() if outcome is not TestOutcome.PASSED}
            assert found.before == failing
            assert set(found.pass_to_pass) == set(baseline.passing) - failing.keys()


def test_a_detector_goes_on_after_it_was_closed(loaded, baseline, bench):
    detector = Detector(loaded, baseline, bench)
    with closing(detector):
        first = detector.detect(candidate(loaded, "return high", "return low"))
        detector.close()
        assert detector.detect(candidate(loaded, "return high", "return low")) == first


def test_two_files_and_a_restart(shapes, bench):
    """Other files of a function subject are mounted from a folder, which must still be there after a restart."""
    (loaded,) = shapes.subjects([shapes.problem("T/0", GOOD, CHECKS)])
    tree = loaded.tree.replace({"notes.txt": b"3"})
    subject = loaded.subject.model_copy(update={"snapshot": tree.digest})
    both = replace(loaded, subject=subject, tree=tree)
    detector = Detector(both, take_baseline(both, bench, runs=1), bench)
    with closing(detector):
        assert detector.detect(candidate(both, "return high", "return low")).dropped is None
        detector.close()
        assert detector.detect(candidate(both, "return high", "return low")).dropped is None
