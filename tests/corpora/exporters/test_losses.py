"""What docs/exports.md says that a format loses: tasks that have everything are written, read back and compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.exporters import export_formats
from mendlab.corpora.exporters.huggingface import read_back
from mendlab.corpora.taskset import TaskSet, write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import (
    ContaminationMark,
    Defect,
    Difficulty,
    FunctionHarness,
    Limits,
    Mined,
    Provenance,
    PytestHarness,
    Span,
    Step,
    StepGroup,
    Task,
    TestOutcome,
)

DOCS = Path(__file__).parents[3] / "docs" / "exports.md"
WORKED_OUT_ANEW = {
    *("schema_version", "fail_to_pass", "pass_to_pass", "before", "reference", "limits"),
    *("defect.files", "defect.span", "defect.function", "defect.diff", "provenance.seed", "provenance.tools"),
}
"""What an import proves or measures again, and what is of the making of a set."""
NAMED = {
    "id": "the task's id", "subject": "the program's name", "kind": "the kind of task",
    "snapshot": "the names and the layout of the program's files", "harness": "how the tests are run",
    "statement": "the statement", "editable": "which files may be changed", "tags": "tags", "weight": "the weight",
    "held_out": "which tests are held out", "difficulty": "the grade of difficulty",
    "mined": "what was mined of the commit", "contamination": "signs of contamination",
    "defect.origin": "what made the defect", "defect.operator": "what made the defect",
    "defect.parts": "what made the defect", "defect.by_model": "what made the defect",
    "defect.family": "the family", "provenance.source": "licence, date and source",
    "provenance.licence": "licence, date and source", "provenance.commit": "licence, date and source",
    "provenance.date": "licence, date and source",
}  # fmt: skip

GOOD = "def f(x):\n    return x\n"
BUGGY = "def f(x):\n    return x + 1\n"
FUNCTION = FunctionHarness(
    module="m.py",
    entry_points=("f",),
    groups=(
        StepGroup(
            setup="",
            steps=(
                Step(code="assert f(1) == 1", test_id="one"),
                Step(code="assert f(2) == 2", test_id="two"),
            ),
        ),
    ),
)
SUITE = b"from m import f\n\n\ndef test_one():\n    assert f(1) == 1\n\n\ndef test_two():\n    assert f(2) == 2\n"
PYTEST = PytestHarness(test_files=("test_m.py",), arguments=("-p", "no:randomly"))
MINED = Mined(
    repository="r", base_commit="1" * 40, fix_commit="2" * 40, committed="2024-01-01", patch_id="3" * 40, score=1.0,
    label="bug", confidence=1.0, runs=3,
)  # fmt: skip


def full(folder: Path, harness: FunctionHarness | PytestHarness, **files: bytes) -> TaskSet:
    """Return a set of one task in which every field is other than it would be by itself."""
    good = FileTree({"m.py": GOOD.encode(), "other.py": b"A = 1\n", **files})
    if isinstance(harness, FunctionHarness):
        good = FileTree({"m.py": GOOD.encode()})
    buggy = good.replace({"m.py": BUGGY.encode()})
    tests = ("one", "two") if isinstance(harness, FunctionHarness) else ("test_m.py::test_one", "test_m.py::test_two")
    defect = Defect(
        origin="operator", operator="op", family="fam", files=("m.py",), function="f", diff=make_diff(good, buggy),
        span=Span(start_line=2, start_column=4, end_line=2, end_column=12),
    )  # fmt: skip
    task = Task(
        id="set/a/1", kind="completion", subject="set/a", snapshot=good.digest, defect=defect, statement="Mend.",
        editable=("m.py",), harness=harness, fail_to_pass=tests[:1], pass_to_pass=tests[1:], held_out=tests[1:],
        before={tests[0]: TestOutcome.FAILED}, reference=make_diff(buggy, good), tags=("trap",), weight=2.0,
        difficulty=Difficulty(grade="hard", score=0.9), limits=Limits(cpu_seconds=3), mined=MINED,
        contamination=(ContaminationMark(method="13-gram", corpus="c", strength=0.5),),
        provenance=Provenance(source="s", licence="MIT", commit="4" * 40, date="2024-01-01", seed=1, tools={"a": "1"}),
    )  # fmt: skip
    return write_taskset(folder, [task], [good], name="set", provenance=Provenance(source="s"))


def table() -> dict[str, set[str]]:
    """What the page says of each format that can be read back."""
    rows = re.findall(r"^\| `(\w+)` \| task set \| [^|]+ \| ([^|]+) \|$", DOCS.read_text(), re.MULTILINE)
    return {name: set(cell.strip().split("; ")) - {"nothing"} for name, cell in rows}


@pytest.mark.parametrize(
    ("name", "harnesses"),
    [("humanevalpack", [FUNCTION]), ("swebench", [PYTEST]), ("taskdirs", [FUNCTION, PYTEST])],
)
def test_a_format_loses_what_the_page_says(name, harnesses, tmp_path):
    lost: set[str] = set()
    for number, harness in enumerate(harnesses):
        taskset = full(tmp_path / f"set{number}", harness, **{"test_m.py": SUITE})
        exported = export_formats()[name].export(taskset.path, tmp_path / f"out{number}")
        assert (exported.items, exported.left_out) == (1, ())
        lost |= set(exported.lost or ())
    assert lost == table()[name]


def test_a_data_set_loses_nothing(tmp_path):
    taskset = full(tmp_path / "set", PYTEST, **{"test_m.py": SUITE})
    assert export_formats()["huggingface"].export(taskset.path, tmp_path / "out").lost == {}
    again = read_back(tmp_path / "out", tmp_path / "again")
    assert (again.digest, again.tasks) == (taskset.digest, taskset.tasks)
    assert table()["huggingface"] == set()


def test_every_field_of_a_task_is_compared_or_worked_out_anew():
    fields = Task.model_fields.keys() - {"defect", "provenance"}
    fields |= {f"defect.{name}" for name in Defect.model_fields}
    fields |= {f"provenance.{name}" for name in Provenance.model_fields}
    assert fields == NAMED.keys() | WORKED_OUT_ANEW
    assert set().union(*table().values()) <= set(NAMED.values())
