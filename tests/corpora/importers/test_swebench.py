from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.importers import read_candidates
from mendlab.errors import InputError
from mendlab.records import PytestHarness


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def commit(folder: Path, files: dict[str, str]) -> str:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def instance(tmp_path: Path) -> dict[str, object]:
    """A repository with a fix and its test, moved on since, and the row for the fix."""
    folder = tmp_path / "clones" / "some__thing"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    base = commit(folder, {"pkg/a.py": "def f():\n    return 1\n", "tests/test_a.py": "def test_f(): pass\n"})
    commit(folder, {"pkg/a.py": "def f():\n    return 2\n", "pkg/b.py": "X = 2\n"})
    patch = git(folder, "diff", base, "HEAD")
    commit(folder, {"tests/test_a.py": "from pkg.a import f\ndef test_f(): pass\ndef test_g(): assert f() == 2\n"})
    test_patch = git(folder, "diff", "HEAD~", "HEAD")
    commit(folder, {"pkg/a.py": "later\n"})
    return {
        "instance_id": "some__thing-1",
        "repo": "some/thing",
        "base_commit": base,
        "patch": patch,
        "test_patch": test_patch,
        "problem_statement": "f is wrong",
        "created_at": "2020-01-02T00:00:00Z",
        "FAIL_TO_PASS": json.dumps(["tests/test_a.py::test_g"]),
        "PASS_TO_PASS": ["tests/test_a.py::test_f"],
    }


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("repo", ["clones", "clones/some__thing"])
def test_an_instance_is_read_from_the_objects_of_a_checkout(tmp_path: Path, instance, repo: str) -> None:
    path = write(tmp_path / "rows.jsonl", instance)
    (candidate,) = read_candidates("swebench", path, repo=str(tmp_path / repo))
    assert isinstance(candidate, Candidate)
    subject, good = candidate.loaded.subject, candidate.loaded.tree
    assert candidate.buggy["pkg/a.py"] == b"def f():\n    return 1\n"
    assert good["pkg/a.py"] == b"def f():\n    return 2\n"
    assert b"test_g" in candidate.buggy["tests/test_a.py"]
    assert "pkg/b.py" not in candidate.buggy
    assert apply_diff(good, candidate.defect.diff) == candidate.buggy
    assert candidate.claimed_fail_to_pass == ("tests/test_a.py::test_g",)
    assert candidate.claimed_pass_to_pass == ("tests/test_a.py::test_f",)
    assert candidate.editable == ("pkg/a.py", "pkg/b.py")
    assert isinstance(subject.harness, PytestHarness)
    assert subject.harness.test_files == ("tests/test_a.py",)
    assert (subject.provenance.source, subject.provenance.commit) == ("some/thing", instance["base_commit"])
    assert (candidate.statement, candidate.defect.function) == ("f is wrong", "f")


def test_rows_that_cannot_be_tasks_are_refused_one_by_one(tmp_path: Path, instance) -> None:
    changes: dict[str, dict[str, object]] = {
        "elsewhere": {"repo": "other/thing"},
        "absent commit": {"base_commit": "0" * 40},
        "option": {"base_commit": "--output=x"},
        "patch": {"patch": str(instance["patch"]).replace("return 1", "return 7")},
        "unittest": {"PASS_TO_PASS": ["test_f (tests.A)"]},
        "no tests": {"FAIL_TO_PASS": "[]"},
        "not a list": {"FAIL_TO_PASS": "['a'"},
    }
    rows = [{**instance, **change, "instance_id": name} for name, change in changes.items()]
    path = write(tmp_path / "rows.jsonl", *rows)
    found = list(read_candidates("swebench", path, repo=str(tmp_path / "clones")))
    reasons = {each.id: each.reason for each in found if isinstance(each, Refusal)}
    assert reasons.keys() == changes.keys()
    said = (
        "there is no checkout of other/thing",
        "commit 0000",
        "'--output=x' is no commit id",
        "field 'patch' does not apply",
        "no pytest test id",
        "'FAIL_TO_PASS' is empty",
        "not a list written as JSON",
    )
    for number, (part, reason) in enumerate(zip(said, reasons.values(), strict=True), start=1):
        assert reason.startswith(f"{path}:{number}: ")
        assert part in reason


def test_a_checkout_has_to_be_named(tmp_path: Path, instance) -> None:
    path = write(tmp_path / "rows.jsonl", instance)
    with pytest.raises(InputError, match="needs a local checkout"):
        read_candidates("swebench", path)
    with pytest.raises(InputError, match="is no directory"):
        read_candidates("swebench", path, repo=str(path))
