"""A directory on disk as a tree: the tracked files of a git work tree, else all files but what tools leave behind."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.git_read import is_work_tree, tracked_files
from mendlab.corpora.text import storable_name
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError, SubjectError

MOST_BYTES_A_FILE = 10 * 1024**2
MOST_BYTES = 500 * 1024**2
MOST_FILES = 20_000

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", "node_modules", ".tox", ".nox", ".eggs", ".hypothesis", ".venv"}
_LEFT_OUT |= {".mypy_cache", ".pytest_cache", ".ruff_cache"}
_LEFT_OUT_AT_THE_TOP = {"build", "dist"}


@dataclass(slots=True)
class DirectoryContent:
    """The files of a directory, and a refusal for each that was left out for what it is."""

    tree: FileTree
    refusals: list[Refusal]


def read_directory(root: Path, *, use_git: bool = True) -> DirectoryContent:
    """Read a directory. Links inside it are followed; those that lead out of it, and files of over 10 MB, are refused.

    Raises:
        InputError: it cannot be listed.
        SubjectError: there is more in it than a program has.
    """
    reading = _Reading(root.resolve())
    if use_git and is_work_tree(root):
        for path in tracked_files(root):
            reading.add(path)
    else:
        reading.walk("")
    tree = FileTree(reading.files, frozenset(reading.executable))
    return DirectoryContent(tree, reading.refusals)


@dataclass(slots=True)
class _Reading:
    root: Path
    files: dict[str, bytes] = field(default_factory=dict)
    executable: set[str] = field(default_factory=set)
    refusals: list[Refusal] = field(default_factory=list)
    total: int = 0
    within: list[Path] = field(default_factory=list)

    def add(self, path: str) -> None:
        """Add what stands at a path: a file, or a link and what it leads to."""
        full = self.root / path
        try:
            path.encode()
            real = full.resolve()
            if not real.is_relative_to(self.root) or ".git" in real.relative_to(self.root).parts:
                self._refuse(path, "is a link that leads out of the project, and is left out")
            elif real.is_file():
                self._read(path, real)
            elif full.is_symlink():
                self._follow(path, real)
            elif real.is_dir():
                self._refuse(path, "is a git submodule, and its files are not read")
        except UnicodeEncodeError:
            self._refuse(storable_name(path), "has a name that is not UTF-8")
        except (OSError, RuntimeError) as error:
            self._refuse(path, f"cannot be read: {error}")

    def walk(self, path: str) -> None:
        """Add everything below a folder that is not left out."""
        real = (self.root / path).resolve()
        if real in self.within:
            self._refuse(path, "is a link in a ring of links, and is left out")
            return
        self.within.append(real)
        for inner in self._inside(real):
            name = f"{path}/{inner.name}" if path else inner.name
            if inner.is_dir() and not inner.is_symlink():
                self.walk(name)
            else:
                self.add(name)
        self.within.pop()

    def _inside(self, folder: Path) -> list[Path]:
        """What is in a folder, by name, apart from what tools leave behind."""
        try:
            inside = sorted(folder.iterdir())
        except OSError as error:
            raise InputError(f"cannot be listed: {error.strerror or error}", where=folder) from error
        names = _LEFT_OUT | (_LEFT_OUT_AT_THE_TOP if folder == self.root else set())
        return [each for each in inside if each.name not in names and not _left_by_a_tool(each)]

    def _follow(self, path: str, target: Path) -> None:
        if (self.root / path).parent.resolve().is_relative_to(target):
            self._refuse(path, "is a link to a folder around it, and is left out")
        elif target.is_dir():
            self.walk(path)
        else:
            self._refuse(path, "is a link that leads nowhere, and is left out")

    def _read(self, path: str, file: Path) -> None:
        size = file.stat().st_size
        if size > MOST_BYTES_A_FILE:
            self._refuse(path, f"has {size / 1024**2:.0f} MB, over {MOST_BYTES_A_FILE // 1024**2} MB, and is left out")
            return
        self.total += size
        if self.total > MOST_BYTES or len(self.files) >= MOST_FILES:
            what = f"has more than {MOST_FILES} files or {MOST_BYTES // 1024**2} MB in it"
            raise SubjectError(
                what, where=self.root, hint="name the project's own directory, or make it a git repository"
            )
        plain = str(PurePosixPath(path))
        self.files[plain] = file.read_bytes()
        if file.stat().st_mode & stat.S_IXUSR:
            self.executable.add(plain)

    def _refuse(self, path: str, why: str) -> None:
        self.refusals.append(Refusal(path, f"{self.root / path}: {why}"))


def _left_by_a_tool(path: Path) -> bool:
    return path.name.endswith(".pyc") or (path / "pyvenv.cfg").is_file()
