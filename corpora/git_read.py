"""Reading git repositories that are not trusted, with plumbing commands alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from mendlab.corpora.safe_git import git
from mendlab.errors import InputError

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
LINK_MODE, SUBMODULE_MODE, EXECUTABLE_MODE = "120000", "160000", "100755"


class GitEntry(NamedTuple):
    """An entry of a commit's tree: its mode in octal, the id of its blob, and its path."""

    mode: str
    blob: str
    path: str


def is_work_tree(directory: Path) -> bool:
    """Whether a directory is the root of a work tree."""
    return (directory / ".git").exists()


def is_repository(directory: Path) -> bool:
    """Whether a directory is the root of a work tree, or a bare repository."""
    return is_work_tree(directory) or ((directory / "HEAD").is_file() and (directory / "objects").is_dir())


def head_commit(repository: Path) -> str | None:
    """Return the id of the commit that is checked out, or ``None`` before the first one."""
    try:
        return git(repository, "rev-parse", "--verify", "-q", "HEAD").decode().strip()
    except InputError:
        return None


def tracked_files(work_tree: Path) -> list[str]:
    """Return the paths in the index, relative to the work tree; names as :func:`os.fsdecode` has them."""
    return [os.fsdecode(name) for name in git(work_tree, "ls-files", "-z").split(b"\0") if name]


def list_commit(repository: Path, commit: str) -> list[GitEntry]:
    """Return every entry of a commit's tree, folders opened.

    Raises:
        InputError: the repository does not have the commit.
    """
    if not _COMMIT.fullmatch(commit):
        raise InputError(f"{commit!r} is no commit id", hint="give it in hexadecimal")
    try:
        listing = git(repository, "ls-tree", "-r", "-z", "--full-tree", commit)
    except InputError as error:
        hint = "fetch it into the checkout"
        raise InputError(f"commit {commit} is not there", where=repository, hint=hint) from error
    entries = []
    for line in filter(None, listing.split(b"\0")):
        head, _, name = line.partition(b"\t")
        mode, _, blob = head.decode().split(" ")
        entries.append(GitEntry(mode, blob, os.fsdecode(name)))
    return entries


def read_blobs(repository: Path, blobs: Iterable[str], *, most: int) -> Iterator[tuple[str, bytes | None]]:
    """Yield each blob's id and content, ``None`` for one of more than ``most`` bytes or not there."""
    wanted = list(dict.fromkeys(blobs))
    ids = "".join(f"{blob}\n" for blob in wanted).encode()
    checked = git(repository, "cat-file", "--batch-check=%(objecttype) %(objectsize)", stdin=ids).splitlines()
    sizes = dict(zip(wanted, (line.split(b" ") for line in checked), strict=True))
    small = [blob for blob, (kind, size) in sizes.items() if kind == b"blob" and int(size) <= most]
    data = git(repository, "cat-file", "--batch=%(objectsize)", stdin="".join(f"{each}\n" for each in small).encode())
    position = 0
    for blob in small:
        start = data.index(b"\n", position) + 1
        position = start + int(data[position : start - 1])
        yield blob, data[start:position]
        position += 1
    yield from ((blob, None) for blob in wanted if blob not in set(small))
