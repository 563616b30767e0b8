"""The one family of errors. Each names the thing, the place and the way out.

The command line turns any of these into one line on standard error and exit code 2; nothing else is caught there.
"""

from __future__ import annotations

from pathlib import Path
from typing import final


class MendlabError(Exception):
    """Root of the family.

    Args:
        what: what is wrong, naming the thing.
        where: the file, and the line where there is one, as ``path`` or ``path:line``.
        hint: the way out, in the imperative.
    """

    def __init__(self, what: str, *, where: str | Path | None = None, hint: str | None = None) -> None:
        self.what = what
        self.where = None if where is None else str(where)
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        return f"{line} ({self.hint})" if self.hint else line


@final
class InputError(MendlabError):
    """What the user named cannot be read, parsed or used."""


@final
class FormatError(MendlabError):
    """A file is not in the format that it should be in; ``where`` has the line."""


@final
class SubjectError(MendlabError):
    """A program cannot be a subject: no tests, tests that fail already, an interpreter without pytest."""


@final
class ConfinementError(MendlabError):
    """Untrusted code cannot be confined on this machine, and the user has not said to run it unconfined."""


@final
class EngineError(MendlabError):
    """The test engine failed by itself: the lab's fault or the machine's, never the candidate's."""


@final
class ModelError(MendlabError):
    """A model cannot be asked any further: every call is refused, the budget is spent, or a template is broken."""


@final
class OutputError(MendlabError):
    """A result cannot be written: the folder is read-only, the disk is full, or something else is there already."""
