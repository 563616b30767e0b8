"""The program as an agent changes it: a tree in memory, so that no path leads out of it."""

from __future__ import annotations

import posixpath
from types import TracebackType
from typing import Self, final

from mendlab.corpora.diffs import encode, make_diff
from mendlab.corpora.text import Decoded, decode
from mendlab.repair.context import RepairContext, VisibleTests
from mendlab.verify.engines.engine import TestRun


class RefusedError(Exception):
    """A tool does not do what it was asked for; the text is for the model."""


@final
class Workspace:
    """One attempt's program. Its tests run confined, on the engine that the first run of them opens.

    ``submitted`` is set when the model hands in; ``cpu_seconds`` is what the tests took.
    """

    def __init__(self, context: RepairContext) -> None:
        self.problem = context.problem
        self.tree = context.problem.tree
        self.submitted = False
        self.cpu_seconds = 0.0
        self._context = context
        self._tests: VisibleTests | None = None

    @property
    def patch(self) -> str | None:
        """The diff to what the program is now, if it has changed."""
        return make_diff(self.problem.tree, self.tree) or None

    def find(self, path: str) -> str:
        """Return the path of a file of the program, as the tree has it.

        Raises:
            RefusedError: there is no such file.
        """
        plain = posixpath.normpath(path) if path else path
        if plain not in self.tree:
            raise RefusedError(f"There is no file {path!r} in the program. Use list_files to see what there is.")
        return plain

    def text(self, path: str) -> Decoded:
        """Return what is in a file that :meth:`find` has found."""
        return decode(path, self.tree[path])

    def write(self, path: str, text: str) -> None:
        """Change a file that may be changed.

        Raises:
            RefusedError: it may not, or its encoding has no place for the text.
        """
        if path not in self.problem.editable:
            raise RefusedError(f"{path} may not be changed. These may: {', '.join(self.problem.editable)}")
        data = encode(path, text, self.text(path))
        if data is None:
            raise RefusedError(f"{path} cannot hold these characters in the encoding that it declares.")
        self.tree = self.tree.replace({path: data})

    def run(self, tests: tuple[str, ...]) -> TestRun:
        """Run visible tests on the program as it is; errors as :meth:`VisibleTests.run`."""
        if self._tests is None:
            self._tests = self._context.open_tests(self.problem.limits)
        run = self._tests.run(self.problem.tree.changed(self.tree), tests)
        self.cpu_seconds += run.cpu_seconds
        return run

    def close(self) -> None:
        """End the engine, if there is one."""
        if self._tests is not None:
            self._tests.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
