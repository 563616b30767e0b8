"""The least of a fix, by real runs."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.minimise import changed_blocks, ddmin, minimise, with_blocks
from mendlab.harvest.states.running import Runner
from mendlab.records import Limits

BUGGY = """\
import math

def mean(xs):
    # the mean
    return sum(xs) / len(xs)

def spread(xs):
    m = mean(xs)
    return math.sqrt(sum((x - m) ** 2 for x in xs))

def name():
    return "stats"
"""
FIX = """\
import math
import os

def mean(xs):
    # the mean, or 0
    if not xs:
        return 0.0
    return sum(xs) / len(xs)

def spread(xs):
    middle = mean(xs)
    return math.sqrt(sum((x - middle) ** 2 for x in xs))

def name():
    return "Stats"
"""
TESTS = """\
import stats
def test_mean(): assert stats.mean([1, 3]) == 2
def test_nothing(): assert stats.mean([]) == 0.0
def test_spread(): assert stats.spread([1, 1]) == 0
"""


def trees(**files):
    return FileTree({name.replace("__", "/") + ".py": text.encode() for name, text in files.items()})


@pytest.fixture(scope="module")
def runner(bench):
    return Runner(bench, limits=Limits(cpu_seconds=20, wall_seconds=60))


def test_only_what_mends_is_left(runner):
    buggy, fix = trees(stats=BUGGY, test_stats=TESTS), trees(stats=FIX, test_stats=TESTS, notes="1\n")
    least, told = minimise(
        buggy,
        fix,
        fail_to_pass=["test_stats.py::test_nothing"],
        pass_to_pass=["test_stats.py::test_mean", "test_stats.py::test_spread"],
        runner=runner,
    )
    added = [line for line in least["stats.py"].decode().splitlines() if line not in BUGGY.splitlines()]
    assert added == ["    # the mean, or 0", "    if not xs:", "        return 0.0"]
    assert "notes.py" not in least
    assert (told.blocks, told.kept, told.complete) == (5, 1, True)
    assert 1 < told.runs < 20


def test_two_changes_that_need_one_another_stay_together(runner):
    buggy = trees(stats="def f(x):\n    return x\n\n\ndef g(x):\n    return f(x)\n", test_stats="import stats\n"
                  "def test(): assert stats.g(1) == 3\ndef test_f(): assert stats.f(1) in (1, 2)\n")  # fmt: skip
    fix = buggy.replace({"stats.py": b"def f(x):\n    return x + 1\n\n\ndef g(x):\n    return f(x) + 1\n"})
    least, told = minimise(
        buggy, fix, fail_to_pass=["test_stats.py::test"], pass_to_pass=["test_stats.py::test_f"], runner=runner
    )
    assert least == fix
    assert told.kept == told.blocks == 2


def test_where_runs_are_spent_the_least_so_far_stands(runner):
    buggy, fix = trees(stats=BUGGY, test_stats=TESTS), trees(stats=FIX, test_stats=TESTS)
    least, told = minimise(
        buggy, fix, fail_to_pass=["test_stats.py::test_nothing"], pass_to_pass=[], runner=runner, most_runs=1
    )
    assert not told.complete
    assert told.runs == 1
    assert b"if not xs" in least["stats.py"]


def test_blocks_put_together_are_the_fix_to_the_byte():
    before = FileTree({
        "a.py": "# coding: latin-1\r\nx = 'é'\r\ny = 1\r\nz = 2".encode("latin-1"),
        "gone.txt": b"1", "b.bin": bytes(range(256)), "same": b"s",
    })  # fmt: skip
    after = FileTree({
        "a.py": "# coding: latin-1\r\nx = 'ü'\r\ny = 1\r\nz = 3\r\n".encode("latin-1"),
        "new.txt": b"2", "b.bin": bytes(reversed(range(256))), "same": b"s",
    })  # fmt: skip
    blocks = changed_blocks(before, after)
    assert with_blocks(before, blocks) == after
    assert [block.path for block in blocks] == ["a.py", "a.py", "b.bin", "gone.txt", "new.txt"]
    assert with_blocks(before, blocks[:1])["a.py"] == "# coding: latin-1\r\nx = 'ü'\r\ny = 1\r\nz = 2".encode("latin-1")


@pytest.mark.parametrize("wanted", [{3}, {0, 7}, {1, 2, 5}, set(range(8)), {6, 7}])
def test_ddmin_finds_the_least(wanted):
    tried = []

    def holds(items):
        tried.append(tuple(items))
        return wanted <= set(items)

    assert set(ddmin(list(range(8)), holds)) == wanted
    assert len(tried) < 60
