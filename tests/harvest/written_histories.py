"""Histories written by ``git fast-import``, which takes any path, any bytes and any shape, at once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mendlab.corpora.unified import always_quoted

FIRST_DAY = 1_600_000_000


@dataclass(frozen=True)
class Link:
    target: str


@dataclass(frozen=True)
class Submodule:
    commit: str = "12" * 20


@dataclass(frozen=True)
class Script:
    data: bytes


Content = str | bytes | Link | Submodule | Script | None


def run_git(folder: Path, *arguments: str, check: bool = True, env: Mapping[str, str] | None = None) -> str:
    """Run git as people do, with an identity and nothing else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
    kept |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b"}
    done = subprocess.run(["git", *arguments], cwd=folder, env=kept | dict(env or {}), capture_output=True)
    assert not check or done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace").strip()


@dataclass
class History:
    """Commits in the making, each named by its place, from 1. Without parents said, one follows the last."""

    stream: list[bytes] = field(default_factory=list)
    count: int = 0

    def commit(
        self,
        message: str | bytes,
        files: Mapping[str | bytes, Content] | None = None,
        parents: Sequence[int] | None = None,
        time: int | None = None,
    ) -> int:
        text = message.encode() if isinstance(message, str) else message
        parents = ([self.count] if self.count else []) if parents is None else parents
        self.count += 1
        when = FIRST_DAY + 86_400 * self.count if time is None else time
        self.stream += [
            f"reset refs/heads/b{self.count}\ncommit refs/heads/b{self.count}\nmark :{self.count}\n".encode(),
            f"author A <a@b> {when} +0000\ncommitter A <a@b> {when} +0000\n".encode(),
            f"data {len(text)}\n".encode() + text + b"\n",
        ]
        for number, parent in enumerate(parents):
            self.stream.append(f"{'merge' if number else 'from'} :{parent}\n".encode())
        for path, content in (files or {}).items():
            self.stream.append(_entry(path, content))
        return self.count

    def write(self, repository: Path) -> dict[int, str]:
        """Make a repository whose work tree and ``main`` are at the last commit; return the ids."""
        repository.mkdir(parents=True)
        run_git(repository, "init", "-q", "-b", "main", "--template=")
        marks = repository.with_name(f"{repository.name}.marks")
        subprocess.run(
            ["git", "fast-import", "--quiet", f"--export-marks={marks.resolve()}"],
            cwd=repository,
            input=b"".join(self.stream),
            check=True,
        )
        ids = {int(line.split()[0][1:]): line.split()[1] for line in marks.read_text().splitlines()}
        run_git(repository, "update-ref", "refs/heads/main", ids[self.count])
        run_git(repository, "reset", "-q", "--hard", check=False)
        return ids


def _entry(path: str | bytes, content: Content) -> bytes:
    name = always_quoted(path if isinstance(path, str) else path.decode("utf-8", "surrogateescape"))
    match content:
        case None:
            return f"D {name}\n".encode()
        case Submodule(commit):
            return f"M 160000 {commit} {name}\n".encode()
        case Link(target):
            return _inline("120000", name, target.encode())
        case Script(data):
            return _inline("100755", name, data)
        case str():
            return _inline("100644", name, content.encode())
        case bytes():
            return _inline("100644", name, content)


def _inline(mode: str, name: str, data: bytes) -> bytes:
    return f"M {mode} inline {name}\ndata {len(data)}\n".encode() + data + b"\n"


def small_history() -> History:
    """Three commits: the last one mends ``a.py`` and says so."""
    history = History()
    history.commit("Begin", {"a.py": "def one():\n    return 2\n", "README.md": "a\n"})
    history.commit("Describe it", {"README.md": "b\n"})
    tests = "from a import one\n\n\ndef test_one():\n    assert one() == 1\n"
    history.commit("Fix one (#7)", {"a.py": "def one():\n    return 1\n", "tests/test_a.py": tests})
    return history
