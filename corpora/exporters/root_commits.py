"""Bare git repositories of commits without parents, one for each tree: the same trees give the same commits."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from mendlab.corpora.safe_git import environment, failed, git, start_git
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import quote

_MADE_BY: Final = "mendlab <mendlab@localhost> 0 +0000"


class RootCommits:
    """Repositories in a folder, by name; used in a ``with`` block. They can be read after :meth:`finish`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, _Writing] = {}

    def add(self, name: str, tree: FileTree) -> str:
        """Return the id of the commit that has this tree, in the repository of that name."""
        if name not in self._open:
            self._open[name] = _Writing(self._folder / name)
        return self._open[name].commit(tree)

    def finish(self) -> None:
        """Bring all to the disk. Raises an InputError if git fails."""
        for writing in self._open.values():
            writing.close()
        self._open.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if error is None:
            self.finish()
        for writing in self._open.values():
            writing.process.kill()
            writing.process.wait()


class _Writing:
    """A repository and the ``git fast-import`` that writes it."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True)
        git(path, "init", "-q", "--bare", "--template=", "-b", "main", ".")
        self.path = path
        self.process = start_git(path, "fast-import", "--quiet", environ=environment(path))
        self._blobs: dict[bytes, int] = {}
        self._commits: dict[str, str] = {}

    def commit(self, tree: FileTree) -> str:
        if tree.digest not in self._commits:
            try:
                self._commits[tree.digest] = self._commit(tree)
            except BrokenPipeError:
                raise failed(self.path, "fast-import", self.process.communicate()[1]) from None
        return self._commits[tree.digest]

    def _commit(self, tree: FileTree) -> str:
        files = [(path, self._blob(data), path in tree.executable) for path, data in tree.items()]
        mark, ref = len(self._blobs) + len(self._commits) + 1_000_000_000, f"refs/heads/{tree.digest[:16]}"
        self._write(f"commit {ref}\nmark :{mark}\ncommitter {_MADE_BY}\ndata 10\nA program.\n")
        for path, blob, executable in files:
            self._write(f"M {'100755' if executable else '100644'} :{blob} {quote(path)}\n")
        self._write(f"\nget-mark :{mark}\n")
        stdin, stdout = self._pipes()
        stdin.flush()
        return stdout.readline().decode().strip()

    def _blob(self, data: bytes) -> int:
        digest = hashlib.sha256(data).digest()
        if digest not in self._blobs:
            self._blobs[digest] = len(self._blobs) + 1
            self._write(f"blob\nmark :{self._blobs[digest]}\ndata {len(data)}\n", data + b"\n")
        return self._blobs[digest]

    def _write(self, text: str, data: bytes = b"") -> None:
        self._pipes()[0].write(text.encode() + data)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def close(self) -> None:
        errors = self.process.communicate()[1]
        if self.process.returncode:
            raise failed(self.path, "fast-import", errors)
