"""The tree of a commit, read out of a repository's objects without checking it out."""

from __future__ import annotations

import posixpath
from pathlib import Path

from mendlab.corpora.directories import MOST_BYTES_A_FILE
from mendlab.corpora.git_read import EXECUTABLE_MODE, LINK_MODE, SUBMODULE_MODE, GitEntry, list_commit, read_blobs
from mendlab.corpora.tree import FileTree


def read_commit(repository: Path, commit: str) -> FileTree:
    """Return a commit's files. Links to files inside the tree are followed.

    Left out are other links, submodules, files of over 10 MB and names that are not UTF-8.

    Raises:
        InputError: the repository does not have the commit.
    """
    entries = [each for each in list_commit(repository, commit) if each.mode != SUBMODULE_MODE and _is_utf8(each.path)]
    blobs = dict(read_blobs(repository, (each.blob for each in entries), most=MOST_BYTES_A_FILE))
    plain = {each.path: each for each in entries if each.mode != LINK_MODE}
    links = {each.path: target for each in entries if each.mode == LINK_MODE for target in _target(each, blobs)}
    for path in links:
        entry = plain.get(_end(path, links))
        if entry is not None:
            plain[path] = entry
    files = {path: data for path, entry in plain.items() if (data := blobs[entry.blob]) is not None}
    return FileTree(files, frozenset(path for path, entry in plain.items() if entry.mode == EXECUTABLE_MODE))


def _target(link: GitEntry, blobs: dict[str, bytes | None]) -> list[str]:
    text = (blobs[link.blob] or b"").decode(errors="replace")
    return [posixpath.normpath(posixpath.join(posixpath.dirname(link.path), text))] if text else []


def _end(path: str, links: dict[str, str]) -> str:
    """Where a chain of links ends; a ring of links ends at a link."""
    for _ in range(len(links)):
        if path not in links:
            break
        path = links[path]
    return path


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
