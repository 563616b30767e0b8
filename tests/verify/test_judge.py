"""The ladder: each outcome is reached by a patch that deserves it, and says on which rung and why."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mendlab.corpora.diffs import apply_diff, make_diff
from mendlab.corpora.importers.pairs import pair
from mendlab.records import INFRA_STOP, Attempt, Differential, Limits, Outcome, Rung, SandboxLevel, TestOutcome
from mendlab.verify.equivalence.compare import Compared
from mendlab.verify.equivalence.symbolic import is_available
from mendlab.verify.judge import LADDER, Judge
from mendlab.verify.ladder import comparing

GOOD = """def total(items, start=0):
    for item in items:
        start += item
    return start


def first(items):
    return items[0]


def last(items):
    return items[0]
"""
BUGGY = GOOD.replace("start += item", "start -= item")
CHECKS = [
    "candidate([]) == 0",
    "candidate([0, 0]) == 0",
    "candidate([1, 2]) == 3",
    "candidate([5], 1) == 6",
    "candidate([2, 2]) == 4",
    "candidate([0], 4) == 4",
]
SUITE = """from solution import total

def test_nothing():
    assert total([]) == 0

def test_zeros():
    assert total([0, 0]) == 0

def test_sum():
    assert total([1, 2]) == 3

def test_start():
    assert total([5], 1) == 6
