"""Which file of the tree a name in a patch means."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.results import Misfit, ambiguous, rejected


def exact_path(file: LooseFile, tree: FileTree, editable: Collection[str]) -> str | Misfit:
    """The file that the names mean as ``git apply`` reads them: one part of each is taken off."""
    paths = {name.partition("/")[2] if file.prefixed else name for name in file.names}
    if len(paths) != 1:
        return rejected(f"line {file.at}: the patch does not name one file")
    (path,) = paths
    if file.action == "add":
        named = not file.prefixed or file.names[0][1:2] == "/"  # any other first part is a folder, not a prefix
        return _new_path(path, tree) if named else rejected(f"{file.names[0]} has no a/ or b/ before it")
    return path if path in tree else rejected(f"there is no file {path!r}")


def mended_path(file: LooseFile, tree: FileTree, editable: Collection[str]) -> str | Misfit:
    """The file that the names can mean: as they are, without a prefix, or the one allowed file they share an end with.

    A patch that names no file means the only one that may be changed.
    """
    exact = exact_path(file, tree, editable)
    if isinstance(exact, str):
        return exact
    if file.action == "add" and len(file.names) == 1:
        name = file.names[0]
        return _new_path(name[2:] if name.startswith(("a/", "b/")) and name not in editable else name, tree)
    if not file.names:
        found = set(editable)
    else:
        found = set.intersection(*(_meant(name, tree, editable) for name in file.names))
    if len(found) == 1:
        return found.pop()
    named = " and ".join(file.names) or "no file"
    if found:
        return ambiguous(f"the patch names {named}, which can be any of {', '.join(sorted(found))}")
    return rejected(f"the patch names {named}, which is no file that may be changed")


def _meant(name: str, tree: FileTree, editable: Collection[str]) -> set[str]:
    parts = tuple(
        part for part in PurePosixPath(name.strip().strip("`'\"").replace("\\", "/")).parts if part not in "./"
    )
    for skipped in (0, 1):  # as written, or without a/ or b/
        path = "/".join(parts[skipped:])
        if path in tree:
            return {path}
    return {path for path in editable if _share_end(parts, PurePosixPath(path).parts)}


def _share_end(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if one and one[0] in ("a", "b"):
        one = one[1:]
    length = min(len(one), len(other))
    return length > 0 and one[-length:] == other[-length:]


def _new_path(path: str, tree: FileTree) -> str | Misfit:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or path != str(pure) or "\0" in path:
        return rejected(f"{path!r} is not a path in the tree")
    return path if path not in tree else rejected(f"the file {path} is there already")
