"""What becomes of mutants, each way apart, and which tests kill them; on function tests and on a pytest project."""

from __future__ import annotations

from contextlib import closing

import pytest

from mendlab.corpora.candidates import Candidate
from mendlab.corpora.diffs import make_diff
from mendlab.errors import EngineError
from mendlab.records import Defect, MutantStatus, TestOutcome, TestResult
from mendlab.verify.code import Screen
from mendlab.verify.detection.baseline import take_baseline
from mendlab.verify.detection.reach import WORTH_LEARNING, take_coverage, take_infections
from mendlab.verify.detection.verdicts import Assessor, not_run, status_of
from mendlab.verify.engines.engine import TestRun

CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


def unused():
    return 1
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
LOW, HIGH, BETWEEN = 0, 1, 2
FAILED, ERROR, TIMEOUT, MISSING = TestOutcome.FAILED, TestOutcome.ERROR, TestOutcome.TIMEOUT, TestOutcome.MISSING
HANG = ("    return x\n", "    while True:\n        pass\n")


@pytest.fixture(scope="module", params=["function", pytest.param("pytest", marks=pytest.mark.slow)])
def loaded(request, module_shapes):
    if request.param == "function":
        return module_shapes.subjects([module_shapes.problem("T/0", CLAMP, CHECKS)])[0]
    return module_shapes.read(module_shapes.project({"clamp.py": CLAMP, "test_clamp.py": TESTS}))[0]


@pytest.fixture(scope="module")
def tests(loaded, bench):
    return take_baseline(loaded, bench, runs=2)


@pytest.fixture(scope="module")
def assessors(loaded, tests, bench):
    """Assessors by whether they run every test."""
    coverage = take_coverage(loaded, bench, tests.passing)
    first, full = (Assessor(loaded, tests, bench, coverage=coverage, full=full) for full in (False, True))
    with closing(first), closing(full):
        yield {False: first, True: full}


@pytest.fixture
def verdict(loaded, assessors):
    """The verdict on the subject with one text in the place of another."""
    return lambda old, new, full=False: assessors[full].detect(mutant(loaded, old, new))


def mutant(loaded, old, new):
    (path,) = loaded.subject.source_files
    text = loaded.tree[path].decode()
    assert old in text
    buggy = loaded.tree.replace({path: text.replace(old, new, 1).encode()})
    line = text[: text.index(old)].count("\n") + 1
    span = {"start_line": line, "start_column": 0, "end_line": line + old.count("\n"), "end_column": 99}
    diff = make_diff(loaded.tree, buggy)
    defect = Defect.model_validate({"origin": "operator", "files": (path,), "span": span, "diff": diff})
    return Candidate(f"{loaded.subject.id}.x", loaded, buggy, defect, "", (path,))


@pytest.mark.parametrize("full", [False, True])
def test_an_assertion_kills(verdict, tests, full):
    found = verdict("return high", "return low", full)
    assert found.status is MutantStatus.KILLED_BY_ASSERTION
    assert found.killers == {tests.passing[HIGH]: FAILED}
    assert found.cpu_seconds > 0


@pytest.mark.parametrize("full", [False, True])
def test_an_error_kills(verdict, tests, full):
    found = verdict("return x", "return y", full)
    assert (found.status, found.killers) == (MutantStatus.KILLED_BY_ERROR, {tests.passing[BETWEEN]: ERROR})


@pytest.mark.parametrize("full", [False, True])
def test_a_timeout_kills(verdict, tests, full):
    found = verdict(*HANG, full)
    assert (found.status, found.killers) == (MutantStatus.KILLED_BY_TIMEOUT, {tests.passing[BETWEEN]: TIMEOUT})


@pytest.mark.parametrize("full", [False, True])
def test_a_broken_import_has_no_killers(verdict, full):
    found = verdict("def clamp", "import nothing_of_the_kind\ndef clamp", full)
    assert (found.status, found.killers) == (MutantStatus.BREAKS_IMPORT, {})


def test_what_no_test_notices_survives(verdict):
    found = verdict("return x", "return float(x)", True)
    assert (found.status, found.killers) == (MutantStatus.SURVIVED, {})
    assert found.reached in (None, 1)  # it is not known of function tests
    assert found.infected == found.reached


