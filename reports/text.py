"""Text from outside made fit to be read: nothing hidden in it, and no more of it than a reader wants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mendlab.reports.words import counted

# Controls, lone surrogates, line separators, and the marks that reorder text (CVE-2021-42574).
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Return text with every control and direction mark shown as its escape; tabs and newlines stay."""
    return _HIDDEN.sub(lambda match: _shown(ord(match.group())), text)


def _shown(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@dataclass(frozen=True, slots=True)
class Trimmed:
    """Lines that were kept, and a note of what was not (empty if all is there)."""

    lines: tuple[str, ...]
    note: str

    @property
    def text(self) -> str:
        """The kept lines as one text."""
        return "\n".join(self.lines)


def trim(text: str, *, lines: int, columns: int = 400) -> Trimmed:
    """Return the first ``lines`` lines, each cut at ``columns`` characters with a count of what is missing."""
    every = text.removesuffix("\n").split("\n") if text else []
    kept = tuple(_cut(line, columns) for line in every[:lines])
    left = len(every) - len(kept)
    return Trimmed(kept, f"{counted(left, 'more line')} not shown" if left else "")


def _cut(line: str, columns: int) -> str:
    left = len(line) - columns
    return line if left <= 0 else f"{line[:columns]}… ({counted(left, 'more character')})"
