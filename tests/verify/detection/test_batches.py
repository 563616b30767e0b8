"""Candidates tried side by side: each once, with what a worker has open kept while the subject is the same."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import EngineError
from mendlab.records import Defect
from mendlab.verify.detection.batches import TIMES_TRIED, in_batches, try_batches


@dataclass
class Counting:
    """Says which candidate it was given; fails on those whose id ends with ``!``."""

    subject: str
    closed: int = 0
    seen: list[str] = field(default_factory=list)

    def detect(self, candidate: Candidate) -> str:
        assert candidate.loaded.subject.id == self.subject
        self.seen.append(candidate.id)
        if candidate.id.endswith("!"):
            raise EngineError("failed")
        return "told"

    def lost(self, candidate: Candidate) -> str:
        return "lost"

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def candidates(shapes):
    rows = [shapes.problem(f"S/{number}", "def one():\n    return 1\n", ["candidate() == 1"]) for number in range(3)]
    defect = Defect(origin="operator", files=("solution.py",), diff="")
    return [
        Candidate(f"{loaded.subject.id}.{name}", loaded, loaded.tree, defect, "", ())
        for loaded in shapes.subjects(rows)
        for name in (*map(str, range(30)), "x!")
    ]


@pytest.mark.parametrize("workers", [1, 3])
def test_each_is_tried_once_and_one_that_fails_costs_only_itself(candidates, workers):
    opened: list[Counting] = []
    told: dict[str, str] = {}
    lock = threading.Lock()

    def open_trier(loaded: LoadedSubject) -> Counting:
        opened.append(Counting(loaded.subject.id))
        return opened[-1]

    def keep(candidate: Candidate, result: str) -> None:
        with lock:
            assert candidate.id not in told
            told[candidate.id] = result

    batches = in_batches(candidates, lambda each: each.loaded.subject.id, workers)
    try_batches(batches, open_trier, keep, workers=workers)
    assert told == {each.id: "lost" if each.id.endswith("!") else "told" for each in candidates}
    assert sum(len(trier.seen) for trier in opened) == len(candidates) + 3 * (TIMES_TRIED - 1)
    assert all(trier.closed for trier in opened)
    assert len(opened) <= 3 * workers
    if workers == 1:
        assert [trier.subject for trier in opened] == ["S/0", "S/1", "S/2"]


def test_a_trier_that_cannot_be_opened_ends_the_work(candidates):
    def open_trier(loaded: LoadedSubject) -> Counting:
        raise EngineError("the canary lives")

    batches = in_batches(candidates, lambda each: each.loaded.subject.id, 2)
    with pytest.raises(EngineError, match="the canary lives"):
        try_batches(batches, open_trier, lambda candidate, result: None, workers=2)


def test_batches_have_one_subject_and_leave_work_for_all():
    items = [f"{subject}{number}" for number in range(60) for subject in "ab"]
    batches = list(in_batches(items, lambda item: item[0], 2))
    assert sorted(item for batch in batches for item in batch) == sorted(items)
    assert all(len({item[0] for item in batch}) == 1 for batch in batches)
    assert max(map(len, batches)) == 25
    assert max(len(batch) for batch in in_batches(items[:8], lambda item: item[0], 2)) == 2
