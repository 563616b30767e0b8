"""HumanEvalPack, and QuixBugs in both layouts, on small data in the same shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.importers import read_candidates, task_formats
from mendlab.corpora.importers.places import changed_span
from mendlab.errors import FormatError, InputError
from mendlab.records import FunctionHarness, Span

PACK = {
    "task_id": "Python/9",
    "prompt": "def total(numbers):\n",
    "canonical_solution": "    result = 0\n    for n in numbers:\n        result += n\n    return result\n",
    "buggy_solution": "    result = 1\n    for n in numbers:\n        result += n\n    return result\n",
    "bug_type": "value misuse",
    "failure_symptoms": "incorrect output",
    "entry_point": "total",
    "instruction": "Write a function that adds numbers up.",
    "test": "def check(total):\n    assert total([1]) == 1\n    assert total([]) < 2\n\ncheck(total)",
}
QUIX = {
    "name": "ends",
    "buggy_program": "def ends(node):\n    return node.value, node.value",
    "docstring": '"""\nThe two ends of a list.\n"""',
    "solution": "def ends(node):\n    return node.value, node.next.value",
    "tests": (
        "class Node:\n    def __init__(self, value, next=None):\n        self.value, self.next = value, next\n\n"
        "last = Node(2)\n\n\ndef test1():\n    assert ends(Node(1, last)) == (1, 2)\n    last.value = 3\n\n\n"
        "def test2():\n    assert ends(Node(3, last)) == (3, 3)\n\n\ntest1()\ntest2()\n"
    ),
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def harness_of(candidate: Any) -> FunctionHarness:
    assert isinstance(candidate, Candidate)
    assert apply_diff(candidate.loaded.tree, candidate.defect.diff) == candidate.buggy
    assert isinstance(candidate.loaded.subject.harness, FunctionHarness)
    return candidate.loaded.subject.harness


def test_humanevalpack(tmp_path: Path, run_plainly) -> None:
    rows = [PACK, {**PACK, "task_id": "Python/10", "buggy_solution": PACK["canonical_solution"]}, PACK]
    path = write(tmp_path / "pack.jsonl", *rows)
    candidate, same, repeated = read_candidates("humanevalpack", path)
    harness = harness_of(candidate)
    assert isinstance(candidate, Candidate)
    assert run_plainly(candidate.loaded.tree, harness) == {"check[0]": True, "check[1]": True}
    assert run_plainly(candidate.buggy, harness) == {"check[0]": False, "check[1]": True}
    assert (candidate.id, candidate.defect.family, candidate.tags) == (
        "Python/9",
        "value misuse",
        ("incorrect-output",),
    )
    assert candidate.defect.function == "total"
    assert candidate.defect.span == Span(start_line=2, start_column=0, end_line=2, end_column=14)
    assert candidate.editable == ("solution.py",)
    assert candidate.statement.startswith("Write a function that adds numbers up.\n\nThe function `total`")
    assert same == Refusal("Python/10", f"{path}:2: the buggy and the correct program are the same")
    assert repeated == Refusal("Python/9", "Python/9: there is a task of this id already")


def test_quixbugs_rows_share_state_in_the_order_of_their_tests(tmp_path: Path, run_plainly) -> None:
    asserts = {**QUIX, "name": "twin", "tests": "assert twin(*[1]) == 2\n"}
    asserts |= {"solution": "def twin(n):\n    return 2 * n", "buggy_program": "def twin(n):\n    return 3 * n"}
    ends, twin = read_candidates("quixbugs", write(tmp_path / "quix.jsonl", QUIX, asserts))
    assert isinstance(ends, Candidate)
    harness = harness_of(ends)
    assert (ends.id, harness.module, harness.entry_points) == ("quixbugs/ends", "ends.py", ("ends",))
    assert ends.statement == "The two ends of a list.\n\nThe program in ends.py has a bug on one line. Mend it."
    assert run_plainly(ends.loaded.tree, harness) == {"test1": True, "test2": True}
    assert run_plainly(ends.buggy, harness) == {"test1": False, "test2": True}
    assert isinstance(twin, Candidate)
    assert run_plainly(twin.loaded.tree, harness_of(twin)) == {"assert[0]": True}


REPOSITORY = {
    "python_programs/node.py": "class Node:\n    pass\n",
    "python_programs/ends_test.py": "from .node import Node\n",
    "python_programs/ends.py": f"{QUIX['buggy_program']}\n\n\n{QUIX['docstring']}\n",
    "correct_python_programs/ends.py": f'\n{QUIX["solution"]}\n\n"""\ndef ends(node): another\n"""\n',
    "python_testcases/node.py": "class Node:\n    def __init__(self, value, next=None):\n"
    "        self.value, self.next = value, next\n",
    "python_testcases/test_ends.py": (
        "import pytest\nfrom node import Node\n\nif pytest.use_correct:\n"
        "    from correct_python_programs.ends import ends\nelse:\n    from python_programs.ends import ends\n\n"
        "last = Node(2)\n\n\ndef test1():\n    assert ends(Node(1, last)) == (1, 2)\n    last.value = 3\n\n\n"
        "def test2():\n    assert ends(Node(3, last)) == (3, 3)\n"
    ),
    "python_programs/pairs.py": "def pairs(n, eps):\n    for i in range(n - 1):\n        yield (i, i / 3)\n",
    "correct_python_programs/pairs.py": "def pairs(n, eps):\n    for i in range(n):\n        yield (i, i / 3)\n",
    "json_testcases/pairs.json": "[[0, 0.1], []]\n[[2, 0.1], [[0, 0], [1, 0.3]]]\n[[9, 0.1], []]\n",
    "python_testcases/test_pairs.py": (
        "import pytest\nfrom load_testdata import load_json_testcases\n\nif pytest.use_correct:\n"
        "    from correct_python_programs.pairs import pairs\nelse:\n    from python_programs.pairs import pairs\n\n"
        "testdata = load_json_testcases(pairs.__name__)\n"
        "testdata = [[inp, [tuple(x) for x in out]] for inp, out in testdata]\n\n\n"
        '@pytest.mark.parametrize("input_data,expected", testdata)\n'
        "def test_pairs(input_data, expected):\n"
        "    if not pytest.run_slow and input_data == [9, 0.1]:\n        pytest.skip('slow')\n\n"
        "    found = list(pairs(*input_data))\n"
        "    assert [n for n, _ in found] == [n for n, _ in expected]\n"
        "    for (_, a), (_, b) in zip(found, expected):\n        assert a == pytest.approx(b, abs=input_data[1])\n"
    ),
    "python_programs/count.py": "def count(n):\n    return (i for i in range(n + 1))\n",
    "correct_python_programs/count.py": "def count(n):\n    return (i for i in range(n))\n",
    "json_testcases/count.json": "[0, []]\n[[2], [0, 1]]\n",
    "python_programs/alone.py": "def alone(): return 1\n",
    "python_programs/bare.py": "def bare(): return 1\n",
    "correct_python_programs/bare.py": "def bare(): return 2\n",
    "python_programs/raises.py": "def raises(): return 1\n",
    "correct_python_programs/raises.py": "def raises(): return 2\n",
    "python_testcases/test_raises.py": "import pytest\ndef test1():\n    assert pytest.raises(KeyError, raises)\n",
    "python_programs/cut.py": "def cut(): return 1\n",
    "correct_python_programs/cut.py": "def cut(): return 2\n",
    "json_testcases/cut.json": "[[], 2]\n[[], \n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for path, text in REPOSITORY.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_quixbugs_repository(repository: Path, tmp_path: Path, run_plainly) -> None:
    found = {each.id.removeprefix("quixbugs/"): each for each in read_candidates("quixbugs", repository)}
    outcomes = {}
    for name in ("ends", "pairs", "count"):
        candidate = found[name]
        harness = harness_of(candidate)
        assert isinstance(candidate, Candidate)
        assert all(run_plainly(candidate.loaded.tree, harness).values()), name
        outcomes[name] = run_plainly(candidate.buggy, harness)
    assert outcomes == {
        "ends": {"test1": False, "test2": True},
        "pairs": {"test_pairs[0]": True, "test_pairs[1]": False},
        "count": {"json[0]": False, "json[1]": False},
    }
    (row,) = read_candidates("quixbugs", write(tmp_path / "quix.jsonl", QUIX))
    ends = found["ends"]
    assert isinstance(ends, Candidate)
    assert isinstance(row, Candidate)
    assert (ends.loaded.tree, ends.buggy, ends.statement) == (row.loaded.tree, row.buggy, row.statement)
    refused = {name: each.reason for name, each in found.items() if isinstance(each, Refusal)}
    assert refused.keys() == {"alone", "bare", "raises", "cut"}
    assert "correct_python_programs/alone.py: cannot be read: No such file" in refused["alone"]
    assert "has no tests" in refused["bare"]
    assert "uses pytest.raises" in refused["raises"]
    assert f"{repository}/json_testcases/cut.json:2: not a JSON list" in refused["cut"]


def test_a_format_path_or_option_that_is_not_there(tmp_path: Path) -> None:
    assert list(task_formats()) == ["humaneval", "humanevalpack", "mbpp", "quixbugs", "swebench", "taskdirs"]
    with pytest.raises(InputError, match="choose from humaneval, humanevalpack, mbpp, quixbugs"):
        read_candidates("csv", tmp_path)
    with pytest.raises(InputError, match=r"has no option 'speed' \(its options: repo\)"):
        read_candidates("swebench", tmp_path, speed="1")
    with pytest.raises(InputError, match="no such file"):
        read_candidates("quixbugs", tmp_path / "absent")
    with pytest.raises(InputError, match="has no python_programs"):
        list(read_candidates("quixbugs", tmp_path))
    (tmp_path / "cut.jsonl").write_text('{"name": "ends", "bu')
    with pytest.raises(FormatError, match=r"cut.jsonl:1: not a whole JSON value"):
        list(read_candidates("quixbugs", tmp_path / "cut.jsonl"))


@pytest.mark.parametrize(
    ("good", "buggy", "place"),
    [
        ("a\nb\nc\n", "a\nX\nc\n", (2, 0, 2, 1)),
        ("a\nc\n", "a\nb\nc\n", (2, 0, 2, 0)),
        ("a\nb\nc\n", "a\nc\n", (2, 0, 2, 1)),
        ("a\na\na", "a\na", (3, 0, 3, 1)),
    ],
)
def test_the_place_of_a_change(good: str, buggy: str, place: tuple[int, ...]) -> None:
    span = changed_span(good, buggy)
    assert (span.start_line, span.start_column, span.end_line, span.end_column) == place
