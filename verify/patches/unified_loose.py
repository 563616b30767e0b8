"""Reading a unified diff whose counts, headers or surroundings may be wrong.

A hunk goes by its counts where they are right, else it ends where the next header begins. No line with a sign is ever
dropped: prose is told from a hunk by its having none, but for list bullets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, Literal

from mendlab.corpora.diff_reader import header_name, is_header, is_signature
from mendlab.corpora.unified import Hunk, Sign, read_hunk, split_lines, unquote
from mendlab.errors import FormatError
from mendlab.verify.patches.loose import LooseFile, LooseHunk, LooseLine
from mendlab.verify.patches.results import Misfit, malformed

_RANGES: Final = re.compile(r"@@+ *-(\d{1,9})(?:,(\d{1,9}))?(?: +\+(\d{1,9})(?:,(\d{1,9}))?)?")
_MARKDOWN: Final = re.compile(r"[-+] \S|---+\s*$")
_ANCHOR: Final = re.compile(r"@@(?:[ \d,+-]+@@|[ .…]*@@| )\s*(\S.*?)\s*$")
_NO_NEWLINE: Final = re.compile(r"\\ |\\{0,2} ?No newline at end of (?:the )?file\.?$")
_COMBINED: Final = ("@@@", "diff --cc ", "diff --combined ")
_PATH_HEADER: Final = re.compile(r"(?:---|\+\+\+) \S*[./]")
_EXTENDED: Final = re.compile(
    r"(?:old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index"
    r"|dissimilarity index|index|GIT binary patch|Binary files)\b"
)


def read_loose(text: str, *, unsigned: bool) -> tuple[LooseFile, ...] | Misfit:
    """Read what there is of a diff. With ``unsigned``, lines that lost their sign within a hunk are context."""
    lines = [line if line.endswith("\n") else line + "\n" for line in split_lines(text)]
    files: list[LooseFile] = []
    at = 0
    if combined := next((number for number, line in enumerate(lines, 1) if line.startswith(_COMBINED)), None):
        return malformed(f"line {combined}: a combined diff of a merge")
    while at < len(lines):
        if (
            lines[at].startswith("diff --git ")
            or is_header(lines, at)
            or _odd_header(lines, at)
            or (lines[at].startswith("@@") and not files)
        ):
            read = _read_file(lines, at, unsigned=unsigned)
            if isinstance(read, Misfit):
                return read
            file, at = read
            files.append(file)
        elif lines[at].startswith("@@"):
            return malformed(f"line {at + 1}: a hunk without a file")
        else:
            at += 1
    if files:
        return tuple(files)
    headless = _read_hunks(lines, 0, unsigned=unsigned)  # nothing but lines with signs
    if isinstance(headless, Misfit):
        return headless
    return (LooseFile((), headless[0], at=1),) if headless[0] else malformed("no file header and no hunk")


def _read_file(lines: Sequence[str], at: int, *, unsigned: bool) -> tuple[LooseFile, int] | Misfit:
    start = at
    action: Literal["modify", "add", "delete", "rename"] = "modify"
    names: list[str] = []
    modes: list[str] = []
    binary = False
    if lines[at].startswith("diff --git "):
        git_names = _git_names(lines[at])
        at += 1
        while at < len(lines) and _EXTENDED.match(lines[at]):
            line = lines[at].rstrip()
            modes += [line.split()[-1]] if "mode " in line else []
            binary |= line.startswith(("GIT binary", "Binary files"))
            names += [line.split(" ", 2)[2]] if line.startswith(("rename ", "copy ")) else []
            action = _action(line, action)
            at += 1
        names = [f"b/{name}" for name in names] or git_names
    if is_header(lines, at):
        try:
            old, new = header_name(lines[at], at), header_name(lines[at + 1], at + 1)
        except FormatError as error:
            return malformed(str(error))
        action = action if action != "modify" else "add" if old is None else "delete" if new is None else "modify"
        if action != "rename":
            names = [name.strip() for name in dict.fromkeys((old, new)) if name is not None]
        at += 2
    elif odd := _odd_header(lines, at):
        try:
            named = [header_name(lines[index], index) for index in range(at, at + odd)]
        except FormatError as error:
            return malformed(str(error))
        if None in named:
            return malformed(f"line {at + 1}: a new or deleted file needs both lines of its header")
        names = [name.strip() for name in dict.fromkeys(named[::-1]) if name is not None]
        at += odd
    hunks = _read_hunks(lines, at, unsigned=unsigned)
    if isinstance(hunks, Misfit):
        return hunks
    file = LooseFile(tuple(names), hunks[0], action, at=start + 1, modes=tuple(modes), binary=binary)
    if not file.hunks and action == "modify" and not modes and not binary:
        return malformed(f"line {start + 1}: a file without a change")
    return file, hunks[1]


def _odd_header(lines: Sequence[str], at: int) -> int:
    """How many lines a header has that is half one or the wrong way round; a hunk must follow. 0 if there is none."""
    for length, starts in ((2, ("+++ ", "--- ")), (1, ("--- ",)), (1, ("+++ ",))):
        if (
            at + length < len(lines)
            and lines[at + length].startswith("@@")
            and all(
                lines[at + index].startswith(start) and _PATH_HEADER.match(lines[at + index])
                for index, start in enumerate(starts)
            )
        ):
            return length
    return 0


def _action(
    line: str, action: Literal["modify", "add", "delete", "rename"]
) -> Literal["modify", "add", "delete", "rename"]:
    if line.startswith("new file"):
        return "add"
    if line.startswith("deleted file"):
        return "delete"
    return "rename" if line.startswith(("rename ", "copy ")) else action


def _git_names(line: str) -> list[str]:
    rest = line.removeprefix("diff --git ").strip()
    if rest.startswith('"'):
        try:
            return [unquote(rest)[0]]
        except ValueError:
            return [rest]
    half = len(rest) // 2
    if rest[half : half + 1] == " " and rest[:half].partition("/")[2] == rest[half + 1 :].partition("/")[2]:
        return [rest[:half]]
    return rest.split(" ")


def _read_hunks(lines: Sequence[str], at: int, *, unsigned: bool) -> tuple[tuple[LooseHunk, ...], int] | Misfit:
    hunks: list[LooseHunk] = []
    while at < len(lines):
        if lines[at].startswith("@@"):
            read = _read_hunk(lines, at, unsigned=unsigned)
        elif not hunks and lines[at][0] in " -+" and not _starts_file(lines, at):
            read = _read_body(lines, at, at, unsigned=unsigned)  # a file header with no hunk header at all
        else:
            break
        if isinstance(read, Misfit):
            return read
        hunk, at = read
        hunks.append(hunk)
    return tuple(hunks), at


def _read_hunk(lines: Sequence[str], at: int, *, unsigned: bool) -> tuple[LooseHunk, int] | Misfit:
    try:
        strict, end = read_hunk(lines, at)
    except FormatError:
        strict, end = None, at
    # A last blank line without a sign may be no part of the hunk, and the counts right only by a line that was lost.
    in_doubt = not lines[end - 1].strip("\r\n") and not (end < len(lines) and _starts_hunk(lines, end))
    if strict is not None and not in_doubt:
        rest = end if end == len(lines) else _skip_prose(lines, end)
        if rest is not None and (rest == end or lines[end][0] not in " \\"):
            return _from_strict(strict, lines[at]), rest
    return _read_body(lines, at, at + 1, unsigned=unsigned)


def _from_strict(hunk: Hunk, header: str) -> LooseHunk:
    unmarked = [line.sign for line in hunk.lines if not line.text.endswith("\n")]
    return LooseHunk(
        lines=tuple(LooseLine(line.sign, line.text.removesuffix("\n").removesuffix("\r")) for line in hunk.lines),
        old_start=hunk.old_start,
        new_start=hunk.new_start,
        old_count=hunk.old_count,
        new_count=hunk.new_count,
        exact=True,
        final_newline=_final_newline(unmarked),
        anchors=_anchors(header),
        at=hunk.at,
    )


def _read_body(lines: Sequence[str], header: int, at: int, *, unsigned: bool) -> tuple[LooseHunk, int] | Misfit:
    """Read a hunk up to the next header, whatever its own says."""
    body: list[LooseLine] = []
    unmarked: list[Sign] = []  # signs of the lines with a "No newline" marker
    while at < len(lines) and not _starts_hunk(lines, at):
        line = lines[at].removesuffix("\n").removesuffix("\r")
        if _NO_NEWLINE.match(line):
            if body:
                unmarked.append(body[-1].sign)
        elif line[:1] in ("", " ", "-", "+"):
            body.append(LooseLine(_sign(line), line[1:], unsigned=not line))
        else:
            rest = _skip_prose(lines, at)
            if isinstance(rest, int) and (not unsigned or (body and body[-1].unsigned and not body[-1].text)):
                at = rest
                break
            if not unsigned:
                return malformed(f"line {at + 1}: neither context nor a change: {line[:60]}")
            body.append(LooseLine(" ", line, unsigned=True))
        at += 1
    while body and body[-1].unsigned and not body[-1].text:
        body.pop()
    if all(line.sign == " " for line in body):
        return malformed(f"line {header + 1}: the hunk changes nothing")
    match = _RANGES.match(lines[header])
    return LooseHunk(
        lines=tuple(body),
        old_start=int(match[1]) if match else None,
        new_start=int(match[3]) if match and match[3] else None,
        old_count=int(match[2]) if match and match[2] else None,
        new_count=int(match[4]) if match and match[4] else None,
        final_newline=_final_newline(unmarked),
        anchors=_anchors(lines[header]),
        at=header + 1,
    ), at


def _final_newline(unmarked: Collection[Sign]) -> bool | None:
    """What markers say of the end of the file: it gets a newline or loses its own, or (``None``) it stays as it is."""
    return {frozenset("-"): True, frozenset("+"): False}.get(frozenset(unmarked))


def _anchors(header: str) -> tuple[str, ...]:
    match = _ANCHOR.match(header)
    return (match[1],) if match else ()


def _sign(line: str) -> Sign:
    match line[:1]:
        case "-" | "+" as sign:
            return sign
    return " "


def _skip_prose(lines: Sequence[str], at: int) -> int | None:
    """Where the next header begins, if nothing before it can be a change; a list or rule in prose is none."""
    if is_signature(lines, at):
        return len(lines)
    prose = not lines[at].strip()
    while at < len(lines) and not _starts_hunk(lines, at):
        line = lines[at]
        if line[0] in "-+" and not (prose and _MARKDOWN.match(line)):
            return None
        prose |= line[0] not in " -+\n\r"
        at += 1
    return at


def _starts_hunk(lines: Sequence[str], at: int) -> bool:
    return lines[at].startswith("@@") or _starts_file(lines, at)


def _starts_file(lines: Sequence[str], at: int) -> bool:
    """Whether a file header stands here; ``---`` and ``+++`` count if a hunk follows, for they may be changed lines."""
    if lines[at].startswith("diff --git ") or _odd_header(lines, at):
        return True
    return is_header(lines, at) and (at + 2 >= len(lines) or lines[at + 2].startswith("@@"))
