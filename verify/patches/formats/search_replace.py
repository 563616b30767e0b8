"""SEARCH/REPLACE blocks, as Aider defines them: a file name, then the old lines and the new ones between marks.

The file name stands on the line before the block, or before or beside the fence around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.drafts import retracts
from mendlab.verify.patches.formats.blocks_of_edits import hunk_between
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, ambiguous, malformed

SEARCH: Final = re.compile(r"(?:<{5,9}|-{5,9}) ?SEARCH:?\s*(\S*)\s*$")
DIVIDER: Final = re.compile(r"={5,9}\s*$")
_REPLACE: Final = re.compile(r"(?:>{5,9}|\+{5,9}) ?REPLACE\s*$")
_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})\s*(\S*)\s*$")
_NAME: Final = re.compile(r"^(?:[#*\s]*(?:[Ff]ile(?:name)?:)?\s*)[`*\"']*([^`*\"'\n]*?[\w)\]])[`*\"':]*\s*$")


def looks_like(answer: str) -> bool:
    """Whether there is such a block in the answer."""
    return any(SEARCH.match(line) for line in answer.split("\n"))


def rest(answer: str) -> str:
    """What stands in the answer beside the blocks."""
    outside: list[str] = []
    inside = False
    for line in answer.split("\n"):
        inside |= SEARCH.match(line) is not None
        if not inside:
            outside.append(line)
        inside &= _REPLACE.match(line) is None
    return "\n".join(outside)


def read(answer: str) -> Patch:
    """Read every block of the answer."""
    lines = [line.removesuffix("\n").removesuffix("\r") for line in split_lines(answer)]
    files: list[LooseFile] = []
    bare = True
    at, end, name = 0, 0, ""
    while at < len(lines):
        if not SEARCH.match(lines[at]):
            bare &= not lines[at].strip() or _named(lines[at]) == lines[at]
            at += 1
            continue
        if files and retracts("\n".join(lines[end:at])):
            draft = ambiguous(f"line {at + 1}: the answer says that the block is there instead of the one before")
            return _patch(answer, bare, draft)
        name = _name_before(lines, at) or name
        block = _read_block(lines, at)
        if isinstance(block, Misfit):
            return _patch(answer, bare, block)
        before, after, end = block
        hunk = hunk_between(before, after, at + 1)
        if before == after:
            return _patch(answer, bare, malformed(f"line {at + 1}: the block changes nothing"))
        named = (name,) if name else ()
        files.append(LooseFile(named, (hunk,), "modify" if before else "add", prefixed=False, at=at + 1))
        at = end
    return _patch(answer, bare, tuple(files))


def _patch(answer: str, bare: bool, files: tuple[LooseFile, ...] | Misfit) -> Patch:
    return Patch(answer, answer, PatchFormat.SEARCH_REPLACE, bare, files, files)


def _read_block(lines: Sequence[str], at: int) -> tuple[list[str], list[str], int] | Misfit:
    dividers = [index for index in range(at + 1, len(lines)) if DIVIDER.match(lines[index])]
    ends = [index for index in range(at + 1, len(lines)) if _REPLACE.match(lines[index])]
    if not ends:
        return malformed(f"line {at + 1}: the block has no REPLACE mark")
    inside = [index for index in dividers if index < ends[0]]
    if len(inside) > 1:  # an underline in the text is no divider if it is of another length than the marks
        mark = re.match(r"[<-]+", lines[at])
        inside = [index for index in inside if mark and len(lines[index].rstrip()) == len(mark[0])]
    if len(inside) != 1 or any(SEARCH.match(line) for line in lines[at + 1 : ends[0]]):
        return malformed(f"line {at + 1}: the block has {len(inside)} dividers instead of one")
    return list(lines[at + 1 : inside[0]]), list(lines[inside[0] + 1 : ends[0]]), ends[0] + 1


def _name_before(lines: Sequence[str], at: int) -> str:
    """The name on the SEARCH line, on the fence, or on the line before either; empty if there is none."""
    match = SEARCH.match(lines[at])
    if match and match[1]:
        return match[1]
    above = at - 1
    while above >= 0 and (not lines[above].strip() or (_FENCE.match(lines[above]) and not _looks_named(lines[above]))):
        above -= 1
    if above < 0 or _REPLACE.match(lines[above]):
        return ""
    fence = _FENCE.match(lines[above])
    return fence[1].split(":")[-1] if fence else _named(lines[above])


def _looks_named(line: str) -> bool:
    fence = _FENCE.match(line)
    return fence is not None and "." in fence[1]


def _named(line: str) -> str:
    """The file name that a line consists of, but for Markdown around it."""
    match = _NAME.match(line)
    name = match[1].strip() if match else ""
    return name if "." in name.rsplit("/", 1)[-1] and not re.search(r"\s\w+\s", name) else ""
