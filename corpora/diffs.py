"""Diffs of trees: written as git writes them, and applied at exactly the places that they name.

A diff is text, so a file takes part in the encoding that it declares (:mod:`mendlab.corpora.text`) and is written back
in it; a change that text cannot carry, as of a binary file, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from mendlab.corpora.diff_reader import read_diff
from mendlab.corpora.text import Decoded, decode
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import NO_NEWLINE, FileDiff, Hunk, quote, split_lines
from mendlab.errors import FormatError, InputError

CONTEXT: Final = 3
_Change = tuple[int, int, int, int]
_EXACT_CELLS: Final = 4_000_000  # beyond this many pairs of lines, difflib may pass over very common lines


def make_diff(before: FileTree, after: FileTree) -> str:
    """Return the diff that turns ``before`` into ``after``, as ``git diff --no-renames`` without index lines.

    The files come in order of path; equal trees give the empty text.

    Raises:
        InputError: for a file whose bytes cannot be told from its text (a new or changed binary file).
    """
    paths = sorted(before.keys() | after.keys())
    return "".join(_file_diff(path, before, after) for path in paths)


def _file_diff(path: str, before: FileTree, after: FileTree) -> str:
    old_mode, new_mode = _mode(path, before), _mode(path, after)
    old_data, new_data = before.get(path, b""), after.get(path, b"")
    if (old_mode, old_data) == (new_mode, new_data):
        return ""
    old_name, new_name = quote(f"a/{path}"), quote(f"b/{path}")
    head = f"diff --git {old_name} {new_name}\n"
    if old_mode is None:
        head += f"new file mode {new_mode}\n"
    elif new_mode is None:
        head += f"deleted file mode {old_mode}\n"
    elif old_mode != new_mode:
        head += f"old mode {old_mode}\nnew mode {new_mode}\n"
    if old_data == new_data:
        return head
    old = decode(path, old_data)
    new = decode(path, new_data)
    if encode(path, new.text, old) != new_data:
        raise InputError("a change of this file cannot be written as text", where=path, hint="leave binary files alone")
    end = "\t" if " " in path else ""  # git marks where a name with spaces ends
    head += "--- /dev/null\n" if old_mode is None else f"--- {old_name}{end}\n"
    head += "+++ /dev/null\n" if new_mode is None else f"+++ {new_name}{end}\n"
    return head + unified_hunks(old.text, new.text)


def _mode(path: str, tree: FileTree) -> str | None:
    if path not in tree:
        return None
    return "100755" if path in tree.executable else "100644"


def unified_hunks(before: str, after: str) -> str:
    """Return the hunks, three lines of context about each, that turn one text into the other.

    Only what lies between the common beginning and the common end is compared, so that a small change in a long
    file costs little, and no hunk ends in a change where the file goes on.
    """
    old, new = split_lines(before), split_lines(after)
    first = _common(old, new)
    rest = min(len(old), len(new)) - first
    last = min(_common(old[::-1], new[::-1]), rest)
    old_end, new_end = len(old) - last, len(new) - last
    popular = (old_end - first) * (new_end - first) > _EXACT_CELLS
    matcher = SequenceMatcher(None, old[first:old_end], new[first:new_end], autojunk=popular)
    changes = [
        (first + i1, first + i2, first + j1, first + j2)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
    out: list[str] = []
    for group in _grouped(changes):
        old_start, _, new_start, _ = group[0]
        _, old_stop, _, new_stop = group[-1]
        above, below = min(CONTEXT, old_start), min(CONTEXT, len(old) - old_stop)
        old_range, new_range = _range(old_start - above, old_stop + below), _range(new_start - above, new_stop + below)
        out.append(f"@@ -{old_range} +{new_range} @@\n")
        done = old_start - above
        for i1, i2, j1, j2 in group:
            out += [_mark(" ", line) for line in old[done:i1]]
            out += [_mark("-", line) for line in old[i1:i2]]
            out += [_mark("+", line) for line in new[j1:j2]]
            done = i2
        out += [_mark(" ", line) for line in old[done : done + below]]
    return "".join(out)


def _grouped(changes: Sequence[_Change]) -> list[list[_Change]]:
    """Changes with no more lines between them than the context of both, together."""
    groups: list[list[_Change]] = []
    for change in changes:
        if groups and change[0] - groups[-1][-1][1] <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _range(start: int, stop: int) -> str:
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _mark(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n{NO_NEWLINE}"


def apply_diff(tree: FileTree, diff: str) -> FileTree:
    """Return the tree with the diff applied, every hunk exactly where its header says; the empty diff changes nothing.

    Raises:
        FormatError: for a diff that is malformed or does not fit; ``where`` is ``diff:LINE``.
    """
    return apply_files(tree, read_diff(diff)) if diff else tree


def apply_files(tree: FileTree, files: Sequence[FileDiff]) -> FileTree:
    """Apply a diff that has been read, as :func:`apply_diff` does: every file of it or none."""
    contents, executable = dict(tree), set(tree.executable)
    touched: set[str] = set()
    for file in files:
        where = f"diff:{file.at}"
        if file.path in touched or file.old in touched:
            raise FormatError(f"{file.path} is changed twice", where=where)
        touched |= {name for name in (file.old, file.new) if name is not None}
        if file.binary:
            raise FormatError(f"a binary change of {file.path}", where=where, hint="give a text diff")
        if file.old is not None and file.old not in tree:
            raise FormatError(f"there is no file {file.old}", where=where)
        if file.new is not None and file.new != file.old and file.new in tree:
            raise FormatError(f"the file {file.new} is there already", where=where)
        data = tree[file.old] if file.old is not None else b""
        changed = _apply_file(file, data)
        is_executable = file.new_mode == "100755" if file.new_mode else file.old in executable
        if file.old is not None and not file.copy:
            del contents[file.old]
            executable.discard(file.old)
        if file.new is not None:
            contents[file.new] = changed
            if is_executable:
                executable.add(file.new)
        elif changed:
            raise FormatError(f"the deleted file {file.old} has more lines than the diff removes", where=where)
    return FileTree(contents, frozenset(executable))


def _apply_file(file: FileDiff, data: bytes) -> bytes:
    old = decode(file.old or file.path, data)
    if not file.hunks:
        return data
    text = "".join(apply_hunks(split_lines(old.text), file.hunks))
    encoded = encode(file.path, text, old)
    if encoded is None:
        raise FormatError(f"{file.path} cannot hold the new text in its encoding", where=f"diff:{file.at}")
    return encoded


def apply_hunks(lines: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """Return the lines with the hunks applied exactly where they say.

    As for ``git apply``, a hunk without context after its change must reach the end of the file, and one that starts
    at line 1 its beginning; unlike there, the place in the new file must be right too.

    Raises:
        FormatError: for a hunk that does not fit.
    """
    out: list[str] = []
    done = 0
    for hunk in hunks:
        start, before = hunk.old_index, hunk.before
        if start < done or len(out) + start - done != hunk.new_index or (hunk.old_start == 1 and start):
            raise FormatError("the hunk's line numbers do not fit those before it", where=f"diff:{hunk.at}")
        stop = start + len(before)
        if list(lines[start:stop]) != before or start > len(lines):
            raise FormatError(f"the hunk does not fit the file at line {start + 1}", where=f"diff:{hunk.at}")
        if hunk.lines[-1].sign != " " and stop != len(lines):
            raise FormatError("a hunk without context after it must end the file", where=f"diff:{hunk.at}")
        if any(not line.endswith("\n") for line in hunk.after[: -1 if stop == len(lines) else None]):
            raise FormatError("only the last line of a file has no newline", where=f"diff:{hunk.at}")
        out += lines[done:start]
        out += hunk.after
        done = stop
    return out + list(lines[done:])


def encode(path: str, text: str, old: Decoded) -> bytes | None:
    """Return the text as bytes that :func:`decode` turns back into it: in the old encoding, or in the one it declares.

    ``None`` if neither does, as when a declaration in the text contradicts its letters.
    """
    declared = decode(path, text.encode("ascii", "replace")).encoding
    for encoding in (old.encoding, declared, "utf-8"):
        try:
            data = text.encode(encoding)
        except UnicodeError:
            continue
        if decode(path, data).text == text:
            return data
    return None
