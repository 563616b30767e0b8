"""The offline repairer mends single edits, within its budget, without knowing how the defect was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mendlab.corpora.diffs import apply_diff, make_diff
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.records import Defect, Difficulty, Limits, Provenance, PytestHarness, Span, Task
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import make_strategy
from mendlab.verify.bench import Bench, set_up_bench
from mendlab.verify.engines.engine import RunOptions

if TYPE_CHECKING:
    from conftest import Lab


@pytest.fixture(scope="module")
def bench() -> Bench:
    return set_up_bench(allow_unconfined=True)


MEAN = """\
# comments and   spacing stay
def mean(values, default = 0):
    '''The mean of the values.'''
    if not values:
        return default
    total = 0
    for value in values:
        total += value    # sum up
    return total / len(values)
"""
MEAN_TESTS = ["assert mean([2, 4, 9]) == 5", "assert mean([]) == 0", "assert mean([], 7) == 7", "assert mean([1]) == 1"]
CHANGES = [
    ("if not values", "if values"),
    ("total = 0", "total = 1"),
    ("total += value", "total -= value"),
    ("total / len", "total * len"),
    ("return default", "return values"),
]


@pytest.mark.parametrize(("good", "buggy"), CHANGES)
def test_a_single_edit_is_mended(lab: Lab, bench: Bench, good: str, buggy: str) -> None:
    taskset = lab.taskset([lab.make_task("lab/0", MEAN, MEAN.replace(good, buggy), MEAN_TESTS)])
    attempt = lab.attempt(taskset, make_strategy("search", candidates=300), open_engine=bench.open)
    assert attempt.stop_reason == "found"
    assert attempt.raw_patch is not None
    mended = apply_diff(taskset.buggy_tree(taskset.tasks[0]), attempt.raw_patch)["solution.py"].decode()
    assert mended == MEAN
    assert attempt.parameters["tried"] and attempt.parameters["operator"]
    assert attempt.cpu_seconds is not None and attempt.cpu_seconds > 0


def test_the_patch_depends_on_nothing_that_tells_how_the_defect_was_made(lab: Lab, bench: Bench) -> None:
    """The same patch and the same number of candidates, with the defect's record and every other trace falsified."""
    lies = Provenance(source="unknown")
    for number, (good, buggy) in enumerate(CHANGES[:2]):
        task, tree = lab.make_task(f"lab/{number}", MEAN, MEAN.replace(good, buggy), MEAN_TESTS)
        bad_tree = tree.replace({"solution.py": MEAN.replace(good, buggy).encode()})
        told = task.model_copy(
            update={
                "defect": task.defect.model_copy(
                    update={
                        "origin": "operator",
                        "operator": "comparison-swapped",
                        "family": "operator",
                        "function": "mean",
                        "span": Span(start_line=1, start_column=0, end_line=1, end_column=5),
                    }
                ),
                "difficulty": Difficulty(grade="easy", score=0.0),
                "tags": ("trap",),
            }
        )
        # Nothing is known here but the buggy tree, as if it were good: the right answer is nowhere in the task set.
        blank = task.model_copy(
            update={
                "snapshot": bad_tree.digest,
                "defect": Defect(origin="import", files=(), diff=""),
                "reference": "",
                "provenance": lies,
                "subject": "",
            }
        )
        attempts = []
        for name, variant in [("told", told), ("blank", blank)]:
            taskset = lab.taskset([(variant, tree if name == "told" else bad_tree)], f"{name}{number}")
            attempts.append(lab.attempt(taskset, make_strategy("search", candidates=300), open_engine=bench.open))
        assert attempts[0].raw_patch is not None
        assert attempts[0].raw_patch == attempts[1].raw_patch
        assert attempts[0].parameters == attempts[1].parameters


