"""A directory is put back as it was, whatever was done to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mendlab.verify.confined.forks.tree_watch import Snapshot


def listing(directory: Path) -> dict[str, tuple[int, object]]:
    return {
        str(path.relative_to(directory)): (
            path.lstat().st_mode,
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None,
        )
        for path in directory.rglob("*")
    }


@pytest.mark.parametrize(
    "harm",
    [
        lambda d: (
            (d / "new" / "deep" / "er").mkdir(parents=True) or (d / "new" / "deep" / "er" / "file").write_text("x")
        ),
        lambda d: shutil.rmtree(d / "a"),
        lambda d: (d / "a" / "b" / "file").write_text("other"),
        lambda d: (shutil.rmtree(d / "a"), (d / "a").write_text("a file now")),
        lambda d: (d / "link").unlink() or (d / "link").mkdir(),
        lambda d: (d / "a").chmod(0),
    ],
)
def test_restored(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("text")
    (tmp_path / "link").symlink_to("a")
    before, snapshot = listing(tmp_path), Snapshot(str(tmp_path))
    harm(tmp_path)
    snapshot.restore()
    assert listing(tmp_path) == before
