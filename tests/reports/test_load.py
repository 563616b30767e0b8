from __future__ import annotations

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.taskset import write_taskset
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.records import Outcome, Provenance
from mendlab.repair.runs import Run
from mendlab.reports.load import load_material
from mendlab.reports.summary import summarise


def make_set(path, make, body):
    good = FileTree({"mean.py": b"def mean(v):\n    return sum(v) / len(v)\n"})
    buggy = FileTree({"mean.py": body})
    task = make.task(0)
    defect = task.defect.model_copy(update={"diff": make_diff(good, buggy)})
    task = task.model_copy(update={"snapshot": good.digest, "defect": defect, "reference": make_diff(buggy, good)})
    return write_taskset(path, [task], [good], name="set", provenance=Provenance(source="here"))


@pytest.fixture
def taskset(tmp_path, make):
    return make_set(tmp_path / "set", make, b"def mean(v):\n    return sum(v) * len(v)\n")


@pytest.fixture
def run_path(tmp_path, make, taskset):
    made = make.run("r", "reference", taskset.tasks, [Outcome.EXACT])
    config = made.config.model_copy(update={"taskset": "set", "taskset_digest": taskset.digest})
    with Run.begin(tmp_path / "run", config) as run:
        run.add_attempt(made.attempts[0])
        run.add_verdict(made.verdicts[0])
    return tmp_path / "run"


def test_runs_and_tasks_come_from_disk(taskset, run_path):
    material = load_material([run_path], taskset.path)
    assert material.tasks == taskset.tasks
    assert material.manifest == taskset.manifest
    assert summarise(material).runs[0].tasks_correct == 1


def test_a_run_on_another_set_is_refused(tmp_path, make, run_path):
    other = make_set(tmp_path / "other", make, b"def mean(v):\n    return 0\n")
    with pytest.raises(InputError, match="this run was made on 'set' with digest") as caught:
        load_material([run_path], other.path)
    assert caught.value.where == str(run_path)


def test_a_folder_that_is_no_run_is_refused(tmp_path, taskset):
    with pytest.raises(InputError, match="not a run"):
        load_material([tmp_path], taskset.path)
