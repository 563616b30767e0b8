"""New tests are held out from every repairer: nothing that it is given says what they are, or that they are there."""

from __future__ import annotations

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.records import (
    Defect,
    Limits,
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
from mendlab.repair.problem import make_problem
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import ChosenStrategy, Proposal
from mendlab.verify.audit import audit
from mendlab.verify.newtests.task_parts import with_new_tests

PROVENANCE = Provenance(source="written for these tests")
NEW = "tests/test_new_sums.py"
SECRET = "from sums import double\n\n\ndef test_double_regression():\n    assert double(8675309) == 17350618\n"
GOOD = FileTree(
    {
        "sums.py": b"def double(x):\n    return x + x\n",
        "tests/test_sums.py": b"from sums import double\n\ndef test_two():\n    assert double(2) == 4\n",
        "tests/conftest.py": b"",
    }
)


@pytest.fixture
def task():
    buggy = GOOD.replace({"sums.py": b"def double(x):\n    return x\n"})
    return Task(
        id="p/1",
        subject="p",
        snapshot=GOOD.digest,
        defect=Defect(origin="import", files=("sums.py",), diff=make_diff(GOOD, buggy)),
        statement="Mend it.",
        editable=("sums.py",),
        harness=PytestHarness(test_files=("tests/conftest.py", "tests/test_sums.py")),
        fail_to_pass=("tests/test_sums.py::test_two",),
        pass_to_pass=(),
        reference=make_diff(buggy, GOOD),
        limits=Limits(cpu_seconds=5.0, wall_seconds=30.0),
        provenance=PROVENANCE,
    )


def written(path=NEW):
    test_id = f"{path}::test_double_regression"
    test = NewTest(test_id=test_id, kind="aimed", call="double(8675309)", expected="17350618", buggy="8675309")
    return Written(
        about=NewTests(task="p/1", tests=(test,)),
        path=path,
        text=SECRET,
        steps=StepGroup(steps=(Step(code="assert double(8675309) == 17350618", test_id=test_id),)),
        before={test_id: TestOutcome.FAILED},
    )


def test_a_problem_says_nothing_of_them(task):
    whole, tree = with_new_tests(task, written(), GOOD)
    buggy = tree.replace({"sums.py": b"def double(x):\n    return x\n"})
    problem = make_problem(whole, buggy)
    assert tree[NEW] == SECRET.encode(), "they are in the task's own tree"
    assert list(problem.tree) == ["sums.py"]
    assert problem.harness == task.harness
    assert problem.visible == ("tests/test_sums.py::test_two",)
    for secret in ("8675309", "test_new", "regression"):
        assert secret not in repr(problem)
        assert all(secret.encode() not in data for data in problem.tree.values())


def test_a_problem_of_a_function_says_nothing_of_them(lab):
    task, good = lab.make_task(
        "p/1", "def double(x):\n    return x + x\n", "def double(x):\n    return x\n", ["assert double(2) == 4"]
    )
    whole, tree = with_new_tests(task, written("test_new_solution.py"), good)
    assert "8675309" in whole.model_dump_json()
    problem = make_problem(whole, tree)
    assert problem.harness == task.harness
    assert "8675309" not in repr(problem)


def test_a_candidate_that_looks_for_them_when_it_is_run_finds_none(task, bench, tmp_path):
    whole, tree = with_new_tests(task, written(), GOOD)
    taskset = write_taskset(tmp_path / "set", [whole], [tree], name="set", provenance=PROVENANCE)
    spy = (
        b"import os\n\n\ndef double(x):\n"
        b"    here = os.path.dirname(os.path.abspath(__file__))\n"
        b"    raise ValueError(sorted(os.listdir(os.path.join(here, 'tests'))))\n"
    )
    heard = []

    class Spy:
        def propose(self, context):
            with context.open_tests(whole.limits) as visible:
                (result,) = visible.run({"sums.py": spy}).results
                heard.append(result.message)
                assert not visible.run({"sums.py": GOOD["sums.py"]}).failing()
            return Proposal(None, "looked")

    strategy = ChosenStrategy("spy", {}, False, Spy())
    attempt = Repairer(make_config(taskset, strategy, seed=0), taskset, strategy, bench.open).attempt(whole, 0)
    assert attempt.stop_reason == "looked"
    assert "test_sums.py" in heard[0]
    assert "test_new" not in heard[0]


def test_a_right_patch_with_a_number_of_theirs_copies_nothing(task):
    """What nobody was shown cannot have been copied: the audit goes by the visible tests."""
    from mendlab.verify.ladder.comparing import _code_of_tests

    whole, tree = with_new_tests(task, written(), GOOD)
    case = type("Case", (), {"task": whole, "good": tree})()
    texts = _code_of_tests(case)
    assert len(texts) == 2 and "8675309" not in "".join(texts)
    patched = tree.replace(
        {"sums.py": b"def double(x):\n    if x == 8675309:\n        return 17350618\n    return x + x\n"}
    )
    flags = audit(tree, patched, reference=tree, tests=texts)
    assert [flag for flag in flags if flag.severity == "tampering"] == []
