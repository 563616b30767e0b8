from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.importers.task_settings import key_values, read_settings
from mendlab.errors import FormatError, InputError
from mendlab.records import ScriptHarness

TASK = {
    "prompt.md": "---\nweight: 2.5  # twice and more\ntags: [trap, 'multi file']\nauthor: me\n---\nMend `f`.\n",
    "repo/a.py": "def f():\n    return 1\n",
    "repo/test_a.py": "from a import f\ndef test(): assert f()\n",
    "repo/run.txt": "1\n",
    "verify.sh": 'test "$(python3 -c "import a; print(a.f())")" = 2\n',
    "solution/a.py": "def f():\n    return 2\n",
}


def make(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def gate(candidate: Candidate, tree: object, where: Path, test_id: str) -> int:
    harness = candidate.loaded.subject.harness
    assert isinstance(harness, ScriptHarness)
    assert harness.interpreter == "bash"
    (candidate.buggy if tree == "buggy" else candidate.loaded.tree).write(where)
    return subprocess.run(["bash", "-c", harness.scripts[test_id]], cwd=where, check=False).returncode


@pytest.mark.parametrize("below", ["tasks/one", "one"])
def test_a_task_directory(tmp_path: Path, below: str) -> None:
    make(tmp_path / "set" / below, TASK)
    (candidate,) = read_candidates("taskdirs", tmp_path / "set")
    assert isinstance(candidate, Candidate)
    assert (candidate.id, candidate.statement) == ("one", "Mend `f`.")
    assert (candidate.weight, candidate.tags) == (2.5, ("trap", "multi file"))
    assert candidate.editable == ("a.py", "run.txt")
    assert candidate.loaded.tree.keys() == {"a.py", "test_a.py", "run.txt"}
    assert apply_diff(candidate.loaded.tree, candidate.defect.diff) == candidate.buggy
    assert gate(candidate, "buggy", tmp_path / "buggy", "verify") == 1
    assert gate(candidate, "good", tmp_path / "good", "verify") == 0


def test_a_patch_is_a_solution_and_an_intent_check_is_a_second_gate(tmp_path: Path) -> None:
    patch = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
    program = 'import sys\nEND = """\nEND_OF_PROGRAM\n"""\nsys.exit("2" not in open("a.py").read())\n'
    files = {name: text for name, text in TASK.items() if not name.startswith("solution")}
    folder = make(tmp_path / "one", {**files, "solution.patch": patch, "intent.py": program})
    (candidate,) = read_candidates("taskdirs", folder)
    assert isinstance(candidate, Candidate)
    assert gate(candidate, "buggy", tmp_path / "buggy", "intent") == 1
    assert gate(candidate, "good", tmp_path / "good", "intent") == 0


def test_what_is_no_task_is_refused_by_name_and_costs_only_itself(tmp_path: Path) -> None:
    without = {name: text for name, text in TASK.items() if not name.startswith("solution")}
    make(tmp_path / "a", TASK)
    make(tmp_path / "b", without)
    make(tmp_path / "c", {**without, "solution.patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-no\n+yes\n"})
    make(tmp_path / "d", {"prompt.md": "x", "verify.sh": ""})
    make(tmp_path / "e", {**TASK, "task.toml": "weight = -1"})
    make(tmp_path / "f", TASK)
    (tmp_path / "f" / "verify.sh").write_bytes(b"true\n\xff\n")
    make(tmp_path / "g", {**TASK, "solution/a.py": TASK["repo/a.py"]})
    make(tmp_path / "notes", {"readme.txt": ""})
    first, *rest = read_candidates("taskdirs", tmp_path)
    assert isinstance(first, Candidate)
    reasons = {each.id: each.reason for each in rest if isinstance(each, Refusal)}
    said = {
        "b": "has no solution, so that nothing tells whether the task can be done (add solution.patch, or solution/",
        "c": "/c/solution.patch: does not apply to repo/",
        "d": "/d: has no repo (a task needs prompt.md, repo, verify.sh)",
        "e": "/e/task.toml: weight is -1, not a positive number",
        "f": "/f/verify.sh:2: not UTF-8",
        "g": "the buggy and the correct program are the same",
    }
    assert reasons.keys() == said.keys()
    for name, part in said.items():
        assert part in reasons[name]
        assert reasons[name].startswith(str(tmp_path / name))


def test_a_folder_without_tasks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no task directory in it"):
        read_candidates("taskdirs", tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("task.toml", 'weight = 3\ntags = ["a", "b"]\n'),
        ("task.json", '{"weight": 3, "tags": ["a", "b"]}'),
        ("task.yaml", "# mine\nweight: 3\ntags:\n  - a\n  - b\n"),
        ("task.yaml", "weight: 3.0\ntags: a, b\n"),
    ],
)
def test_settings_stand_in_any_of_these_files(tmp_path: Path, name: str, text: str) -> None:
    settings = read_settings(make(tmp_path, {"prompt.md": "Do it.\n\n---\nMore.\n", name: text}))
    assert settings.statement == "Do it.\n\n---\nMore."
    assert (settings.weight, settings.tags) == (3.0, ("a", "b"))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"task.toml": "weight ="}, "task.toml: not valid TOML"),
        ({"task.json": "[]"}, "task.json: not a JSON object"),
        ({"task.json": '{"weight": true}'}, "weight is True"),
        ({"task.json": '{"tags": [1]}'}, r"tags are \[1\]"),
        ({"prompt.md": "---\nweight: 1\n  deep: 2\n---\nx"}, "prompt.md:3: not a line 'key: value'"),
        ({"prompt.md": "---\nweight: 1\n---\n \n"}, "says nothing"),
    ],
)
def test_settings_that_make_no_sense_are_named(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_settings(make(tmp_path, {"prompt.md": "x", **files}))


def test_key_values_keep_what_is_quoted(tmp_path: Path) -> None:
    assert key_values('a: "x: y"\nb:\n- 1\nc: []\n', tmp_path) == {"a": "x: y", "b": ["1"], "c": []}


@pytest.mark.parametrize("part", ["prompt.md", "verify.sh", "repo", "solution"])
def test_what_a_link_brings_in_from_elsewhere_is_refused(tmp_path: Path, part: str) -> None:
    secret = make(tmp_path / "secret", {"a.py": "TOP = 'secret'\n"})
    folder = make(tmp_path / "set" / "one", {name: text for name, text in TASK.items() if not name.startswith(part)})
    (folder / part).symlink_to(secret if "." not in part else secret / "a.py")
    (refusal,) = read_candidates("taskdirs", tmp_path / "set")
    assert isinstance(refusal, Refusal)
    assert "is a link that leads out of the tasks" in refusal.reason
    # Within what was named links are the user's own affair.
    (folder / part).unlink()
    shared = make(tmp_path / "set" / "_shared", TASK)
    (folder / part).symlink_to(shared / part)
    (candidate,) = read_candidates("taskdirs", tmp_path / "set")
    assert isinstance(candidate, Candidate)


def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    folder = make(tmp_path / "one", {name: text for name, text in TASK.items() if name != "verify.sh"})
    os.mkfifo(folder / "verify.sh")
    (refusal,) = read_candidates("taskdirs", folder)
    assert isinstance(refusal, Refusal)
    assert "verify.sh" in refusal.reason
    assert "is no regular file" in refusal.reason
