from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mendlab.corpora.commit_trees import read_commit
from mendlab.corpora.directories import read_directory
from mendlab.corpora.git_read import head_commit
from mendlab.errors import InputError


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def make(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)


def reasons(root: Path, **options: bool) -> dict[str, str]:
    return {each.id: each.reason for each in read_directory(root, **options).refusals}


def test_what_tools_leave_behind_is_left_out(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "pkg/build/b.py", "ünï dir/c d.txt", "x.egg-info/PKG-INFO")
    make(
        tmp_path, "build/x.py", "env/pyvenv.cfg", "env/lib/y.py", ".git2", "pkg/__pycache__/a.pyc", "node_modules/z.py"
    )
    (tmp_path / "a.py").chmod(0o755)
    tree = read_directory(tmp_path).tree
    assert list(tree) == [".git2", "a.py", "pkg/build/b.py", "x.egg-info/PKG-INFO", "ünï dir/c d.txt"]
    assert tree.executable == {"a.py"}


def test_links_inside_are_followed_and_links_out_are_named(tmp_path: Path) -> None:
    outside, root = tmp_path / "secret.txt", tmp_path / "project"
    make(tmp_path, "secret.txt", "project/src/a.py")
    links = {"b.py": "src/a.py", "lib": "src", "out.txt": str(outside), "dead": "nowhere", "src/up": ".."}
    for link, target in links.items():
        (root / link).symlink_to(target)
    content = read_directory(root)
    assert dict(content.tree) == {
        "src/a.py": b"project/src/a.py",
        "b.py": b"project/src/a.py",
        "lib/a.py": b"project/src/a.py",
    }
    found = {each.id: each.reason for each in content.refusals}
    assert found.keys() == {"out.txt", "dead", "src/up", "lib/up"}
    assert found["out.txt"] == f"{root}/out.txt: is a link that leads out of the project, and is left out"


def test_a_tracked_file_behind_a_folder_that_became_a_link_out_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    make(tmp_path, "project/data/key.txt", "project/a.py", "elsewhere/key.txt")
    git(root, "init", "-q")
    git(root, "add", "-A")
    (root / "data" / "key.txt").unlink()
    (root / "data").rmdir()
    (root / "data").symlink_to(tmp_path / "elsewhere")
    content = read_directory(root)
    assert list(content.tree) == ["a.py"]
    assert [each.id for each in content.refusals] == ["data/key.txt"]


def test_of_a_work_tree_the_tracked_files_count_as_they_stand(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "gone.py")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    make(tmp_path, "untracked.py")
    (tmp_path / "a.py").write_text("changed")
    (tmp_path / "gone.py").unlink()
    assert dict(read_directory(tmp_path).tree) == {"a.py": b"changed"}
    assert "untracked.py" in read_directory(tmp_path, use_git=False).tree


def test_a_monitor_that_a_repository_configures_is_not_run(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "config", "core.fsmonitor", f"touch {tmp_path}/ran; true")
    subprocess.run(["git", "ls-files", "--others"], cwd=tmp_path, check=False, capture_output=True)
    provoked = (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink(missing_ok=True)
    assert provoked, "the configuration is one that plain git does run"
    assert list(read_directory(tmp_path).tree) == ["a.py"]
    assert not (tmp_path / "ran").exists()


def test_large_files_and_strange_names_are_refused_by_name(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    with (tmp_path / "big.bin").open("wb") as file:
        file.truncate(11 * 1024**2)
    Path(os.fsdecode(bytes(tmp_path) + b"/\xff.py")).write_text("")
    assert list(read_directory(tmp_path).tree) == ["a.py"]
    found = reasons(tmp_path)
    assert found["big.bin"].endswith("has 11 MB, over 10 MB, and is left out")
    assert found["\\xff.py"].endswith("has a name that is not UTF-8")


def test_a_commit_is_read_from_its_objects(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py", "run.sh")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link.py").symlink_to("src/a.py")
    (tmp_path / "chain.py").symlink_to("link.py")
    (tmp_path / "out.py").symlink_to("/etc/passwd")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    commit = head_commit(tmp_path)
    assert commit
    (tmp_path / "src" / "a.py").write_text("later")
    tree = read_commit(tmp_path, commit)
    assert dict(tree) == {"src/a.py": b"src/a.py", "run.sh": b"run.sh", "link.py": b"src/a.py", "chain.py": b"src/a.py"}
    assert tree.executable == {"run.sh"}


@pytest.mark.parametrize("commit", ["--output=x", "HEAD", "0" * 40])
def test_what_is_no_commit_here_is_refused(tmp_path: Path, commit: str) -> None:
    git(tmp_path, "init", "-q")
    assert head_commit(tmp_path) is None
    with pytest.raises(InputError, match="commit"):
        read_commit(tmp_path, commit)
