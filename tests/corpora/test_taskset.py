"""A task set says what it holds, can be held to it, and is there whole or not at all."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, OutputError
from mendlab.records import Defect, FunctionHarness, Manifest, Provenance, Step, StepGroup, Task

PROVENANCE = Provenance(source="written for this test", seed=3, tools={"mendlab": "0"})
HARNESS = FunctionHarness(groups=(StepGroup(steps=(Step(code="assert add(2, 3) == 5", test_id="add"),)),))


def good_tree(subject: int) -> FileTree:
    return FileTree({"solution.py": f"def add(a, b):\n    return a + b  # {subject}\n".encode(), "readme": b"\xff"})


def make_task(number: int, subject: int = 0) -> Task:
    good = good_tree(subject)
    buggy = good.replace({"solution.py": good["solution.py"].replace(b"a + b", b"a - b + %d" % number)})
    diff = make_diff(good, buggy)
    return Task(
        id=f"lab/{subject}/{number}",
        subject=f"lab/{subject}",
        snapshot=good.digest,
        defect=Defect(origin="operator", operator="sign", files=("solution.py",), diff=diff),
        statement="Add two numbers — é.",
        editable=("solution.py",),
        harness=HARNESS,
        fail_to_pass=("add",),
        pass_to_pass=(),
        reference=make_diff(buggy, good),
        provenance=PROVENANCE,
    )


WRITER = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_taskset import good_tree, make_task, write
subjects = range(40)
write(Path(sys.argv[1]), [make_task(0, subject) for subject in subjects], [good_tree(subject) for subject in subjects])
"""

TASKS = [make_task(number, subject) for subject in range(3) for number in range(12)]
TREES = [good_tree(subject) for subject in range(3)]


def write(directory: Path, tasks: list[Task] = TASKS, trees: list[FileTree] = TREES, name: str = "lab") -> TaskSet:
    return write_taskset(directory, tasks, trees, name=name, provenance=PROVENANCE, dropped={"survived": 2, "flaky": 1})


def content(directory: Path) -> dict[str, bytes]:
    return {str(file.relative_to(directory)): file.read_bytes() for file in directory.rglob("*") if file.is_file()}


def test_a_set_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write(tmp_path / "set")
    taskset = TaskSet.open(tmp_path / "set")
    assert sorted(taskset.tasks, key=str) == sorted(TASKS, key=str)
    assert taskset.manifest.tasks == 36
    assert taskset.manifest.snapshots == 3
    assert list(taskset.manifest.dropped.items()) == [("flaky", 1), ("survived", 2)]
    assert taskset.digest == hashlib.sha256((tmp_path / "set" / "manifest.json").read_bytes()).hexdigest()
    task = taskset.task("lab/2/7")
    assert taskset.good_tree(task) == good_tree(2)
    assert b"a - b + 7" in taskset.buggy_tree(task)["solution.py"]
    assert taskset.integrity() == []


def test_tasks_are_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    ids = [task.id for task in write(tmp_path / "set").tasks]
    assert ids == [f"lab/{subject}/{number}" for subject in range(3) for number in range(12)]


def test_the_bytes_do_not_depend_on_the_order_of_the_arguments(tmp_path: Path) -> None:
    write(tmp_path / "one")
    unused = FileTree({"other.py": b""})
    write(tmp_path / "two", random.Random(1).sample(TASKS, len(TASKS)), [unused, *reversed(TREES), TREES[0]])
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_the_canary_is_fixed_in_form_and_its_own_for_each_set(tmp_path: Path) -> None:
    sets = [write(tmp_path / "a"), write(tmp_path / "b", name="other"), write(tmp_path / "c", TASKS[:5])]
    canaries = {taskset.manifest.canary for taskset in sets}
    assert len(canaries) == 3
    for canary in canaries:
        assert canary.startswith("mendlab benchmark data, not for training corpora: canary GUID ")


def test_writing_the_same_set_again_is_no_error_and_another_is(tmp_path: Path) -> None:
    write(tmp_path / "set")
    before = content(tmp_path / "set")
    write(tmp_path / "set")
    with pytest.raises(OutputError, match="another task set is there"):
        write(tmp_path / "set", TASKS[:1])
    assert content(tmp_path) == {f"set/{name}": data for name, data in before.items()}


def test_a_folder_with_something_else_in_it_is_refused_and_an_empty_one_taken(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="not empty") as caught:
        write(tmp_path)
    assert caught.value.where == str(tmp_path)
    assert content(tmp_path) == {"notes.txt": b"mine"}
    assert not list(tmp_path.parent.glob(".*.partial"))
    (tmp_path / "empty").mkdir()
    assert write(tmp_path / "empty").integrity() == []


def test_a_place_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError) as caught:
        write(tmp_path / "file" / "set")
    assert caught.value.where == str(tmp_path / "file" / "set")


def test_what_makes_no_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two tasks have the id 'lab/0/0'"):
        write(tmp_path / "set", [TASKS[0], TASKS[1], TASKS[0]])
    with pytest.raises(InputError, match="of task 'lab/1/0' is not given"):
        write(tmp_path / "set", TASKS, [TREES[0], TREES[2]])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("top", ["", "lab-1/"])
def test_a_zipped_set_opens_as_the_folder_does(tmp_path: Path, top: str) -> None:
    folder = write(tmp_path / "set")
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content(tmp_path / "set").items():
            archive.writestr(top + name, data)
    zipped = TaskSet.open(tmp_path / "set.zip")
    assert zipped.digest == folder.digest
    assert zipped.tasks == folder.tasks
    assert zipped.buggy_tree(TASKS[0]) == folder.buggy_tree(TASKS[0])
    assert zipped.integrity() == []


