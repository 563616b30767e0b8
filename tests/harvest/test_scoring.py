"""A score orders commits by how much they look like fixes, says why, and excludes none."""

from __future__ import annotations

import pytest
from written_histories import History

from mendlab.harvest.records import Candidate

OLD, NEW = "def f():\n    return 1\n", "def f():\n    return 2\n"
TEST = {"tests/test_m.py": "from m import f\n\n\ndef test_f():\n    assert f() == 2\n"}


def scored(mined, message: str, files: dict[str, str]) -> Candidate:
    history = History()
    history.commit("Begin", {"m.py": OLD})
    history.commit(message, {"m.py": NEW, **files})
    _, found = mined(history)
    assert isinstance(found[2], Candidate)
    assert found[2].score.value == pytest.approx(sum(found[2].score.reasons.values()))
    return found[2]


@pytest.mark.parametrize(
    ("message", "files", "value"),
    [
        ("Fix the crash of f (#3)", TEST, 8.0),
        ("f returned the wrong number\n\nFixes #3", TEST, 7.5),
        ("Return two", TEST, 4.5),
        ("Return two", {}, 2.0),
        ("Add a way to count", {}, 1.0),
        ("Refactor f", {}, 0.5),
        ("Fix typo", {}, 2.5),
        ('Revert "Fix the crash of f"', {}, 4.0),
    ],
)
def test_scores(mined, message: str, files: dict[str, str], value: float) -> None:
    assert scored(mined, message, files).score.value == value


def test_reasons_are_told(mined) -> None:
    candidate = scored(mined, "Fix the crash of f (#3)", TEST)
    assert candidate.score.reasons == {
        "the subject says fix": 2.0,
        "the message names a fault": 1.0,
        "it names a number": 0.5,
        "it changes tests": 2.0,
        "it adds to tests": 0.5,
        "one module of source": 1.0,
        "a small change of source": 1.0,
    }
    assert [(each.kind, each.number) for each in candidate.references] == [("pull", "3")]
    assert (candidate.source.added, candidate.source.removed, candidate.source.hunks) == (1, 1, 1)


def test_a_pull_request_is_scored_by_its_title(mined) -> None:
    history = History()
    history.commit("Begin", {"m.py": OLD, "n.py": OLD})
    history.commit("On main", {"other.txt": "1"})
    history.commit("wip", {"m.py": NEW}, parents=[1])
    history.commit("more wip", {"n.py": NEW})
    merged = {"m.py": NEW, "n.py": NEW}
    history.commit("Merge pull request #9 from me/fix\n\nMend the sum", merged, parents=[2, 4])
    _, found = mined(history)
    merge = found[5]
    assert isinstance(merge, Candidate)
    assert "the subject says fix" in merge.score.reasons
    assert merge.references[0].number == "9"
    assert merge.source.paths == ("m.py", "n.py")
