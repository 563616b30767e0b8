"""HumanEval and MBPP as published: what is unfinished, what is hidden, and what a candidate has to supply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.importers.registry import read_candidates
from mendlab.records import FunctionHarness

HUMANEVAL = {
    "task_id": "HumanEval/0",
    "entry_point": "twice",
    "prompt": 'def half(x):\n    return x / 2\n\n\ndef twice(x):\n    """Return x two times."""\n',
    "canonical_solution": "    return x + x\n",
    "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(0) == 0\n",
}
MBPP = {
    "task_id": 7,
    "text": "Write a function to add up pairs.",
    "code": "class Pair:\r\n\tdef __init__(self, a):\r\n\t\tself.a = a\r\ndef helper(p):\r\n\treturn p.a\r\n"
    "def add_up(ps):\r\n\treturn sum(map(helper, ps))",
    "test_setup_code": "",
    "test_list": ["assert add_up([Pair(1), Pair(2)]) == 3"],
    "challenge_test_list": ["assert add_up([]) == 0"],
}


def read(folder: Path, name: str, row: dict[str, Any]) -> Candidate | Refusal:
    file = folder / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n")
    (found,) = read_candidates(name, file)
    return found


def test_humaneval_leaves_the_body_to_be_written_and_shows_no_test(tmp_path: Path) -> None:
    found = read(tmp_path, "humaneval", HUMANEVAL)
    assert isinstance(found, Candidate)
    assert found.kind == "completion" and found.defect.family == "completion"
    assert found.buggy["solution.py"].decode() == HUMANEVAL["prompt"]
    assert found.statement == "Complete the function `twice` in solution.py."
    assert len(found.loaded.subject.held_out) == 2
    assert apply_diff(found.loaded.tree, found.defect.diff) == found.buggy


def test_mbpp_leaves_what_its_tests_use_and_nothing_else_comes_from_the_reference(tmp_path: Path) -> None:
    found = read(tmp_path, "mbpp", MBPP)
    assert isinstance(found, Candidate)
    harness = found.loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    assert harness.entry_points == ("Pair", "add_up"), "in the program's order, and no helper of its own"
    text = found.buggy["solution.py"].decode()
    assert "class Pair:\n    pass" in text and "def add_up(*arguments):" in text
    assert "helper" not in text and "Write a function to add up pairs." in text
    assert found.loaded.subject.held_out == ("challenge_test_list[0]",)


@pytest.mark.parametrize(
    ("name", "row", "why"),
    [
        ("humaneval", {**HUMANEVAL, "prompt": "def twice(x:\n"}, "not valid Python"),
        ("humaneval", {**HUMANEVAL, "canonical_solution": ""}, "the same"),
        (
            "mbpp",
            {**MBPP, "test_list": ["assert 1"], "challenge_test_list": []},
            "use nothing that the program defines",
        ),
        ("mbpp", {**MBPP, "code": "def add_up(:"}, "syntax"),
    ],
)
def test_a_row_that_is_no_task_is_refused(tmp_path: Path, name: str, row: dict[str, Any], why: str) -> None:
    found = read(tmp_path, name, row)
    assert isinstance(found, Refusal)
    assert why in found.reason
