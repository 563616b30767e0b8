from __future__ import annotations

import json

import pytest

from mendlab.corpora.journal import dump_line, parse_record
from mendlab.harvest.records import Candidate, Change, Commit, Part, Score

SHA = "ab" * 20


def commit(*paths: str) -> Commit:
    changes = tuple(
        Change(status="M", old_mode="100644", new_mode="100755", old_blob=SHA, new_blob=SHA, path=path)
        for path in paths
    )
    return Commit(
        sha=SHA,
        parents=(SHA,),
        authored="2024-05-01T12:00:00Z",
        committed="2024-05-01T12:00:00Z",
        subject="Fix it",
        body="",
        changes=changes,
    )


@pytest.mark.parametrize(
    "name", [b"a b.py", b'"q".py', b'"', b"caf\xe9.py", "ünï.py".encode(), b"a\nb", b"a\\b", b'\\"']
)
def test_any_path_survives_json(name: bytes) -> None:
    path = name.decode("utf-8", "surrogateescape")
    record = commit(path)
    again = parse_record(dump_line(record), Commit, "here")
    assert again == record
    assert again.changes[0].path.encode("utf-8", "surrogateescape") == name


def test_plain_paths_are_written_plainly() -> None:
    assert json.loads(dump_line(commit("ünï dir/a.py")))["changes"][0]["path"] == "ünï dir/a.py"


def test_patches_survive_json_byte_for_byte() -> None:
    part = Part(patch=bytes(range(256)) + "\u2028\r\f".encode(), paths=("a.py",), hunks=1, added=2, removed=3)
    candidate = Candidate(
        commit=commit("a.py"), score=Score(value=1.5, reasons={"test": 1.5}), source=part, patch_id=SHA
    )
    again = parse_record(dump_line(candidate), Candidate, "here")
    assert again == candidate
    assert again.patch == part.patch
    assert (again.fix, again.parent) == (SHA, SHA)
