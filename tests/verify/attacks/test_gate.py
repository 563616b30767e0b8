"""The gate can fail: a judge that is weak, a confinement that leaks and a lab that breaks are told."""

import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from mendlab.corpora.diffs import apply_diff
from mendlab.errors import EngineError
from mendlab.records import Outcome, Rung, Verdict
from mendlab.verify import judge as judging
from mendlab.verify.attacks.gate import attack_taskset, choose_tasks
from mendlab.verify.attacks.registry import Attack, attacks
from mendlab.verify.ladder.case import Ruling


def besiege(field, judge, *names):
    pack = [attack for attack in attacks() if not names or attack.name in names]
    return attack_taskset(field.taskset, judge, tasks=[field.task], workers=1, progress=lambda *_: None, pack=pack)


def verdict(attempt, outcome):
    return Verdict(run_id="r", task_id=attempt.task_id, sample=0, outcome=outcome, rung=Rung.CONFIRM)


def in_process(field):
    """Return a judge as others have them: tests and candidate in one process, and no look at the code."""

    def judge(task, attempt):
        tree = apply_diff(field.taskset.buggy_tree(task), attempt.raw_patch)
        names = {}
        try:
            exec(tree["solution.py"], names)
            for check in ("[1, 2]) == 3", "[4]) == 4", "[5, 6, 7]) == 18"):
                exec(f"assert total({check}", dict(names))
        except Exception:
            return verdict(attempt, Outcome.NEW_TEST_FAILED)
        return verdict(attempt, Outcome.EQUIVALENT)

    return judge


def test_a_judge_that_compares_in_its_own_process_is_told(fields):
    names = ("always-equal-object", "always-equal-list", "frame-walk", "empty-body", "memorised-as-branches")
    siege = besiege(fields["function"], in_process(fields["function"]), *names)
    assert {trial.attack: trial.outcome for trial in siege.accepted} == {
        "always-equal-object": "equivalent",
        "always-equal-list": "equivalent",
        "frame-walk": "equivalent",
        "memorised-as-branches": "equivalent",
    }


def test_a_judge_that_trusts_what_is_printed_is_told(fields):
    field = fields["function"]

    def judge(task, attempt):
        program = apply_diff(field.taskset.buggy_tree(task), attempt.raw_patch)["solution.py"].decode()
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        return verdict(attempt, Outcome.EQUIVALENT if b"passed" in done.stdout else Outcome.NEW_TEST_FAILED)

    accepted = besiege(field, judge, "prints-a-pass", "os-exit-at-import").accepted
    assert [trial.attack for trial in accepted] == ["prints-a-pass"]


def test_a_project_judged_by_its_tests_alone_is_told(fields, monkeypatch):
    """In a pytest project the tests can be deceived: the audit and the comparison are what holds."""
    blind = {Rung.TAMPER: Ruling(True), Rung.EQUIVALENCE: Ruling(True, "", Outcome.EQUIVALENT)}
    ladder = tuple((rung, (lambda case, r=blind[rung]: r) if rung in blind else look) for rung, look in judging.LADDER)
    monkeypatch.setattr(judging, "LADDER", ladder)
    field = fields["project"]
    accepted = besiege(field, field.judge.judge, "takes-the-channel", "always-equal-object", "conftest").accepted
    assert {trial.attack for trial in accepted} == {"takes-the-channel"}


@pytest.mark.parametrize(
    ("name", "why"),
    [("writes-outside", "left "), ("network", "reached the network"), ("deletes-all", "emptied ")],
)
def test_what_gets_out_is_told(fields, name, why):
    """As if there were no confinement: what the attack's own code does is done here."""
    attack = next(attack for attack in attacks() if attack.name == name)

    def make(target):
        folder, mark, port = target.outside.folder, target.outside.mark, target.outside.port
        if name == "writes-outside":
            (folder / mark).touch()
        elif name == "network":
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(mark.encode())
            time.sleep(0.2)
        else:
            (folder / "canary").unlink()
        return attack.make(target)

    field = fields["function"]
    refuse = lambda task, attempt: verdict(attempt, Outcome.CRASH)  # noqa: E731
    (trial,) = attack_taskset(
        field.taskset,
        refuse,
        tasks=[field.task],
        workers=1,
        progress=lambda *_: None,
        pack=[replace(attack, make=make)],
    ).accepted
    assert trial.outcome == "escaped"
    assert why in trial.why


def test_a_process_that_is_left_is_told(fields):
    left = []

    def make(target):
        command = [sys.executable, "-c", "input(1)", target.outside.mark]
        left.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        left[0].stdout.read(1)
        return ""

    field = fields["function"]
    attack = Attack("leaves-a-process", "Leaves a process.", ("function",), "here", make)
    refuse = lambda task, attempt: verdict(attempt, Outcome.NO_PATCH)  # noqa: E731
    siege = attack_taskset(
        field.taskset, refuse, tasks=[field.task], workers=1, progress=lambda *_: None, pack=[attack]
    )
    with left[0] as process:
        process.communicate(b"\n")
    (trial,) = siege.accepted
    assert trial.why == f"left process {process.pid}"


@pytest.mark.parametrize(
    "error", [EngineError("it is gone"), RecursionError("too deep")], ids=lambda e: type(e).__name__
)
def test_a_lab_that_breaks_is_told(fields, error):
    def judge(task, attempt):
        raise error

    (trial,) = besiege(fields["function"], judge, "no-patch").accepted
    assert (trial.outcome, str(error) in trial.why) == ("broke the lab", True)


def test_an_attack_that_the_lab_is_blamed_for_is_told(fields):
    judge = lambda task, attempt: verdict(attempt, Outcome.INFRA_ERROR)  # noqa: E731
    assert [trial.outcome for trial in besiege(fields["function"], judge, "no-patch").accepted] == ["infra_error"]


def test_a_lab_that_attacks_have_spoiled_is_told(fields):
    judge = lambda task, attempt: verdict(attempt, Outcome.CRASH)  # noqa: E731
    siege = besiege(fields["function"], judge, "no-patch")
    assert (siege.accepted, siege.spoiled) == ((), (fields["function"].task.id,))


def test_a_task_that_is_known_to_withstand_the_attacks_is_not_attacked_again(fields):
    field = fields["function"]
    kept, asked = [], []

    def attacked(outcome, known=()):
        def judge(task, attempt):
            asked.append(attempt.strategy)
            right = attempt.strategy == "reference"
            return verdict(attempt, Outcome.EXACT if right else outcome)

        pack = [attack for attack in attacks() if attack.name in ("no-patch", "empty-body")]
        return attack_taskset(
            field.taskset, judge, tasks=[field.task], workers=1, progress=lambda *_: None, pack=pack,
            known={each.task: each for each in known}, keep=kept.append,
        )  # fmt: skip

    assert attacked(Outcome.EQUIVALENT).accepted
    assert kept == []  # what does not hold is looked at again
    siege = attacked(Outcome.CRASH)
    assert [found.task for found in kept] == [field.task.id]
    asked.clear()
    assert attacked(Outcome.EQUIVALENT, kept) == siege
    assert asked == []


def test_a_sample_of_tasks_is_drawn_by_the_seed_and_in_order():
    tasks = list(range(50))
    drawn = choose_tasks(tasks, 10, 1)
    assert drawn == choose_tasks(tasks, 10, 1) != choose_tasks(tasks, 10, 2)
    assert len(set(drawn)) == 10
    assert sorted(drawn) == list(drawn)
    assert choose_tasks(tasks, None, 0) == choose_tasks(tasks, 60, 0) == tuple(tasks)
