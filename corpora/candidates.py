"""What readers and mutators hand to detection: a program, and a change to it that may become a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, Subject


@dataclass(frozen=True, slots=True)
class LoadedSubject:
    """A subject with the tree its digest stands for."""

    subject: Subject
    tree: FileTree


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in the input that cannot be a subject or a task, and why, in one line that names the place."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A defect that may become a task. ``buggy`` is the loaded subject's tree with ``defect.diff`` applied.

    ``claimed_fail_to_pass`` and ``claimed_pass_to_pass`` are what the source says of its tests, where it says it: then
    those lists are proved instead of being made. Of a defect that is to be hard, ``fewer_than`` tests may fail.
    """

    id: str
    loaded: LoadedSubject
    buggy: FileTree
    defect: Defect
    statement: str
    editable: tuple[str, ...]
    tags: tuple[str, ...] = ()
    weight: float = 1.0
    kind: Literal["repair", "completion"] = "repair"
    claimed_fail_to_pass: tuple[str, ...] | None = None
    claimed_pass_to_pass: tuple[str, ...] | None = None
    fewer_than: int | None = None
