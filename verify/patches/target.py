"""The file that a patch changes, and edits of it in which every kept line keeps its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mendlab.corpora.diffs import encode
from mendlab.corpora.text import Decoded, decode
from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.loose import LooseHunk
from mendlab.verify.patches.results import Misfit, rejected

BYTE_ORDER_MARK: Final = "\ufeff"


@dataclass(frozen=True)
class Target:
    """A file of the buggy tree."""

    path: str
    data: bytes

    @cached_property
    def decoded(self) -> Decoded:
        """Its text and encoding."""
        return decode(self.path, self.data)

    @cached_property
    def mark(self) -> str:
        """The byte order mark that it begins with, or nothing."""
        return BYTE_ORDER_MARK if self.decoded.text.startswith(BYTE_ORDER_MARK) else ""

    @cached_property
    def lines(self) -> list[str]:
        """Its lines with their ends, the mark left out."""
        return split_lines(self.decoded.text.removeprefix(self.mark))

    @cached_property
    def eol(self) -> str:
        """How most of its lines end."""
        crlf = sum(line.endswith("\r\n") for line in self.lines)
        return "\r\n" if crlf * 2 > len(self.lines) else "\n"

    @cached_property
    def bare(self) -> list[str]:
        """Its lines without their ends."""
        return [line.removesuffix("\n").removesuffix("\r") for line in self.lines]

    def places(self, before: Sequence[str]) -> list[int]:
        """Every index at which the lines stand in this file."""
        return [at for at in range(len(self.bare) - len(before) + 1) if self.stands_at(before, at)]

    def stands_at(self, before: Sequence[str], at: int) -> bool:
        """Whether the lines stand at one index."""
        return at >= 0 and self.bare[at : at + len(before)] == list(before)


@dataclass(frozen=True, slots=True)
class Edit:
    """The lines ``start`` to ``stop`` (from 0, the end exclusive) become ``content``.

    That has kept lines by their index and new ones as text without a newline. ``final_newline`` is what
    :class:`LooseHunk` says of it.
    """

    start: int
    stop: int
    content: tuple[int | str, ...]
    final_newline: bool | None = None


def edit_at(hunk: LooseHunk, start: int) -> Edit:
    """The edit that a hunk makes whose first line stands at ``start``: its outer context is left out of it."""
    content: list[int | str] = []
    at = start
    for line in hunk.lines:
        if line.sign == "+":
            content.append(line.text)
        else:
            if line.sign == " ":
                content.append(at)
            at += 1
    while content and content[0] == start:
        del content[0]
        start += 1
    while content and content[-1] == at - 1:
        del content[-1]
        at -= 1
    return Edit(start, at, tuple(content), hunk.final_newline)


def splice(target: Target, edits: Sequence[Edit]) -> bytes | Misfit:
    """Return the file with all edits made. They may come in any order but must not overlap."""
    out: list[str] = []
    done, inserted_at = 0, -1
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop)):
        if edit.start < done or inserted_at == edit.start:
            return rejected(f"two hunks change line {edit.start + 1} of {target.path}")
        out += target.lines[done : edit.start]
        out += [target.lines[item] if isinstance(item, int) else item + target.eol for item in edit.content]
        done = edit.stop
        inserted_at = edit.start if edit.start == edit.stop else -1
    kept = target.lines[done:]
    text = _ended(out + kept, target)
    if not kept and edits and _ends_in_new_text(edits):
        text = _final_newline(text, target, max(edits, key=lambda edit: (edit.start, edit.stop)).final_newline)
    data = encode(target.path, target.mark + text, target.decoded)
    return data if data is not None else rejected(f"{target.path} cannot hold the new text in its encoding")


def _ends_in_new_text(edits: Sequence[Edit]) -> bool:
    content = max(edits, key=lambda edit: (edit.start, edit.stop)).content
    return bool(content) and isinstance(content[-1], str)


def _ended(lines: list[str], target: Target) -> str:
    """Join lines, of which one that was the last of its file may stand before others now."""
    return "".join(line if line.endswith("\n") else line + target.eol for line in lines[:-1]) + "".join(lines[-1:])


def _final_newline(text: str, target: Target, wanted: bool | None) -> str:
    """Give new text at the end of a file the end that its hunk asks for, else the one that the file had."""
    if wanted is None:
        wanted = not target.lines or target.lines[-1].endswith("\n")
    return text if wanted else text.removesuffix("\n").removesuffix("\r")
