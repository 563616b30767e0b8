"""The apply_patch format (V4A): ``*** Begin Patch`` with sections for files, whose hunks have no line numbers.

An ``@@`` line may name the class or function that a hunk is in; places are told by the lines of the hunk alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.loose import LooseFile, LooseHunk, LooseLine
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, malformed

_SECTION: Final = re.compile(r"\*\*\* (Update|Add|Delete) File: (.+?)\s*$")
_ACTIONS: Final[dict[str, Literal["modify", "add", "delete"]]] = {
    "Update": "modify",
    "Add": "add",
    "Delete": "delete",
}


def looks_like(answer: str) -> bool:
    """Whether there is such a patch in the answer."""
    return any(line.startswith("*** Begin Patch") or _SECTION.match(line) for line in answer.split("\n"))


def read(answer: str) -> Patch:
    """Read the sections of the patch."""
    lines = [line.removesuffix("\n").removesuffix("\r") for line in split_lines(answer)]
    begin = next((at for at, line in enumerate(lines) if line.startswith(("*** Begin Patch", "*** Update File:"))), 0)
    end = next((at for at in range(begin, len(lines)) if lines[at].startswith("*** End Patch")), len(lines))
    bare = not any(line.strip() for line in (*lines[:begin], *lines[end + 1 :]))
    files = _read_sections(lines[:end], begin)
    return Patch(answer, answer, PatchFormat.APPLY_PATCH, bare, files, files)


def _read_sections(lines: Sequence[str], at: int) -> tuple[LooseFile, ...] | Misfit:
    files: list[LooseFile] = []
    while at < len(lines):
        match = _SECTION.match(lines[at])
        if match is None:
            if lines[at].strip() and not lines[at].startswith(("*** Begin Patch", "```")):
                return malformed(f"line {at + 1}: not a section of a patch: {lines[at][:60]}")
            at += 1
            continue
        start = at
        at += 1
        while at < len(lines) and not _SECTION.match(lines[at]):
            at += 1
        file = _read_section(lines[start + 1 : at], _ACTIONS[match[1]], match[2], start + 1)
        if isinstance(file, Misfit):
            return file
        files.append(file)
    return tuple(files) or malformed("a patch with no file in it")


def _read_section(
    lines: Sequence[str], action: Literal["modify", "add", "delete"], name: str, at: int
) -> LooseFile | Misfit:
    hunks: list[list[LooseLine]] = [[]]
    for number, line in enumerate(lines, at + 1):
        if line.startswith("@@"):
            hunks.append([])
        elif line.startswith("*** Move to:"):
            return malformed(f"line {number}: files are not moved")
        elif line.startswith("*** End of File"):
            continue
        elif line[:1] in ("+", "-"):
            hunks[-1].append(LooseLine("+" if line[0] == "+" else "-", line[1:]))
        elif line[:1] in ("", " "):
            hunks[-1].append(LooseLine(" ", line[1:], unsigned=not line))
        else:
            return malformed(f"line {number}: neither context nor a change: {line[:60]}")
    kept = [_trimmed(hunk) for hunk in hunks]
    read = tuple(LooseHunk(tuple(hunk), at=at) for hunk in kept if any(line.sign != " " for line in hunk))
    if any(hunk and all(line.sign == " " for line in hunk) for hunk in kept):
        return malformed(f"line {at}: a hunk that changes nothing")
    if action == "modify" and not read:
        return malformed(f"line {at}: a file without a change")
    if action == "delete" and read:
        return malformed(f"line {at}: a deleted file with lines")
    return LooseFile((name,), read, action, prefixed=False, at=at)


def _trimmed(hunk: list[LooseLine]) -> list[LooseLine]:
    end = len(hunk)
    while end and hunk[end - 1].unsigned:
        end -= 1
    return hunk[:end]
