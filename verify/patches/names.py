"""Which file of the tree a name in a patch means."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.results import Misfit, ambiguous, rejected

_REMARK: Final = re.compile(r"\s+\([^()]*\)$|\s+\d{4}-\d\d-\d\d.*$|\.(?:orig|bak|old|new|fixed|modified)$|~$")
_NO_NAME: Final = re.compile(
    r"(?:[ab]/)?(?:original|old|before|buggy|modified|new|after|fixed|updated|a|b)(?:\.pyi?)?$", re.IGNORECASE
)


def two_meanings(file: LooseFile, tree: FileTree) -> Misfit | None:
    """The misfit of a name that means one file with its first part and another without it.

    Where both sides have the same name, nothing says that its first part is a prefix.
    """
    if file.action != "modify" or not file.prefixed or len(file.names) != 1:
        return None
    (name,) = file.names
    short = name.partition("/")[2]
    longer = [path for path in tree if path == name or path.endswith(f"/{name}")]
    if name.startswith(("a/", "b/")) or short not in tree or not longer:
        return None
    return ambiguous(f"the patch names {name}, which can be {longer[0]} or {short}")


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

    A patch that names no file, or ``original`` and ``fixed``, means the only one that may be changed.
    """
    exact = exact_path(file, tree, editable)
    if isinstance(exact, str):
        return exact
    if file.action == "add" and len(file.names) == 1:
        return _mended_new_path(file.names[0], tree, editable)
    if all(_NO_NAME.match(name) and not _meant(name, tree, editable) for name in file.names):
        found = set(editable)
    else:
        found = set.intersection(*(_meant(name, tree, editable) for name in file.names))
    named = " and ".join(file.names) or "no file"
    if len(found) > 1:
        return ambiguous(f"the patch names {named}, which can be any of {', '.join(sorted(found))}")
    if not found:
        return rejected(f"the patch names {named}, which is no file that may be changed")
    (path,) = found
    return path if path in tree else rejected(f"there is no file {path!r}")


def _meant(name: str, tree: FileTree, editable: Collection[str]) -> set[str]:
    bare = name.strip().strip("`'\"").replace("\\", "/")
    for text in dict.fromkeys((bare, _REMARK.sub("", bare))):
        parts = tuple(part for part in PurePosixPath(text).parts if part not in "./")
        for skipped in (0, 1):  # as written, or without a/ or b/
            path = "/".join(parts[skipped:])
            if path in tree:
                return {path}
        if found := _by_their_end(parts, tree, editable):
            return found
    return set()


def _by_their_end(parts: tuple[str, ...], tree: FileTree, editable: Collection[str]) -> set[str]:
    """The allowed files that share an end with a name, if no other file shares a longer one."""
    others = max((_shared(parts, path) for path in tree if path not in editable), default=0)
    return {path for path in editable if 0 < _shared(parts, path) >= others}


def _shared(parts: tuple[str, ...], path: str) -> int:
    """How many parts a name and a path have in common, if one is the end of the other, else 0."""
    one, other = parts[1:] if parts and parts[0] in ("a", "b") else parts, PurePosixPath(path).parts
    length = min(len(one), len(other))
    return length if length and one[-length:] == other[-length:] else 0


def _mended_new_path(name: str, tree: FileTree, editable: Collection[str]) -> str | Misfit:
    path = name[2:] if name.startswith(("a/", "b/")) and name not in editable else name
    if path in editable:
        return _new_path(path, tree)
    allowed = [new for new in editable if new not in tree and path.endswith(f"/{new}")]
    return allowed[0] if len(allowed) == 1 else _new_path(path, tree)


def _new_path(path: str, tree: FileTree) -> str | Misfit:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or path != str(pure) or "\0" in path:
        return rejected(f"{path!r} is not a path in the tree")
    return path if path not in tree else rejected(f"the file {path} is there already")
