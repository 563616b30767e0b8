"""What came of a patch: applied, at which rung of the ladder and in which format, or not, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome

Refusal = Literal[Outcome.NO_PATCH, Outcome.MALFORMED_DIFF, Outcome.PATCH_REJECTED, Outcome.AMBIGUOUS]


class ApplyRung(StrEnum):
    """The rungs of patch application, strictest first; each allows what those before it allow."""

    STRICT = "strict"
    ENVELOPE = "envelope"
    RECOUNT = "recount"
    PATH = "path"
    RELOCATE = "relocate"
    WS_CONTEXT = "ws_context"
    REINDENT = "reindent"
    ELIDE = "elide"


SAFE: Final = frozenset(list(ApplyRung)[:5])
LENIENT: Final = frozenset(list(ApplyRung)[5:])


class PatchFormat(StrEnum):
    """The forms that an answer may have."""

    UNIFIED = "unified"
    SEARCH_REPLACE = "search_replace"
    APPLY_PATCH = "apply_patch"
    WHOLE_FILE = "whole_file"
    WHOLE_FUNCTION = "whole_function"
    COMPLETION = "completion"


@dataclass(frozen=True, slots=True)
class Applied:
    """A patch that holds: the tree after it, and the diff to that tree, which is what is judged."""

    tree: FileTree
    canonical_patch: str
    rung: ApplyRung
    format: PatchFormat


@dataclass(frozen=True, slots=True)
class PatchFailure:
    """A patch that does not: the outcome, the last rung that was tried, and why it failed there."""

    outcome: Refusal
    rung: ApplyRung
    reason: str


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why one rung does not hold. An ambiguous one ends the ladder: a looser rung would find as many places or more."""

    outcome: Refusal
    reason: str


def rejected(reason: str) -> Misfit:
    """A misfit of a patch that can be read but does not fit."""
    return Misfit(Outcome.PATCH_REJECTED, reason)


def ambiguous(reason: str) -> Misfit:
    """A misfit of a patch that fits in more than one place."""
    return Misfit(Outcome.AMBIGUOUS, reason)


def malformed(reason: str) -> Misfit:
    """A misfit of a patch that cannot be read."""
    return Misfit(Outcome.MALFORMED_DIFF, reason)