def test_what_is_no_set_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip file")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    for path in [tmp_path, tmp_path / "absent", tmp_path / "text.zip", tmp_path / "empty.zip"]:
        with pytest.raises(InputError) as caught:
            TaskSet.open(path)
        assert caught.value.where == str(path)
    with pytest.raises(InputError, match="no task 'lab/9/9'"):
        write(tmp_path / "set").task("lab/9/9")


def test_a_line_that_is_cut_off_is_named(tmp_path: Path) -> None:
    write(tmp_path / "set")
    tasks = tmp_path / "set" / "tasks.jsonl"
    tasks.write_bytes(tasks.read_bytes()[:-40])
    with pytest.raises(FormatError) as caught:
        TaskSet.open(tmp_path / "set")
    assert caught.value.where == f"{tasks}:36"
    tasks.unlink()
    with pytest.raises(FormatError, match=r"tasks\.jsonl"):
        TaskSet.open(tmp_path / "set")


@pytest.mark.parametrize("change", [lambda text: b"", lambda text: text + text.splitlines(keepends=True)[0]])
def test_tasks_that_are_not_those_of_the_manifest_are_refused(tmp_path: Path, change) -> None:
    write(tmp_path / "set")
    tasks = tmp_path / "set" / "tasks.jsonl"
    tasks.write_bytes(change(tasks.read_bytes()))
    with pytest.raises(FormatError, match="its digest is another"):
        TaskSet.open(tmp_path / "set")


def test_a_manifest_of_another_version_says_so(tmp_path: Path) -> None:
    write(tmp_path / "set")
    manifest = tmp_path / "set" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"schema_version": 1', '"schema_version": 2'))
    with pytest.raises(FormatError, match="another version of mendlab"):
        TaskSet.open(tmp_path / "set")


def findings_after(tmp_path: Path, file: str, old: bytes, new: bytes) -> str:
    directory = tmp_path / "set"
    shutil.rmtree(directory, ignore_errors=True)
    write(directory)
    changed = (directory / file).read_bytes().replace(old, new, 1)
    assert changed != (directory / file).read_bytes()
    (directory / file).write_bytes(changed)
    return "\n".join(TaskSet.open(directory, damaged=True).integrity())


def test_integrity_names_what_does_not_hold(tmp_path: Path) -> None:
    assert "its digest is not the one" in findings_after(tmp_path, "tasks.jsonl", b"Add two", b"Mul two")
    assert "lab/0/0: the reference does not" in findings_after(tmp_path, "tasks.jsonl", b"+    return a + b", b"+    0")
    assert "lab/0/0" in findings_after(tmp_path, "tasks.jsonl", b"-    return a + b", b"-    return a * b")
    assert "2 tasks have this id" in findings_after(tmp_path, "tasks.jsonl", b"lab/0/0", b"lab/0/1")
    assert "no test tells" in findings_after(tmp_path, "tasks.jsonl", b'"fail_to_pass":["add"]', b'"fail_to_pass":[]')
    assert "held out" in findings_after(tmp_path, "tasks.jsonl", b'"held_out":[]', b'"held_out":["sub"]')
    assert "says 37 tasks" in findings_after(tmp_path, "manifest.json", b'"tasks": 36', b'"tasks": 37')
    assert "says 4 snap" in findings_after(tmp_path, "manifest.json", b'"snapshots": 3', b'"snapshots": 4')
    assert "canary" in findings_after(tmp_path, "manifest.json", b'"name": "lab"', b'"name": "lib"')
    listing = f"snapshots/trees/{TREES[0].digest}.json"
    assert f"snapshot {TREES[0].digest}" in findings_after(tmp_path, listing, b"readme", b"README")
    (tmp_path / "set" / listing).rename(tmp_path / "set" / "extra.json")
    found = TaskSet.open(tmp_path / "set").integrity()
    assert f"{listing}: missing" in found
    assert "extra.json: not in manifest.json" in found


def test_the_manifest_is_a_record_that_reads_back(tmp_path: Path) -> None:
    taskset = write(tmp_path / "set")
    manifest = Manifest.model_validate_json((tmp_path / "set" / "manifest.json").read_bytes())
    assert manifest == taskset.manifest
    assert set(manifest.digests) == {"tasks.jsonl", *(f"snapshots/trees/{tree.digest}.json" for tree in TREES)}


def test_a_writer_killed_at_any_moment_leaves_nothing_or_the_whole(tmp_path: Path) -> None:
    """Each writer is killed when it has written so many files; later ones find what earlier ones left."""
    many = [good_tree(subject) for subject in range(40)]
    straight = content(write(tmp_path / "straight", [make_task(0, subject) for subject in range(40)], many).path)
    out = tmp_path / "killed" / "set"
    partial = out.with_name(".set.partial")
    halfway = 0
    for files in [0, 1, 20, 80]:
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(out)])
        while writer.poll() is None and len(names(partial)) <= files:
            pass
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        halfway += partial.exists()
        assert not out.exists() or content(out) == straight
    assert halfway
    subprocess.run([sys.executable, "-c", WRITER, str(out)], check=True)
    assert content(tmp_path / "killed") == {f"set/{name}": data for name, data in straight.items()}


def names(directory: Path) -> list[str]:
    return [name for _, _, files in os.walk(directory) for name in files]
