from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.subjects import read_subjects
from mendlab.errors import InputError
from mendlab.records import FunctionHarness

HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": 'def half(n: int) -> int:\n    """Return half of n, rounded down."""\n',
    "canonical_solution": "    return n // 2\n",
    "entry_point": "half",
    "test": "METADATA = {}\n\n\ndef check(candidate):\n    assert candidate(4) == 2\n    assert candidate(5) == 2\n",
}
MBPP = {
    "text": "Write a function to walk a tree.",
    "code": "class Node:\r\n\tdef __init__(self, n):\r\n\t\tself.n = n\r\ndef walk(node):\r\n\treturn node.n",
    "task_id": 7,
    "test_setup_code": "root = Node(1)\r\nother = Node(2)",
    "test_list": ["assert walk(root) == 1", "x = walk(other)\nassert x == 2"],
    "challenge_test_list": ["assert walk(Node(3)) == 3"],
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def only(spec: str) -> LoadedSubject:
    (found,) = read_subjects(spec)
    assert isinstance(found, LoadedSubject)
    return found


def test_humaneval(tmp_path: Path, run_plainly) -> None:
    loaded = only(str(write(tmp_path / "he.jsonl", HUMANEVAL)))
    subject, harness = loaded.subject, loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    assert loaded.tree["solution.py"].decode() == HUMANEVAL["prompt"] + HUMANEVAL["canonical_solution"]
    assert (subject.id, subject.snapshot) == ("HumanEval/0", loaded.tree.digest)
    assert subject.statement == "Return half of n, rounded down."
    assert harness.entry_points == ("half",)
    assert [each.qualified_name for each in subject.functions] == ["half"]
    assert run_plainly(loaded.tree, harness) == {"check[0]": True, "check[1]": True}
    wrong = loaded.tree.replace({"solution.py": b"def half(n):\n    return n / 2\n"})
    assert run_plainly(wrong, harness) == {"check[0]": True, "check[1]": False}


def test_the_installed_humaneval_is_taken_apart_whole(run_plainly) -> None:
    found = list(read_subjects("humaneval"))
    assert len(found) == 164
    tests = 0
    for loaded in found:
        assert isinstance(loaded, LoadedSubject)
        assert isinstance(loaded.subject.harness, FunctionHarness)
        outcomes = run_plainly(loaded.tree, loaded.subject.harness)
        assert all(outcomes.values()), loaded.subject.id
        tests += len(outcomes)
    assert tests == 1133


def test_mbpp_keeps_the_bytes_and_holds_the_challenge_out(tmp_path: Path, run_plainly) -> None:
    path = tmp_path / "mbpp.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(MBPP).encode()))
    loaded = only(str(path))
    harness = loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    assert loaded.tree["solution.py"].decode() == MBPP["code"]
    assert loaded.subject.id == "MBPP/7"
    assert loaded.subject.held_out == ("challenge_test_list[0]",)
    assert harness.entry_points is None
    outcomes = run_plainly(loaded.tree, harness)
    assert outcomes == {"test_list[0]": True, "test_list[1]": True, "challenge_test_list[0]": True}


def test_rows_that_cannot_be_subjects_are_refused_one_by_one(tmp_path: Path) -> None:
    rows = [
        HUMANEVAL,
        {**HUMANEVAL, "task_id": "b", "canonical_solution": "    return (\n"},
        {**HUMANEVAL, "task_id": "c", "entry_point": "third"},
        {**HUMANEVAL, "task_id": "d", "test": "assert half(2)"},
        {**HUMANEVAL, "task_id": "e", "prompt": None},
        HUMANEVAL,
    ]
    path = write(tmp_path / "he.jsonl", *rows)
    with path.open("a") as file:
        file.write('{"task_id": "f", "prom')
    refused = [each for each in read_subjects(f"humaneval:{path}") if isinstance(each, Refusal)]
    assert {each.id: each.reason for each in refused} == {
        "b": f"{path}:2: solution.py:3: not valid Python: '(' was never closed",
        "c": f"{path}:3: the program does not define third",
        "d": f"{path}:4: the test has no function check with one parameter",
        "e": f"{path}:5: field 'prompt' is null, not a string",
        "HumanEval/0": "HumanEval/0: there is a subject of this id already",
        f"{path}:7": refused[-1].reason,
    }
    assert refused[-1].reason.startswith(f"{path}:7: not a whole JSON value")
    bad_test = write(tmp_path / "mbpp.jsonl", {**MBPP, "test_list": ["assert ("]}, {**MBPP, "task_id": "x"})
    reasons = [each.reason for each in read_subjects(str(bad_test)) if isinstance(each, Refusal)]
    assert reasons[0].startswith(f"{bad_test}:1: test_list[0]:1: not valid Python")
    assert reasons[1] == f"{bad_test}:2: field 'task_id' is not a whole number"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mbpp", r"mbpp needs a path \(write mbpp:PATH\)"),
        ("humaneval:/nowhere", "/nowhere: there is no such file"),
        ("/nowhere", "/nowhere: there is no such file"),
        ("bundled:ledgre", "ledger"),
    ],
)
def test_a_specification_that_names_nothing(spec: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        list(read_subjects(spec))


def test_a_file_of_no_known_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no kind of subject that is known"):
        read_subjects(str(write(tmp_path / "other.jsonl", {"question": "?"})))
