"""Builds the git repositories whose histories travel with mendlab as numbered text patches.

``bundled_history/<slug>/`` holds one ``git format-patch`` mail a commit, and ``series.toml``, which lists the commits
in order: ``patch`` and ``kind``, and ``branch`` where the commit is not on main (a branch starts from main as it is
at the branch's first commit). A merge has no patch: its entry gives ``merge`` (the branch), ``subject``, ``author``
and ``date``. Names and dates come from the patches and everything else is fixed, so that each build of a history has
the same shas. The kinds stand only in ``series.toml``, so that nothing in the repository gives them away.

The series were made from ordinary repositories. To add a commit, build the history, commit on top of it, run
``git format-patch -1 -N -M --zero-commit --no-signature --start-number N -o bundled_history/<slug>`` there, and
add the entry to ``series.toml``.
"""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from mendlab.errors import FormatError, InputError, OutputError

HISTORIES = Path(__file__).parent / "bundled_history"
COMMITTER = ("Ida Marsh", "ida@example.org")

CommitKind = Literal[
    "chore", "docs", "feature", "fix", "format", "merge", "refactor", "rename", "revert", "test", "untested-fix"
]


@dataclass(frozen=True)
class HistoryCommit:
    """A commit as built; ``kind`` says what it is in truth, whatever its subject says."""

    sha: str
    subject: str
    kind: CommitKind


@dataclass(frozen=True)
class BuiltHistory:
    """A repository in ``path`` with main checked out, and its commits in the order in which they were made."""

    path: Path
    commits: tuple[HistoryCommit, ...]

    @property
    def fixes(self) -> tuple[HistoryCommit, ...]:
        """The bug fixes that come with a test which fails before them and passes after."""
        return tuple(commit for commit in self.commits if commit.kind == "fix")


def history_slugs() -> tuple[str, ...]:
    """The names of the bundled histories, sorted."""
    return tuple(sorted(path.parent.name for path in HISTORIES.glob("*/series.toml")))


def build_history(slug: str, into: Path) -> BuiltHistory:
    """Builds a bundled history as a git repository in the folder ``into``, which is made if it is not there.

    Raises InputError for an unknown slug or a machine without git, OutputError where ``into`` is not empty or
    cannot be made, FormatError where the series does not apply.
    """
    if slug not in history_slugs():
        raise InputError(f"no bundled history {slug!r}", hint=f"choose one of: {', '.join(history_slugs())}")
    try:
        into.mkdir(parents=True, exist_ok=True)
        occupied = any(into.iterdir())
    except OSError as error:
        raise OutputError(f"cannot build here: {error.strerror}", where=into) from error
    if occupied:
        raise OutputError("the folder is not empty", where=into, hint="name a new folder")
    builder = _Builder(HISTORIES / slug, into)
    series = tomllib.loads((HISTORIES / slug / "series.toml").read_text(encoding="utf-8"))["commit"]
    commits = tuple(builder.add(entry) for entry in series)
    builder.git("checkout", "-q", "main")
    return BuiltHistory(into, commits)


class _Builder:
    """Applies one entry of a series after the other."""

    def __init__(self, source: Path, repository: Path) -> None:
        self._source = source
        self._repository = repository
        self._branch = "main"
        self._branches = {"main"}
        self.git("init", "-q", "-b", "main", "--template=")

    def add(self, entry: dict[str, Any]) -> HistoryCommit:
        self._switch(entry.get("branch", "main"))
        if "merge" in entry:
            self._merge(entry)
        else:
            self.git("am", "-q", "--committer-date-is-author-date", str(self._source / entry["patch"]))
        sha, _, subject = self.git("log", "-1", "--format=%H %s").partition(" ")
        if entry["kind"] not in get_args(CommitKind):
            raise FormatError(f"unknown kind {entry['kind']!r} of {subject!r}", where=self._source / "series.toml")
        return HistoryCommit(sha, subject, entry["kind"])

    def _switch(self, branch: str) -> None:
        if branch in self._branches:
            if branch != self._branch:
                self.git("checkout", "-q", branch)
        else:
            self.git("checkout", "-q", "-b", branch, "main")
            self._branches.add(branch)
        self._branch = branch

    def _merge(self, entry: dict[str, Any]) -> None:
        author = re.fullmatch(r"(.+) <(.+)>", entry["author"])
        if author is None:
            raise FormatError(f"not an author: {entry['author']}", where=self._source / "series.toml")
        branch, date = entry["merge"], entry["date"]
        self.git(
            *("merge", "-q", "--no-ff", "-m", entry["subject"], branch),
            GIT_AUTHOR_NAME=author[1],
            GIT_AUTHOR_EMAIL=author[2],
            GIT_AUTHOR_DATE=date,
            GIT_COMMITTER_DATE=date,
        )
        self.git("branch", "-q", "-D", branch)
        self._branches.remove(branch)

    def git(self, *arguments: str, **environment: str) -> str:
        """What git prints, run so that neither the user nor the machine has a say in the result."""
        fixed = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": os.devnull,
            "LC_ALL": "C",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_DEFAULT_HASH": "sha1",
            "GIT_COMMITTER_NAME": COMMITTER[0],
            "GIT_COMMITTER_EMAIL": COMMITTER[1],
        }
        try:
            done = subprocess.run(
                ["git", *arguments],
                cwd=self._repository,
                env={**fixed, **environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
            )
        except FileNotFoundError as error:
            raise InputError("git is not on the PATH", hint="install git") from error
        if done.returncode != 0:
            raise FormatError(
                f"git {arguments[0]} {arguments[-1]} failed: {done.stderr.strip() or done.stdout.strip()}",
                where=self._source,
            )
        return done.stdout.strip()
