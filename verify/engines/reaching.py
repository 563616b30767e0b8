"""Which tests come by a change of a tree, from what each of them runs there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.verify.engines.changed_code import changed_region, fails_on_warnings, reads_heads
from mendlab.verify.engines.coverage import COMMON, Coverage


@final
class Reaching:
    """What ``coverage`` tells of changes to ``tree``. ``tests`` are those that it knows of, in its order."""

    def __init__(self, tree: FileTree, coverage: Coverage) -> None:
        self._tree = tree
        self._coverage = coverage
        self.tests = tuple(test_id for test_id in coverage.lines if test_id != COMMON)
        self._known = frozenset(self.tests)
        self._heads_are_read = reads_heads(tree)
        self._warnings_fail = fails_on_warnings(tree)

    def of(self, changes: Mapping[str, bytes | None], asked: Sequence[str]) -> frozenset[str]:
        """Return the tests that may notice changes: those asked for of which nothing is known, and of all others any.

        All that are asked for, where a file goes.
        """
        reaching = frozenset(asked).difference(self._known)
        for path, data in changes.items():
            if data is None:
                return frozenset(asked)
            region = self._region(path, data)
            source = decode(path, self._tree[path]).text
            reaching |= self._coverage.reaching(path, source, *region) if region else self._coverage.running(path)
        return reaching

    def _region(self, path: str, data: bytes) -> tuple[int, int] | None:
        return changed_region(
            path, self._tree[path], data, heads_are_read=self._heads_are_read, warnings_fail=self._warnings_fail
        )
