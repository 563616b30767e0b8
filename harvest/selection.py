"""Which commits of a history are wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from mendlab.errors import InputError
from mendlab.harvest.paths import within


@dataclass(frozen=True)
class Selection:
    """Which commits are wanted.

    They are committed at or after ``since`` and before ``until`` (as ``2024-05-01``, or with a time, in UTC), change
    one of the ``paths`` (folders, files or patterns), and the expression ``message`` is found in what they say.

    Raises:
        InputError: a date or the expression cannot be read.
    """

    since: str | None = None
    until: str | None = None
    paths: tuple[str, ...] = ()
    message: str | None = None

    def __post_init__(self) -> None:
        _ = self._message
        if self._since is not None and self._until is not None and self._since >= self._until:
            raise InputError(f"since {self.since!r} is not before until {self.until!r}")

    @cached_property
    def _since(self) -> int | None:
        return None if self.since is None else int(moment("since", self.since).timestamp())

    @cached_property
    def _until(self) -> int | None:
        return None if self.until is None else int(moment("until", self.until).timestamp())

    @cached_property
    def _message(self) -> re.Pattern[str] | None:
        try:
            return None if self.message is None else re.compile(self.message)
        except re.error as error:
            raise InputError(f"message {self.message!r} is no regular expression: {error}") from error

    def has_time(self, committed: int) -> bool:
        """Whether a time, in seconds since 1970, is within the dates."""
        return (self._since is None or self._since <= committed) and self.is_before_end(committed)

    def is_before_end(self, committed: int) -> bool:
        """Whether a time is not after the last that is wanted."""
        return self._until is None or committed < self._until

    def has_message(self, message: str) -> bool:
        """Whether the expression is found in a message."""
        return self._message is None or self._message.search(message) is not None

    def has_paths(self, paths: Iterator[str]) -> bool:
        """Whether one of the paths changed is among those wanted."""
        return not self.paths or any(within(path, self.paths) for path in paths)


def moment(name: str, date: str) -> datetime:
    """Return the moment that a user names, in UTC where no zone is said.

    Raises:
        InputError: it is no date; ``name`` is what it is given for.
    """
    try:
        time = datetime.fromisoformat(date)
    except ValueError as error:
        hint = "write it as 2024-05-01 or 2024-05-01T12:00:00Z"
        raise InputError(f"{name} {date!r} is no date", hint=hint) from error
    return time if time.tzinfo else time.replace(tzinfo=UTC)
