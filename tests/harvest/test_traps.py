"""Traps go off under a plain command of git, and never under the lab's."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from traps import TRAPS, Place
from written_histories import run_git, small_history

from mendlab.corpora.commit_trees import read_commit
from mendlab.corpora.directories import read_directory
from mendlab.corpora.git_read import head_commit, tracked_files
from mendlab.errors import InputError
from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import private_copy, rebuilds
from mendlab.harvest.records import Candidate


@pytest.fixture
def place(tmp_path: Path) -> Place:
    small_history().write(tmp_path / "repository")
    markers = tmp_path / "markers"
    markers.mkdir()
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {markers}/ran\ncat /dev/null\n")
    script.chmod(0o755)
    user = tmp_path / "user.gitconfig"
    user.write_text("")
    return Place(tmp_path / "repository", script, markers / "ran", user)


def sprung(place: Place) -> list[str]:
    """What is there that was not; it is taken away."""
    found = sorted(place.marker.parent.iterdir())
    for path in found:
        path.unlink()
    return [path.name for path in found]


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_goes_off_under_git_and_not_here(
    name: str, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = TRAPS[name].lay(place)
    sprung(place)

    run_git(place.repository, *command, check=False, env={"GIT_CONFIG_GLOBAL": str(place.user)})
    assert sprung(place), "the trap does not work"

    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(place.user))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(place.script))
    monkeypatch.setenv("GIT_SSH_COMMAND", str(place.script))
    monkeypatch.setenv("GIT_ASKPASS", str(place.script))
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:file")
    if TRAPS[name].harvested:
        with private_copy(str(place.repository), tmp_path / "copy") as copy:
            found = [each for each in candidates(copy) if isinstance(each, Candidate)]
            assert [each.commit.subject for each in found] == ["Fix one (#7)"]
            assert all(rebuilds(copy, each) for each in found)
            assert b"return 1" in (copy.blob(found[0].commit.changes[0].new_blob) or b"")
    else:
        with pytest.raises(InputError):
            private_copy(str(place.repository), tmp_path / "copy")
    assert sprung(place) == []

    with suppress(InputError):
        tracked_files(place.repository)
        read_directory(place.repository)
    with suppress(InputError):
        read_commit(place.repository, head_commit(place.repository) or "")
    if name != "alternates":  # borrowed objects are the user's, where the user names the folder
        assert sprung(place) == []


@pytest.mark.parametrize("address", ["ext::{}", "ext::sh -c {}", "fd::0"])
def test_an_address_that_is_a_trap(address: str, place: Place, tmp_path: Path) -> None:
    address = address.format(place.script)
    if address.startswith("ext"):
        run_git(tmp_path, "-c", "protocol.ext.allow=always", "clone", address, "clone", check=False)
        assert sprung(place)
    with pytest.raises(InputError):
        private_copy(address, tmp_path / "copy")
    assert sprung(place) == []