"""
LIMITS = Limits(cpu_seconds=1.0, wall_seconds=6.0, memory_bytes=300 * 2**20)
ORDER = [rung for rung, _ in LADDER]


class Court:
    """A task and the judge of its set."""

    def __init__(self, shapes, candidate, name, held_out=()):
        (task,) = shapes.tasks([candidate])
        known = (*task.fail_to_pass, *task.pass_to_pass)
        hidden = tuple(test for test in known if any(part in test for part in held_out))
        self.task = task.model_copy(update={"limits": LIMITS, "held_out": hidden})
        self.taskset = shapes.taskset([self.task], [candidate], name)
        self.judge = Judge(self.taskset, shapes.bench)
        self.buggy = self.taskset.buggy_tree(self.task)
        self.good = self.taskset.good_tree(self.task)

    def patch(self, files):
        """Return the diff to a tree with other texts in some files."""
        changes = {path: None if text is None else text.encode() for path, text in files.items()}
        return make_diff(self.buggy, self.buggy.replace(changes))

    def say(self, patch):
        attempt = Attempt(run_id="r", task_id=self.task.id, sample=2, strategy="s", raw_patch=patch, stop_reason="end")
        verdict = self.judge.judge(self.task, attempt)
        assert (verdict.run_id, verdict.task_id, verdict.sample) == ("r", self.task.id, 2)
        told = [report.rung for report in verdict.rungs]
        assert told == ORDER[: len(told)]
        if verdict.outcome not in (Outcome.INFRA_ERROR, *self.at_the_end):
            assert verdict.rung is told[-1]
            assert verdict.rungs[-1].held is False
            assert all(report.held is not False for report in verdict.rungs[:-1])
        if verdict.outcome in self.at_the_end:
            assert told == ORDER
        if verdict.after:
            assert verdict.sandbox is SandboxLevel.NAMESPACES
            assert verdict.cpu_seconds >= 0
        return verdict

    at_the_end = (Outcome.EXACT, Outcome.EQUIVALENT, Outcome.DIVERGENT, Outcome.PLAUSIBLE)

    def write(self, body):
        """Judge a program in which ``total`` has this body."""
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        text = "def total(items, start=0):\n" + lines + GOOD[GOOD.index("\n\ndef first") :]
        return self.say(self.patch({"solution.py": text}))


@pytest.fixture(scope="module")
def court(module_shapes):
    path = module_shapes.rows([module_shapes.problem("J/0", GOOD, CHECKS, BUGGY)], "judge.jsonl")
    (candidate,) = module_shapes.candidates("humanevalpack", path)
    court = Court(module_shapes, candidate, "functions", held_out=("4", "5"))
    with court.judge:
        yield court


LOOP = "for item in items:\n    start += item\nreturn start"


def test_there_is_something_to_hide(court):
    assert len(court.task.held_out) == 2
    assert set(court.task.held_out) & set(court.task.fail_to_pass)


@pytest.mark.parametrize("nothing", [None, "", " \n"])
def test_no_patch(court, nothing):
    verdict = court.say(nothing)
    assert verdict.outcome is Outcome.NO_PATCH
    assert verdict.rung is Rung.PARSE
    assert verdict.canonical_patch is None
    assert verdict.sandbox is None
    assert (verdict.reason == "the patch is empty") is (nothing is not None)


def test_malformed_diff(court):
    verdict = court.say("--- a/solution.py\n+++ b/solution.py\n@@ -1,3 +1,3 @@\n")
    assert verdict.outcome in (Outcome.MALFORMED_DIFF, Outcome.NO_PATCH)
    assert verdict.rung is Rung.PARSE
    broken = "--- a/solution.py\n+++ b/solution.py\n@@ this is no hunk @@\n nonsense\n"
    assert court.say(broken).outcome is Outcome.MALFORMED_DIFF


@pytest.mark.parametrize(
    "files",
    [
        {"conftest.py": "x = 1\n"},
        {"sitecustomize.py": "x = 1\n"},
        {"other.py": "x = 1\n"},
        {"solution.py": GOOD, "pytest.ini": "[pytest]\n"},
    ],
)
def test_policy_violation(court, files):
    verdict = court.say(court.patch(files))
    assert verdict.outcome is Outcome.POLICY_VIOLATION
    assert next(name for name in files if name != "solution.py") in verdict.reason


def test_patch_rejected(court):
    patch = "--- a/solution.py\n+++ b/solution.py\n@@ -1,3 +1,3 @@\n def summed(xs):\n-    return 1\n+    return 2\n \n"
    verdict = court.say(patch)
    assert verdict.outcome is Outcome.PATCH_REJECTED
    assert verdict.rung is Rung.APPLY
    assert verdict.reason


def test_ambiguous(court):
    patch = "--- a/solution.py\n+++ b/solution.py\n@@ -100,1 +100,1 @@\n-    return items[0]\n+    return items[-1]\n"
    assert court.say(patch).outcome is Outcome.AMBIGUOUS


def test_no_change(court):
    verdict = court.say(court.patch({"solution.py": '"""Sums."""\n' + BUGGY.replace("-= item", "-= item  # minus")}))
    assert verdict.outcome is Outcome.NO_CHANGE
    assert verdict.rung is Rung.NO_OP
    assert not verdict.after


def test_syntax_error(court):
    verdict = court.write("return (start +")
    assert verdict.outcome is Outcome.SYNTAX_ERROR
    assert verdict.reason == "solution.py:2: '(' was never closed"
    assert not verdict.after


def test_import_error(court):
    verdict = court.say(court.patch({"solution.py": "import nothing_of_the_kind\n" + GOOD}))
    assert verdict.outcome is Outcome.IMPORT_ERROR
    assert "nothing_of_the_kind" in verdict.reason


def test_a_program_taken_away_imports_nothing(court):
    verdict = court.say(court.patch({"solution.py": None}))
    assert verdict.outcome is Outcome.IMPORT_ERROR
    assert "solution.py" in verdict.reason


def test_new_test_failed(court):
    verdict = court.write("return start")
    assert verdict.outcome is Outcome.NEW_TEST_FAILED
    failing = {test for test, outcome in verdict.after.items() if outcome is not TestOutcome.PASSED}
    assert failing
    assert failing <= set(court.task.fail_to_pass) - set(court.task.held_out)
    assert failing == set(verdict.messages)


def test_timeout(court):
    verdict = court.write("while items:\n    pass\nreturn 0")
    assert verdict.outcome is Outcome.TIMEOUT
    assert verdict.rung is Rung.NEW_TESTS
    assert verdict.cpu_seconds < 3 * LIMITS.cpu_seconds  # the first hang of a new test decides


def test_a_hang_in_a_held_out_test_is_that_tests(court):
    verdict = court.write("while items == [2, 2]:\n    pass\n" + LOOP)
    assert verdict.outcome is Outcome.HELDOUT_FAILED
    lost = {test for test, outcome in verdict.after.items() if outcome is not TestOutcome.PASSED}
    assert lost == set(verdict.messages) <= set(court.task.held_out)


def test_tests_are_run_once_for_all_rungs(court):
    for body, is_run_again in ((LOOP.replace("+=", "= start +"), False), ("x = [*{*()}]\n" + LOOP, True)):
        spent = {report.rung: report.cpu_seconds for report in court.write(body).rungs}
        assert spent[Rung.COMPILE] > 0
        assert spent[Rung.REGRESSION] is spent[Rung.HELD_OUT] is None
        assert (spent[Rung.CONFIRM] is not None) == is_run_again


def test_crash(court):
    verdict = court.write("import ctypes\nif items:\n    ctypes.string_at(0)\nreturn 0")
    assert verdict.outcome is Outcome.CRASH


def test_out_of_memory(court):
    verdict = court.write("hog = bytearray(10**9) if len(items) == 2 else b''\nreturn sum(items) + start + len(hog)")
    assert verdict.outcome is Outcome.OUT_OF_MEMORY


def test_regression_failed(court):
    verdict = court.write("if not items:\n    return None\n" + LOOP)
    assert verdict.outcome is Outcome.REGRESSION_FAILED
    assert verdict.rung is Rung.REGRESSION
    assert set(verdict.messages) <= set(court.task.pass_to_pass)


def test_heldout_failed(court):
    verdict = court.write("return 6 if start else sum(items) if items != [2, 2] else 0")
    assert verdict.outcome is Outcome.HELDOUT_FAILED
    assert verdict.rung is Rung.HELD_OUT
    assert set(verdict.messages) <= set(court.task.held_out)


def test_tampered(court):
    verdict = court.write("import inspect\ninspect.stack()\n" + LOOP)
    assert verdict.outcome is Outcome.TAMPERED
    assert verdict.rung is Rung.TAMPER
    assert verdict.tamper_flags
    assert verdict.risk > 0.5


def test_exact(court):
    verdict = court.say(court.task.reference)
    assert verdict.outcome is Outcome.EXACT
    assert verdict.correct
    assert verdict.rung is Rung.EQUIVALENCE
    assert set(verdict.after) == {*court.task.fail_to_pass, *court.task.pass_to_pass}
    assert verdict.canonical_patch == court.task.reference
    assert verdict.apply_rung == "strict"


def test_exact_apart_from_layout(court):
    verdict = court.say(court.patch({"solution.py": GOOD.replace("start += item", "start += item  # mended")}))
    assert verdict.outcome is Outcome.EXACT


def test_equivalent(court):
    verdict = court.write("return sum(items) + start")
    assert verdict.outcome is Outcome.EQUIVALENT
    assert verdict.differential.inputs >= 4
    assert verdict.differential.witness is None
    assert verdict.reason == f"the same on {verdict.differential.inputs} inputs"


def test_divergent_has_a_witness_that_can_be_read(court):
    verdict = court.write("start += sum(items)\nitems.clear()\nreturn start")
    assert verdict.outcome is Outcome.DIVERGENT
    assert not verdict.correct
    assert verdict.passes_all_tests
    witness = verdict.differential.witness
    assert eval(witness.call.replace("solution.total", "(lambda items, start=0: sum(items) + start)")) == int(
        witness.reference.partition(",")[0]
    )
    assert witness.reference.partition("arguments afterwards: ")[2] != "[]"
    assert witness.candidate.endswith("arguments afterwards: []")


def test_another_type_of_the_same_value_diverges(court):
    verdict = court.write("return float(sum(items) + start)")
    assert verdict.outcome is Outcome.DIVERGENT
    assert verdict.differential.witness.candidate.endswith((".0", "arguments afterwards: [0, 0]", "[]"))


def test_flaky(court):
    program = "print(hash('mendlab') % 64)"
    told = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONHASHSEED": "0"}, capture_output=True, check=True, text=True
    )
    verdict = court.write(
        f"if hash('mendlab') % 64 != {told.stdout.strip()}:\n    return None\nreturn sum(items) + start"
    )
    assert verdict.outcome is Outcome.FLAKY
    assert verdict.rung is Rung.CONFIRM
    assert any(outcome is not TestOutcome.PASSED for outcome in verdict.after.values())


def test_an_object_that_equals_everything_passes_nothing(court):
    body = "class Same(int):\n    def __eq__(self, other):\n        return True\n    def __ne__(self, other):\n"
    body += "        return False\n    __hash__ = int.__hash__\nreturn Same(start)"
    verdict = court.write(body)
    assert verdict.outcome is Outcome.NEW_TEST_FAILED
    assert not verdict.passes_all_tests


def test_what_leaves_the_process_passes_nothing(court):
    for leave in ("import os\nos._exit(0)", "raise SystemExit(0)", "import sys\nsys.exit(0)"):
        assert not court.write(leave).passes_all_tests


def test_the_canonical_patch_is_what_was_judged(court):
    reversed_numbers = court.task.reference.replace("@@ -1,", "@@ -3,")
    verdict = court.say(f"Here it is:\n\n```diff\n{reversed_numbers}```\n")
    assert verdict.outcome is Outcome.EXACT
    assert apply_diff(court.buggy, verdict.canonical_patch) == court.good


def test_doing_it_again_says_the_same(court):
    patch = court.patch({"solution.py": GOOD.replace("start += item", "start = start + item")})
    first, second = court.say(patch), court.say(patch)
    strip = {"cpu_seconds": None, "rungs": ()}
    assert first.model_copy(update=strip) == second.model_copy(update=strip)


def test_a_failure_of_the_lab_is_nobody_elses(court, module_shapes):
    gone = replace(module_shapes.bench.interpreter, executable=Path("/usr/bin/false"))
    with Judge(court.taskset, replace(module_shapes.bench, interpreter=gone)) as judge:
        attempt = Attempt(
            run_id="r", task_id=court.task.id, sample=0, strategy="s", raw_patch=court.task.reference, stop_reason="end"
        )
        verdict = judge.judge(court.task, attempt)
    assert verdict.outcome is Outcome.INFRA_ERROR
    assert not verdict.passes_all_tests
    assert "did not start" in verdict.reason


def test_an_attempt_that_the_lab_spoiled_is_not_the_repairers(court):
    attempt = Attempt(
        run_id="r", task_id=court.task.id, sample=0, strategy="s", stop_reason=f"{INFRA_STOP}: the engine broke"
    )
    verdict = court.judge.judge(court.task, attempt)
    assert (verdict.outcome, verdict.reason) == (Outcome.INFRA_ERROR, "infra error: the engine broke")


@pytest.fixture(scope="module")
def gate(module_shapes):
    folder = module_shapes.project(
        {
            "sum/prompt.md": "Mend the sum.\n",
            "sum/repo/solution.py": BUGGY,
            "sum/solution/solution.py": GOOD,
            "sum/verify.sh": "python3 -c 'from solution import total; assert total([1, 2]) == 3'\n",
        },
        "gates",
    )
    (candidate,) = module_shapes.candidates("taskdirs", folder)
    court = Court(module_shapes, candidate, "scripts")
    with court.judge:
        yield court


def test_gates_alone_make_a_patch_plausible(gate):
    verdict = gate.write("return sum(items) + start")
    assert verdict.outcome is Outcome.PLAUSIBLE
    assert verdict.passes_all_tests
    assert not verdict.correct
    assert verdict.differential is None
    reports = {report.rung: report.held for report in verdict.rungs}
    assert reports[Rung.REGRESSION] is None
    assert reports[Rung.EQUIVALENCE] is None


def test_gates_tell_the_reference_and_doing_nothing(gate):
    assert gate.say(gate.task.reference).outcome is Outcome.EXACT
    assert gate.say(None).outcome is Outcome.NO_PATCH
    assert gate.write("return start").outcome is Outcome.NEW_TEST_FAILED


@pytest.fixture(scope="module")
def suite(module_shapes):
    """A task on a project: injected by hand, taken in as a pair of programs."""
    (loaded,) = module_shapes.read(module_shapes.project({"solution.py": GOOD, "test_solution.py": SUITE}, "suite"))
    candidate = pair(loaded, loaded.tree.replace({"solution.py": BUGGY.encode()}))
    court = Court(module_shapes, candidate, "projects")
    with court.judge:
        yield court


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("return start", Outcome.NEW_TEST_FAILED),
        ("if not items:\n    return None\n" + LOOP, Outcome.REGRESSION_FAILED),
        ("while items:\n    pass\nreturn 0", Outcome.TIMEOUT),
        ("import os\nif items:\n    os._exit(0)\nreturn 0", Outcome.CRASH),
        ("import inspect\ninspect.stack()\n" + LOOP, Outcome.TAMPERED),
        (LOOP, Outcome.EXACT),
        ("return sum(items) + start", Outcome.EQUIVALENT),
        ("start += sum(items)\nitems.clear()\nreturn start", Outcome.DIVERGENT),
    ],
)
def test_outcomes_on_a_project(suite, body, outcome):
    assert suite.write(body).outcome is outcome


@pytest.mark.slow
def test_a_comparison_that_does_not_tell_the_defect_of_a_project_is_no_proof(suite, monkeypatch):
    blind = Compared(Differential(inputs=3), 0.0)
    monkeypatch.setattr(comparing, "compare", lambda task, good, patched, bench, **how: blind)
    monkeypatch.setattr(comparing, "tells", lambda task, good, buggy, bench: (False, 0.0))
    verdict = suite.write("return sum(items) + start")
    assert verdict.outcome is Outcome.PLAUSIBLE
    assert verdict.reason == "the same on 3 inputs, and so is the buggy program"


@pytest.mark.slow
def test_a_project_that_no_longer_imports(suite):
    verdict = suite.say(suite.patch({"solution.py": "import nothing_of_the_kind\n" + GOOD}))
    assert verdict.outcome is Outcome.IMPORT_ERROR


@pytest.mark.parametrize("name", ["test_solution.py", "conftest.py", "pytest.ini", "pyproject.toml"])
def test_what_steers_the_tests_of_a_project_is_out_of_bounds(suite, name):
    verdict = suite.say(suite.patch({"solution.py": GOOD, name: "x = 1\n"}))
    assert verdict.outcome is Outcome.POLICY_VIOLATION
    assert name in verdict.reason


@pytest.mark.parametrize(
    "body",
    [
        "return sum(items, start)",
        "for number in items:\n    start = number + start\nreturn start",
        "for item in items:\n    start += item if item < 40 else 0\nreturn start",
        "for item in items:\n    start += item * 1.0\nreturn start",
        "return {0: 0, 3: 3}.get(sum(items) + start, sum(items) + start)",
    ],
)
def test_the_quick_look_and_the_long_one_come_to_the_same(court, monkeypatch, body):
    quick = [court.write(body) for _ in range(2)]
    monkeypatch.setattr(comparing, "quick_look", lambda case: None)
    long = court.write(body)
    for verdict in quick:
        assert (verdict.outcome, verdict.reason, verdict.after) == (long.outcome, long.reason, long.after)
        assert verdict.differential == long.differential


def test_what_is_worked_out_beforehand_changes_no_verdict(court):
    court.judge.prepare(court.task)
    assert court.write("return sum(items, start)").outcome is Outcome.EQUIVALENT
    assert court.write("return start").outcome is Outcome.NEW_TEST_FAILED


@pytest.mark.slow
@pytest.mark.skipif(not is_available(), reason="crosshair-tool is not installed")
def test_a_symbolic_search_where_it_is_asked_for(module_shapes):
    good, wrong = "def f(x: int):\n    return x * 2\n", "def f(x: int):\n    return x * 2 + (x * 3 + 7 == 370360)\n"
    checks = ["candidate(3) == 6", "candidate(8) == 16"]
    path = module_shapes.rows([module_shapes.problem("J/1", good, checks, good.replace("2", "3"))], "symbolic.jsonl")
    court = Court(module_shapes, *module_shapes.candidates("humanevalpack", path), "symbolic")
    patch = court.patch({"solution.py": wrong})
    with court.judge:
        assert court.say(patch).outcome is Outcome.EQUIVALENT
    with Judge(court.taskset, module_shapes.bench, symbolic_seconds=10.0) as court.judge:
        verdict = court.say(patch)
    assert verdict.outcome is Outcome.DIVERGENT
    assert "f(123451)" in verdict.reason
