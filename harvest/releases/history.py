"""Releases as commits: each pair of consecutive ones is a parent and a change, and harvested as any other.

The releases of a package stand in the order of their versions in one private copy. What a release says of itself is
what it adds to its change log.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from mendlab.corpora.durable import writing
from mendlab.corpora.safe_git import failed, start_git
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import always_quoted
from mendlab.errors import FormatError, InputError
from mendlab.harvest.git.copy import BRANCH, PrivateCopy, new_copy, open_copy
from mendlab.harvest.releases.index import Index, Sdist, configured_index, download, list_sdists
from mendlab.harvest.releases.unpacking import unpack
from mendlab.workers import Progress, unheard

_LOGS: Final = ("change*", "news*", "history*", "releas*")
_MOST_LINES: Final = 200


def release_history(
    package: str, into: Path, *, index: Index | None = None, progress: Progress = unheard
) -> PrivateCopy:
    """Make a private copy at ``into`` whose commits are the final releases that have a source distribution.

    One that cannot be unpacked is left out. A copy that is there already is taken as it is.

    Raises:
        InputError: the index does not have the package, or fewer than two releases of it.
        OutputError: ``into`` cannot be written, or is something else.
    """
    if into.exists():
        return open_copy(into)
    index = index or configured_index()
    releases = list_sdists(package, index)
    partial = into.with_name(f".{into.name}.partial")
    with writing(into):
        shutil.rmtree(partial, ignore_errors=True)
        into.parent.mkdir(parents=True, exist_ok=True)
    try:
        new_copy(partial)
        made = _import(partial, _commits(package, releases, index, progress))
        if made < 2:
            raise InputError(f"has {made} releases that can be unpacked; two are needed", where=package)
        with writing(into):
            partial.rename(into)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return open_copy(into)


def _import(copy: Path, commits: Iterator[bytes]) -> int:
    """Write commits one by one, so that no more than one release is in memory; return how many there were."""
    count = 0
    with start_git(copy, "fast-import", "--quiet") as process:
        assert process.stdin is not None
        for count, commit in enumerate(commits, start=1):  # noqa: B007
            process.stdin.write(commit)
        _, errors = process.communicate()
    if process.returncode:
        raise failed(copy, "fast-import", errors)
    return count


def _commits(package: str, releases: list[Sdist], index: Index, progress: Progress) -> Iterator[bytes]:
    before = FileTree({})
    for place, release in enumerate(releases, start=1):
        progress("releases read", place, len(releases))
        try:
            tree = unpack(release.filename, download(release, index))
        except FormatError:
            continue
        message = f"{package} {release.version}\n\n{_news(before, tree)}".strip().encode()
        yield b"".join(_commit(message, tree, _seconds(release.uploaded)))
        before = tree


def _commit(message: bytes, tree: FileTree, seconds: int) -> Iterator[bytes]:
    yield (
        f"commit {BRANCH}\ncommitter - <-> {seconds} +0000\ndata {len(message)}\n".encode() + message + b"\ndeleteall\n"
    )
    for path, data in tree.items():
        mode = "100755" if path in tree.executable else "100644"
        yield f"M {mode} inline {always_quoted(path)}\ndata {len(data)}\n".encode() + data + b"\n"


def _news(before: FileTree, after: FileTree) -> str:
    """The lines that are new in the change logs."""
    lines: list[str] = []
    for path in after:
        name = path.rpartition("/")[2].lower()
        if any(fnmatchcase(name, pattern) for pattern in _LOGS) and not name.endswith(".py") and path in before:
            old = set(decode(path, before[path]).text.splitlines())
            lines += [line for line in decode(path, after[path]).text.splitlines() if not line or line not in old]
    return "\n".join(lines[:_MOST_LINES]).strip()


def _seconds(uploaded: str | None) -> int:
    if uploaded is None:
        return 0
    try:
        time = datetime.fromisoformat(uploaded)
    except ValueError:
        return 0
    return max(0, int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()))
