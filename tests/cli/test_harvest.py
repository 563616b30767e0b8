"""``mendlab harvest``: from a history to a task set that holds, and on from wherever it was stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mendlab.corpora.scripted_history import build_history
from mendlab.corpora.taskset import TaskSet

SOURCE = "def half(number):\n    return number // 2\n\n\ndef twice(number):\n    return number + number\n"
TESTS = "from shop import half, twice\n\n\ndef test_half():\n    assert half(4) == 2\n"
IN_TURN = "\n\ndef test_twice():\n    assert twice(3) == 6\n"
COMMITS = [
    ("Begin", {"shop.py": SOURCE.replace("number + number", "number * number"), "tests/test_shop.py": TESTS}),
    ("Fix twice, which squared (#3)", {
        "shop.py": SOURCE, "tests/test_shop.py": TESTS + IN_TURN, "CHANGES.md": "* twice\n",
    }),
    ("Fix half of odd numbers", {
        "shop.py": SOURCE.replace("number // 2", "number / 2"),
        "tests/test_shop.py": TESTS.replace("half(4) == 2", "half(5) == 2.5") + IN_TURN,
    }),
    ("Add thrice", {
        "shop.py": SOURCE.replace("number // 2", "number / 2") + "\n\ndef thrice(number):\n    return 3 * number\n",
        "tests/test_more.py": "from shop import thrice\n\n\ndef test_thrice():\n    assert thrice(2) == 6\n",
    }),
    ("Say more", {"README.md": "A shop.\n"}),
]  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, env=clean, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A repository with two bugs mended, and its commits by their subjects."""
    folder = tmp_path_factory.mktemp("histories") / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    for subject, files in COMMITS:
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", subject)
    return folder, {
        git(folder, "show", "-s", "--format=%s", sha): sha for sha in git(folder, "rev-list", "HEAD").split()
    }


