"""Two small task sets, one of each kind, and their judges."""

import pytest

from mendlab.corpora.importers.pairs import pair
from mendlab.records import Limits
from mendlab.verify.judge import Judge

GOOD = "def total(items):\n    out = 0\n    for item in items:\n        out += item\n    return out\n"
BUGGY = GOOD.replace("out = 0", "out = 1")
CHECKS = ["candidate([1, 2]) == 3", "candidate([4]) == 4", "candidate([5, 6, 7]) == 18", "candidate([]) == 0"]
SUITE = """\
import pytest
from solution import total

@pytest.mark.parametrize(("items", "expected"), [([1, 2], 3), ([4], 4)])
def test_sum(items, expected):
    assert total(items) == expected

def test_long():
    assert total([5, 6, 7]) == 18

def test_text():
    with pytest.raises(TypeError):
        total("text")
"""
LIMITS = Limits(cpu_seconds=1.0, wall_seconds=10.0, memory_bytes=400 * 2**20, processes=20, disk_bytes=32 * 2**20)


class Field:
    """A task set of one task, and its judge."""

    def __init__(self, shapes, candidate, name):
        (task,) = shapes.tasks([candidate], f"taking-{name}")
        self.task = task.model_copy(update={"limits": LIMITS})
        self.taskset = shapes.taskset([self.task], [candidate], name)
        self.judge = Judge(self.taskset, shapes.bench)


@pytest.fixture(scope="package")
def fields(tmp_path_factory, shapes_at):
    shapes = shapes_at(tmp_path_factory.mktemp("fields"))
    rows = [shapes.problem("total", GOOD, CHECKS, BUGGY)]
    (function,) = shapes.candidates("humanevalpack", shapes.rows(rows))
    (loaded,) = shapes.read(shapes.project({"solution.py": GOOD, "tests/test_solution.py": SUITE}, "suite"))
    project = pair(loaded, loaded.tree.replace({"solution.py": BUGGY.encode()}))
    found = {"function": Field(shapes, function, "function"), "project": Field(shapes, project, "project")}
    yield found
    for field in found.values():
        field.judge.close()
