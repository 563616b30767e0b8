"""The commits of a history, newest first, as they come out of one ``git log``; no patch is made, no blob is read.

``git log --raw -z`` gives the changed paths as they are, with modes and ids. The stream cannot be led astray by what a
commit says: a message holds no NUL, and each path has its place. Merges on the first-parent line are given with what
they bring to it, so that a pull request is one change; other merges change nothing that their parents do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from subprocess import Popen
from typing import Final, cast

from mendlab.corpora.safe_git import object_id
from mendlab.errors import InputError
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.paths import is_python, kind_of
from mendlab.harvest.records import Change, ChangeStatus, Commit, Dropped, DropReason, PathKind, Stage
from mendlab.harvest.selection import Selection

MOST_CHANGES: Final = 300
MOST_MODULES: Final = 20
"""Files, and modules of source, that a candidate may change: what changes more is a sweep over the code, no repair."""

_FORMAT: Final = "--format=%H%x00%P%x00%at%x00%ct%x00%B%x00"
_SHOWN: Final = (
    *("--raw", "-z", "--no-abbrev", "--no-renames", "--diff-merges=first-parent"),
    *("--no-show-signature", "--no-notes", "--encoding=UTF-8", _FORMAT),
)
_BLOCK: Final = 1 << 16
_MOST_MESSAGE: Final = 1 << 14
_MOST_FIELD: Final = 1 << 24
_RawChange = tuple[bytes, bytes]


def scan(copy: PrivateCopy, selection: Selection | None = None) -> Iterator[Commit | Dropped]:
    """Yield each commit that can be a repair, and for each other one why not.

    It can be if it has a parent and modifies Python source; whether it looks like a repair is for the score.
    """
    main_line = _merges_of_the_main_line(copy)
    for raw in _history(copy):
        yield _sifted(raw, main_line, selection or Selection())


def all_changes(copy: PrivateCopy) -> Iterator[tuple[str, int, tuple[Change, ...]]]:
    """Yield every commit, newest first, with its time in seconds since 1970, and what it changes; a merge does nothing.

    Of a commit that changes a great many files, some are left out.
    """
    for raw in _history(copy):
        changes = () if b" " in raw.parents else tuple(_change(*change) for change in raw.changes)
        yield raw.sha.decode(), int(raw.committed), changes


def _history(copy: PrivateCopy) -> Iterator[_RawCommit]:
    process = copy.start("log", *_SHOWN, "--date-order", "--end-of-options", copy.head, "--")
    try:
        yield from _raw_commits(process)
        if process.wait():
            raise InputError("git log failed", where=copy.path, hint="remove the copy, and copy it anew")
    finally:
        process.kill()
        process.communicate()


def commits_named(copy: PrivateCopy, shas: Sequence[str]) -> Iterator[Commit]:
    """Yield commits that :func:`scan` has yielded, in the order in which they are named."""
    if not shas:
        return  # git would take its HEAD
    process = copy.start("log", *_SHOWN, "--no-walk=unsorted", "--stdin", "--")
    try:
        assert process.stdin is not None
        process.stdin.write("".join(f"{object_id(sha)}\n" for sha in shas).encode())
        process.stdin.close()
        for raw in _raw_commits(process):
            yield _commit(raw, tuple(raw.parents.decode().split()))
        if process.wait():
            raise InputError("git log failed", where=copy.path, hint="remove the copy, and copy it anew")
    finally:
        process.kill()
        process.wait()


def _merges_of_the_main_line(copy: PrivateCopy) -> frozenset[bytes]:
    listed = copy.git("rev-list", "--first-parent", "--merges", "--end-of-options", copy.head)
    return frozenset(bytes.fromhex(line.decode()) for line in listed.splitlines())


@dataclass(slots=True)
class _RawCommit:
    sha: bytes
    parents: bytes
    authored: bytes
    committed: bytes
    message: bytes
    changes: list[_RawChange]
    more: bool = False


def _raw_commits(process: Popen[bytes]) -> Iterator[_RawCommit]:
    fields = _fields(process)
    sha = next(fields, b"")
    while sha:
        commit = _RawCommit(sha, next(fields), next(fields), next(fields), next(fields), [])
        next(fields)  # the end of the format
        sha = b""
        for field in fields:
            if not field.startswith((b":", b"\n:")):
                sha = field
                break
            change = (field.lstrip(b"\n"), next(fields))
            if len(commit.changes) < MOST_CHANGES:
                commit.changes.append(change)
            else:
                commit.more = True
        yield commit


def _fields(process: Popen[bytes]) -> Iterator[bytes]:
    assert process.stdout is not None
    rest = b""
    while block := process.stdout.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        if len(rest) > _MOST_FIELD:
            raise InputError("the history has a commit message of over 16 MB")
        yield from whole


def _sifted(raw: _RawCommit, main_line: frozenset[bytes], selection: Selection) -> Commit | Dropped:
    parents = raw.parents.decode().split()
    reason = None
    if not parents:
        reason = DropReason.NO_PARENT
    elif len(parents) > 1 and bytes.fromhex(raw.sha.decode()) not in main_line:
        reason = DropReason.SIDE_MERGE
    elif not selection.has_time(int(raw.committed)):
        reason = DropReason.NOT_SELECTED
    elif not (modules := sum(_modifies_source(*change) for change in raw.changes)):
        reason = DropReason.TOO_LARGE if raw.more else DropReason.NO_CODE
    elif not selection.has_paths(_text(path) for _, path in raw.changes):
        reason = DropReason.NOT_SELECTED
    elif raw.more or modules > MOST_MODULES:
        reason = DropReason.TOO_LARGE
    else:
        commit = _commit(raw, tuple(parents))
        if selection.has_message(commit.message):
            return commit
        reason = DropReason.NOT_SELECTED
    return Dropped(sha=raw.sha.decode(), stage=Stage.SCAN, reason=reason)


def _modifies_source(about: bytes, path: bytes) -> bool:
    if not about.endswith(b" M") or not path.endswith(b".py"):
        return False
    text = _text(path)
    return is_python(text) and kind_of(text) is PathKind.SOURCE


def _commit(raw: _RawCommit, parents: tuple[str, ...]) -> Commit:
    subject, _, body = raw.message[:_MOST_MESSAGE].decode("utf-8", "replace").strip().partition("\n")
    return Commit(
        sha=raw.sha.decode(),
        parents=parents,
        authored=_time(raw.authored),
        committed=_time(raw.committed),
        subject=subject.strip(),
        body=body.lstrip("\n"),
        changes=tuple(_change(*change) for change in raw.changes),
    )


def _change(about: bytes, path: bytes) -> Change:
    old_mode, new_mode, old_blob, new_blob, status = about.removeprefix(b":").decode().split(" ")
    return Change(
        status=cast(ChangeStatus, status),
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_blob,
        new_blob=new_blob,
        path=_text(path),
    )


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _time(seconds: bytes) -> str:
    """A time that git has written down; one that no calendar has is taken to the nearest that it has."""
    within_calendar = min(max(int(seconds or b"0"), 0), 253_402_300_799)
    return datetime.fromtimestamp(within_calendar, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
