"""The states of a commit as trees: the parent, the parent with the commit's tests, and the fix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.commit_trees import read_commit
from mendlab.corpora.tree import FileTree
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.records import Candidate

_STEERING: Final = {"pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py"}


@dataclass(frozen=True, slots=True)
class CommitTrees:
    """The three states of a commit, and the paths that its test patch touches."""

    parent: FileTree
    with_tests: FileTree
    fix: FileTree
    touched_tests: tuple[str, ...]

    def with_files(self, added: dict[str, bytes]) -> CommitTrees:
        """Return them with files laid into each that it does not have."""

        def laid(tree: FileTree) -> FileTree:
            return tree.replace({path: data for path, data in added.items() if path not in tree})

        return CommitTrees(laid(self.parent), laid(self.with_tests), laid(self.fix), self.touched_tests)

    def with_touched(self, tests: tuple[str, ...]) -> CommitTrees:
        """Return them with other test files for those that are touched."""
        return replace(self, touched_tests=tests)

    def with_tests_of(self, files: Mapping[str, bytes]) -> CommitTrees:
        """Return them with test files laid over the parent with tests and the fix, in place of those touched."""
        return CommitTrees(self.parent, self.with_tests.replace(files), self.fix.replace(files), tuple(files))


def commit_trees(copy: PrivateCopy, candidate: Candidate) -> CommitTrees:
    """Return the states of a candidate.

    What is neither source nor tests stays as the parent has it, for a change log tells the answer; but what says how
    the tests are run comes with them.

    Raises:
        InputError: the copy does not have one of the commits.
    """
    parent, whole = read_commit(copy.path, candidate.parent), read_commit(copy.path, candidate.fix)
    steering = (path for path in candidate.other.paths if steers(path))
    with_tests = _overlaid(parent, whole, (*candidate.tests.paths, *steering))
    fix = _overlaid(with_tests, whole, candidate.source.paths)
    return CommitTrees(parent, with_tests, fix, candidate.tests.paths)


def steers(path: str) -> bool:
    """Whether a file that is neither source nor tests says how these are run."""
    name = PurePosixPath(path).name
    return name in _STEERING or (name.endswith((".txt", ".in")) and "require" in path)


def _overlaid(tree: FileTree, other: FileTree, paths: Iterable[str]) -> FileTree:
    """Return a tree with some files as another one has them."""
    changed = set(paths)
    files = {path: data for path, data in tree.items() if path not in changed}
    files |= {path: other[path] for path in changed if path in other}
    return FileTree(files, (tree.executable - changed) | (other.executable & changed))
