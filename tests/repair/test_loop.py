"""The loop does each sample once, whatever is thrown at it, and picks up where it was killed."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.errors import EngineError, FormatError, InputError, OutputError
from mendlab.records import Attempt, Limits, Outcome, RunConfig, Task, Verdict
from mendlab.repair.context import RepairContext
from mendlab.repair.loop import SampleDone, repair_all
from mendlab.repair.runs import Run, make_config
from mendlab.repair.strategy import ChosenStrategy, Proposal, make_strategy

if TYPE_CHECKING:
    from conftest import Lab


class Told:
    """A strategy that does what it is told."""

    def __init__(self, propose: Callable[[RepairContext], Proposal]) -> None:
        self.propose = propose


def told(propose: Callable[[RepairContext], Proposal]) -> ChosenStrategy:
    return ChosenStrategy("told", {}, False, Told(propose))


def go(lab: Lab, taskset: TaskSet, chosen: ChosenStrategy, name: str = "run", **settings: Any) -> Run:
    config = make_config(taskset, chosen, samples=settings.pop("samples", 1))
    judge = settings.pop("judge", lab.judge_with(taskset))
    with Run.begin(lab.directory / name, config) as run:
        repair_all(run, taskset.tasks, lab.repairer(config, taskset, chosen), judge, **settings)
    return Run.open(lab.directory / name)


def timeless(run: Run) -> list[dict[str, Any]]:
    timings = {"wall_seconds", "cpu_seconds"}
    return [record.model_dump(exclude=timings) for record in [*run.attempts(), *run.verdicts()]]


def test_every_sample_of_every_task_is_attempted_and_judged(lab: Lab) -> None:
    taskset = lab.taskset()
    seen: list[SampleDone] = []
    run = go(lab, taskset, make_strategy("reference"), samples=2, workers=3, on_progress=seen.append)
    places = [(task.id, sample) for task in taskset.tasks for sample in range(2)]
    assert [(attempt.task_id, attempt.sample) for attempt in run.attempts()] == places
    assert [(verdict.task_id, verdict.sample) for verdict in run.verdicts()] == places
    assert {verdict.outcome for verdict in run.verdicts()} == {Outcome.EXACT}
    assert [(done.done, done.total) for done in seen] == [(number, 6) for number in range(1, 7)]
    assert run.pending(taskset.tasks) == []
    assert {verdict.outcome for verdict in go(lab, taskset, make_strategy("noop"), "noop").verdicts()} == {
        Outcome.NO_PATCH
    }


def test_the_number_of_workers_leaves_no_trace_in_the_files(lab: Lab) -> None:
    taskset = lab.taskset()

    def late(context: RepairContext) -> Proposal:
        time.sleep(0.05 if context.problem.task_id == "lab/0" else 0)
        return Proposal(None, str(context.random.random()))

    one, four = (
        go(lab, taskset, told(late), "one", samples=3),
        go(lab, taskset, told(late), "four", samples=3, workers=4),
    )
    assert timeless(one) == timeless(four)
    lines = (lab.directory / "four" / "attempts.jsonl").read_text().splitlines()
    order = [(json.loads(line)["task_id"], json.loads(line)["sample"]) for line in lines]
    assert order == [(task.id, sample) for task in taskset.tasks for sample in range(3)]


def test_chance_depends_on_the_seed_the_task_and_the_sample(lab: Lab) -> None:
    taskset = lab.taskset()
    drawn = told(lambda context: Proposal(None, str(context.random.random())))
    reasons = [attempt.stop_reason for attempt in go(lab, taskset, drawn, samples=2).attempts()]
    assert len(set(reasons)) == 6
    assert lab.attempt(taskset, drawn, seed=0).stop_reason == reasons[0]
    assert lab.attempt(taskset, drawn, seed=1).stop_reason not in reasons


def test_a_strategy_that_raises_leaves_an_attempt_and_the_run_goes_on(lab: Lab) -> None:
    taskset = lab.taskset()

    def fragile(context: RepairContext) -> Proposal:
        if context.problem.task_id == "lab/0":
            raise ZeroDivisionError("too\nmuch \ud800")
        if context.problem.task_id == "lab/1":
            raise EngineError("the engine broke", where="here")
        return Proposal("lone \ud800 surrogate", "given")

    judged: list[Attempt] = []

    def judge(task: Task, attempt: Attempt) -> Verdict:
        judged.append(attempt)
        return lab.judge_with(taskset)(task, attempt.model_copy(update={"raw_patch": None}))

    attempts = go(lab, taskset, told(fragile), judge=judge).attempts()
    assert [attempt.stop_reason for attempt in attempts] == [
        "error: ZeroDivisionError: too much ?",
        "infra error: here: the engine broke",
        "given",
    ]
    assert [attempt.raw_patch for attempt in attempts] == [None, None, "lone ? surrogate"]
    assert judged == attempts


def test_the_strategy_sees_neither_the_reference_nor_a_held_out_test(lab: Lab) -> None:
    tests = ["assert double(2) == 4", "assert double(3) == 6", "assert double(0) == 0"]
    pair = lab.make_task(
        "lab/0", "def double(x):\n    return x + x\n", "def double(x):\n    return x\n", tests, ("t1", "t2")
    )
    taskset = lab.taskset([pair])

    def look(context: RepairContext) -> Proposal:
        assert context.reference is None
        assert context.problem.visible == ("t0",)
        assert b"x + x" not in context.problem.tree["solution.py"]
        assert "double(3)" not in repr(context.problem) and "double(0)" not in repr(context.problem)
        with context.open_tests(Limits()) as visible:
            assert list(visible.run({}).outcomes()) == ["t0"]
            assert list(visible.run({}, ("t0", "t1")).outcomes()) == ["t0"]
            fixed = {"solution.py": b"def double(x):\n    return 2 * x\n"}
            assert not visible.run(fixed).failing()
        return Proposal(None, "looked")

    assert lab.attempt(taskset, told(look)).stop_reason == "looked"
    assert lab.opened[0].closed
    assert all(set(asked) <= {"t0"} for asked in lab.opened[0].asked)


def test_an_engine_that_breaks_is_replaced_once(lab: Lab) -> None:
    taskset = lab.taskset()

    def look(context: RepairContext) -> Proposal:
        with context.open_tests(Limits()) as tests:
            lab.opened[-1].breaks = 1
            assert tests.run({}).failing()
            assert len(lab.opened) == 2 and lab.opened[0].closed
            lab.opened[-1].breaks = lab.next_breaks = 1
            tests.run({})
        return Proposal(None, "not reached")

    assert lab.attempt(taskset, told(look)).stop_reason == "infra error: the engine broke"
    assert len(lab.opened) == 3 and all(engine.closed for engine in lab.opened)


def test_an_attempt_without_a_verdict_is_judged_and_not_made_again(lab: Lab) -> None:
    taskset = lab.taskset()
    made: list[str] = []

    def count(context: RepairContext) -> Proposal:
        made.append(context.problem.task_id)
        return Proposal(None, "counted")

    def broken(task: Task, attempt: Attempt) -> Verdict:
        raise EngineError("the judge is ill")

    with pytest.raises(EngineError):
        go(lab, taskset, told(count), judge=broken)
    before = len(made)
    assert before >= 1
    assert Run.open(lab.directory / "run").verdicts() == []
    assert len(go(lab, taskset, told(count)).verdicts()) == 3
    assert sorted(made) == ["lab/0", "lab/1", "lab/2"]


def test_stopping_cuts_attempts_short_and_records_nothing_of_them(lab: Lab) -> None:
    """As on Ctrl-C: the first sample is done, the others run tests without end."""
    taskset = lab.taskset()
    started = threading.Barrier(3)

    def endless(context: RepairContext) -> Proposal:
        if context.problem.task_id == "lab/0":
            return Proposal(None, "quick")
        started.wait()
        with context.open_tests(Limits()) as tests:
            while True:
                tests.run({})

    def interrupt(done: SampleDone) -> None:
        started.wait()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go(lab, taskset, told(endless), workers=3, on_progress=interrupt)
    assert all(engine.closed for engine in lab.opened)
    run = Run.open(lab.directory / "run")
    assert [attempt.task_id for attempt in run.attempts()] == ["lab/0"]
    rest = told(lambda context: Proposal(None, "quick"))
    assert [attempt.stop_reason for attempt in go(lab, taskset, rest).attempts()] == ["quick"] * 3


WORK = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from conftest import Lab
from mendlab.corpora.taskset import TaskSet
from mendlab.repair.loop import repair_all
from mendlab.repair.runs import Run, make_config
from mendlab.repair.strategy import ChosenStrategy, Proposal
from mendlab.records import Outcome, Rung, Verdict

class Logged:
    def propose(self, context):
        with open(sys.argv[2] + ".log", "a") as log:
            log.write(f"{{context.problem.task_id}} {{context.sample}}\\n")
        time.sleep(0.003)
        return Proposal("x" * context.random.randrange(3000), str(context.random.random()))

def judge(task, attempt):
    time.sleep(0.003)
    place = {{"run_id": attempt.run_id, "task_id": task.id, "sample": attempt.sample}}
    return Verdict(outcome=Outcome.MALFORMED_DIFF, rung=Rung.PARSE, **place)

taskset = TaskSet.open(Path(sys.argv[1]))
chosen = ChosenStrategy("logged", {{}}, False, Logged())
config = make_config(taskset, chosen, samples=60)
lab = Lab(Path(sys.argv[1]).parent)
with Run.begin(Path(sys.argv[2]), config) as run:
    repair_all(run, taskset.tasks, lab.repairer(config, taskset, chosen), judge, workers=2)
"""


