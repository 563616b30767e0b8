"""Trees come back as they went in, or not at all."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from mendlab.corpora.snapshots import SnapshotStore
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, OutputError

TREE = FileTree(
    {"a b/ü.py": b"x = 1\r\n", "run.sh": b"#!/bin/sh\n", "data.bin": b"\0\xff", "copy.py": b"x = 1\r\n"},
    frozenset({"run.sh"}),
)


def content(directory: Path) -> dict[str, bytes]:
    return {str(file.relative_to(directory)): file.read_bytes() for file in directory.rglob("*") if file.is_file()}


def test_a_tree_comes_back_with_contents_and_modes(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    assert store.digests() == ()
    digest = store.put(TREE)
    assert digest == TREE.digest
    assert store.get(digest) == TREE
    assert store.digests() == (digest,)


def test_equal_contents_are_kept_once_and_putting_again_changes_nothing(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    store.put(TREE)
    before = content(tmp_path)
    assert len([name for name in before if name.startswith("blobs/")]) == 3
    store.put(TREE)
    store.put(FileTree(dict(reversed(list(TREE.items()))), TREE.executable))
    assert content(tmp_path) == before
    store.put(TREE.replace({"new.py": b"x = 1\r\n"}))
    assert len([name for name in content(tmp_path) if name.startswith("blobs/")]) == 3


def test_what_a_killed_writer_left_is_completed(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    store.put(TREE)
    whole = content(tmp_path)
    blob = next(file for file in (tmp_path / "blobs").rglob("*") if file.is_file())
    blob.with_name(f".{blob.name}.partial").write_bytes(blob.read_bytes()[:1])
    blob.unlink()
    with pytest.raises(FormatError, match="the blob is missing"):
        store.get(TREE.digest)
    store.put(TREE)
    assert content(tmp_path) == whole


def test_damage_is_named(tmp_path: Path) -> None:
    store = SnapshotStore(tmp_path)
    store.put(TREE)
    listing = tmp_path / "trees" / f"{TREE.digest}.json"
    for file in [file for file in (tmp_path / "blobs").rglob("*") if file.is_file()]:
        kept = file.read_bytes()
        file.write_bytes(kept + b"!")
        with pytest.raises(FormatError, match="another digest") as caught:
            store.get(TREE.digest)
        assert caught.value.where == str(file)
        file.write_bytes(kept)
    text = listing.read_text()
    for broken in [text[:-20], text.replace("run.sh", "../run.sh"), text.replace("run.sh", "ran.sh"), "[]"]:
        listing.write_text(broken)
        with pytest.raises(FormatError) as caught:
            store.get(TREE.digest)
        assert caught.value.where == str(listing)


def test_a_tree_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such snapshot"):
        SnapshotStore(tmp_path).get("0" * 64)


def test_a_zip_file_can_be_read_and_not_written(tmp_path: Path) -> None:
    SnapshotStore(tmp_path / "store").put(TREE)
    archive = tmp_path / "store.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name, data in content(tmp_path / "store").items():
            file.writestr(name, data)
    store = SnapshotStore(zipfile.Path(archive))
    assert store.digests() == (TREE.digest,)
    assert store.get(TREE.digest) == TREE
    with pytest.raises(InputError, match="zipped"):
        store.put(TREE)


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file where a folder should be")
    with pytest.raises(OutputError) as caught:
        SnapshotStore(tmp_path).put(TREE)
    assert caught.value.where is not None and caught.value.where.startswith(str(tmp_path / "blobs") + os.sep)
