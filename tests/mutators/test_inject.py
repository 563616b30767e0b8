"""From programs to tasks: the same ones whoever does the work, and none lost to a stop."""

from __future__ import annotations

import random
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.taskset import TaskSet
from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.injecting.inject import Choice, inject
from mendlab.records import Covered, DropReason
from mendlab.verify.code import fingerprint

CLAMP = """def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
MEAN = """def mean(numbers):
    total = 0
    for number in numbers:
        total += number
    return total / len(numbers)
"""
PROBLEMS = [
    (
        "T/0",
        CLAMP,
        ["candidate(1, 2, 3) == 2", "candidate(5, 2, 4) == 4", "candidate(3, 2, 4) == 3", "candidate(0, 0, 9) == 0"],
    ),
    ("T/1", MEAN, ["candidate([1, 2, 3]) == 2", "candidate([0]) == 0"]),
    ("T/2", "def wrong(x):\n    return x + 1\n", ["candidate(1) == 3"]),
]


@pytest.fixture(scope="module")
def subjects(module_shapes):
    return module_shapes.subjects([module_shapes.problem(*row) for row in PROBLEMS])


@dataclass
class Done:
    tasks: tuple
    dropped: dict
    examined: set
    tried: int


@pytest.fixture(scope="module")
def run(module_shapes, subjects):
    """Inject with a choice; told once for each choice and number of workers."""
    known = {}

    def run(choice, workers=2):
        if (choice, workers) not in known:
            with module_shapes.building(f"set{len(known)}") as building:
                made = inject(
                    subjects, choice, module_shapes.bench, building, workers=workers, progress=lambda *_: None
                )
                known[choice, workers] = Done(
                    made.tasks, made.dropped, set(building.baselines), len(building.detections)
                )
                building.finish()
        return known[choice, workers]

    return run


FEW = ("comparison-swapped", "name-misuse", "arithmetic-swapped")
WHOLE = Choice(operators=FEW)


def test_every_task_is_a_defect_that_its_tests_tell(run, subjects):
    trees = {loaded.subject.snapshot: loaded.tree for loaded in subjects}
    tasks = run(WHOLE).tasks
    assert {task.subject for task in tasks} == {"T/0", "T/1"}
    for task in tasks:
        good = trees[task.snapshot]
        buggy = apply_diff(good, task.defect.diff)
        assert buggy != good
        assert apply_diff(buggy, task.reference) == good
        assert task.fail_to_pass
        assert set(task.before) == set(task.fail_to_pass)
        assert task.defect.operator
        assert task.defect.function in ("clamp", "mean")
        assert task.id.startswith(f"{task.subject}.{task.defect.operator}.")
    assert len({task.id for task in tasks}) == len(tasks)


def test_what_the_tests_run_is_found_out_once(module_shapes, subjects):
    with module_shapes.building("covered") as building:
        building.add_covered(Covered(subject="T/0", lines={"": {}, "all": {}}))  # as if they ran nothing
        made = inject(subjects, WHOLE, module_shapes.bench, building, workers=2, progress=lambda *_: None)
        assert {task.subject for task in made.tasks} == {"T/1"}
        assert building.covered.keys() == {"T/0", "T/1"}
        building.finish()


def test_a_program_whose_tests_fail_gives_nothing(run):
    assert "T/2" in run(WHOLE).examined


def test_every_mutant_is_a_task_or_counted_by_its_reason(run, subjects):
    done = run(WHOLE)
    assert set(done.dropped) <= {reason.value for reason in DropReason}
    assert done.dropped.get("engine_error", 0) == 0
    usable = [loaded for loaded in subjects if loaded.subject.id != "T/2"]
    mutants = sum(
        1
        for loaded in usable
        for _ in enumerate_mutants(loaded.tree["solution.py"].decode(), operators=FEW, path=loaded.subject.id)
    )
    from_broken = sum(1 for _ in enumerate_mutants(PROBLEMS[2][1], operators=FEW, path="T/2"))
    counted = len(done.tasks) + sum(done.dropped.values())
    assert mutants <= counted <= mutants + from_broken


@pytest.mark.parametrize("more", [{}, {"prefer": "hard", "oversample": 4}, {"per_function": 2}])
def test_what_was_tried_is_a_task_or_counted_though_there_are_tasks_enough(run, more):
    done = run(Choice(operators=FEW, limit=3, seed=4, **more))
    untried = sum(done.dropped.get(reason, 0) for reason in ("equal_code", "does_not_compile"))
    assert len(done.tasks) + sum(done.dropped.values()) == done.tried + untried


def test_the_workers_make_no_difference(run):
    one, two = (
        run(Choice(operators=FEW, limit=5, seed=4), workers=1),
        run(Choice(operators=FEW, limit=5, seed=4), workers=2),
    )
    assert one.tasks == two.tasks
    assert one.dropped == two.dropped
    assert len(one.tasks) == 5


def buggy_code(task, subjects):
    (good,) = (loaded.tree for loaded in subjects if loaded.subject.snapshot == task.snapshot)
    return fingerprint(apply_diff(good, task.defect.diff)["solution.py"].decode())


def test_the_seed_chooses(run, subjects):
    first, other = run(Choice(operators=FEW, limit=5, seed=4)), run(Choice(operators=FEW, limit=5, seed=5))
    assert len(other.tasks) == 5
    assert [task.id for task in first.tasks] != [task.id for task in other.tasks]
    everything = {buggy_code(task, subjects) for task in run(WHOLE).tasks}
    assert {buggy_code(task, subjects) for task in (*first.tasks, *other.tasks)} <= everything


def test_no_function_has_more_than_asked_for(run):
    done = run(Choice(operators=FEW, per_function=2))
    counts = Counter((task.subject, task.defect.function) for task in done.tasks)
    assert set(counts.values()) == {2}
    assert len(counts) == 2


def median_killers(done):
    return statistics.median(
        len(task.fail_to_pass) / (len(task.fail_to_pass) + len(task.pass_to_pass)) for task in done.tasks
    )


def test_hard_defects_can_be_preferred(run):
    hard = run(Choice(operators=FEW, limit=5, seed=4, prefer="hard", oversample=4))
    assert len(hard.tasks) == 5
    assert median_killers(hard) < median_killers(run(WHOLE))
    assert hard.dropped["not_chosen"] >= 15


def test_a_smaller_set_of_preferred_defects_begins_a_larger(run):
    few, more = (run(Choice(operators=FEW, limit=limit, seed=4, prefer="hard", oversample=4)).tasks for limit in (3, 5))
    assert [task.id for task in few] == [task.id for task in more[:3]]


def test_operators_can_be_named(run):
    whole = Counter(task.defect.operator for task in run(WHOLE).tasks)
    assert set(whole) == set(FEW)
    done = run(Choice(operators=("arithmetic-swapped",)))
    assert Counter(task.defect.operator for task in done.tasks) == {"arithmetic-swapped": whole["arithmetic-swapped"]}


def test_some_tests_are_held_out_but_never_all_that_tell(run):
    for task in run(WHOLE).tasks:
        assert set(task.held_out) < {*task.fail_to_pass, *task.pass_to_pass}
        assert set(task.fail_to_pass) - set(task.held_out)


COMMAND = ["--seed", "3", "--limit", "8", "--workers", "2", "--operators", "operator,variable"]


def mendlab_inject(source: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "mendlab", "inject", f"humaneval:{source}", "--out", str(out), *COMMAND]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "options"), [(1, []), (2, ["--prefer", "spread", "--oversample", "2"])])
def test_killed_at_any_moment_and_resumed_it_is_the_same_to_the_byte(shapes, seed, options):
    source = shapes.rows([shapes.problem(*row) for row in PROBLEMS])
    command = [*mendlab_inject(source, shapes.folder / "a" / "tasks"), *options]
    subprocess.run(command, check=True, capture_output=True)
    whole = files(shapes.folder / "a" / "tasks")
    wanted = [task.model_dump() for task in TaskSet.open(shapes.folder / "a" / "tasks").tasks]
    assert len(wanted) == 8
    out = shapes.folder / "b" / "tasks"
    chance = random.Random(seed)
    kills = 0
    for attempt in range(40):
        process = subprocess.Popen(
            [*mendlab_inject(source, out), *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            _, said = process.communicate(timeout=chance.uniform(0.2, 0.7 + 0.3 * attempt))
            assert process.returncode == 0, said
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
    assert kills
    made = files(out)
    assert [task.model_dump() for task in TaskSet.open(out).tasks] == wanted
    assert made == whole
    assert sorted(path.name for path in out.parent.iterdir()) == ["tasks"]


@pytest.mark.slow
def test_other_settings_do_not_resume_and_say_which(shapes):
    source = shapes.rows([shapes.problem(*row) for row in PROBLEMS])
    out = shapes.folder / "tasks"
    process = subprocess.Popen(
        mendlab_inject(source, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while not (shapes.folder / "tasks.building" / "build.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    kept = files(shapes.folder / "tasks.building")
    other = [*mendlab_inject(source, out), "--seed", "4", "--per-function", "1"]
    done = subprocess.run(other, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"mendlab: {out}.building: was begun with other settings: per_function, seed (")
    assert files(shapes.folder / "tasks.building") == kept
