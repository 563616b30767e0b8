"""A private bare copy of a repository: its objects, checked, one branch, and a configuration that is ours.

A folder's objects are packed by a git that has opened only the copy, with the folder's objects lent to it: neither its
configuration nor its hooks, commit graphs, bitmaps, replacements or grafts are ever read. Of another host's
repository the branch at its HEAD is fetched. ``git index-pack`` works out the id of every object anew, so that an id
always stands for its content.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from mendlab.corpora.durable import writing
from mendlab.corpora.safe_git import environment, failed, git, object_id, start_git
from mendlab.corpora.unified import always_quoted
from mendlab.errors import InputError, OutputError
from mendlab.harvest.git.local import LocalRepository, find_local
from mendlab.harvest.git.remote import Remote, read_source

if TYPE_CHECKING:
    from git import Git
    from git.db import GitCmdObjectDB

MOST_BLOB_BYTES: Final = 10 * 1024**2
_OF_THE_USER: Final = ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG_PARAMETERS", "GIT_TRACE", "GIT_TRACE2_EVENT")
_UNREACHED: Final = re.compile(
    r"could not resolve|failed to connect|couldn't connect|connection (?:refused|reset)|network is unreachable"
    r"|no route to host|timed out",
    re.IGNORECASE,
)
_ABSENT: Final = re.compile(r"not found|\b404\b", re.IGNORECASE)
BRANCH: Final = "refs/heads/harvest"
_EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_KEEPING_MEMORY: Final = {"MALLOC_MMAP_THRESHOLD_": f"{32 * 1024**2}", "MALLOC_TRIM_THRESHOLD_": f"{128 * 1024**2}"}
"""Git takes memory anew for each larger file; not to hand it back every time saves a twelfth of its work (glibc)."""
_DISTRUSTING: Final = {"core.commitGraph": "false", "core.multiPackIndex": "false", "pack.useBitmaps": "false"}


@dataclass(frozen=True)
class PrivateCopy:
    """A bare repository of our own making. ``head`` is the commit harvested from; use it in a ``with`` block.

    Blobs and commits are read through GitPython's object database, whose ``git cat-file --batch`` stays up and runs in
    the same environment as all other git here. GitPython's ``Repo`` is not used: it goes by the GIT_ variables of the
    user's own environment. What writes patches or walks the history is git itself.
    """

    path: Path
    head: str
    _one_at_a_time: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    """Several threads ask one process, whose answers come in turn."""

    @cached_property
    def environment(self) -> Mapping[str, str]:
        """The environment in which git works on the copy."""
        values = environment(self.path)
        values["GIT_ATTR_SOURCE"] = _EMPTY_TREE  # no file of a commit decides how it is shown (git 2.41 and later)
        values |= _KEEPING_MEMORY
        return values

    @cached_property
    def _reader(self) -> Git:
        from git import Git  # not above: it cannot be imported where git is not installed

        reader = Git(self.path)
        place = dict.fromkeys(("GIT_DIR", "GIT_COMMON_DIR"), str(self.path))
        place["GIT_OBJECT_DIRECTORY"] = str(self.path / "objects")
        place |= dict.fromkeys(_OF_THE_USER, "")  # GitPython hands the user's own environment on, under this one
        reader.update_environment(**self.environment, **place)
        return reader

    @cached_property
    def objects(self) -> GitCmdObjectDB:
        """The copy's objects, as GitPython gives them."""
        from git.db import GitCmdObjectDB

        return GitCmdObjectDB(str(self.path / "objects"), self._reader)

    def git(self, *arguments: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> bytes:
        """Return what a git command prints; ``extra`` goes into its environment."""
        return git(self.path, *arguments, stdin=stdin, environ={**self.environment, **(extra or {})})

    def start(self, *arguments: str) -> Popen[bytes]:
        """Start a git command, with pipes to and from it; what it complains of is thrown away."""
        return start_git(self.path, *arguments, stderr=DEVNULL, environ=self.environment)

    def blob(self, blob: str) -> bytes | None:
        """Return a blob's content; ``None`` if it is not there, is no blob, or has over 10 MB."""
        return self._read(blob, b"blob")

    def tree_of(self, commit: str) -> str:
        """Return the id of a commit's tree.

        Raises:
            InputError: the copy does not have the commit.
        """
        data = self._read(commit, b"commit")
        if data is None:
            raise InputError(f"has no commit {commit}", where=self.path)
        return object_id(data.partition(b"\n")[0].removeprefix(b"tree ").decode())

    def _read(self, name: str, kind: bytes) -> bytes | None:
        with self._one_at_a_time:
            try:
                about = self.objects.info(bytes.fromhex(object_id(name)))
                if about.type != kind or about.size > MOST_BLOB_BYTES:
                    return None
                return bytes(self.objects.stream(about.binsha).read())
            except ValueError:  # it is not there
                return None

    def close(self) -> None:
        """End the processes that read from it."""
        if "_reader" in self.__dict__:
            self._reader.clear_cache()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def private_copy(source: str, into: Path, begun: Callable[[], object] = lambda: None) -> PrivateCopy:
    """Copy what the HEAD of a repository (a folder, or an https, ssh or file address) can reach to a folder.

    A copy that is there already is taken as it is, so that work which is resumed sees the same history. ``begun`` is
    called where there is something to copy, which may take long.

    Raises:
        InputError: the source cannot be read, or is of a kind that is not read.
        OutputError: ``into`` cannot be written, or is something else.
    """
    if not into.exists():
        partial = into.with_name(f".{into.name}.partial")
        with writing(into):
            shutil.rmtree(partial, ignore_errors=True)
            into.parent.mkdir(parents=True, exist_ok=True)
        try:
            _make(source, partial, begun)
            with writing(into):
                partial.rename(into)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return open_copy(into)


def open_copy(path: Path) -> PrivateCopy:
    """Open a private copy that is there.

    Raises:
        OutputError: it is something else.
    """
    try:
        head = git(path, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{BRANCH}^{{commit}}").decode()
    except InputError as error:
        raise OutputError("is there, and is no copy of a repository", where=path, hint="remove it") from error
    return PrivateCopy(path.resolve(), head.strip())


def new_copy(path: Path) -> None:
    """Make a bare repository without a commit, with nothing but what git itself writes into it."""
    git(path.parent, "init", "-q", "--bare", "--template=", "--object-format=sha1", "--", str(path.resolve()))
    git(path, "symbolic-ref", "HEAD", BRANCH)


def _make(source: str, copy: Path, begun: Callable[[], object]) -> None:
    place = read_source(source)
    local = None if isinstance(place, Remote) else find_local(place)
    begun()
    new_copy(copy)
    if local is None:
        assert isinstance(place, Remote)
        _fetch(place, copy)
    else:
        _take(local, copy, source)
        git(copy, "update-ref", "--end-of-options", BRANCH, local.head)
    git(copy, "commit-graph", "write", "--reachable")  # walks the whole history once, so that it is known to be whole


def _fetch(remote: Remote, copy: Path) -> None:
    options = ("-q", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance")
    safe = environment(copy, protocols=[remote.protocol])
    try:
        git(copy, "fetch", *options, "--end-of-options", remote.url, f"+HEAD:{BRANCH}", environ=safe)
    except InputError as error:
        raise InputError(error.what, where=remote.url, hint=_way_out(error.what)) from error


def _way_out(said: str) -> str:
    if _UNREACHED.search(said):
        return "the host cannot be reached: look at the address and the network, or name a clone"
    if _ABSENT.search(said):
        return "there is no such repository, or it is not for everyone: look at the address, or name a clone"
    return "no password is asked for: clone it yourself, and name the clone"


def _take(local: LocalRepository, copy: Path, source: str) -> None:
    """Pack what can be reached from the head, and let the copy index it: two processes, one pipe."""
    if local.shallow:
        (copy / "shallow").write_text("".join(f"{commit}\n" for commit in local.shallow))
    lending = environment(copy, settings=_DISTRUSTING)
    lending["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = always_quoted(str(local.objects.resolve()))
    arguments = ("pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset", "--no-use-bitmap-index")
    with TemporaryFile() as complaints:
        with start_git(copy, *arguments, stderr=complaints.fileno(), environ=lending) as packing:
            assert packing.stdin is not None and packing.stdout is not None
            with suppress(BrokenPipeError):
                packing.stdin.write(f"{local.head}\n".encode())
                packing.stdin.close()
            with start_git(copy, "index-pack", "--stdin", stdin=packing.stdout.fileno(), stderr=PIPE) as indexing:
                packing.stdout.close()
                _, said = indexing.communicate()
        complaints.seek(0)
        if packing.returncode:
            error = failed(Path(source), "pack-objects", complaints.read())
            raise InputError(error.what, where=source, hint="see what git fsck says there; a partial clone is not read")
        if indexing.returncode:
            raise failed(Path(source), "index-pack", said)
