"""Defects of a mix of grades: what is wanted, and that no more of one are made."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import Detected
from mendlab.mutators.injecting.making import Choice, Making, mix_of
from mendlab.records import (
    Baseline,
    Defect,
    Detection,
    Difficulty,
    FunctionHarness,
    Provenance,
    Step,
    StepGroup,
    Subject,
)


@pytest.mark.parametrize(
    ("text", "limit", "mix"),
    [
        ("hard", 200, {"hard": 200}),
        ("easy:50,medium:100,hard:50", None, {"easy": 50, "medium": 100, "hard": 50}),
        ("easy:1, hard:2", 3, {"easy": 1, "hard": 2}),
    ],
)
def test_a_mix_is_read(text, limit, mix):
    assert dict(mix_of(text, limit)) == mix


@pytest.mark.parametrize(
    ("text", "limit", "said"),
    [
        ("hard", None, "how many hard tasks"),
        ("easy,hard", 10, "how many easy tasks"),
        ("harder", 5, "names no difficulties"),
        ("hard:x", None, "names no difficulties"),
        ("hard:2,hard:3", None, "names no difficulties"),
        ("", 3, "names no difficulties"),
        ("easy:0", None, "has 0 tasks"),
        ("easy:2,hard:2", 5, "has 4 tasks"),
    ],
)
def test_what_is_no_mix_is_refused(text, limit, said):
    with pytest.raises(InputError, match=said):
        mix_of(text, limit)


def offer(name: str) -> Detected:
    good = FileTree({"a.py": b"x = 1\n"})
    harness = FunctionHarness(groups=(StepGroup(steps=(Step(code="pass", test_id="t"),)),))
    subject = Subject(
        id="s", snapshot=good.digest, harness=harness, source_files=("a.py",), provenance=Provenance(source="test")
    )
    candidate = Candidate(
        id=name, loaded=LoadedSubject(subject, good), buggy=FileTree({"a.py": b"x = 2\n"}), statement="",
        defect=Defect(origin="operator", files=("a.py",), diff="", function=name), editable=("a.py",),
    )  # fmt: skip
    detection = Detection(fail_to_pass=("t",))
    return Detected(candidate, detection, Baseline(subject="s", passing=("t",), cpu_seconds=0.1))


@pytest.fixture
def graded():
    """A grader that goes by the first letter of a task's id, and counts what it was asked."""
    seen = []

    def grade(task, good, buggy):
        seen.append(task.id)
        names = {"e": "easy", "m": "medium", "h": "hard"}
        return Difficulty(grade=names[task.id[0]], score=0.5)

    return SimpleNamespace(grade=grade, seen=seen)


def making(graded, **mix):
    return Making(Choice(limit=sum(mix.values()), mix=tuple(mix.items()), grade=graded.grade))


def test_no_more_of_a_grade_are_made_than_are_wanted(graded):
    made = making(graded, easy=1, hard=2)
    for name in ("e1", "e2", "m1", "h1", "h2", "h3"):
        made.take_one([offer(name)])
    assert [task.id for task in made.tasks] == ["e1", "h1", "h2"]
    assert [task.difficulty.grade for task in made.tasks] == ["easy", "hard", "hard"]
    assert made.missing == 0
    assert made.set_aside == [] or [one.candidate.id for one in made.set_aside] == ["h3"]


def test_each_is_graded_once_and_no_more_than_need_be(graded):
    made = making(graded, hard=1)
    made.take_one([offer("e1"), offer("h1"), offer("h2")])
    assert [task.id for task in made.tasks] == ["h1"]
    assert graded.seen == ["e1", "h1"]


def test_what_was_set_aside_fills_up_what_is_missing(graded):
    made = making(graded, easy=2)
    made.take_one([offer("e1"), offer("e2"), offer("m1")])
    made.fill()
    assert [task.id for task in made.tasks] == ["e1", "e2"]


def test_without_a_mix_nothing_is_graded():
    made = Making(Choice(limit=1))
    made.take_one([offer("e1")])
    assert made.tasks[0].difficulty is None
