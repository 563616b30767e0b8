"""The bundled history builds the same repository each time, and each of its fixes is proved by its tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mendlab.corpora.scripted_history import BuiltHistory, HistoryCommit, build_history, history_slugs
from mendlab.errors import InputError, OutputError

SLUG = "timesheet"
HEAD = "237af9ea665ec11a2950e3ea93dd766b99346e20"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> BuiltHistory:
    return build_history(SLUG, tmp_path_factory.mktemp("history") / "repository")


def git(history: BuiltHistory, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(history.path), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def files_at(history: BuiltHistory, revision: str, into: Path, *paths: str) -> None:
    """Lays the files of a revision over a folder."""
    into.mkdir(exist_ok=True)
    archive = subprocess.run(
        ["git", "-C", str(history.path), "archive", revision, *paths], capture_output=True, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(into)], input=archive.stdout, check=True)


def suite_passes(folder: Path) -> bool:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    suite = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert suite.returncode in (0, 1), suite.stdout + suite.stderr
    return suite.returncode == 0


def test_history_is_listed() -> None:
    assert SLUG in history_slugs()


def test_history_has_every_kind_of_commit(history: BuiltHistory) -> None:
    kinds = Counter(commit.kind for commit in history.commits)
    assert len(history.commits) >= 30
    assert 10 <= len(history.fixes) == kinds["fix"]
    for kind in ("docs", "feature", "format", "merge", "refactor", "rename", "revert", "test", "untested-fix"):
        assert kinds[kind] >= 1


def test_commits_are_those_of_the_repository(history: BuiltHistory) -> None:
    listed = git(history, "rev-list", "main").splitlines()
    assert sorted(listed) == sorted(commit.sha for commit in history.commits)
    for commit in history.commits:
        assert git(history, "log", "-1", "--format=%s", commit.sha) == commit.subject
    assert git(history, "status", "--porcelain") == ""
    assert git(history, "branch", "--format=%(refname:short)") == "main"


def test_merge_and_rename_are_what_they_say(history: BuiltHistory) -> None:
    by_kind = {commit.kind: commit for commit in history.commits}
    assert len(git(history, "log", "-1", "--format=%P", by_kind["merge"].sha).split()) == 2
    renamed = git(history, "show", "-M", "--name-status", "--format=", by_kind["rename"].sha)
    assert [line[0] for line in renamed.splitlines()] == ["R", "R"]


def test_revert_names_the_commit_it_takes_back(history: BuiltHistory) -> None:
    position = [commit.kind for commit in history.commits].index("revert")
    reverted, revert = history.commits[position - 1 : position + 1]
    assert f"This reverts commit {reverted.sha}." in git(history, "log", "-1", "--format=%b", revert.sha)
    assert git(history, "diff", f"{reverted.sha}~1", revert.sha) == ""


def test_shas_are_the_same_in_every_build(
    history: BuiltHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[user]\nname = Someone\nemail = s@example.com\n[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    again = build_history(SLUG, tmp_path / "again")
    assert again.commits == history.commits
    assert again.commits[-1].sha == HEAD


def test_fixes_change_code_and_tests_and_an_untested_fix_only_code(history: BuiltHistory) -> None:
    for commit in history.commits:
        changed = {Path(name).parts[0] for name in git(history, "show", "--name-only", "--format=", commit.sha).split()}
        if commit.kind == "fix":
            assert {"timesheet", "tests"} <= changed
        if commit.kind == "untested-fix":
            assert changed == {"timesheet"}
        if commit.kind == "test":
            assert changed == {"tests"}


def test_unknown_history() -> None:
    with pytest.raises(InputError, match=r"no bundled history 'timesheets'.*timesheet"):
        build_history("timesheets", Path("unused"))


def test_the_folder_must_be_empty(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(OutputError, match="not empty"):
        build_history(SLUG, tmp_path)
    with pytest.raises(OutputError, match="cannot build here"):
        build_history(SLUG, tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "keep"


@pytest.mark.slow
def test_each_fix_is_proved_by_its_tests(history: BuiltHistory, tmp_path: Path) -> None:
    def check(commit: HistoryCommit) -> None:
        before, after = tmp_path / "before", tmp_path / "after"
        files_at(history, f"{commit.sha}~1", before)
        assert suite_passes(before), f"the suite fails before {commit.subject!r}"
        shutil.rmtree(before / "tests")
        files_at(history, commit.sha, before, "tests")
        assert not suite_passes(before), f"the new tests pass before {commit.subject!r}"
        files_at(history, commit.sha, after)
        assert suite_passes(after), f"the suite fails after {commit.subject!r}"
        shutil.rmtree(before)
        shutil.rmtree(after)

    for commit in history.fixes:
        check(commit)
