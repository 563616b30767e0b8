"""The ladder of patch application: the first rung that holds, in a fresh tree for each, all files or none.

Never fuzz, never the first of many places: a patch that fits in two is ambiguous. After a rung holds nothing else is
done to the tree; whether it parses and differs is the judge's next question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.records import Outcome
from mendlab.verify.patches.anchors import two_places
from mendlab.verify.patches.answer import read_patch, unescaped, without_thoughts
from mendlab.verify.patches.formats import code_block
from mendlab.verify.patches.names import two_meanings
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import SAFE, Applied, ApplyRung, Misfit, PatchFailure, PatchFormat, Refusal
from mendlab.verify.patches.rungs import elide, envelope, path, recount, reindent, relocate, strict, ws_context

Attempt = Callable[[Patch, FileTree, Collection[str]], FileTree | Misfit]
RUNGS: Final[dict[ApplyRung, Attempt]] = {
    ApplyRung.STRICT: strict.attempt,
    ApplyRung.ENVELOPE: envelope.attempt,
    ApplyRung.RECOUNT: recount.attempt,
    ApplyRung.PATH: path.attempt,
    ApplyRung.RELOCATE: relocate.attempt,
    ApplyRung.WS_CONTEXT: ws_context.attempt,
    ApplyRung.REINDENT: reindent.attempt,
    ApplyRung.ELIDE: elide.attempt,
}


MOST_CHARACTERS: Final = 1_000_000
MOST_EDITS: Final = 2000
_EDIT: Final = re.compile(r"^(?:@@|<<<<<<<|--- |\*\*\* )", re.MULTILINE)


def unreadable(raw: str) -> str | None:
    """Say why an answer is not read at all: it is larger than any fix is, or no text. ``None`` if it is read."""
    if len(raw) > MOST_CHARACTERS:
        return f"the answer has {len(raw):,} characters; at most {MOST_CHARACTERS:,} are read"
    try:
        raw.encode("utf-8", "surrogateescape")  # what stands for a byte in a file name may be there
    except UnicodeEncodeError as error:
        return f"character {error.start + 1} of the answer is half of one"
    edits = sum(1 for _ in _EDIT.finditer(raw))
    return f"the answer has {edits:,} edits; at most {MOST_EDITS:,} are read" if edits > MOST_EDITS else None


def apply_patch(tree: FileTree, raw: str, *, editable: Collection[str]) -> Applied | PatchFailure:
    """Apply an answer to the buggy tree.

    Args:
        tree: the buggy tree.
        raw: the answer as it came, prose and all.
        editable: the files that the task allows to be changed; names in the patch that are not exact are looked up
            among them. What the patch may change is for :mod:`mendlab.verify.patches.policy` to say.
    """
    if problem := unreadable(raw):
        return PatchFailure(Outcome.MALFORMED_DIFF, ApplyRung.STRICT, problem)
    if not raw.strip():
        return PatchFailure(Outcome.NO_PATCH, ApplyRung.STRICT, "the answer is empty")
    answer = unescaped(raw, tree, editable)
    patch = read_patch(answer)
    if patch is None:
        return _apply_code(tree, raw, editable)
    if answer != raw:
        patch = replace(patch, raw=raw, bare=False)
    if unclear := _unclear(patch, tree, editable):
        return PatchFailure(unclear.outcome, ApplyRung.STRICT, unclear.reason)
    failures: dict[ApplyRung, Misfit] = {}
    for rung, attempt in RUNGS.items():
        result = attempt(patch, tree, editable)
        if isinstance(result, FileTree):
            return _applied(tree, result, rung, patch.format)
        failures[rung] = result
        if result.outcome is Outcome.AMBIGUOUS:
            return _told_apart(patch, tree, editable) or PatchFailure(result.outcome, rung, result.reason)
    return _failure(failures)


def _unclear(patch: Patch, tree: FileTree, editable: Collection[str]) -> Misfit | None:
    """Why no rung can say what the answer means, or ``None``."""
    if isinstance(patch.files, Misfit):
        return patch.files if patch.files.outcome is Outcome.AMBIGUOUS else None
    return next(
        filter(None, (two_meanings(file, tree) or two_places(file, tree, editable) for file in patch.files)), None
    )


def _told_apart(patch: Patch, tree: FileTree, editable: Collection[str]) -> Applied | None:
    """The patch applied where its hunks' headers, which name functions, leave one place of several."""
    if isinstance(patch.files, Misfit):
        return None
    if not any(hunk.anchors or hunk.at_end for file in patch.files for hunk in file.hunks):
        return None
    result = elide.attempt(patch, tree, editable)
    applied = _applied(tree, result, ApplyRung.ELIDE, patch.format) if isinstance(result, FileTree) else None
    return applied if isinstance(applied, Applied) else None


def _apply_code(tree: FileTree, raw: str, editable: Collection[str]) -> Applied | PatchFailure:
    answer = without_thoughts(raw)
    result = code_block.apply(answer, tree, editable)
    if isinstance(result, Misfit):
        return PatchFailure(result.outcome, ApplyRung.ENVELOPE, result.reason)
    after, rung, patch_format = result
    return _applied(tree, after, rung if answer == raw else ApplyRung.ENVELOPE, patch_format)


def _applied(before: FileTree, after: FileTree, rung: ApplyRung, patch_format: PatchFormat) -> Applied | PatchFailure:
    try:
        return Applied(after, make_diff(before, after), rung, patch_format)
    except InputError as error:
        return PatchFailure(Outcome.PATCH_REJECTED, rung, str(error))


def _failure(failures: dict[ApplyRung, Misfit]) -> PatchFailure:
    """The failure of the ladder: malformed if no rung could read the patch, else why the last safe one refused it."""
    fitting = {rung: misfit for rung, misfit in failures.items() if misfit.outcome is Outcome.PATCH_REJECTED}
    safe = [rung for rung in fitting if rung in SAFE]
    rung = list(failures)[-1]
    outcome: Refusal = Outcome.PATCH_REJECTED if fitting else Outcome.MALFORMED_DIFF
    telling = fitting[safe[-1]] if safe else next(iter(fitting.values())) if fitting else failures[ApplyRung.RELOCATE]
    return PatchFailure(outcome, rung, telling.reason)
