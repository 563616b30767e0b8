"""The patches of commits, as git's own bytes, from one ``git diff-tree`` that stays up for all of them.

Options make every byte that matters part of a patch: binary files as deltas that apply, full object ids, no renames.
A patch is cut into its files at the lines that begin with ``diff --git``: every other line of a patch begins with
another letter, whatever is in the files, and names with newlines are quoted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BufferedReader
from itertools import islice
from subprocess import Popen
from typing import Final, cast

from mendlab.corpora.safe_git import PATCH_OPTIONS
from mendlab.corpora.unified import quote
from mendlab.errors import InputError
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.records import Commit

MOST_PATCH_BYTES: Final = 4 * 1024**2
_AHEAD: Final = 64  # requests that git may have waiting; all of them fit into a pipe
_BLOCK: Final = 1 << 16
_REQUEST_END: Final = b"end of patch\n"
_END: Final = b"\n" + _REQUEST_END
_CUT: Final = b"\ndiff --git "


def commit_patches(copy: PrivateCopy, commits: Iterable[Commit]) -> Iterator[tuple[Commit, bytes | None]]:
    """Yield each commit with the patch from its first parent to it; ``None`` for one of over 4 MB."""
    arguments = ("diff-tree", "--stdin", "-r", "-p", "--no-commit-id", "--binary", "--full-index", "--unified=3")
    process = copy.start(*arguments, *PATCH_OPTIONS, "--submodule=short", "--diff-algorithm=myers")
    assert process.stdin is not None
    waiting: deque[Commit] = deque()
    answers = _Answers(process)
    rest = iter(commits)
    try:
        while True:
            asked = list(islice(rest, _AHEAD - len(waiting)))
            waiting.extend(asked)
            if not waiting:
                break
            if asked:
                # what is no object id is echoed, which tells where a patch ends
                lines = (f"{commit.sha} {commit.parents[0]}\n".encode() + _REQUEST_END for commit in asked)
                process.stdin.write(b"".join(lines))
                process.stdin.flush()
            for _ in range(max(1, len(waiting) // 2)):
                yield waiting.popleft(), next(answers)
    except BrokenPipeError as error:
        raise InputError("git diff-tree ended early", where=copy.path, hint="copy the repository anew") from error
    finally:
        process.kill()
        process.communicate()


class _Answers:
    """The patches that come out of one process, each up to the line that ends it."""

    def __init__(self, process: Popen[bytes]) -> None:
        assert process.stdout is not None
        self._stream = cast(BufferedReader, process.stdout)
        self._rest = b""

    def __next__(self) -> bytes | None:
        """The next one, or ``None`` for one that is too large, of which no more is kept than is read at once."""
        held = bytearray(b"\n" + self._rest)
        too_large = False
        seen = 0
        while (end := held.find(_END, seen)) < 0:
            too_large |= len(held) > MOST_PATCH_BYTES
            if too_large:
                del held[: -len(_END)]
            seen = max(0, len(held) - len(_END))
            block = self._stream.read1(_BLOCK)
            if not block:
                raise InputError("git diff-tree ended early", hint="remove the copy, and copy the repository anew")
            held += block
        self._rest = bytes(held[end + len(_END) :])
        return None if too_large or end > MOST_PATCH_BYTES else bytes(held[1 : end + 1])


def files_of(patch: bytes, commit: Commit) -> list[tuple[str, bytes]] | None:
    """Cut a patch into the pieces of the paths that the commit changes, in that order; ``None`` if they do not fit.

    A path whose type changes has two pieces: one that deletes it, and one that makes it anew.
    """
    pieces = [b"diff --git " + piece + b"\n" for piece in patch[:-1].removeprefix(b"diff --git ").split(_CUT)]
    files = []
    at = 0
    for change in commit.changes:
        mine = pieces[at : at + (2 if change.status == "T" else 1)]
        at += 2 if change.status == "T" else 1
        if not mine or not all(piece.startswith(_header(change.path)) for piece in mine):
            return None
        files += [(change.path, piece) for piece in mine]
    return files if at == len(pieces) else None


@lru_cache(maxsize=1 << 14)
def _header(path: str) -> bytes:
    return f"diff --git {quote(f'a/{path}')} {quote(f'b/{path}')}\n".encode()
