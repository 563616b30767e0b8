"""A tree of files in memory: what a subject, a buggy program and a candidate are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from mendlab.errors import InputError


class FileTree(Mapping[str, bytes]):
    """An immutable map from relative path (forward slashes) to content, with the set of paths that are executable.

    Raises:
        InputError: for a path that is absolute, empty, or leads out of the tree.
    """

    __slots__ = ("_digest", "_files", "executable")

    def __init__(self, files: Mapping[str, bytes], executable: frozenset[str] = frozenset()) -> None:
        for path in files:
            _require_inside(path)
        self._files = dict(sorted(files.items()))
        self.executable = executable & self._files.keys()
        self._digest: str | None = None

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FileTree):
            return NotImplemented
        return self._files == other._files and self.executable == other.executable

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"FileTree({len(self)} files, {self.digest[:12]})"

    @property
    def digest(self) -> str:
        """SHA-256 over the sorted paths, their modes and the digests of their contents."""
        if self._digest is None:
            total = hashlib.sha256()
            for path, data in self._files.items():
                mode = "x" if path in self.executable else "-"
                total.update(f"{mode} {hashlib.sha256(data).hexdigest()} {path}\0".encode())
            self._digest = total.hexdigest()
        return self._digest

    def replace(self, changes: Mapping[str, bytes | None]) -> FileTree:
        """Return this tree with the given files added or changed; ``None`` removes one."""
        files = {**self._files, **{path: data for path, data in changes.items() if data is not None}}
        for path, data in changes.items():
            if data is None:
                files.pop(path, None)
        return FileTree(files, self.executable)

    def changed(self, other: FileTree) -> dict[str, bytes | None]:
        """Return what :meth:`replace` needs to turn this tree into ``other``."""
        changes: dict[str, bytes | None] = {p: d for p, d in other.items() if self._files.get(p) != d}
        changes.update({path: None for path in self if path not in other})
        return changes

    def write(self, directory: Path) -> None:
        """Write every file below ``directory``, which is made if need be."""
        directory.mkdir(parents=True, exist_ok=True)
        for path, data in self._files.items():
            target = directory / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if path in self.executable:
                target.chmod(0o755)


def _require_inside(path: str) -> None:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\0" in path or str(pure) != path:
        raise InputError(f"{path!r} is not a plain relative path", hint="name files below the root of the tree")
