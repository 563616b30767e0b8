"""Survivors of a mutation run are told apart from their program, or not, by what they do."""

from __future__ import annotations

from surviving import survivors, told_apart

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.subjects.registry import read_subjects
from mendlab.records import Defect, MutantStatus, MutantVerdict

ROW = {
    "task_id": "T/0",
    "entry_point": "first",
    "prompt": "def first(items):\n",
    "canonical_solution": "    if not items:\n        return None\n    return items[0]\n",
    "test": "def check(candidate):\n    assert candidate([3]) == 3\n    assert candidate([4, 4]) == 4\n",
}


def test_one_that_differs_and_one_that_does_not(shapes, bench, tmp_path):
    (loaded,) = [one for one in read_subjects(f"humaneval:{shapes.rows([ROW])}") if isinstance(one, LoadedSubject)]
    source = loaded.tree["solution.py"].decode()
    changes = {"last": ("items[0]", "items[-1]"), "same": ("items[0]", "items[0:1][0]"), "killed": ("items[0]", "0")}
    score = tmp_path / "score"
    score.mkdir()
    lines = []
    for name, (old, new) in changes.items():
        diff = make_diff(loaded.tree, loaded.tree.replace({"solution.py": source.replace(old, new).encode()}))
        status = MutantStatus.KILLED_BY_ASSERTION if name == "killed" else MutantStatus.SURVIVED
        defect = Defect(origin="operator", operator=name, family="test", files=("solution.py",), diff=diff)
        verdict = MutantVerdict(mutant=f"T/0.{name}", subject=loaded.subject.id, defect=defect, status=status)
        lines.append(verdict.model_dump_json())
    (score / "results.jsonl").write_text("\n".join(lines))
    assert [one.mutant for one in survivors(score, 9)] == ["T/0.last", "T/0.same"]
    assert len(survivors(score, 1)) == 1
    last, same = told_apart([loaded], survivors(score, 9), bench)
    assert last.witness == "solution.first([0, 1])"
    assert same.witness is None
    assert same.inputs > 100
