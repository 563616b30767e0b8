"""Fenced blocks of Markdown in an answer, as in the CommonMark specification, section 4.5, at the start of a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.unified import split_lines

_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([^`\r\n]*?)[ \t]*\r?\n?\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """A block: what stands after its opening fence, its text, and the last line of prose before it."""

    info: str
    text: str
    heading: str


def blocks(answer: str) -> tuple[Block, ...]:
    """Return the fenced blocks; one that is not closed reaches to the end."""
    found: list[Block] = []
    fence, info, heading = "", "", ""
    inside: list[str] = []
    for line in split_lines(answer):
        match = _FENCE.match(line)
        if not fence and match:
            fence, info, inside = match[1], match[2], []
        elif fence and match and not match[2] and match[1].startswith(fence):
            found.append(Block(info, "".join(inside), heading))
            fence, heading = "", ""
        elif fence:
            inside.append(line)
        elif line.strip():
            heading = line.strip()
    if fence:
        found.append(Block(info, "".join(inside), heading))
    return tuple(found)