@pytest.mark.timeout(120)
def test_a_run_killed_many_times_equals_one_made_in_one_go(lab: Lab) -> None:
    taskset = lab.taskset()
    command = [sys.executable, "-c", textwrap.dedent(WORK).format(tests=str(Path(__file__).parent)), str(taskset.path)]
    straight, killed = lab.directory / "straight", lab.directory / "killed"
    subprocess.run([*command, str(straight)], check=True)
    chance = random.Random(3)
    kills = 0
    for _ in range(5):
        worker = subprocess.Popen([*command, str(killed)])
        attempts = killed / "attempts.jsonl"
        size = attempts.stat().st_size if attempts.exists() else 0
        while worker.poll() is None and (not attempts.exists() or attempts.stat().st_size == size):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.1))
        if worker.poll() is None:
            worker.send_signal(signal.SIGKILL)
            kills += 1
        worker.wait()
    assert kills >= 3
    subprocess.run([*command, str(killed)], check=True)
    assert timeless(Run.open(killed)) == timeless(Run.open(straight))
    assert (killed / "run.json").read_bytes() == (straight / "run.json").read_bytes()
    assert {file.name for file in killed.iterdir()} == {"run.json", "attempts.jsonl", "verdicts.jsonl"}
    made = Path(f"{killed}.log").read_text().splitlines()
    assert len(set(made)) == 180
    assert len(made) - 180 <= 2 * kills, "only what was under way when it was killed is made again"


