"""From the commits of a history to candidates: patches split by kind, scored, without those that mend nothing."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence

from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.git.patches import commit_patches, files_of
from mendlab.harvest.paths import is_python, kind_of
from mendlab.harvest.programs import same_program
from mendlab.harvest.records import Candidate, Commit, Dropped, DropReason, Part, PathKind, Stage
from mendlab.harvest.references import references
from mendlab.harvest.scan import commits_named, scan
from mendlab.harvest.scoring import score
from mendlab.harvest.selection import Selection


def candidates(
    copy: PrivateCopy, selection: Selection | None = None, *, compare_programs: bool = True
) -> Iterator[Candidate | Dropped]:
    """Yield every commit of a history as a candidate or as dropped for a reason: the newest first, merges after what
    they merge.

    Of those that make the same change of source the first is taken, and the first that comes with tests. Memory does
    not grow with the history but for some bytes a candidate, by which the same change is known again. Comparing the
    programs before and after, of all the most work, can be left to a later step.
    """
    dropped: deque[Dropped] = deque()
    seen: dict[bytes, str] = {}
    tested: dict[bytes, str] = {}
    listed: dict[bytes, str] = {}

    def commits() -> Iterator[Commit]:
        for each in _merges_last(scan(copy, selection)):
            if isinstance(each, Dropped):
                dropped.append(each)
            elif (same := listed.setdefault(_listing(each), each.sha)) is not each.sha:
                dropped.append(_drop(each, DropReason.SAME_PATCH, f"as {same}"))  # a merge of this one alone
            else:
                yield each

    for commit, patch in commit_patches(copy, commits()):
        yield from _emptied(dropped)
        made = make_candidate(commit, patch)
        if isinstance(made, Candidate):
            digest = bytes.fromhex(made.patch_id)
            before = tested if made.tests.patch else seen
            if digest in before:
                made = _drop(commit, DropReason.SAME_PATCH, f"as {before[digest]}")
            elif compare_programs and same_by_syntax(copy, commit):
                made = _drop(commit, DropReason.SAME_PROGRAM)
            else:
                seen[digest] = before[digest] = commit.sha
        yield made
    yield from _emptied(dropped)


def _merges_last(commits: Iterable[Commit | Dropped]) -> Iterator[Commit | Dropped]:
    """Hold each merge back until what it merges has come: a commit says more of its change than a merge of it alone."""
    held: dict[str, list[Commit]] = {}
    for each in commits:
        if isinstance(each, Commit) and each.is_merge:
            held.setdefault(each.parents[1], []).append(each)
            continue
        come: list[Commit | Dropped] = [each]
        for one in come:
            yield one
            come += held.pop(one.sha, ())
    for waiting in held.values():
        yield from waiting


def candidates_named(copy: PrivateCopy, shas: Sequence[str]) -> Generator[Candidate, None, None]:
    """Yield candidates that :func:`candidates` has yielded, in the order in which they are named."""
    for commit, patch in commit_patches(copy, commits_named(copy, shas)):
        made = make_candidate(commit, patch)
        assert isinstance(made, Candidate), made
        yield made


def make_candidate(commit: Commit, patch: bytes | None) -> Candidate | Dropped:
    """Return a commit with its patch as a candidate."""
    if patch is None:
        return _drop(commit, DropReason.TOO_LARGE)
    files = files_of(patch, commit)
    if files is None:
        return _drop(commit, DropReason.NOT_REBUILT, "the patch is not of the files listed")
    pieces: dict[PathKind, list[tuple[str, bytes]]] = {kind: [] for kind in PathKind}
    for file in files:
        pieces[kind_of(file[0])].append(file)
    parts = {kind: _part(each) if each else Part() for kind, each in pieces.items()}
    source, tests = parts[PathKind.SOURCE], parts[PathKind.TESTS]
    named = references(commit.subject, commit.body)
    return Candidate(
        commit=commit,
        score=score(commit, named, source, tests),
        references=named,
        source=source,
        tests=tests,
        other=parts[PathKind.OTHER],
        patch_id=patch_id([piece for _, piece in pieces[PathKind.SOURCE]]),
    )


def _part(files: list[tuple[str, bytes]]) -> Part:
    """The pieces of some files, and their size: within hunks the first letter of a line tells what it is."""
    bodies = [piece[piece.find(b"\n@@ -") :] for _, piece in files if b"\n@@ -" in piece]
    return Part(
        patch=b"".join(piece for _, piece in files),
        paths=tuple(dict.fromkeys(path for path, _ in files)),
        hunks=sum(body.count(b"\n@@ -") for body in bodies),
        added=sum(body.count(b"\n+") for body in bodies),
        removed=sum(body.count(b"\n-") for body in bodies),
    )


def patch_id(pieces: list[bytes]) -> str:
    """Return an id of a change that does not depend on where in the files it is made, or on what else they hold.

    It is what ``git patch-id --verbatim`` stands for. That of ``--stable`` leaves blanks out, so that a change of
    indentation, which in Python is a change of the program, has the id of its own reversal.
    """
    return hashlib.sha256(b"".join(map(_without_positions, sorted(pieces)))).hexdigest()


def _without_positions(piece: bytes) -> bytes:
    """A file's patch without the ids of its blobs and the headers of its hunks."""
    head, *hunks = piece.split(b"\n@@ -")
    above, index, below = head.partition(b"\nindex ")
    kept = [above, below.partition(b"\n")[2] if index else b""]
    return b"\n".join([*kept, *(hunk.partition(b"\n")[2] for hunk in hunks)])


def same_by_syntax(copy: PrivateCopy, commit: Commit) -> bool:
    """Whether all the source that a commit changes is Python, and the same program before and after."""
    for change in commit.changes:
        if kind_of(change.path) is not PathKind.SOURCE:
            continue
        if change.status != "M" or change.old_mode != change.new_mode or not is_python(change.path):
            return False
        old, new = copy.blob(change.old_blob), copy.blob(change.new_blob)
        if old is None or new is None or not same_program(old, new):
            return False
    return True


def _listing(commit: Commit) -> bytes:
    """A digest of what a commit changes from what to what, known before there is a patch."""
    lines = (f"{each.old_mode}{each.old_blob}{each.new_mode}{each.new_blob}{each.path}" for each in commit.changes)
    return hashlib.sha256("\0".join(lines).encode("utf-8", "surrogateescape")).digest()


def _drop(commit: Commit, reason: DropReason, detail: str = "") -> Dropped:
    return Dropped(sha=commit.sha, stage=Stage.PATCHES, reason=reason, detail=detail)


def _emptied(waiting: deque[Dropped]) -> Iterator[Dropped]:
    while waiting:
        yield waiting.popleft()