@pytest.mark.slow
def test_what_changes_no_state_of_a_test_survives_apart(shapes, bench):
    (loaded,) = shapes.read(shapes.project({"clamp.py": CLAMP, "test_clamp.py": TESTS}))
    baseline = take_baseline(loaded, bench, runs=2)
    coverage = take_coverage(loaded, bench, baseline.passing)
    candidate = mutant(loaded, "x > high", "x >= high")
    batch = [loaded.tree.changed(candidate.buggy)] * WORTH_LEARNING
    assert coverage is not None
    infections = take_infections(loaded, bench, baseline.passing, batch, coverage)
    with closing(Assessor(loaded, baseline, bench, coverage=coverage, infections=infections, full=True)) as assessor:
        found = assessor.detect(candidate)
    assert (found.status, found.killers) == (MutantStatus.NOT_INFECTED, {})
    assert (found.reached, found.infected) == (2, 0)


def test_what_no_test_runs_is_unreached(verdict):
    found = verdict("return 1", "return 2")
    assert (found.status, found.killers, found.reached) == (MutantStatus.UNREACHED, {}, 0)
    assert found.cpu_seconds == 0


def test_one_killer_or_all(verdict, tests):
    killers = {tests.passing[HIGH]: FAILED, tests.passing[BETWEEN]: FAILED}
    assert verdict("x < low", "True", True).killers == killers
    first = verdict("x < low", "True").killers
    assert len(first) == 1
    assert first.items() < killers.items()


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("return high", "return (high)", MutantStatus.EQUAL_CODE),
        ("return high", "return high +", MutantStatus.DOES_NOT_COMPILE),
    ],
)
def test_what_is_not_run_at_all(loaded, old, new, status):
    candidate = mutant(loaded, old, new)
    reason = Screen(loaded.tree).refuse(loaded.tree.changed(candidate.buggy))
    found = not_run(candidate, reason)
    assert (found.status, found.killers, found.reached, found.cpu_seconds) == (status, {}, None, 0)


def test_an_assessor_goes_on_after_it_was_closed(loaded, assessors):
    before = assessors[True].detect(mutant(loaded, "return high", "return low"))
    assessors[True].close()
    again = assessors[True].detect(mutant(loaded, "return high", "return low"))
    assert (again.status, again.killers) == (before.status, before.killers)


def run(*, reached=None, infected=None, load_error=None, **outcomes):
    results = (TestResult(test_id=name, outcome=outcome) for name, outcome in outcomes.items())
    return TestRun(tuple(results), 1.0, load_error, reached=reached, infected=infected)


@pytest.mark.parametrize(
    ("killers", "status"),
    [
        ({"a": TIMEOUT, "b": ERROR, "c": FAILED}, MutantStatus.KILLED_BY_ASSERTION),
        ({"a": TIMEOUT, "b": TestOutcome.SKIPPED}, MutantStatus.KILLED_BY_ERROR),
        ({"a": TIMEOUT, "b": MISSING}, MutantStatus.KILLED_BY_ERROR),
        ({"a": TIMEOUT}, MutantStatus.KILLED_BY_TIMEOUT),
    ],
)
def test_an_assertion_counts_before_an_error_and_that_before_a_timeout(killers, status):
    assert status_of(run(**killers), killers) is status


def test_reached_and_not_infected_is_apart():
    passed, some, none = TestOutcome.PASSED, frozenset("a"), frozenset()
    assert status_of(run(a=passed, reached=some, infected=none), {}) is MutantStatus.NOT_INFECTED
    assert status_of(run(a=passed, reached=some, infected=some), {}) is MutantStatus.SURVIVED
    assert status_of(run(a=passed, reached=some), {}) is MutantStatus.SURVIVED
    assert status_of(run(a=passed, reached=none, infected=none), {}) is MutantStatus.UNREACHED


def test_a_subject_whose_tests_notice_nothing_has_no_assessor(shapes, bench):
    (seeing,) = shapes.subjects([shapes.problem("T/0", CLAMP, ["[candidate(1, 2, 3)] != []"])])
    Assessor(seeing, take_baseline(seeing, bench), bench, coverage=None, full=False).close()
    (blind,) = shapes.subjects([shapes.problem("T/0", CLAMP, ["callable(candidate)"])])
    with pytest.raises(EngineError, match="T/0: no test fails where clamp, unused raises at once"):
        Assessor(blind, take_baseline(blind, bench), bench, coverage=None, full=False)
