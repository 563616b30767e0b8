from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from written_histories import History

from mendlab.harvest.candidates import candidates
from mendlab.harvest.git import PrivateCopy, private_copy
from mendlab.harvest.records import Candidate, Dropped


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[Callable[[History], tuple[PrivateCopy, dict[int, str]]]]:
    """A private copy of a history, with the ids of its commits."""
    made: list[PrivateCopy] = []

    def copy(history: History) -> tuple[PrivateCopy, dict[int, str]]:
        ids = history.write(tmp_path / "repository")
        made.append(private_copy(str(tmp_path / "repository"), tmp_path / "copy"))
        return made[-1], ids

    yield copy
    for each in made:
        each.close()


@pytest.fixture
def mined(
    copied: Callable[[History], tuple[PrivateCopy, dict[int, str]]],
) -> Callable[[History], tuple[PrivateCopy, dict[int, Candidate | Dropped]]]:
    """What becomes of each commit of a history, by its number."""

    def mine(history: History) -> tuple[PrivateCopy, dict[int, Candidate | Dropped]]:
        copy, ids = copied(history)
        numbers = {sha: number for number, sha in ids.items()}
        found = list(candidates(copy))
        by_number = {numbers[each.fix if isinstance(each, Candidate) else each.sha]: each for each in found}
        assert len(by_number) == len(found)
        return copy, by_number

    return mine
