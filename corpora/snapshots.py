"""Trees by their digest: equal files are kept once, however many trees hold them."""

from __future__ import annotations

import hashlib
import json
import threading
import zipfile
import zlib
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from mendlab.corpora.durable import replace_file
from mendlab.corpora.journal import parse_record
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError
from mendlab.records import Record

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class TreeEntry(Record):
    """One file of a tree: the digest of its content, and its mode."""

    blob: Sha256
    executable: bool = False


class TreeListing(Record):
    """``trees/<digest>.json``: the files of a tree by path, sorted."""

    files: dict[str, TreeEntry]


class SnapshotStore:
    """Trees in ``directory``: ``trees/<digest>.json`` names ``blobs/<2 hex>/<sha256>``.

    ``directory`` may also be a folder within a zip file (:class:`zipfile.Path`), which can only be read.
    """

    def __init__(self, directory: Traversable) -> None:
        self._directory = directory
        self._lock = threading.Lock()

    def put(self, tree: FileTree) -> str:
        """Store ``tree`` and return its digest. What is there already is left; the listing comes last.

        Raises:
            OutputError: it cannot be written.
        """
        directory = self._directory
        if not isinstance(directory, Path):
            raise InputError("a zipped task set cannot be added to", where=str(directory), hint="unzip it first")
        files: dict[str, dict[str, object]] = {}
        with self._lock:
            for path, data in tree.items():
                blob = hashlib.sha256(data).hexdigest()
                files[path] = {"blob": blob, "executable": path in tree.executable}
                _put_once(directory / "blobs" / blob[:2] / blob, data)
            listing = json.dumps({"files": files}, ensure_ascii=False, indent=1) + "\n"
            _put_once(directory / "trees" / f"{tree.digest}.json", listing.encode())
        return tree.digest

    def get(self, digest: str) -> FileTree:
        """Return the tree with that digest, made sure of.

        Raises:
            InputError: there is none.
            FormatError: the listing or a blob is broken or missing, or the tree's digest is another.
        """
        listing_file = self._directory / "trees" / f"{digest}.json"
        if not listing_file.is_file():
            raise InputError("there is no such snapshot", where=str(listing_file), hint="take the whole task set")
        entries = parse_record(read_bytes(listing_file), TreeListing, str(listing_file)).files
        try:
            tree = FileTree(
                {path: self._blob(entry.blob) for path, entry in entries.items()},
                frozenset(path for path, entry in entries.items() if entry.executable),
            )
        except InputError as error:
            raise FormatError(error.what, where=str(listing_file), hint=error.hint) from error
        if tree.digest != digest:
            raise _damaged("the tree has another digest than its name says", listing_file)
        return tree

    def digests(self) -> tuple[str, ...]:
        """Return the digests of all trees, sorted."""
        trees = self._directory / "trees"
        return tuple(sorted(_stems(trees.iterdir()))) if trees.is_dir() else ()

    def _blob(self, digest: str) -> bytes:
        file = self._directory / "blobs" / digest[:2] / digest
        if not file.is_file():
            raise _damaged("the blob is missing", file)
        data = read_bytes(file)
        if hashlib.sha256(data).hexdigest() != digest:
            raise _damaged("the blob has another digest than its name says", file)
        return data


def _put_once(path: Path, data: bytes) -> None:
    if not path.exists():
        replace_file(path, data)


def read_bytes(file: Traversable) -> bytes:
    """Return the content of a file in a folder or a zip file.

    Raises:
        FormatError: it cannot be read, as where the zip file is damaged.
    """
    try:
        return file.read_bytes()
    except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise _damaged(f"cannot be read: {error}", file) from error


def _stems(files: Iterable[Traversable]) -> list[str]:
    return [file.name.removesuffix(".json") for file in files if file.name.endswith(".json")]


def _damaged(what: str, file: Traversable) -> FormatError:
    return FormatError(what, where=str(file), hint="the task set is damaged; take a fresh copy")
