from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mendlab.corpora.exporters import export_formats
from mendlab.corpora.exporters.check_function import check_program
from mendlab.corpora.exporters.humanevalpack import row_of
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.split_tests import split_check
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError, MendlabError
from mendlab.records import FunctionHarness, ScriptHarness, Step, StepGroup

GOOD = 'import math\n\n\ndef area(r):\n    """Area."""\n    # by the book\n    return math.pi * r * r\n'
F = "def f(x):\n    return x\n\n"
CHECKS = ["candidate(0) == 0", "candidate(2) > 10"]


@pytest.fixture
def taken(shapes):
    head, body = GOOD.split("    # by")
    row = {
        "task_id": "A/0",
        "prompt": head,
        "canonical_solution": "    # by" + body,
        "buggy_solution": "    # by the book\n    return math.pi * r + r\n",
        "entry_point": "area",
        "test": "def check(candidate):\n" + "".join(f"    assert {check}\n" for check in CHECKS),
        "bug_type": "operator misuse",
        "failure_symptoms": "incorrect output",
        "instruction": "Give the area.",
    }
    candidates = shapes.candidates("humanevalpack", shapes.rows([row]))
    return shapes.taskset(shapes.tasks(candidates), candidates)


def run(program: str) -> bool:
    return subprocess.run([sys.executable, "-c", program], check=False, capture_output=True).returncode == 0


def test_what_is_exported_and_imported_is_the_same_and_runs_by_itself(taken, tmp_path):
    out = tmp_path / "out.jsonl"
    exported = export_formats()["humanevalpack"].export(taken.path, out)
    assert (exported.items, exported.left_out, exported.lost) == (1, (), {})
    (candidate,) = read_candidates("humanevalpack", out)
    (task,) = taken.tasks
    assert candidate.loaded.subject.harness == task.harness
    assert (candidate.loaded.tree.digest, candidate.defect.diff) == (task.snapshot, task.defect.diff)
    row = json.loads(out.read_text())
    assert row["declaration"] == "import math\n\n\ndef area(r):\n"
    assert row["prompt"] == row["declaration"] + '    """Area."""\n'
    assert (row["signature"], row["docstring"], row["bug_type"]) == ("area(r)", "Area.", "operator misuse")
    # As the harness puts it together: an answer between the prompt without its last newline and the test.
    assert run(row["prompt"].rstrip() + "\n" + row["canonical_solution"] + "\n" + row["test"])
    assert not run(row["prompt"].rstrip() + "\n" + row["buggy_solution"] + "\n" + row["test"])


@pytest.mark.parametrize(
    ("good", "buggy", "why"),
    [
        ("def f(x): return x\n", "def f(x): return 1\n", "on a line of its own"),
        ("def f(x):\n    return x\n\nY = 1\n", "def f(x):\n    return 1\n\nY = 1\n", "does not end in a function"),
        ("A = 1\ndef f(x):\n    return x\n", "A = 2\ndef f(x):\n    return x\n", "not in the body of the last"),
        (f"{F}def g(x):\n    return x\n", f"{F}def g(x):\n    return 1\n", "the tests call f"),
    ],
)  # fmt: skip
def test_what_cannot_be_expressed_is_named(taken, good, buggy, why):
    task = taken.tasks[0].model_copy(
        update={"harness": FunctionHarness(entry_points=("f",), groups=taken.tasks[0].harness.groups)}
    )
    trees = [FileTree({"solution.py": text.encode()}) for text in (good, buggy)]
    with pytest.raises(MendlabError, match=why):
        row_of(task, *trees)


def test_other_harnesses_and_more_files_cannot_be_expressed(taken):
    task, good, buggy = taken.tasks[0], taken.good_tree(taken.tasks[0]), taken.buggy_tree(taken.tasks[0])
    with pytest.raises(MendlabError, match="script harness"):
        row_of(task.model_copy(update={"harness": ScriptHarness(scripts={})}), good, buggy)
    with pytest.raises(MendlabError, match="more than one file"):
        row_of(task, good.replace({"b.py": b""}), buggy)


def test_a_set_of_which_nothing_can_be_expressed_is_refused(shapes, tmp_path):
    folder = shapes.project(
        {
            "t/prompt.md": "Mend.", "t/repo/a.py": "A = 1\n", "t/verify.sh": "grep 2 a.py\n",
            "t/solution.patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-A = 1\n+A = 2\n",
        }
    )  # fmt: skip
    candidates = shapes.candidates("taskdirs", folder)
    taskset = shapes.taskset(shapes.tasks(candidates), candidates)
    with pytest.raises(InputError, match="script harness"):
        export_formats()["humanevalpack"].export(taskset.path, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_a_check_function_keeps_strings_names_and_further_groups():
    first = StepGroup(
        setup="import math\ng = f\n",
        steps=(
            Step(code='text = """\nleft\n  right"""'),
            Step(code="assert g(text) == 13", test_id="check[0]"),
            Step(code="assert g('never') == 0", test_id="check[1]"),
        ),
    )
    other = StepGroup(setup="text = 'abc'\n", steps=(Step(code="assert f(text) == 3", test_id="more"),))
    harness = FunctionHarness(groups=(first, other))
    program = check_program(harness, ["check[0]", "more"], "f")
    assert run("f = len\n" + program)
    assert not run("f = lambda x: 13\n" + program)  # the second group is run
    assert "never" not in program
    group = split_check(check_program(harness.model_copy(update={"groups": (first,)}), ["check[0]"], "f"), "f")
    assert group.setup == first.setup
    assert [step.code for step in group.steps] == [step.code for step in first.steps[:2]]
