"""Applying the files of a loosely read patch, all or none, with one rung's way to name files and to place hunks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.loose import LooseFile, LooseHunk
from mendlab.verify.patches.results import Misfit, malformed, rejected
from mendlab.verify.patches.target import BYTE_ORDER_MARK, Edit, Target, splice

Place = Callable[[Sequence[LooseHunk], Target], list[Edit] | Misfit]
Name = Callable[[LooseFile, FileTree, Collection[str]], str | Misfit]


def apply_loose(
    tree: FileTree, files: Sequence[LooseFile], editable: Collection[str], *, name: Name, place: Place
) -> FileTree | Misfit:
    """Apply every file of the patch; hunks of one file that stands in the patch twice are placed together."""
    hunks: dict[str, list[LooseHunk]] = {}
    changes: dict[str, bytes | None] = {}
    for file in files:
        if file.binary or (file.modes and file.action == "modify") or file.action == "rename":
            return rejected(f"line {file.at}: renames, modes and binary files need an exact diff")
        path = name(file, tree, editable)
        if isinstance(path, Misfit):
            return path
        if path in changes or (path in hunks and file.action != "modify"):
            return rejected(f"{path} is changed twice")
        match file.action:
            case "add":
                added = _added(path, file)
                if isinstance(added, Misfit):
                    return added
                changes[path] = added
            case "delete":
                deleted = _check_deletion(Target(path, tree[path]), file)
                if deleted is not None:
                    return deleted
                changes[path] = None
            case _:
                hunks.setdefault(path, []).extend(file.hunks)
    for path, of_file in hunks.items():
        target = Target(path, tree[path])
        edits = place([_unmarked(hunk) if target.mark else hunk for hunk in dict.fromkeys(of_file)], target)
        spliced = edits if isinstance(edits, Misfit) else splice(target, edits)
        if isinstance(spliced, Misfit):
            return spliced
        changes[path] = spliced
    return tree.replace(changes)


def _unmarked(hunk: LooseHunk) -> LooseHunk:
    """The hunk for a file whose byte order mark is no part of its first line."""
    lines = tuple(replace(line, text=line.text.removeprefix(BYTE_ORDER_MARK)) for line in hunk.lines)
    return replace(hunk, lines=lines)


def _added(path: str, file: LooseFile) -> bytes | Misfit:
    lines = [line for hunk in file.hunks for line in hunk.lines]
    if any(line.sign != "+" for line in lines):
        return malformed(f"line {file.at}: a new file cannot have old lines")
    text = "\n".join(line.text for line in lines)
    ends = not file.hunks or file.hunks[-1].final_newline is not False
    return splice_new(path, text + "\n" if ends and lines else text)


def splice_new(path: str, text: str) -> bytes | Misfit:
    """A new file of this text, in the encoding that it declares."""
    target = Target(path, b"")
    content = tuple(text.removesuffix("\n").split("\n")) if text else ()
    return splice(target, [Edit(0, 0, content, text.endswith("\n") or not text)])


def _check_deletion(target: Target, file: LooseFile) -> Misfit | None:
    if not file.hunks and not file.prefixed:
        return None  # a format that deletes by name alone
    gone = [line for hunk in file.hunks for line in hunk.before]
    if gone != target.bare or any(hunk.after for hunk in file.hunks):
        return rejected(f"the deleted file {target.path} has other lines than the patch removes")
    return None
