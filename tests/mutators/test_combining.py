"""Defects of several mutants: each harder to detect than its parts, and none of its parts idle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from mendlab.corpora.diffs import apply_diff
from mendlab.errors import InputError
from mendlab.mutators.injecting.inject import Choice, check, inject
from mendlab.records import TestOutcome
from mendlab.verify.detection.baseline import CLEAN_LIMITS

INSIDE = """def inside(x, low, high):
    if x < low:
        return False
    if x > high:
        return False
    return True
"""
DISCOUNT = """def discount(price, count):
    rate = 0
    if count > 2:
        rate = 10
    if price > 100:
        rate = rate + 5
    return price - price * rate / 100
"""
PROBLEMS = [
    ("C/0", INSIDE, [f"candidate({x}, 2, 6) == {2 <= x <= 6}" for x in range(10)]),
    (
        "C/1",
        DISCOUNT,
        [
            f"candidate({p}, {c}) == {p - p * ((10 if c > 2 else 0) + (5 if p > 100 else 0)) / 100}"
            for p in (50, 100, 200)
            for c in (1, 2, 3, 9)
        ],
    ),
]
OPERATORS = ("comparison-swapped", "boolean-flipped", "arithmetic-swapped", "number-off-by-one", "statement-deleted")
PAIRS = Choice(operators=OPERATORS, orders=(2,), limit=4, seed=2)
MIXED = Choice(operators=OPERATORS, orders=(1, 2, 3), limit=3, seed=1)


@pytest.fixture(scope="module")
def subjects(module_shapes):
    return module_shapes.subjects([module_shapes.problem(*row) for row in PROBLEMS])


@pytest.fixture(scope="module")
def run(module_shapes, subjects):
    known = {}

    def run(choice, workers=2):
        if (choice, workers) not in known:
            with module_shapes.building(f"combined{len(known)}") as building:
                bench = module_shapes.bench
                known[choice, workers] = inject(
                    subjects, choice, bench, building, workers=workers, progress=lambda *_: None
                )
                run.tried[choice] = len(building.detections)
                building.finish()
        return known[choice, workers]

    run.tried = {}
    return run


def failing(bench, loaded, buggy):
    engine = bench.open(loaded.tree, loaded.subject.harness, CLEAN_LIMITS)
    try:
        results = engine.run(loaded.tree.changed(buggy)).results
    finally:
        engine.close()
    return {result.test_id for result in results if result.outcome is not TestOutcome.PASSED}


def parts_alone(task, loaded):
    """The tree with each part of a defect alone."""
    lines = loaded.tree["solution.py"].decode().splitlines(keepends=True)
    buggy = apply_diff(loaded.tree, task.defect.diff)["solution.py"].decode().splitlines(keepends=True)
    for part in task.defect.parts:
        first, last = part.span.start_line - 1, part.span.end_line
        yield loaded.tree.replace(
            {"solution.py": "".join([*lines[:first], *buggy[first:last], *lines[last:]]).encode()}
        )


def test_fewer_tests_detect_a_pair_than_each_of_its_parts(run, subjects, module_shapes):
    made = run(PAIRS)
    loaded_by_id = {loaded.subject.id: loaded for loaded in subjects}
    assert len(made.tasks) == 4
    for task in made.tasks:
        loaded = loaded_by_id[task.subject]
        assert len(task.defect.parts) == 2
        assert all(part.killers > len(task.fail_to_pass) for part in task.defect.parts)
        assert set(task.fail_to_pass) == failing(module_shapes.bench, loaded, apply_diff(loaded.tree, task.defect.diff))
        assert apply_diff(apply_diff(loaded.tree, task.defect.diff), task.reference) == loaded.tree


def test_the_parts_alone_are_detected_by_as_many_tests_as_is_said(run, subjects, module_shapes):
    loaded_by_id = {loaded.subject.id: loaded for loaded in subjects}
    checked = 0
    for task in run(PAIRS).tasks:
        loaded = loaded_by_id[task.subject]
        one, other = (part.span for part in task.defect.parts)
        same_length = task.defect.diff.count("\n-") == task.defect.diff.count("\n+")
        if not same_length or one.end_line >= other.start_line:
            continue
        alone = [failing(module_shapes.bench, loaded, buggy) for buggy in parts_alone(task, loaded)]
        assert [len(tests) for tests in alone] == [part.killers for part in task.defect.parts]
        assert ("strongly-subsuming" in task.tags) == all(set(task.fail_to_pass) <= tests for tests in alone)
        checked += 1
    assert checked >= 2


def test_the_record_names_the_parts(run):
    for task in run(PAIRS).tasks:
        defect = task.defect
        assert defect.operator == " + ".join(part.operator for part in defect.parts)
        assert defect.family == "higher-order"
        assert defect.files == ("solution.py",)
        assert defect.function == defect.parts[0].function == defect.parts[1].function
        assert defect.span.start_line == min(part.span.start_line for part in defect.parts)
        assert "order-2" in task.tags
        assert "multi-file" not in task.tags
        assert task.id.startswith(f"{task.subject}.order-2.")


@pytest.mark.slow
def test_orders_can_be_mixed(run):
    made = run(MIXED)
    orders = Counter(len(task.defect.parts) or 1 for task in made.tasks)
    assert len(made.tasks) == 3
    assert orders[1]
    assert orders[2]
    for task in made.tasks:
        assert all(part.killers > len(task.fail_to_pass) for part in task.defect.parts)


@pytest.mark.slow
def test_what_was_tried_is_a_task_or_counted_by_its_reason(run):
    made = run(MIXED)
    untried = sum(made.dropped.get(reason, 0) for reason in ("equal_code", "does_not_compile"))
    assert len(made.tasks) + sum(made.dropped.values()) == run.tried[MIXED] + untried


def test_the_workers_make_no_difference(run):
    assert run(PAIRS, workers=1) == run(PAIRS)


def test_the_runs_are_bounded(module_shapes, subjects):
    with module_shapes.building("bounded") as building:
        choice = Choice(operators=OPERATORS, orders=(2,), limit=2, tries=20, seed=1)
        inject(subjects, choice, module_shapes.bench, building, workers=2, progress=lambda *_: None)
        examined = len(building.detections)
        building.finish()
    assert examined == 40


def test_what_cannot_be_met_is_refused(subjects):
    for choice, why in (
        (Choice(orders=(2,)), "too many"),
        (Choice(prefer="hard"), "can be preferred only"),
        (Choice(across="files", limit=1), "one part"),
        (Choice(across="files", orders=(2,), limit=1), "second source file"),
    ):
        with pytest.raises(InputError, match=why):
            check(choice, subjects)


PROJECT = {
    "rates.py": "def rate(count):\n    if count > 3:\n        return 10\n    return 2\n",
    "shop.py": "from rates import rate\n\n\ndef bill(price, count):\n    return price - rate(count)\n",
    "test_shop.py": """import pytest
