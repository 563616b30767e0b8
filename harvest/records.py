"""The data of harvesting: what the stages hand to one another, from a commit to a candidate or the reason it fell.

As in :mod:`mendlab.records`, all are frozen and strict and travel as JSON. Patches are bytes, in base64 there. Object
ids are git's, in hexadecimal, 40 or 64 digits long. Times are UTC, as ``2024-05-01T12:00:00Z``, so that they sort.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, PlainSerializer, ValidationInfo

from mendlab.corpora.unified import quote, unquote
from mendlab.records import Record


def _written(path: str) -> str:
    try:
        path.encode()
    except UnicodeEncodeError:
        return quote(path)
    return quote(path) if path.startswith('"') else path


def _read(text: object, info: ValidationInfo) -> object:
    quoted = info.mode == "json" and isinstance(text, str) and text.startswith('"')
    return unquote(str(text))[0] if quoted else text


GitPath = Annotated[str, PlainSerializer(_written, when_used="json"), BeforeValidator(_read)]
"""A path in a tree, its bytes read as UTF-8 with surrogate escapes; in JSON quoted as git does where these occur."""


class BytesRecord(Record):
    """A record with bytes in it."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")


ChangeStatus = Literal["A", "D", "M", "T"]


class Change(Record):
    """One entry of ``git log --raw`` without renames: status A, D, M or T, with the modes and blob ids of both sides.

    A side that is not there has mode ``000000`` and an id of zeros.
    """

    status: ChangeStatus
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    path: GitPath


class Commit(Record):
    """A commit, with what it changes in its first parent (or in the empty tree, where it has none)."""

    sha: str
    parents: tuple[str, ...]
    authored: str
    committed: str
    subject: str
    body: str
    changes: tuple[Change, ...] = ()

    @property
    def is_merge(self) -> bool:
        """Whether there is more than one parent; the change is then that of the whole branch merged."""
        return len(self.parents) > 1

    @property
    def message(self) -> str:
        """Subject and body as one text."""
        return f"{self.subject}\n\n{self.body}" if self.body else self.subject


class PathKind(StrEnum):
    """What a file is to a repair: mended, told by, or neither."""

    SOURCE = "source"
    TESTS = "tests"
    OTHER = "other"  # documentation, change logs, continuous integration, packaging


class Score(Record):
    """How much a commit looks like a bug fix, from what is known without running it. It orders; it excludes nothing.

    ``reasons`` maps each sign that was found to its share of ``value``.
    """

    value: float
    reasons: dict[str, float]


class Reference(Record):
    """An issue or a pull request that a commit names; ``url`` where it was written out in full."""

    kind: Literal["issue", "pull", "unknown"]
    number: str
    tracker: str = ""  # owner/name, or what stands before the number, as bpo
    url: str | None = None


class Part(BytesRecord):
    """The files of one kind that a fix changes: git's own patch of them, and its size; empty where there are none."""

    patch: bytes = b""
    paths: tuple[GitPath, ...] = ()
    hunks: int = 0
    added: int = 0
    removed: int = 0


class Candidate(BytesRecord):
    """A commit that may be a bug fix. The parent's tree with the three patches applied is the commit's tree.

    ``patch_id`` is the same for the same change of source made to other versions of the files
    (:func:`~.candidates.patch_id`).
    """

    commit: Commit
    score: Score
    references: tuple[Reference, ...] = ()
    source: Part = Part()
    tests: Part = Part()
    other: Part = Part()
    patch_id: str

    @property
    def fix(self) -> str:
        """The commit that fixes."""
        return self.commit.sha

    @property
    def parent(self) -> str:
        """The commit before, on whose first-parent line the fix lies."""
        return self.commit.parents[0]

    @property
    def patch(self) -> bytes:
        """All that the commit changes, as one patch."""
        return self.source.patch + self.tests.patch + self.other.patch


class Stage(StrEnum):
    """The stages of the pipeline, in order."""

    SCAN = "scan"
    PATCHES = "patches"
    ENVIRONMENT = "environment"
    STATES = "states"
    MINIMISE = "minimise"
    CLASSIFY = "classify"
    TASK = "task"


class DropReason(StrEnum):
    """Why a commit is no task. Each stage has its own."""

    NO_PARENT = "no_parent"  # a root, or where a shallow history ends
    SIDE_MERGE = "side_merge"  # a merge off the first-parent line: no change of its own
    NO_CODE = "no_code"  # modifies no Python file that is source
    NOT_SELECTED = "not_selected"  # outside the dates, paths or message asked for
    SAME_PROGRAM = "same_program"  # comments, docstrings and layout alone
    SAME_PATCH = "same_patch"  # the same change of source as a candidate before it
    NOT_REBUILT = "not_rebuilt"  # parent and patches do not give the commit's tree
    TOO_LARGE = "too_large"
    NO_TESTS = "no_tests"  # it touches none that can be collected
    UNRESOLVED = "unresolved"  # it needs what has no version that goes with the rest, or no wheel
    UNDECLARED = "undeclared"  # it needs a module that it declares nowhere
    NO_PLUGIN = "no_plugin"  # its configuration asks for a plugin of pytest that is not there
    NO_ENVIRONMENT = "no_environment"  # pytest does not start on it, in any environment, for another reason
    NOTHING_PASSES = "nothing_passes"  # none of the tests that it touches passes after it, in any environment
    PASSES_BEFORE = "passes_before"  # what passes after it passes before it, too
    FLAKY = "flaky"  # what tells the states apart is not the same in every run
    NO_BUG = "no_bug"  # a feature, a refactoring, or work on speed or the environment
    NOT_TEXT = "not_text"  # its source changes what no diff can say


class Dropped(Record):
    """A commit that left the pipeline: where, and why. ``detail`` names what is particular to it."""

    sha: str
    stage: Stage
    reason: DropReason
    detail: str = ""