SPREAD = """\
def spread(values):
    low = high = values[0]
    for value in values:
        if value < low:
            low = value
        if value > high:
            high = value
    return high - low
"""
SPREAD_TESTS = ["assert spread([3, 1, 2]) == 2", "assert spread([5]) == 0", "assert spread([1, 9]) == 8"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_edits_together_are_found_where_one_is_not_enough(lab: Lab, bench: Bench) -> None:
    buggy = SPREAD.replace("value < low", "value > low").replace("high - low", "low + high")
    taskset = lab.taskset([lab.make_task("lab/0", SPREAD, buggy, SPREAD_TESTS)])
    attempt = lab.attempt(taskset, make_strategy("search", seconds=60.0), open_engine=bench.open)
    assert attempt.raw_patch is not None and " + " in str(attempt.parameters["operator"])
    mended = apply_diff(taskset.buggy_tree(taskset.tasks[0]), attempt.raw_patch)
    engine = bench.open(mended, taskset.tasks[0].harness, Limits())
    assert not engine.run({}, RunOptions(fresh=True)).failing()
    engine.close()


def test_the_same_candidates_give_the_same_patch_under_any_formula_that_points_there(lab: Lab, bench: Bench) -> None:
    taskset = lab.taskset([lab.make_task("lab/0", SPREAD, SPREAD.replace("high - low", "high + low"), SPREAD_TESTS)])
    attempts = [
        lab.attempt(taskset, make_strategy("search", candidates=400, formula=formula), open_engine=bench.open)
        for formula in ("ochiai", "ochiai", "tarantula", "dstar", "op2")
    ]
    assert attempts[0].parameters == attempts[1].parameters
    assert attempts[0].raw_patch is not None and len({attempt.raw_patch for attempt in attempts}) == 1


def test_examples_of_the_statement_choose_among_patches_that_pass(lab: Lab, bench: Bench) -> None:
    """The one test lets several patches through; what the statement says tells which is meant."""
    good = "def reach(n, step):\n    return n + step\n"
    patches = []
    for example in (">>> reach(5, 1)\n6", ">>> reach(5, 1)\n5"):
        task, tree = lab.make_task("lab/0", good, good.replace("n + step", "n // step"), ["assert reach(2, 2) == 4"])
        told = task.model_copy(update={"statement": f"Mend it.\n{example}"})
        taskset = lab.taskset([(told, tree)], f"set{len(patches)}")
        attempt = lab.attempt(taskset, make_strategy("search", candidates=800), open_engine=bench.open)
        assert attempt.raw_patch is not None and int(str(attempt.parameters["plausible"])) > 1
        patches.append(apply_diff(taskset.buggy_tree(told), attempt.raw_patch)["solution.py"].decode())
    names = [{}, {}]
    for patch, name in zip(patches, names, strict=True):
        exec(patch, name)
    assert [name["reach"](5, 1) for name in names] == [6, 5]


def test_what_is_left_out_is_not_used_and_must_be_known(lab: Lab, bench: Bench) -> None:
    taskset = lab.taskset([lab.make_task("lab/0", SPREAD, SPREAD.replace("high - low", "high + low"), SPREAD_TESTS)])
    every = lab.attempt(taskset, make_strategy("search", candidates=400), open_engine=bench.open)
    without = ",".join(["operator", *{str(every.parameters["operator"])}])
    less = lab.attempt(taskset, make_strategy("search", candidates=400, without=without), open_engine=bench.open)
    assert less.parameters["operator"] != every.parameters["operator"]
    assert make_strategy("search", without=without).parameters["without"] == without
    with pytest.raises(InputError, match="no operator, family or template 'negate'"):
        make_strategy("search", without="negate")


def test_the_best_patch_so_far_survives_a_stop(lab: Lab) -> None:
    """The user stops when the first patch has been found, long before the search would have looked at all others."""
    taskset = lab.taskset([lab.make_task("lab/0", SPREAD, SPREAD.replace("high - low", "high + low"), SPREAD_TESTS)])
    chosen = make_strategy("search")
    repairer = lab.repairer(make_config(taskset, chosen), taskset, chosen)

    class Stopping(type(lab.open_engine(taskset.good_tree(taskset.tasks[0]), taskset.tasks[0].harness, Limits()))):
        def run(self, changes, options=None):
            told = super().run(changes, options)
            if not told.failing() and len(told.results) == len(SPREAD_TESTS):
                repairer.stopping.set()
            return told

    repairer._open_engine = Stopping
    attempt = repairer.attempt(taskset.tasks[0], 0)
    assert attempt.stop_reason == "stopped: the best so far"
    assert b"high - low" in apply_diff(taskset.buggy_tree(taskset.tasks[0]), attempt.raw_patch or "")["solution.py"]


def test_held_out_tests_are_never_run(lab: Lab) -> None:
    task, tree = lab.make_task("lab/0", MEAN, MEAN.replace("total = 0", "total = 1"), MEAN_TESTS, ("t0", "t2"))
    lab.attempt(lab.taskset([(task, tree)]), make_strategy("search", candidates=100))
    assert all(engine.closed for engine in lab.opened)
    assert {test for engine in lab.opened for asked in engine.asked for test in asked} == {"t1", "t3"}


def test_without_a_visible_failing_test_there_is_nothing_to_search_by(lab: Lab) -> None:
    task, tree = lab.make_task(
        "lab/0", MEAN, MEAN.replace("if not values", "if values"), MEAN_TESTS, ("t0", "t1", "t2", "t3")
    )
    attempt = lab.attempt(lab.taskset([(task, tree)]), make_strategy("search"))
    assert (attempt.raw_patch, attempt.stop_reason) == (None, "no visible test fails")


def test_the_budgets_end_the_search(lab: Lab) -> None:
    hopeless = ["assert mean([1, 2]) == 'nothing of the kind'"]
    taskset = lab.taskset([lab.make_task("lab/0", MEAN, MEAN.replace("total = 0", "total = 1"), hopeless)])
    few = lab.attempt(taskset, make_strategy("search", candidates=7))
    assert (few.raw_patch, few.stop_reason, few.parameters["tried"]) == (None, "budget: candidates", 7)
    short = lab.attempt(taskset, make_strategy("search", seconds=0.2))
    assert (short.raw_patch, short.stop_reason) == (None, "budget: seconds")
    assert short.cpu_seconds is not None and 0.2 <= short.cpu_seconds < 2


def test_a_file_that_does_not_parse_or_may_not_change_gives_no_candidates(lab: Lab) -> None:
    task, tree = lab.make_task("lab/0", MEAN, MEAN.replace("if not values:", "if not values"), MEAN_TESTS)
    attempt = lab.attempt(lab.taskset([(task, tree)], "broken"), make_strategy("search"))
    assert (attempt.stop_reason, attempt.parameters["tried"]) == ("exhausted", 0)
    task, tree = lab.make_task("lab/0", MEAN, MEAN.replace("total = 0", "total = 1"), MEAN_TESTS)
    shut = task.model_copy(update={"editable": ("other.py",)})
    attempt = lab.attempt(lab.taskset([(shut, tree)], "shut"), make_strategy("search"))
    assert (attempt.stop_reason, attempt.parameters["tried"]) == ("exhausted", 0)


@pytest.mark.slow
def test_a_program_that_never_ends_is_mended(lab: Lab, bench: Bench) -> None:
    good = "def halves(n):\n    count = 0\n    while n > 1:\n        n //= 2\n        count += 1\n    return count\n"
    tests = ["assert halves(8) == 3", "assert halves(1) == 0"]
    taskset = lab.taskset([lab.make_task("lab/0", good, good.replace("n //= 2", "n //= 1"), tests)])
    attempt = lab.attempt(taskset, make_strategy("search"), open_engine=bench.open)
    assert attempt.raw_patch is not None
    assert b"n //= 2" in apply_diff(taskset.buggy_tree(taskset.tasks[0]), attempt.raw_patch)["solution.py"]


PRICES = b"""\
def with_tax(price, rate):
    return price * (1 + rate)


def unused(x):
    return x + 1
"""
CART = b"""\
from prices import with_tax


def total(items):
    return sum(with_tax(item, 0.5) for item in items)
"""
TEST_CART = b"""\
from cart import total


def test_two():
    assert total([2, 40]) == 63


def test_none():
    assert total([]) == 0
"""


def shop() -> tuple[Task, FileTree, FileTree]:
    """Two modules and a pytest suite: the defect is in the module that the test does not name."""
    good = FileTree({"prices.py": PRICES, "cart.py": CART, "test_cart.py": TEST_CART})
    buggy = good.replace({"prices.py": good["prices.py"].replace(b"price * (1", b"price / (1")})
    task = Task(
        id="shop/0",
        subject="shop",
        snapshot=good.digest,
        defect=Defect(origin="import", files=("prices.py",), diff=make_diff(good, buggy)),
        statement="The total is wrong.",
        editable=("cart.py", "prices.py"),
        harness=PytestHarness(test_files=("test_cart.py",)),
        fail_to_pass=("test_cart.py::test_two",),
        pass_to_pass=("test_cart.py::test_none",),
        reference=make_diff(buggy, good),
        provenance=Provenance(source="written for this test"),
    )
    return task, good, buggy


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_project_is_mended_whatever_is_said_of_how_its_defect_was_made(lab: Lab, bench: Bench) -> None:
    """And nothing of the good tree is needed: one of the task sets has the buggy one in its place."""
    task, good, buggy = shop()
    chosen = make_strategy("search", seconds=60.0, candidates=200)
    nowhere = Defect(origin="import", files=(), diff="")
    blank = task.model_copy(update={"snapshot": buggy.digest, "defect": nowhere, "reference": "", "subject": ""})
    told, untold = (
        lab.attempt(lab.taskset([(each, tree)], name), chosen, open_engine=bench.open)
        for each, tree, name in [(task, good, "told"), (blank, buggy, "blank")]
    )
    assert told.raw_patch == untold.raw_patch == task.reference
    assert told.parameters == untold.parameters
    engine = bench.open(good, task.harness, Limits())
    assert not engine.run(good.changed(apply_diff(buggy, told.raw_patch)), RunOptions(fresh=True)).failing()
    engine.close()
