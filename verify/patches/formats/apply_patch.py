"""The apply_patch format (V4A): ``*** Begin Patch`` with sections for files, whose hunks have no line numbers.

An ``@@`` line may name the class or function that a hunk is in. It is looked at only where the hunk's lines stand in
several places: they must stand in one of that body alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.loose import LooseFile, LooseHunk, LooseLine
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat, ambiguous, malformed

_SECTION: Final = re.compile(r"\*\*\* (Update|Add|Delete) File: (.+?)\s*$")
_ACTIONS: Final[dict[str, Literal["modify", "add", "delete"]]] = {
    "Update": "modify",
    "Add": "add",
    "Delete": "delete",
}


def looks_like(answer: str) -> bool:
    """Whether there is such a patch in the answer."""
    return any(line.startswith("*** Begin Patch") or _SECTION.match(line) for line in answer.split("\n"))


def rest(answer: str) -> str:
    """What stands in the answer before and after the patch."""
    lines = answer.split("\n")
    begin, end = _extent(lines)
    return "\n".join((*lines[:begin], *lines[end + 1 :]))


def read(answer: str) -> Patch:
    """Read the sections of the patch."""
    lines = [line.removesuffix("\n").removesuffix("\r") for line in split_lines(answer)]
    begin, end = _extent(lines)
    bare = not any(line.strip() for line in (*lines[:begin], *lines[end + 1 :]))
    files = _read_sections(lines[:end], begin)
    if looks_like("\n".join(lines[end + 1 :])):
        files = ambiguous("the answer has more than one patch")
    return Patch(answer, answer, PatchFormat.APPLY_PATCH, bare, files, files)


def _extent(lines: Sequence[str]) -> tuple[int, int]:
    """The indices of the first and the last line of the patch."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("*** Begin Patch") or _SECTION.match(line)), 0)
    end = next((at for at in range(begin, len(lines)) if lines[at].startswith("*** End Patch")), len(lines))
    return begin, end


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
    anchors: list[list[str]] = [[]]
    ending: set[int] = set()
    for number, line in enumerate(lines, at + 1):
        if line.startswith("@@"):
            if hunks[-1] or number == at + 1:
                hunks.append([])
                anchors.append([])
            anchors[-1] += [anchor] if (anchor := line.strip("@ ")) else []
        elif line.startswith("*** Move to:"):
            return malformed(f"line {number}: files are not moved")
        elif line.startswith("*** End of File"):
            ending.add(len(hunks) - 1)
        elif line[:1] in ("+", "-"):
            hunks[-1].append(LooseLine("+" if line[0] == "+" else "-", line[1:]))
        elif line[:1] in ("", " "):
            hunks[-1].append(LooseLine(" ", line[1:], unsigned=not line))
        else:
            return malformed(f"line {number}: neither context nor a change: {line[:60]}")
    kept = [_trimmed(hunk) for hunk in hunks]
    read = tuple(
        LooseHunk(tuple(hunk), anchors=tuple(named), at_end=index in ending, at=at)
        for index, (hunk, named) in enumerate(zip(kept, anchors, strict=True))
        if any(line.sign != " " for line in hunk)
    )
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
