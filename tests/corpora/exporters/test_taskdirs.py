"""Gates that pass and fail by themselves: real scripts, in real folders."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mendlab.corpora.exporters import export_formats
from mendlab.corpora.exporters.gates import function_gate, pytest_gate, script_gates
from mendlab.corpora.exporters.taskdirs import files_of
from mendlab.corpora.tree import FileTree
from mendlab.errors import OutputError
from mendlab.records import FunctionHarness, Limits, PytestHarness, ScriptHarness, Step, StepGroup

FUNCTION = FunctionHarness(
    module="m.py",
    groups=(
        StepGroup(
            setup="a = 1",
            steps=(
                Step(code="assert f(1) == 2", test_id="x"),
                Step(code="b = a"),
                Step(code="assert f(b) == 2", test_id="y"),
                Step(code="assert False", test_id="set aside"),
            ),
        ),
    ),
)
PYTEST = PytestHarness(test_files=("test_m.py", "test_hidden.py"), hidden_files=("test_hidden.py",))
LIMITS = Limits(cpu_seconds=2, wall_seconds=60)
TESTS = ["test_m.py::test_f", "test_hidden.py::test_g"]
SUITE = {
    "test_m.py": b"from m import f\n\ndef test_f():\n    assert f(1) == 2\n",
    "test_hidden.py": b"import m\n\ndef test_g():\n    assert m.f(2) == 3\n",
}


def passes(script: str, files: dict[str, bytes], folder) -> bool:
    FileTree(files).write(folder / "tree")
    (folder / "gate.sh").write_text(script)
    environment = {**os.environ, "PYTHON": sys.executable, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        ["bash", "../gate.sh"], cwd=folder / "tree", env=environment, check=False, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    return done.returncode == 0


@pytest.mark.parametrize(
    ("program", "holds"),
    [
        ("def f(x):\n    return x + 1\n", True),
        ("def f(x):\n    return x\n", False),
        ("import sys\nsys.exit(0)\n", False),
        ("import os\nos._exit(0)\n", False),
        ("def f(x) return\n", False),
        ("while True:\n    pass\n", False),
    ],
)
def test_the_gates_of_functions_and_of_pytest(program, holds, tmp_path):
    data = program.encode()
    assert passes(function_gate(FUNCTION, ["x", "y"], LIMITS), {"m.py": data}, tmp_path / "function") == holds
    good = FileTree({"m.py": b"", **SUITE})
    changed = {"m.py": data, "test_m.py": b"def test_f(): pass\n"}  # a weaker test is of no use
    assert passes(pytest_gate(PYTEST, good, TESTS, LIMITS), changed, tmp_path / "pytest") == holds
    assert sorted(path.name for path in (tmp_path / "pytest" / "tree").iterdir()) == ["m.py", "test_m.py"]


def test_a_skipped_test_does_not_pass(tmp_path):
    suite = b"import pytest\n\ndef test_f():\n    pytest.skip()\n"
    gate = pytest_gate(
        PytestHarness(test_files=("test_m.py",)), FileTree({"test_m.py": suite}), ["test_m.py::test_f"], LIMITS
    )
    assert not passes(gate, {"test_m.py": suite}, tmp_path)


def test_scripts_stay_as_they_are_and_more_of_them_are_one(tmp_path):
    both = ScriptHarness(scripts={"verify": "exit 0\n", "intent": "exit 1\n"})
    assert script_gates(both) == {"verify.sh": "exit 0\n", "intent.sh": "exit 1\n"}
    for second, holds in (("test -f 'a b'", True), ("exit 3", False)):
        scripts = ScriptHarness(scripts={"one": "echo 'x'", "two": second})
        assert passes(script_gates(scripts)["verify.sh"], {"a b": b""}, tmp_path / second[0]) == holds
    program = ScriptHarness(scripts={"verify": "import sys\nsys.exit(0)"}, interpreter="python")
    assert passes(script_gates(program)["verify.sh"], {"a": b""}, tmp_path / "python")


def test_task_directories_are_read_back_as_the_same_set(shapes, tmp_path):
    folder = shapes.project(
        {
            "t/prompt.md": "---\nweight: 2.5\ntags: [trap]\n---\nMend `A`.\n", "t/repo/a.py": "A = 1\n",
            "t/verify.sh": "grep 2 a.py\n", "t/solution.patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-A = 1\n+A = 2\n",
        }
    )  # fmt: skip
    candidates = shapes.candidates("taskdirs", folder)
    taskset = shapes.taskset(shapes.tasks(candidates), candidates)
    exported = export_formats()["taskdirs"].export(taskset.path, tmp_path / "out")
    assert (exported.items, exported.left_out, exported.lost) == (1, (), {})
    with pytest.raises(OutputError, match="already"):
        export_formats()["taskdirs"].export(taskset.path, tmp_path / "out")


def test_hidden_tests_are_in_the_gate_and_not_in_the_repository(shapes, tmp_path):
    candidates = shapes.candidates("humanevalpack", shapes.rows([shapes.problem(
        "A/0", "def f(x):\n    return x\n", ["candidate(1) == 1"], "def f(x):\n    return 2\n"
    )]))  # fmt: skip
    (task,) = shapes.tasks(candidates)
    good = FileTree({"m.py": b"def f(x):\n    return x + 1\n", **SUITE})
    buggy = good.replace({"m.py": b"def f(x):\n    return x\n"})
    files = files_of(
        task.model_copy(update={"harness": PYTEST, "fail_to_pass": tuple(TESTS), "pass_to_pass": ()}), good, buggy
    )
    assert {"repo/m.py", "repo/test_m.py"} == {path for path in files if path.startswith("repo/")}
    assert b"test_hidden" not in files["solution.patch"]
    gate = files["verify.sh"].decode()
    assert not passes(gate, {"m.py": files["repo/m.py"]}, tmp_path / "buggy")
    assert passes(gate, {"m.py": good["m.py"]}, tmp_path / "good")
