"""Tests of later commits: the test files that were changed after a commit, as they stood then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.paths import is_python, kind_of
from mendlab.harvest.records import Change, PathKind
from mendlab.harvest.scan import all_changes
from mendlab.harvest.selection import Selection
from mendlab.harvest.untested.topics import Topic

MOST_LATER: Final = 4
"""Later commits tried on a fix whose tests gain mentions of what it changes, and as many of others about it."""


@dataclass(frozen=True, slots=True)
class LaterTests:
    """The test files that a commit changes: ``files`` are those that are about the fix, and what is no module."""

    commit: str
    files: Mapping[str, bytes]


class TestHistory:
    """Which commits of a history change tests, read when it is first asked for. Safe to share between threads."""

    __test__ = False

    def __init__(self, copy: PrivateCopy, selection: Selection) -> None:
        self._copy, self._selection = copy, selection
        self._one_at_a_time = Lock()

    def after(self, fix: str, topic: Topic) -> Iterator[LaterTests]:
        """Yield tests on a topic of the first commits after ``fix``: of those that gain mentions of it, then of others.

        A commit of another branch counts as later if it is so by date.
        """
        with self._one_at_a_time:
            places, changes = self._changes
        later = [(sha, changed) for place, sha, changed in changes if place < places[bytes.fromhex(fix)]]
        found = [(self._gained(changed, topic), sha, changed) for sha, changed in reversed(later)]
        gaining = [each for each in found if each[0] > 0]
        about = [each for each in found if each[0] == 0]
        for _, sha, changed in (*gaining[:MOST_LATER], *about[:MOST_LATER]):
            yield LaterTests(sha, dict(self._files(changed, topic)))

    @cached_property
    def _changes(self) -> tuple[Mapping[bytes, int], list[tuple[int, str, tuple[Change, ...]]]]:
        """The place of every commit, the newest first, and the changes of tests, by place and commit."""
        places: dict[bytes, int] = {}
        changes = []
        for place, (sha, committed, changed) in enumerate(all_changes(self._copy)):
            places[bytes.fromhex(sha)] = place
            tests = tuple(each for each in changed if kind_of(each.path) is PathKind.TESTS and each.status in "AM")
            if tests and self._selection.is_before_end(committed):
                changes.append((place, sha, tests))
        return places, changes

    def _gained(self, changed: tuple[Change, ...], topic: Topic) -> int:
        """How many mentions of the topic's functions a commit's tests gain; -1 if they are not about it at all."""
        gained, about = 0, False
        for each in changed:
            if is_python(each.path):
                now = topic.mentions(self._copy.blob(each.new_blob) or b"")
                about = about or now > 0 or topic.is_called(each.path)
                gained += max(0, now - topic.mentions(self._copy.blob(each.old_blob) or b"")) if now else 0
        return gained if about else -1

    def _files(self, changed: tuple[Change, ...], topic: Topic) -> Iterator[tuple[str, bytes]]:
        for each in changed:
            data = self._copy.blob(each.new_blob)
            if data is not None and (
                not is_python(each.path) or topic.is_called(each.path) or topic.mentions(data) or _is_aid(each.path)
            ):
                yield each.path, data


def _is_aid(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in ("conftest.py", "__init__.py") or "test" not in name
