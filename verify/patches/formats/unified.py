"""Unified diffs: taken out of fences and prose, and read loosely."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Final

from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.drafts import retracts
from mendlab.verify.patches.formats.fences import DIFFS, Block, read_markdown
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, ambiguous, malformed
from mendlab.verify.patches.unified_loose import read_loose

_SIGNS: Final = re.compile(r"^ *(?:diff --git |@@|(?:---|\+\+\+) \S[^\n]*\n *(?:---|\+\+\+) \S)", re.MULTILINE)
_OUTSIDE: Final = re.compile(r"^(?:diff --git |@@ -\d|--- \S[^\n]*\n\+\+\+ \S)", re.MULTILINE)
_HEADERS: Final = ("diff --git ", "--- ", "+++ ", "@@")
_NAMED: Final = re.compile(
    r"\W*(?:(?:and|then|now|in|file|for|update|change|edit|path)\W+){0,3}([\w./-]*\w\.pyi?)\W*$", re.IGNORECASE
)


def looks_like(answer: str) -> bool:
    """Whether there is a diff in the answer."""
    return bool(_SIGNS.search(answer)) or bool(_diffs(read_markdown(answer).blocks))


def read(answer: str) -> Patch:
    """Read the diff in the answer."""
    text = unwrap(answer)
    bare = text == answer
    if draft := _draft(answer):
        return Patch(answer, text, PatchFormat.UNIFIED, bare, draft, draft)
    files, lenient = read_loose(text, unsigned=False), read_loose(text, unsigned=True)
    if not isinstance(files, Misfit):
        lenient = files
        if cut := _cut_off(files, text, ended=answer.endswith("\n")):
            files = lenient = cut
    return Patch(answer, text, PatchFormat.UNIFIED, bare, files, lenient)


def _cut_off(files: Sequence[LooseFile], text: str, *, ended: bool) -> Misfit | None:
    """The misfit of an answer that ends in a hunk short of its counts: before an added line, or within one."""
    hunk = files[-1].hunks[-1] if files[-1].hunks else None
    if hunk is None or hunk.old_count is None or hunk.new_count is None:
        return None
    last = hunk.lines[-1]
    old_missing, new_missing = hunk.old_count - len(hunk.before), hunk.new_count - len(hunk.after)
    before_added = last.sign == "-" and new_missing > max(0, old_missing)
    within_added = last.sign == "+" and not ended and max(new_missing, old_missing) > 0
    if not (before_added or within_added) or not text.rstrip().endswith(last.text.rstrip()):
        return None
    return malformed(f"line {hunk.at}: the hunk is cut off")


def _draft(answer: str) -> Misfit | None:
    """The misfit of an answer with more than one diff, of which one is a draft."""
    markdown = read_markdown(answer)
    given = list({block.text: block for block in _diffs(markdown.blocks)}.values())
    if given and _OUTSIDE.search(markdown.prose):
        return ambiguous("the answer has a diff in a fence, and another outside of it")
    if any(retracts(block.words) for block in given[1:]):
        return ambiguous("the answer has two diffs, and says that the second is there instead of the first")
    return None


def _diffs(given: Sequence[Block]) -> list[Block]:
    return [
        block
        for block in given
        if _SIGNS.search(block.text) or (block.info in DIFFS and re.search(r"^[-+]", block.text, re.MULTILINE))
    ]


def unwrap(answer: str) -> str:
    """Return the diff without fences, prose before it, a common indent, and CRs if all its lines have one."""
    fenced = [_headed(block) for block in _diffs(read_markdown(answer).blocks)]
    text = "".join(part if part.endswith("\n") else part + "\n" for part in dict.fromkeys(fenced)) or answer
    text = text.removeprefix("\ufeff")
    if not text.endswith("\n"):
        text += "\n"
    lines = split_lines(text)
    if all(line.endswith("\r\n") for line in lines):
        text = text.replace("\r\n", "\n")
    first = next((at for at, line in enumerate(split_lines(text)) if line.lstrip(" ").startswith(_HEADERS)), 0)
    text = "".join(split_lines(text)[first:])
    return textwrap.dedent(text) if text.startswith(" ") else text


def _headed(block: Block) -> str:
    """The text of a block of hunks, under the name that its heading consists of."""
    name = _NAMED.match(block.heading)
    if name is None or not block.text.startswith("@@"):
        return block.text
    return f"--- {name[1]}\n+++ {name[1]}\n{block.text}"
