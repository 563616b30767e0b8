"""The calls of tests are recorded however pytest comes by a module, and with whatever Python's own a receiver holds."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import PytestHarness
from mendlab.verify.equivalence.compare import compare, says_the_same, tells
from mendlab.verify.equivalence.recording import record_calls
from mendlab.verify.equivalence.reference import MOST_MENTIONED, reference_of
from mendlab.verify.equivalence.same import show_call

DOCTESTS = '''"""Doubles.

>>> double(2)
4
"""

def double(x):
    """
    >>> double(0)
    0
    """
    return x * 2

def halve(x):
    if x % 2:
        raise ValueError("%d is odd" % x)
    return x // 2
'''
TESTS = """import pytest
from solution import double, halve

def test_double():
    assert double(5) == 10

def test_halve():
    assert halve(6) == 3
    with pytest.raises(ValueError, match="7 is odd"):
        halve(7)
"""
LOTS = """from collections import OrderedDict, defaultdict, deque

class Lots:
    def __init__(self):
        self.lots = defaultdict(deque)
        self.order = OrderedDict()

    def add(self, name, count):
        self.lots[name].append(count)
        self.order[name] = None
        return list(self.order)

class Ahead:
    def __init__(self, items):
        self.rest = iter(items)

    def __next__(self):
        return next(self.rest)

    def pair(self):
        return next(self.rest), next(self.rest, None)
"""


@pytest.fixture
def project_of(task_of):
    """Make a tree of a module, its pytest file and pytest's configuration, and a task of it."""

    def project_of(source, tests, ids):
        files = {"solution.py": source, "test_solution.py": tests}
        options = "[pytest]\npythonpath = .\ntestpaths = solution.py test_solution.py\naddopts = --doctest-modules\n"
        tree = FileTree({path: text.encode() for path, text in {**files, "pytest.ini": options}.items()})
        _, task = task_of(source, [], PytestHarness(test_files=("test_solution.py", "solution.py")))
        return tree, task.model_copy(update={"fail_to_pass": tuple(ids), "snapshot": tree.digest})

    return project_of


IDS = [
    "solution.py::solution",
    "solution.py::solution.double",
    "test_solution.py::test_double",
    "test_solution.py::test_halve",
]


@pytest.mark.slow
def test_a_module_whose_doctests_are_run(bench, project_of):
    tree, task = project_of(DOCTESTS, TESTS, IDS)
    recorded = record_calls(task, tree, bench)
    assert sorted(map(show_call, recorded.calls)) == [
        "solution.double(0)",
        "solution.double(2)",
        "solution.double(5)",
        "solution.halve(6)",
        "solution.halve(7)",
    ]
    assert recorded.modules == ["solution"]


@pytest.mark.slow
def test_what_an_exception_says_is_told_apart_by_itself(bench, project_of):
    tree, task = project_of(DOCTESTS, TESTS, IDS)
    other = tree.replace({"solution.py": DOCTESTS.replace("is odd", "is ood").encode()})
    assert tells(task, tree, other, bench)[0] is False
    assert says_the_same(task, tree, other, bench)[0] is False
    rewritten = tree.replace({"solution.py": DOCTESTS.replace("x * 2", "x + x").encode()})
    assert says_the_same(task, tree, rewritten, bench)[0] is True


def test_receivers_that_hold_collections_of_collections(bench, task_of):
    tree, task = task_of(LOTS, ["l = Lots()\nl.add('a', 1)\nl.add('b', 2)"])
    calls = [call for call in record_calls(task, tree, bench).calls if call[1] == "Lots.add"]
    assert len(calls) == 2
    assert "'a': deque([1])" in show_call(calls[1])
    worse = LOTS.replace("append(count)", "appendleft(-count)")
    compared = compare(task, tree, tree.replace({"solution.py": worse.encode()}), bench).differential
    assert compared is not None
    assert compared.witness is not None


def test_receivers_that_hold_iterators(bench, task_of):
    """A copy is looked at: the tests find theirs as it was."""
    tree, task = task_of(LOTS, ["a = Ahead('xyz')\nassert next(a) == 'x'\nassert a.pair() == ('y', 'z')"])
    calls = [call for call in record_calls(task, tree, bench).calls if call[1] != "Ahead.__init__"]
    assert [show_call(call) for call in calls] == [
        "solution.Ahead.__next__(Ahead(rest=<iterator of ['x', 'y', 'z']>))",
        "solution.Ahead.pair(Ahead(rest=<iterator of ['y', 'z']>))",
    ]
    same = compare(task, tree, tree.replace({"solution.py": LOTS.replace(", None)", ", 0 or None)").encode()}), bench)
    assert same.differential is not None
    assert same.differential.witness is None
    worse = LOTS.replace("return next(self.rest)\n", "return next(self.rest) and next(self.rest)\n")
    compared = compare(task, tree, tree.replace({"solution.py": worse.encode()}), bench).differential
    assert compared is not None
    assert compared.witness is not None


def test_what_is_kept_for_the_constants_of_patches_is_bounded(bench, task_of):
    good = "def f(x):\n    return x + 1\n"
    tree, task = task_of(good, ["assert f(3) == 4", "assert f(50) == 51", "assert f(900) == 901"])
    for number in range(1000, 1000 + 3 * MOST_MENTIONED):
        other = good.replace("return", f"if x == {number}: return 0\n    return")
        compared = compare(task, tree, tree.replace({"solution.py": other.encode()}), bench).differential
        assert compared is not None
        assert compared.witness is None or str(number) in compared.witness.call
    with reference_of(task, tree, bench) as reference:
        assert len(reference._known) <= MOST_MENTIONED + 1