def test_a_run_with_another_configuration_is_refused_by_field(lab: Lab) -> None:
    taskset = lab.taskset()
    chosen = make_strategy("search")
    directory = lab.directory / "run"
    Run.begin(directory, make_config(taskset, chosen)).close()
    other_set = lab.taskset(
        [lab.make_task("x/0", "def f():\n    return 1\n", "def f():\n    return 2\n", ["assert f() == 1"])], "other"
    )

    def refused(config: RunConfig) -> str:
        with pytest.raises(InputError) as caught:
            Run.begin(directory, config)
        assert caught.value.where == str(directory / "run.json")
        assert caught.value.hint is not None and "name another folder" in caught.value.hint
        return caught.value.what

    assert "has samples 1, and this one would have 2" in refused(make_config(taskset, chosen, samples=2))
    assert "has seed 0, and this one would have 5" in refused(make_config(taskset, chosen, seed=5))
    assert 'has strategy "search"' in refused(make_config(taskset, make_strategy("noop")))
    assert "taskset_digest" in refused(make_config(other_set, chosen))
    faster = make_config(taskset, make_strategy("search", seconds=1))
    assert "has parameter seconds 20.0, and this one would have 1.0" in refused(faster)
    limited = make_config(taskset, chosen, parameters={"limit": 3})
    assert "has parameter limit none, and this one would have 3" in refused(limited)
    newer = make_config(taskset, chosen)
    newer = newer.model_copy(update={"tools": {**newer.tools, "mendlab": "9"}})
    assert 'version of mendlab "0.1.0", and this one would have "9"' in refused(newer)
    Run.begin(directory, make_config(taskset, chosen)).close()


def test_the_id_of_a_run_is_made_of_its_configuration(lab: Lab) -> None:
    taskset, chosen = lab.taskset(), make_strategy("search")
    ids = [make_config(taskset, chosen, seed=seed).run_id for seed in (0, 0, 1)]
    assert ids[0] == ids[1] != ids[2]
    assert ids[0].startswith("search-")


def test_a_folder_that_cannot_be_a_run_is_refused(lab: Lab) -> None:
    config = make_config(lab.taskset(), make_strategy("noop"))
    (lab.directory / "mine").mkdir()
    (lab.directory / "mine" / "notes.txt").write_text("")
    with pytest.raises(OutputError, match="not empty"):
        Run.begin(lab.directory / "mine", config)
    with pytest.raises(OutputError):
        Run.begin(lab.directory / "mine" / "notes.txt" / "run", config)
    with pytest.raises(InputError, match="not a run"):
        Run.open(lab.directory / "mine")
    first = Run.begin(lab.directory / "run", config)
    with pytest.raises(OutputError, match="being written by another run"):
        Run.begin(lab.directory / "run", config)
    first.close()
    Run.begin(lab.directory / "run", config).close()
    shutil.copytree(lab.directory / "run", lab.directory / "copy")
    (lab.directory / "copy" / "attempts.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match=r"attempts\.jsonl:1"):
        Run.open(lab.directory / "copy").attempts()
