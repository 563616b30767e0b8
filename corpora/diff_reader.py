"""Reading a whole unified diff strictly, with or without git's extended headers.

The grammar is that of git-diff(1), "Generating patch text with -p". Text before the first header is a message and
passed over; anything unread after it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mendlab.corpora.unified import FileDiff, Hunk, read_hunk, split_lines, unquote
from mendlab.errors import FormatError

DEV_NULL: Final = "/dev/null"
_EXTENDED: Final = re.compile(
    r"(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to"
    r"|similarity index|dissimilarity index|index|---|\+\+\+|GIT binary patch|Binary files)(?:[ \n]|\r\n)"
)


def read_diff(text: str) -> tuple[FileDiff, ...]:
    """Read a diff of any number of files.

    Raises:
        FormatError: for what is not a diff, has wrong counts or leaves lines over; ``where`` is ``diff:LINE``.
    """
    lines = split_lines(text)
    files: list[FileDiff] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("diff --git "):
            file, at = _read_git(lines, at)
            files.append(file)
        elif is_header(lines, at):
            file, at = _read_plain(lines, at)
            files.append(file)
        elif is_signature(lines, at):
            break
        elif lines[at].startswith("@@") or (files and lines[at].strip("\r\n")):
            raise FormatError(f"unexpected line: {lines[at].rstrip()[:80]}", where=f"diff:{at + 1}")
        else:
            at += 1
    if not files:
        raise FormatError("no file header in the diff", where="diff:1")
    return tuple(files)


def is_header(lines: Sequence[str], at: int) -> bool:
    """Whether a ``---`` and a ``+++`` line stand at ``at``."""
    return at + 1 < len(lines) and lines[at].startswith("--- ") and lines[at + 1].startswith("+++ ")


def is_signature(lines: Sequence[str], at: int) -> bool:
    """Whether the text ends at ``at`` as git-format-patch ends a mail: two dashes, a space, and the version below."""
    return lines[at] == "-- \n" and sum(bool(line.strip()) for line in lines[at + 1 :]) <= 1


def _read_plain(lines: Sequence[str], at: int) -> tuple[FileDiff, int]:
    old, new = header_name(lines[at], at), header_name(lines[at + 1], at + 1)
    bare = all(name is None or "/" not in name for name in (old, new))
    if old is None and new is not None and not bare and new[1:2] != "/":
        # git would take off any first part, and so make the file in another folder
        raise FormatError(f"the new file name {new!r} has no a/ or b/ before it", where=f"diff:{at + 2}")
    names = [name if bare or name is None else strip_prefix(name, at) for name in (old, new)]
    hunks, end = _read_hunks(lines, at + 2)
    if not hunks:
        raise FormatError("no hunk after the file header", where=f"diff:{at + 3}")
    return _checked(FileDiff(names[0], names[1], hunks, at=at + 1), renames=False), end


@dataclass
class _GitHeader:
    """The lines of one ``diff --git`` header, as they come."""

    values: dict[str, str] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)
    binary: bool = False


def _read_git(lines: Sequence[str], at: int) -> tuple[FileDiff, int]:
    header = _GitHeader()
    index = at + 1
    while index < len(lines) and (match := _EXTENDED.match(lines[index])):
        key = match[1]
        if key in ("---", "+++"):
            header.names[key] = header_name(lines[index], index)
        elif key in ("GIT binary patch", "Binary files"):
            header.binary = True
        else:
            header.values[key] = lines[index][len(key) + 1 :].rstrip("\r\n")
        index += 1
        if key == "+++" or header.binary:
            break
    if header.binary:
        while index < len(lines) and not lines[index].startswith("diff --git "):
            index += 1
        hunks: tuple[Hunk, ...] = ()
    else:
        hunks, index = _read_hunks(lines, index)
        if len(header.names) == 1 or bool(header.names) != bool(hunks):
            raise FormatError("no --- and +++ line and hunk after the file header", where=f"diff:{index + 1}")
    if not hunks and not header.binary and not any("mode" in key or " to" in key for key in header.values):
        raise FormatError("the header of a file without a change", where=f"diff:{at + 1}")
    return _checked(_git_file(lines[at], header, hunks, at), renames="rename to" in header.values), index


def _git_file(line: str, header: _GitHeader, hunks: tuple[Hunk, ...], at: int) -> FileDiff:
    values = header.values
    copy = "copy from" in values
    if copy or "rename from" in values:
        kind = "copy" if copy else "rename"
        old, new = (_plain_name(values.get(f"{kind} {end}", ""), at) for end in ("from", "to"))
    else:
        old = new = _shared_name(line, header, at)
    for key, name in (("---", old), ("+++", new)):
        given = header.names.get(key)
        if given is not None and strip_prefix(given, at) != name:
            raise FormatError(f"two names for one file: {given} and {name}", where=f"diff:{at + 1}")
    mode = re.match(r"[0-9a-f]+\.\.[0-9a-f]+ (\d{6})", values.get("index", ""))
    added, deleted = "new file mode" in values, "deleted file mode" in values
    if header.names and (
        (header.names.get("---", "") is None) != added or (header.names.get("+++", "") is None) != deleted
    ):
        raise FormatError("the header and the file names disagree on what is new or deleted", where=f"diff:{at + 1}")
    return FileDiff(
        old=None if added else old,
        new=None if deleted else new,
        hunks=hunks,
        old_mode=values.get("old mode") or values.get("deleted file mode") or (mode and mode[1]) or None,
        new_mode=values.get("new mode") or values.get("new file mode") or None,
        copy=copy,
        binary=header.binary,
        at=at + 1,
    )


def _shared_name(line: str, header: _GitHeader, at: int) -> str:
    """The one name that both sides of ``diff --git`` have; where the line can be read in two ways, ``---`` decides."""
    for given in (header.names.get("---"), header.names.get("+++")):
        if given is not None:
            return strip_prefix(given, at)
    rest = line.removeprefix("diff --git ").rstrip("\r\n")
    if rest.startswith('"'):
        old, tail = _unquoted(rest, at)
        new = _unquoted(tail[1:], at)[0] if tail.startswith(' "') else tail[1:]
    else:
        half = len(rest) // 2
        old, new = rest[:half], rest[half + 1 :]
        if ' "' in rest and rest.endswith('"'):
            old, tail = rest[: rest.index(' "')], rest[rest.index(' "') + 1 :]
            new = _unquoted(tail, at)[0]
    if strip_prefix(old, at) != strip_prefix(new, at):
        raise FormatError("no one file name in the header", where=f"diff:{at + 1}")
    return strip_prefix(old, at)


def header_name(line: str, at: int) -> str | None:
    """The name on a ``---`` or ``+++`` line, unquoted, prefix and all; ``None`` for /dev/null."""
    text = line[4:].rstrip("\r\n")
    name = _unquoted(text, at)[0] if text.startswith('"') else text.split("\t")[0]
    return None if name == DEV_NULL else name


def _plain_name(text: str, at: int) -> str:
    return _unquoted(text, at)[0] if text.startswith('"') else text


def _unquoted(text: str, at: int) -> tuple[str, str]:
    try:
        return unquote(text)
    except ValueError as error:
        raise FormatError(str(error), where=f"diff:{at + 1}") from None


def strip_prefix(name: str, at: int) -> str:
    """Take off the first part of a path, as ``git apply`` does (``-p1``). Raises FormatError if there is only one."""
    _, slash, rest = name.partition("/")
    if not slash or not rest:
        raise FormatError(f"the file name {name!r} has no a/ or b/ before it", where=f"diff:{at + 1}")
    return rest


def _read_hunks(lines: Sequence[str], at: int) -> tuple[tuple[Hunk, ...], int]:
    hunks: list[Hunk] = []
    while at < len(lines) and lines[at].startswith("@@"):
        hunk, at = read_hunk(lines, at)
        hunks.append(hunk)
    return tuple(hunks), at


def _checked(file: FileDiff, *, renames: bool) -> FileDiff:
    where = f"diff:{file.at}"
    if file.old is None and file.new is None:
        raise FormatError("neither side names a file", where=where)
    if file.old is None and any(hunk.old_count for hunk in file.hunks):
        raise FormatError("a new file cannot have old lines", where=where)
    if file.new is None and any(hunk.new_count for hunk in file.hunks):
        raise FormatError("a deleted file cannot keep lines", where=where)
    if None not in (file.old, file.new) and file.old != file.new and not (renames or file.copy):
        raise FormatError(f"two names for one file: {file.old} and {file.new}", where=where)
    return file
