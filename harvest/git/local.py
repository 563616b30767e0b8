"""Where the objects and the head of a repository on this machine are, found without git and without its configuration.

The layout is that of gitrepository-layout(5). What leads elsewhere is refused, with the place named, so that a
repository never makes the lab read another one: links, alternates, and ``.git`` files that are not answered for there.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mendlab.errors import InputError

_REFERENCE: Final = re.compile(rb"ref: (refs/[^\x00-\x20\x7f~^:?*\\\[]+)\n?")
_HEX: Final = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?)\n?")
_MOST_BYTES: Final = 256 * 1024**2
_MOST_STEPS: Final = 5


@dataclass(frozen=True, slots=True)
class LocalRepository:
    """The folder of a repository's objects, the commit that its HEAD names, and where a shallow history ends."""

    objects: Path
    head: str
    shallow: tuple[str, ...]


def find_local(root: Path) -> LocalRepository:
    """Find the parts of the repository whose work tree, or which bare by itself, is the folder ``root``.

    Raises:
        InputError: it is no repository, has no commit, or borrows from another place.
    """
    own = _own_folder(root)
    common = _common_folder(own)
    objects = common / "objects"
    if (common / "reftable").exists():
        hint = "run there: git refs migrate --ref-format=files"
        raise InputError("keeps its branches in a reftable, which is not read yet", where=root, hint=hint)
    _check_objects(objects)
    head = _resolve(own, common)
    if head is None:
        raise InputError("has no commit checked out", where=root, hint="check out the branch to be harvested")
    if len(head) != 40:
        raise InputError("names its objects by SHA-256, which is not read yet", where=root)
    shallow = _read(common / "shallow") or b""
    if any(_HEX.fullmatch(line) is None for line in shallow.splitlines()):
        raise InputError("is no list of commits", where=common / "shallow")
    return LocalRepository(objects, head, tuple(shallow.decode().splitlines()))


def _own_folder(root: Path) -> Path:
    """The repository's folder: ``.git``, what a ``.git`` file names, or the folder itself."""
    inside = root / ".git"
    if inside.is_symlink():
        hint = f"name what it leads to, if that is what you mean: {inside.resolve()}"
        raise InputError("is a link", where=inside, hint=hint)
    if inside.is_dir():
        return inside
    if inside.is_file():
        return _worktree_folder(inside)
    if (root / "objects").is_dir() and (root / "HEAD").is_file():
        return root
    if not root.exists():
        raise InputError(
            "there is no such folder", where=root, hint="name a repository, or an https, ssh or file address"
        )
    raise InputError("is no git repository", where=root, hint="name the root of a work tree, or a bare repository")


def _worktree_folder(file: Path) -> Path:
    """The folder that the ``.git`` file of a linked work tree names, if it is known there."""
    line = (_read(file) or b"").rstrip(b"\n")
    target = file.parent / os.fsdecode(line.removeprefix(b"gitdir: "))
    back = _read(target / "gitdir") if line.startswith(b"gitdir: ") else None
    if back is None or (target / os.fsdecode(back.rstrip(b"\n"))).resolve() != file.resolve():
        hint = f"name the repository itself, if that is what you mean: {target}"
        raise InputError("leads to a repository that does not know of it", where=file, hint=hint)
    return target


def _common_folder(own: Path) -> Path:
    line = _read(own / "commondir")
    if line is None:
        return own
    common = (own / os.fsdecode(line.rstrip(b"\n"))).resolve()
    if common / "worktrees" != own.resolve().parent:
        raise InputError("leads to another repository", where=own / "commondir", hint=f"name that one: {common}")
    return common


def _check_objects(objects: Path) -> None:
    """See that all objects are here, in plain files: git would follow links and alternates to others."""
    if objects.is_symlink():
        raise InputError("is a link", where=objects, hint="make a clone of the repository, and name that")
    for folder, folders, files in os.walk(objects, onerror=_unreadable):
        for name in (*folders, *files):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                raise InputError("is no plain file", where=path, hint="make a clone of the repository, and name that")
    if (_read(objects / "info" / "alternates") or b"").strip():
        hint = "run there: git repack -a -d && rm objects/info/alternates"
        raise InputError("borrows objects from another repository", where=objects / "info" / "alternates", hint=hint)


def _unreadable(error: OSError) -> None:
    raise InputError(f"cannot be read: {error.strerror}", where=error.filename)


def _resolve(own: Path, common: Path) -> str | None:
    """The id that HEAD names, through no more symbolic references than git follows."""
    content = _read(own / "HEAD") or b""
    for _ in range(_MOST_STEPS):
        if found := _HEX.fullmatch(content):
            return found[1].decode()
        match = _REFERENCE.fullmatch(content)
        if match is None or b".." in match[1] or b"//" in match[1]:
            raise InputError("names no branch and no commit", where=own / "HEAD", hint="check out a branch")
        loose = _read(common / os.fsdecode(match[1]))
        if loose is None:
            return _packed(common, match[1])
        content = loose
    raise InputError("leads from one reference to the next without end", where=own / "HEAD")


def _packed(common: Path, name: bytes) -> str | None:
    for line in (_read(common / "packed-refs") or b"").splitlines():
        head, _, rest = line.partition(b" ")
        if rest == name and _HEX.fullmatch(head):
            return head.decode()
    return None


def _read(path: Path) -> bytes | None:
    """What is in a plain file, ``None`` if there is none; a link at its end, or a pipe, is not followed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=path) from error
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if stat.S_ISDIR(about.st_mode):
            return None
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
            raise InputError("is not what a repository has there", where=path)
        return file.read()
