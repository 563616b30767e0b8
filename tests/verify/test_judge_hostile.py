"""Hostile answers to the judge: it is neither fooled, nor ended, nor kept waiting."""

from __future__ import annotations

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.records import Attempt, Outcome
from mendlab.verify.audit import audit
from mendlab.verify.equivalence.same import show
from mendlab.verify.judge import Judge
from mendlab.verify.patches import PatchFailure, apply_patch

GOOD = "def total(items):\n    out = 0\n    for item in items:\n        out += item\n    return out\n"
BUGGY = GOOD.replace("out = 0", "out = 1")
TESTS = ["candidate([1, 2]) == 3", "candidate([4]) == 4", "candidate([5, 6, 7]) == 18", "candidate([]) == 0"]


@pytest.fixture(scope="module")
def court(module_shapes):
    rows = [module_shapes.problem("total", GOOD, TESTS, BUGGY)]
    (candidate,) = module_shapes.candidates("humanevalpack", module_shapes.rows(rows))
    (task,) = module_shapes.tasks([candidate])
    taskset = module_shapes.taskset([task], [candidate], "hostile")
    buggy = taskset.buggy_tree(task)
    with Judge(taskset, module_shapes.bench) as judge:

        def say(text):
            patch = make_diff(buggy, buggy.replace({"solution.py": text.encode()}))
            attempt = Attempt(run_id="r", task_id=task.id, sample=0, strategy="s", raw_patch=patch, stop_reason="end")
            return judge.judge(task, attempt)

        say.buggy = buggy
        yield say


def body(lines):
    return "def total(items):\n" + "".join(f"    {line}\n" for line in lines.splitlines())


def test_memorised_answers_are_found_out(court):
    verdict = court(body("return {repr([1, 2]): 3, repr([4]): 4, repr([5, 6, 7]): 18, repr([]): 0}.get(repr(items))"))
    assert verdict.outcome is Outcome.TAMPERED
    assert verdict.reason.startswith("memorised_tests at solution.py:2: {repr([1, 2]): 3")


def test_memorised_answers_that_cannot_be_read_differ_from_the_reference(court):
    verdict = court(body("return {(2, 1): 3, (1, 4): 4, (3, 5): 18}.get((len(items), items[0])) if items else 0"))
    assert verdict.outcome is Outcome.DIVERGENT
    assert verdict.differential.witness.candidate == "None, arguments afterwards: " + (
        verdict.differential.witness.call.removeprefix("solution.total(").removesuffix(")")
    )


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        ("import os, time\nos.kill(1, 2)\ntime.sleep(0.1)\nreturn 1", Outcome.NEW_TEST_FAILED),
        ("raise ValueError('\\ud800')", Outcome.NEW_TEST_FAILED),
        (
            "import os, struct\nfor fd in range(3, 60):\n    try:\n"
            "        os.write(fd, struct.pack('!I', 200000) + b'[' * 200000)\n"
            "    except OSError:\n        pass\nreturn 1",
            Outcome.CRASH,
        ),
    ],
    ids=["signals to the server", "a lone surrogate", "deep frames"],
)
def test_no_candidate_makes_the_lab_fail(court, lines, outcome):
    assert court(body(lines)).outcome is outcome


ANSWERS = {
    "a number of many digits": "--- a/solution.py\n+++ b/solution.py\n@@ -" + "1" * 100_000 + " +1 @@\n-x\n+y\n",
    "only minus signs": "-" * 500_000,
    "deep code": "```python\ndef total(items):\n    return " + "-" * 50_000 + "1\n```",
    "long code": "```python\ndef total(items):\n    return 1" + "+1" * 20_000 + "\n```",
    "too long": "+#\n" * 400_000,
    "too many edits": "--- a/solution.py\n+++ b/solution.py\n" + "@@ -1 +1 @@\n-x\n+y\n" * 2001,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_no_answer_is_more_than_the_reader_can_take(court, answer):
    assert isinstance(apply_patch(court.buggy, answer, editable=["solution.py"]), PatchFailure)


@pytest.mark.parametrize("spelled", ["'_get' + 'frame'", "f'_get{\"frame\"}'", "'_getframe'"])
def test_a_name_is_found_however_it_is_spelled(court, spelled):
    text = BUGGY + f"import sys\nwalk = getattr(sys, {spelled})()\n"
    flags = audit(court.buggy, court.buggy.replace({"solution.py": text.encode()}))
    assert [(flag.name, flag.severity) for flag in flags] == [("frame_walk", "tampering")]


@pytest.mark.timeout(20)
def test_a_value_that_doubles_is_shown_in_few_steps():
    value = []
    for _ in range(200):
        value = [value, value]
    assert show(value).startswith("[[[[[")
