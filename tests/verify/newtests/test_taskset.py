"""Sets with new tests: what tasks of one project share, and what each has of its own."""

from __future__ import annotations

import json

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import (
    Defect,
    FunctionHarness,
    NewTest,
    NewTests,
    Provenance,
    PytestHarness,
    Step,
    StepGroup,
    Task,
    TestOutcome,
    Written,
)
from mendlab.verify.newtests.taskset import put_together

PROVENANCE = Provenance(source="written for these tests")
GOOD = FileTree({"sums.py": b"def one():\n    return 1\n", "test_sums.py": b"import sums\n"})


def task_of(name, good, harness):
    path = next(iter(good))
    buggy = good.replace({path: good[path].replace(b"1", name[-1:].encode() * 2)})
    return Task(
        id=name,
        subject="s",
        snapshot=good.digest,
        defect=Defect(origin="import", files=(path,), diff=make_diff(good, buggy)),
        statement="",
        editable=(path,),
        harness=harness,
        fail_to_pass=("old",),
        pass_to_pass=(),
        reference=make_diff(buggy, good),
        provenance=PROVENANCE,
    )


def written(task, path, steps=None):
    tests = tuple(
        NewTest(test_id=f"{path}::t[{n}]", kind="aimed", judged=n < 2, call="one()", expected="1", buggy="2")
        for n in range(3)
    )
    return Written(
        about=NewTests(task=task.id, tests=tests),
        path=path,
        text=f"# {path}\n",
        steps=steps,
        before={tests[0].test_id: TestOutcome.FAILED, tests[1].test_id: TestOutcome.PASSED},
    )


def test_tasks_of_one_project_share_a_tree_in_which_all_new_files_are_hidden(tmp_path):
    harness = PytestHarness(test_files=("test_sums.py",))
    tasks = [task_of(name, GOOD, harness) for name in ("p/2", "p/3", "p/4")]
    taskset = write_taskset(tmp_path / "old", tasks, [GOOD], name="s", provenance=PROVENANCE)
    given = [written(tasks[0], "test_new_sums.py"), written(tasks[1], "test_new_sums_2.py")]
    given.append(Written(about=NewTests(task="p/4", why="none was found")))
    made = put_together(taskset, given)
    assert len({task.snapshot for task in made.tasks}) == 1
    assert len({task.harness.model_dump_json() for task in made.tasks}) == 1
    first, second, third = made.tasks
    assert first.harness.hidden_files == ("test_new_sums.py", "test_new_sums_2.py")
    assert first.held_out == ("test_new_sums.py::t[0]", "test_new_sums.py::t[1]")
    assert first.fail_to_pass == ("old", "test_new_sums.py::t[0]")
    assert first.pass_to_pass == ("test_new_sums.py::t[1]",)
    assert first.before == {"test_new_sums.py::t[0]": TestOutcome.FAILED}
    assert second.held_out == ("test_new_sums_2.py::t[0]", "test_new_sums_2.py::t[1]")
    assert third.held_out == ()
    new = write_taskset(tmp_path / "new", made.tasks, made.trees, name="s", provenance=PROVENANCE, beside=made.beside)
    assert new.integrity() == []
    assert new.manifest.snapshots == 1
    assert (tmp_path / "new/new_tests/test_p_3.py").read_text() == "# test_new_sums_2.py\n"
    about = [json.loads(line) for line in (tmp_path / "new/new_tests/tests.jsonl").read_text().splitlines()]
    assert [each["file"] for each in about] == ["new_tests/test_p_2.py", "new_tests/test_p_3.py", None]
    (tmp_path / "new/new_tests/test_p_3.py").write_text("# another\n")
    assert new.integrity() == ["new_tests/test_p_3.py: its digest is not the one in manifest.json"]


def test_names_that_differ_in_signs_alone_get_files_of_their_own(tmp_path):
    tree = FileTree({"solution.py": b"def one():\n    return 1\n"})
    harness = FunctionHarness(groups=(StepGroup(steps=(Step(code="assert one() == 1", test_id="old"),)),))
    tasks = [task_of(name, tree, harness) for name in ("a/2", "a.2", "A-2")]
    taskset = write_taskset(tmp_path / "old", tasks, [tree], name="s", provenance=PROVENANCE)
    steps = StepGroup(steps=tuple(Step(code="assert one() == 1", test_id=f"test_x.py::t[{n}]") for n in range(3)))
    made = put_together(taskset, [written(task, "test_x.py", steps) for task in taskset.tasks])
    files = sorted(path for path in made.beside if path.endswith(".py"))
    assert len({path.lower() for path in files}) == 3
    for task in made.tasks:
        assert task.snapshot == tree.digest
        assert [step.test_id for step in task.harness.groups[-1].steps] == ["test_x.py::t[0]", "test_x.py::t[1]"]
