"""What a patch may change: the task's files, and nothing else.

New files too are only those that the task names: a helper module beside the program would be loaded by anything that
finds its name first. Names are judged as the ladder would read them, so that a wrong prefix before an allowed file is
no offence; a file that does not exist is none either, for there the patch does not apply.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.answer import read_patch
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.results import Misfit

_CONFIGURATION: Final = frozenset(
    {"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "pytest.toml"}
)
_STARTUP: Final = frozenset({"sitecustomize.py", "usercustomize.py", "conftest.py"})
_MODES: Final = {"120000": "a symbolic link", "160000": "a submodule"}


def violations(
    raw: str, before: FileTree, after: FileTree | None, *, editable: Collection[str], protected: Collection[str] = ()
) -> tuple[str, ...]:
    """Return what the patch offends against, one short sentence a file and offence; none if it is allowed.

    Args:
        raw: the answer, of which the names, modes and kinds of change are looked at.
        before: the buggy tree.
        after: the tree with the patch applied, if it could be; then what really changed is looked at too.
        editable: the files that may be changed, added or deleted.
        protected: files that may not be, even if ``editable`` has them: those that steer the tests.
    """
    found: list[str] = []
    for file in _declared(raw):
        found += _file_violations(file, before, editable, protected)
    if after is not None:
        found += _change_violations(before, after, editable, protected)
    return tuple(dict.fromkeys(found))


def _declared(raw: str) -> tuple[LooseFile, ...]:
    patch = read_patch(raw)
    if patch is None:
        return ()
    files = patch.lenient_files if isinstance(patch.files, Misfit) else patch.files
    return () if isinstance(files, Misfit) else files


def _file_violations(
    file: LooseFile, before: FileTree, editable: Collection[str], protected: Collection[str]
) -> Iterator[str]:
    label = file.names[-1] if file.names else "the patch"
    for mode in file.modes:
        if mode in _MODES:
            yield f"{label} becomes {_MODES[mode]}"
        elif file.action == "modify":
            yield f"{label} changes its mode"
    if file.binary:
        yield f"{label} is a binary change"
    for name in file.names:
        if ".." in PurePosixPath(name).parts:
            yield f"{name} leads out of the tree"
            return
    resolved = mended_path(file, before, editable)
    if file.action != "rename" and isinstance(resolved, str) and resolved in editable and resolved not in protected:
        return
    for name in file.names:
        if name.startswith("/"):
            yield f"{name} is an absolute path"
            return
    paths = {resolved} if isinstance(resolved, str) and file.action != "rename" else set(map(_unprefixed, file.names))
    for path in sorted(paths):
        if file.action in ("add", "rename") or path in before or reason(path, before, protected):
            yield from _path_violations(path, before, editable, protected)


def _unprefixed(name: str) -> str:
    return name[2:] if name.startswith(("a/", "b/")) else name


def _change_violations(
    before: FileTree, after: FileTree, editable: Collection[str], protected: Collection[str]
) -> Iterator[str]:
    for path, data in sorted(before.changed(after).items()):
        yield from _path_violations(path, before, editable, protected)
        if data is not None and b"\0" in data:
            yield f"{path} is a binary change"
    for path in sorted((before.executable ^ after.executable) & before.keys() & after.keys()):
        yield f"{path} changes its mode"


def _path_violations(
    path: str, before: FileTree, editable: Collection[str], protected: Collection[str]
) -> Iterator[str]:
    if why := reason(path, before, protected):
        yield f"{path} {why}"
    elif path not in editable:
        yield f"{path} is not a file that may be changed"


def reason(path: str, before: FileTree, protected: Collection[str]) -> str | None:
    """Return why no patch may touch this path, whatever the task allows, or ``None``."""
    pure = PurePosixPath(path)
    name = pure.name.casefold()
    if pure.is_absolute():
        return "is an absolute path"
    if any(part.casefold() == ".git" for part in pure.parts):
        return "is inside .git"
    if path in protected:
        return "belongs to the tests"
    if name in _STARTUP or pure.suffix.casefold() == ".pth":
        return "runs before the program"
    if name in _CONFIGURATION:
        return "is configuration of the tests"
    if path not in before and (twin := _twin(path, before)):
        return f"differs from {twin} only in case or normalisation"
    return None


def _twin(path: str, before: FileTree) -> str | None:
    key = _folded(path)
    return next((other for other in before if _folded(other) == key), None)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", path).casefold()