from shop import bill


@pytest.mark.parametrize("price", [20, 50])
@pytest.mark.parametrize("count", range(10))
def test_bill(price, count):
    assert bill(price, count) == price - (10 if count > 3 else 2)
""",
}
COMPENSATING = "number-replaced,arithmetic-swapped"
"""A rate that is negative by one mistake and added by another is right again."""
ACROSS = ["--order", "2", "--across", "files", "--limit", "1", "--tries", "100", "--operators", COMPENSATING]


@pytest.mark.slow
def test_parts_in_two_files_and_a_kill_in_between(shapes):
    """A project's functions call each other over files; killed twice and resumed, the set is the same to the byte."""
    project = shapes.project(PROJECT)

    def command(out):
        return [sys.executable, "-m", "mendlab", "inject", str(project), "--out", str(out), *ACROSS]

    whole, stopped = shapes.folder / "whole", shapes.folder / "stopped"
    subprocess.run(command(whole), check=True, capture_output=True)
    journal = shapes.folder / "stopped.building" / "examined.jsonl"
    for lines in (3, 12):
        process = subprocess.Popen(
            command(stopped), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while not journal.exists() or journal.read_bytes().count(b"\n") < lines:
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command(stopped), check=True, capture_output=True)
    there = {path.relative_to(whole): path.read_bytes() for path in whole.rglob("*") if path.is_file()}
    again = {path.relative_to(stopped): path.read_bytes() for path in stopped.rglob("*") if path.is_file()}
    names = {path for path in there if path.name != "manifest.json"}
    assert names
    assert {path: again[path] for path in names} == {path: there[path] for path in names}
    text = there[next(path for path in names if path.name == "tasks.jsonl")].decode()
    assert '"files":["rates.py","shop.py"]' in text
    assert "multi-file" in text
