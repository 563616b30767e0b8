"""Unified diffs as data: what one says, read strictly, and git's way of quoting file names.

unidiff is not used to read them. It leaves ``@@ ... @@`` and every line after a hunk's count as remarks without a
word, does not undo git's quoting, and reads the wrong name out of ``diff --git a/x b/x b/x b/x``; a lost line here
would be a wrong verdict. The tests compare the two on diffs that both can read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mendlab.errors import FormatError

Sign = Literal[" ", "-", "+"]
HUNK_HEADER: Final = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
NO_NEWLINE: Final = "\\ No newline at end of file\n"
_ESCAPES: Final = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_NAMES: Final = {code: name for name, code in _ESCAPES.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a hunk; ``text`` ends in LF unless the file ends there without one."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk. Lines count from 1; an empty range starts at the line before it. ``at`` is its line in the diff."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[Line, ...]
    at: int = 0

    @property
    def before(self) -> list[str]:
        """The lines that the hunk expects in the file."""
        return [line.text for line in self.lines if line.sign != "+"]

    @property
    def after(self) -> list[str]:
        """The lines that it leaves there."""
        return [line.text for line in self.lines if line.sign != "-"]

    @property
    def old_index(self) -> int:
        """Where the hunk begins in the file before, from 0."""
        return self.old_start - 1 if self.old_count else self.old_start

    @property
    def new_index(self) -> int:
        """Where the hunk begins in the file after, from 0."""
        return self.new_start - 1 if self.new_count else self.new_start


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happens to one file. ``old`` is ``None`` for a new file, ``new`` for a deleted one.

    Modes are git's (``100644``, ``100755``, ``120000``) where the diff names them. ``copy`` keeps the old file.
    """

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]
    old_mode: str | None = None
    new_mode: str | None = None
    copy: bool = False
    binary: bool = False
    at: int = 0

    @property
    def path(self) -> str:
        """The file after the change, or before it where it is deleted."""
        return self.new if self.new is not None else (self.old or "")


def split_lines(text: str) -> list[str]:
    """Split after every LF and nowhere else: CR, form feeds and U+2028 are part of a line."""
    pieces = text.split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def quote(name: str) -> str:
    """Quote a file name as git does with ``core.quotePath``: C escapes where it has more than printable ASCII."""
    data = name.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in data):
        return name
    return always_quoted(name)


def always_quoted(name: str) -> str:
    """Quote a file name so whatever is in it, as where git takes a list of names and a colon would end one."""
    return '"' + "".join(map(_quote_byte, name.encode("utf-8", "surrogateescape"))) + '"'


def _quote_byte(byte: int) -> str:
    if byte in _NAMES:
        return "\\" + _NAMES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def unquote(text: str) -> tuple[str, str]:
    """Read a name quoted by git at the start of ``text``: the name and the rest. Raises ValueError if it is broken."""
    match = re.match(r'"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"', text)
    if match is None:
        raise ValueError(f"broken quoting: {text.rstrip()}")
    data = bytearray()
    for literal, escape in re.findall(r"([^\\]+)|\\([0-3][0-7]{2}|.)", match[1]):
        data += literal.encode("utf-8", "surrogateescape")
        if escape:
            data.append(_ESCAPES[escape] if escape in _ESCAPES else int(escape, 8))
    return data.decode("utf-8", "surrogateescape"), text[match.end() :]


def read_hunk(lines: Sequence[str], at: int) -> tuple[Hunk, int]:
    """Read the hunk whose header is ``lines[at]`` by its counts; return it with the index of the line after it.

    Raises:
        FormatError: for a header or body that is not what the counts promise; ``where`` is the line of the diff.
    """
    match = HUNK_HEADER.match(lines[at])
    if match is None:
        raise FormatError(f"not a hunk header: {lines[at].rstrip()}", where=_place(at))
    old_count, new_count = (1 if match[group] is None else int(match[group]) for group in (2, 4))
    body: list[Line] = []
    old_left, new_left = old_count, new_count
    index = at + 1
    while (old_left or new_left) or (index < len(lines) and lines[index].startswith("\\ ")):
        if index >= len(lines) or (not lines[index].endswith("\n") and not lines[index].startswith("\\ ")):
            raise FormatError("the hunk is cut off", where=_place(index))
        line = lines[index]
        index += 1
        if line.startswith("\\ "):
            _drop_newline(body, index - 1)
            continue
        sign, text = _body_line(line, index - 1)
        old_left -= sign != "+"
        new_left -= sign != "-"
        if old_left < 0 or new_left < 0:
            raise FormatError("the hunk has other lines than its header counts", where=_place(index - 1))
        body.append(Line(sign, text))
    if all(line.sign == " " for line in body):
        raise FormatError("the hunk changes nothing", where=_place(at))
    return Hunk(int(match[1]), old_count, int(match[3]), new_count, tuple(body), at + 1), index


def _body_line(line: str, at: int) -> tuple[Sign, str]:
    match line[0]:
        case "\n":  # GNU diff leaves out the space of an empty context line
            return " ", line
        case " " | "-" | "+" as sign:
            return sign, line[1:]
    raise FormatError(f"not a line of a hunk: {line.rstrip()}", where=_place(at))


def _drop_newline(body: list[Line], at: int) -> None:
    if not body or not body[-1].text.endswith("\n"):
        raise FormatError("nothing to take a newline from", where=_place(at))
    body[-1] = Line(body[-1].sign, body[-1].text[:-1])


def _place(index: int) -> str:
    return f"diff:{index + 1}"