def digest(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def harvested(mendlab, shop, tmp_path_factory):
    """The task set of that history, and what the command said."""
    out = tmp_path_factory.mktemp("harvested") / "bugs"
    said = mendlab("harvest", shop[0], "--out", out, "--python", sys.executable, "--json")
    assert said.code == 0, said
    steps = "making an environment|its tests|the suite before and after it"  # those that are over at once are not told
    assert re.search(rf"^[0-9a-f]{{9}}: ({steps})", said.err, re.MULTILINE), said.err
    return out, said.json


def test_a_fix_becomes_a_task_and_a_feature_does_not(shop, harvested):
    _, commits = shop
    out, said = harvested
    tasks = {task.mined.fix_commit: task for task in TaskSet.open(out).tasks}
    assert tasks.keys() == {commits["Fix twice, which squared (#3)"], commits["Fix half of odd numbers"]}
    assert (said["commits"], said["tasks"], said["labels"]) == (5, 2, {"bug": 2})
    assert (said["proved_by_tree_hash"], said["tests_from"]) == (2, {"commit": 2})
    assert said["dropped"] == {"no_bug": 1, "no_code": 1, "no_parent": 1}
    fell = {(each["commit"], each["stage"], each["reason"], each["detail"]) for each in said["commits_dropped"]}
    assert fell == {
        (commits["Add thrice"], "classify", "no_bug", "feature"),
        (commits["Say more"], "scan", "no_code", ""),
        (commits["Begin"], "scan", "no_parent", ""),
    }


def test_a_task_says_what_is_known_of_its_commit(shop, harvested):
    _, commits = shop
    taskset = TaskSet.open(harvested[0])
    fix = commits["Fix twice, which squared (#3)"]
    (task,) = [task for task in taskset.tasks if task.mined.fix_commit == fix]
    assert task.id == f"shop-{fix[:12]}"
    assert task.mined.base_commit == commits["Begin"]
    assert task.mined.repository == "shop"
    assert task.mined.references == ("#3",)
    assert task.mined.functions == ("shop.py::twice",)
    assert task.fail_to_pass == ("tests/test_shop.py::test_twice",)
    assert task.pass_to_pass == ("tests/test_shop.py::test_half",)
    assert task.mined.failures == {"tests/test_shop.py::test_twice": "assertion"}
    assert task.statement.startswith("Fix twice, which squared")
    assert "assert 9 == 6" in task.statement
    buggy, good = taskset.buggy_tree(task), taskset.good_tree(task)
    assert good["shop.py"].decode() == SOURCE
    assert buggy["shop.py"].decode() == SOURCE.replace("number + number", "number * number")
    assert buggy["tests/test_shop.py"] == good["tests/test_shop.py"]
    assert "CHANGES.md" not in buggy, "a change log tells the answer"


def test_the_patches_of_a_task_are_those_of_git(shop, harvested):
    folder, commits = shop
    out, _ = harvested
    fix = commits["Fix twice, which squared (#3)"]
    found = {path.name: path.read_bytes() for path in (out / "patches" / fix).iterdir()}
    shown = git(folder, "diff", "--binary", "--full-index", f"{fix}~", fix, "--", "shop.py")
    assert found["source.patch"].decode() == f"{shown}\n"
    assert found.keys() == {"source.patch", "tests.patch", "other.patch"}


def test_the_set_holds_and_its_bugs_can_be_repaired(mendlab, harvested, tmp_path):
    out, _ = harvested
    held = mendlab("check", out, "--json")
    assert (held.code, held.json["holds"]) == (0, True)
    mended = mendlab("repair", out, "--strategy", "reference", "--out", tmp_path / "run", "--json")
    assert mended.code == 0
    verdicts = [json.loads(line) for line in (tmp_path / "run" / "verdicts.jsonl").read_text().splitlines()]
    assert [verdict["outcome"] for verdict in verdicts] == ["exact", "exact"]


def test_what_is_no_bug_can_be_kept_and_is_marked(mendlab, shop, tmp_path):
    said = mendlab("harvest", shop[0], "--out", tmp_path / "all", "--python", sys.executable, "--all", "--json")
    assert said.json["labels"] == {"bug": 2, "feature": 1}
    (feature,) = [task for task in TaskSet.open(tmp_path / "all").tasks if "feature" in task.tags]
    assert feature.mined.functions == ("shop.py::thrice",)


def test_it_stops_at_the_limit_with_the_likeliest_first(mendlab, shop, tmp_path):
    said = mendlab("harvest", shop[0], "--out", tmp_path / "one", "--python", sys.executable, "--limit", 1, "--json")
    (task,) = TaskSet.open(tmp_path / "one").tasks
    assert said.json["tasks"] == 1
    assert task.mined.fix_commit == shop[1]["Fix twice, which squared (#3)"]


def test_the_same_command_again_has_nothing_to_do(mendlab, shop, harvested):
    out, _ = harvested
    before = digest(out)
    said = mendlab("harvest", shop[0], "--out", out, "--python", sys.executable)
    assert (said.code, "nothing is left to do" in said.err) == (0, True)
    assert digest(out) == before
    other = mendlab("harvest", shop[0], "--out", out, "--python", sys.executable, "--limit", 1)
    assert other.refusal().startswith(f"{out}: something is there already")


@pytest.mark.slow
def test_killed_and_resumed_it_makes_the_same_bytes(mendlab, shop, harvested, tmp_path):
    out, _ = harvested
    (tmp_path / "bugs").parent.mkdir(exist_ok=True)
    again = tmp_path / "bugs"
    as_of = json.loads((out / "manifest.json").read_text())["build"]["parameters"]["as_of"]
    options = ["harvest", str(shop[0]), "--out", str(again), "--python", sys.executable, "--workers", "1"]
    command = [sys.executable, "-m", "mendlab", *options, "--as-of", as_of]
    journal = tmp_path / "bugs.building" / "examined.jsonl"
    for lines in (1, 2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 200
        while not journal.exists() or journal.read_bytes().count(b"\n") < lines:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert mendlab(*options).code == 0
    assert digest(again) == digest(out)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--since", "yesterday"], "since 'yesterday' is no date"),
        (["--message", "("], "no regular expression"),
        (["--since", "2024-01-02", "--until", "2024-01-01"], "is not before until"),
        (["--as-of", "soon"], "--as-of 'soon' is no date"),
        (["--python", "/no/such/python"], "no such interpreter"),
    ],
)
def test_bad_options_are_told_in_one_line(mendlab, shop, tmp_path, options, what):
    assert what in mendlab("harvest", shop[0], "--out", tmp_path / "none", *options).refusal()
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_repository_is_told(mendlab, tmp_path):
    assert "is no git repository" in mendlab("harvest", tmp_path, "--out", tmp_path / "none").refusal()
    assert "there is no such folder" in mendlab("harvest", tmp_path / "absent", "--out", tmp_path / "none").refusal()
    assert list(tmp_path.iterdir()) == []


