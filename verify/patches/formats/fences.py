"""Fenced blocks of Markdown in an answer, as in the CommonMark specification, section 4.5.

A fence stands at the start of a line; only that of a diff may be indented, as in a list, for in code and in the context
of a diff an indented fence is a part of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.unified import split_lines

_FENCE: Final = re.compile(r"( *)(`{3,}|~{3,})[ \t]*([^`\r\n]*?)[ \t]*\r?\n?\Z")
DIFFS: Final = frozenset({"diff", "patch"})


@dataclass(frozen=True, slots=True)
class Block:
    """A block: what stands after its opening fence, its text, and the prose before it."""

    info: str
    text: str
    words: str = ""

    @property
    def heading(self) -> str:
        """The last line of the prose."""
        return next((line.strip() for line in reversed(self.words.split("\n")) if line.strip()), "")


@dataclass(frozen=True, slots=True)
class Markdown:
    """The blocks of an answer, and the prose after the last of them."""

    blocks: tuple[Block, ...]
    end: str

    @property
    def prose(self) -> str:
        """All that stands in no block."""
        return "".join(block.words for block in self.blocks) + self.end


def read_markdown(answer: str) -> Markdown:
    """Return blocks and prose; a block that is not closed reaches to the end."""
    found: list[Block] = []
    fence, info, indent = "", "", 0
    inside: list[str] = []
    prose: list[str] = []
    for line in split_lines(answer):
        match = _FENCE.match(line)
        if not fence and match and (not match[1] or match[3] in DIFFS):
            indent, fence, info, inside = len(match[1]), match[2], match[3], []
        elif fence and match and not match[3] and match[2].startswith(fence) and len(match[1]) <= indent:
            found.append(Block(info, "".join(inside), "".join(prose)))
            fence, prose = "", []
        elif fence:
            inside.append(line[min(indent, len(line) - len(line.lstrip(" "))) :])
        else:
            prose.append(line)
    if fence:
        text, prose_after = _at_end_of_line(inside, fence)
        found.append(Block(info, text, "".join(prose)))
        prose = prose_after
    return Markdown(tuple(found), "".join(prose))


def _at_end_of_line(inside: list[str], fence: str) -> tuple[str, list[str]]:
    """The text of a block that no line closes, up to a fence at the end of a line if there is one, and what follows."""
    for at, line in enumerate(inside):
        if line.rstrip().endswith(fence):
            return "".join(inside[:at]) + line.rstrip().removesuffix(fence) + "\n", inside[at + 1 :]
    return "".join(inside), []


def blocks(answer: str) -> tuple[Block, ...]:
    """Return the fenced blocks."""
    return read_markdown(answer).blocks


def widest_block(answer: str) -> Block | None:
    """Return the block from the first fence to the last, of an answer whose code has fences in it."""
    lines = split_lines(answer)
    at = [index for index, line in enumerate(lines) if (match := _FENCE.match(line)) and not match[1]]
    if len(at) < 3:
        return None
    match = _FENCE.match(lines[at[0]])
    return Block(match[3] if match else "", "".join(lines[at[0] + 1 : at[-1]]), "".join(lines[: at[0]]))