def test_a_history_without_bugs_gives_no_set(mendlab, shop, tmp_path):
    options = ["--message", "Say more", "--python", sys.executable, "--json"]
    said = mendlab("harvest", shop[0], "--out", tmp_path / "none", *options)
    assert (said.code, said.json["taskset"], said.json["tasks"]) == (1, None, 0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [["--until", "2000-01-01"], ["--paths", "nowhere"]])
def test_where_nothing_is_chosen_nothing_is_examined(mendlab, shop, tmp_path, options):
    said = mendlab("harvest", shop[0], "--out", tmp_path / "none", "--python", sys.executable, "--json", *options)
    assert (said.code, said.json["examined"], said.json["tasks"]) == (1, 0, 0)


def test_a_history_of_one_commit(mendlab, tmp_path):
    git(tmp_path, "init", "-q", "one")
    git(tmp_path / "one", "commit", "-qm", "Begin", "--allow-empty")
    said = mendlab("harvest", tmp_path / "one", "--out", tmp_path / "none", "--json")
    assert (said.code, said.json["dropped"]) == (1, {"no_parent": 1})


@pytest.mark.slow
def test_a_fix_without_a_test_is_told_by_a_later_one(mendlab, tmp_path):
    folder = tmp_path / "late"
    folder.mkdir()
    git(folder, "init", "-q")
    begun = SOURCE.replace("number + number", "number * number")
    for subject, path, text in (
        ("Begin", "shop.py", begun),
        ("Test half", "tests/test_shop.py", TESTS),
        ("Fix twice, which gave squares", "shop.py", SOURCE),
        ("Test twice", "tests/test_shop.py", TESTS + IN_TURN),
    ):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", subject)
    options = ("harvest", folder, "--python", sys.executable)
    said = mendlab(*options, "--out", tmp_path / "bugs", "--json")
    assert (said.json["tasks"], said.json["tests_from"]) == (1, {"later": 1})
    (task,) = TaskSet.open(tmp_path / "bugs").tasks
    assert task.mined.tests_commit == git(folder, "rev-parse", "HEAD")
    assert task.fail_to_pass == ("tests/test_shop.py::test_twice",)
    held = mendlab("check", tmp_path / "bugs", "--json")
    assert (held.code, held.json["holds"]) == (0, True)
    left = mendlab(*options, "--out", tmp_path / "own", "--own-tests-only", "--json")
    assert (left.code, left.json["dropped"]["no_tests"]) == (1, 1)


def test_another_date_is_another_command(mendlab, shop, harvested):
    said = mendlab("harvest", shop[0], "--out", harvested[0], "--python", sys.executable, "--as-of", "2024-01-01")
    assert said.refusal().startswith(f"{harvested[0]}: something is there already")


@pytest.mark.slow
def test_the_fixes_of_a_history_are_found_whatever_their_messages_say(mendlab, tmp_path):
    history = build_history("timesheet", tmp_path / "timesheet")
    out = tmp_path / "bugs"
    said = mendlab("harvest", history.path, "--out", out, "--python", sys.executable, "--json", timeout=900)
    found = {task.mined.fix_commit for task in TaskSet.open(out).tasks}
    assert {commit.sha for commit in history.fixes} <= found
    kinds = {commit.sha: commit.kind for commit in history.commits}
    assert sorted(kinds[sha] for sha in found if kinds[sha] != "fix") in ([], ["feature"], ["feature", "revert"])
    assert said.json["commits"] == len(history.commits)
