"""Small commits through their three states, each run by the real engine in confinement."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.climbing import climb
from mendlab.harvest.environment.installing import reproduce
from mendlab.harvest.records import DropReason
from mendlab.harvest.states.examining import examine
from mendlab.harvest.states.reports import FailureKind
from mendlab.harvest.states.running import Runner
from mendlab.harvest.states.touched import touched_modules
from mendlab.harvest.trees import CommitTrees
from mendlab.records import Limits, TestOutcome

DATE = datetime(2025, 12, 1, tzinfo=UTC)
MEAN = "def mean(xs):\n    return sum(xs) / len(xs)\n"
MENDED = "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0.0\n"
TESTS = "from stats import mean\ndef test_mean():\n    assert mean([1, 3]) == 2\n"
MORE = TESTS + "def test_nothing():\n    assert mean([]) == 0.0\n"


def commit(parent, fix, *touched):
    """A commit from files before and after; ``touched`` are the tests among those that differ."""
    before, after = (FileTree({path: text.encode() for path, text in files.items()}) for files in (parent, fix))
    tests = {path: after.get(path) for path in touched}
    return CommitTrees(before, before.replace(tests), after, touched)


@pytest.fixture(scope="module")
def runner(bench):
    return Runner(bench, limits=Limits(cpu_seconds=20, wall_seconds=60))


def quick(runner):
    """A runner under which what hangs is ended soon."""
    return replace(runner, limits=Limits(cpu_seconds=1, wall_seconds=20))


def test_a_mended_bug(runner):
    other = "from stats import mean\ndef test_other():\n    assert mean([4]) == 4\n"
    other += "def test_no():\n    assert mean([4]) == 5\n"
    parent = {"stats.py": MEAN, "tests/test_stats.py": TESTS, "tests/test_other.py": other}
    mended = commit(parent, {**parent, "stats.py": MENDED, "tests/test_stats.py": MORE}, "tests/test_stats.py")
    report = examine(mended, runner, None)
    new = "tests/test_stats.py::test_nothing"
    assert report.dropped is None
    assert report.fail_to_pass == report.new_tests == (new,)
    assert set(report.pass_to_pass) == {"tests/test_stats.py::test_mean", "tests/test_other.py::test_other"}
    assert report.flaky == {}
    failure = report.failures[new]
    assert (failure.kind, failure.exception, failure.outcome) == (
        FailureKind.EXCEPTION,
        "ZeroDivisionError",
        TestOutcome.ERROR,
    )
    assert {name: (counts.tests, counts.passed, counts.failed) for name, counts in report.counts.items()} == {
        "fix": (4, 3, 1),
        "parent_with_tests": (4, 2, 2),
        "parent": (1, 1, 0),
    }


def test_an_untouched_test_that_it_mends_counts_and_is_not_new(runner):
    other = "from stats import mean\ndef test_none():\n    assert mean(()) == 0\n"
    parent = {"stats.py": MEAN, "tests/test_stats.py": TESTS, "tests/test_other.py": other}
    mended = commit(parent, {**parent, "stats.py": MENDED, "tests/test_stats.py": MORE}, "tests/test_stats.py")
    report = examine(mended, runner, None)
    assert set(report.fail_to_pass) == {"tests/test_stats.py::test_nothing", "tests/test_other.py::test_none"}
    assert report.new_tests == ("tests/test_stats.py::test_nothing",)


def test_an_old_test_that_asks_for_something_else_now(runner):
    parent = {"stats.py": MEAN, "tests/test_stats.py": TESTS}
    wrong = {"stats.py": MEAN.replace("len(xs)", "max(len(xs), 9)"), "tests/test_stats.py": TESTS.replace("2", "4 / 9")}
    report = examine(commit(wrong, parent, "tests/test_stats.py"), runner, None)
    (found,) = report.fail_to_pass
    assert (found, report.new_tests) == ("tests/test_stats.py::test_mean", ())
    assert report.failures[found].kind is FailureKind.ASSERTION


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("from stats import median\ndef test_new():\n    assert median([1]) == 1\n", "median"),
        ("import stats\ndef test_new():\n    assert stats.median([1]) == 1\n", "median"),
        ("import stats\ndef test_new():\n    assert stats.mean([1], start=0) == 1\n", "start"),
        ("import stats\ndef test_new():\n    assert stats.mean([1], 0) == 1\n", "mean"),
        ("import stats.more\ndef test_new():\n    assert stats.more.mode([1]) == 1\n", "stats.more"),
        ("import stats\ndef test_new():\n    assert stats.Bag().count == 1\n", "count"),
    ],
)
def test_names_that_only_the_commit_brings(runner, test, name):
    parent = {"stats/__init__.py": MEAN + "class Bag:\n    pass\n"}
    brought = (
        MEAN.replace("(xs)", "(xs, start=0)", 1) + "class Bag:\n    count = 1\ndef median(xs):\n    return xs[0]\n"
    )
    fix = {"stats/__init__.py": brought, "stats/more.py": "def mode(xs):\n    return xs[0]\n"}
    report = examine(commit(parent, {**fix, "test_stats.py": test}, "test_stats.py"), runner, None)
    (failure,) = report.failures.values()
    assert (failure.kind, failure.name) == (FailureKind.MISSING_NAME, name)


def test_an_attribute_that_nothing_has_is_no_missing_name(runner):
    test = "from stats import first\ndef test_first():\n    assert first([]) == ''\n"
    wrong = "def first(xs):\n    found = xs[0] if xs else None\n    return found.lower()\n"
    parent = {"stats.py": wrong}
    fix = {"stats.py": wrong.replace("None", "''"), "test_stats.py": test}
    (failure,) = examine(commit(parent, fix, "test_stats.py"), runner, None).failures.values()
    assert (failure.kind, failure.exception) == (FailureKind.EXCEPTION, "AttributeError")


def test_a_hang_that_is_mended(runner):
    slow = "def find(x):\n    while x != 1:\n        x = x // 2\n    return x\n"
    fix = {
        "find.py": slow.replace("x != 1", "x > 1"),
        "test_find.py": "from find import find\ndef test():\n    find(0)\n",
    }
    report = examine(commit({"find.py": slow}, fix, "test_find.py"), quick(runner), None)
    assert report.failures["test_find.py::test"].kind is FailureKind.TIMEOUT


@pytest.mark.parametrize(
    ("parent", "fix", "touched", "reason"),
    [
        ({"stats.py": MEAN}, {"stats.py": MENDED, "test_s.py": TESTS}, ["test_s.py"], DropReason.PASSES_BEFORE),
        ({"stats.py": MEAN}, {"stats.py": MENDED, "notes.txt": ""}, ["notes.txt"], DropReason.NO_TESTS),
        ({"stats.py": MEAN}, {"stats.py": "", "test_s.py": "import nowhere"}, ["test_s.py"], DropReason.NOTHING_PASSES),
        ({"stats.py": MEAN}, {"stats.py": "", "conftest.py": "1 / 0", "test_s.py": TESTS}, ["test_s.py"],
         DropReason.NO_ENVIRONMENT),
    ],
)  # fmt: skip
def test_why_a_commit_is_dropped(runner, parent, fix, touched, reason):
    assert examine(commit(parent, fix, *touched), runner, None).dropped is reason


def test_a_file_that_cannot_be_collected_does_not_stop_the_others(runner):
    parent = {"stats.py": MEAN, "tests/test_broken.py": "import nowhere_to_be_found\n"}
    fix = {**parent, "stats.py": MENDED, "tests/test_stats.py": MORE}
    report = examine(commit(parent, fix, "tests/test_stats.py"), runner, None)
    assert report.fail_to_pass == ("tests/test_stats.py::test_nothing",)
    assert list(report.uncollected) == ["tests/test_broken.py"]


@pytest.mark.parametrize(
    ("touched", "modules"),
    [
        ("tests/data/xs.txt", ["tests/test_stats.py"]),  # by its folder's name
        ("tests/readings/new.txt", ["tests/test_reading.py"]),
        ("tests/ys.txt", ["tests/test_stats.py"]),
        ("tests/helpers.py", ["tests/test_reading.py", "tests/test_stats.py"]),
        ("elsewhere/helpers.py", []),
    ],
)
def test_which_modules_stand_for_touched_data(touched, modules):
    files = {"tests/test_stats.py": "open('data/xs')\nopen('ys.txt')", "tests/test_reading.py": "", touched: "1"}
    assert touched_modules(commit({}, files, touched)) == modules


def test_touched_data_stands_for_the_tests_beside_it(runner):
    test = "import pathlib\nfrom stats import mean\nDATA = pathlib.Path('tests/data/xs').read_text()\n"
    test += "def test():\n    assert mean(eval(DATA)) == 0\n"
    parent = {"stats.py": MEAN, "tests/test_stats.py": test, "tests/data/xs": "[0]"}
    mended = commit(parent, {**parent, "stats.py": MENDED, "tests/data/xs": "[]"}, "tests/data/xs")
    assert touched_modules(mended) == ["tests/test_stats.py"]
    assert examine(mended, runner, None).fail_to_pass == ("tests/test_stats.py::test",)


def test_in_an_environment_of_its_own_with_what_its_build_would_leave(environments, bench):
    parent = {
        "pyproject.toml": "[project]\nname = 'some-stats'\nversion = '7'\n"
        "[tool.setuptools.packages.find]\nwhere = ['lib']\n",
        "lib/stats.py": MEAN,
        "tests/test_stats.py": TESTS,
    }
    more = MORE + "import importlib.metadata\ndef test_version():\n    importlib.metadata.version('some-stats')\n"
    fix = {**parent, "lib/stats.py": MENDED, "tests/test_stats.py": more}
    climbed = climb(commit(parent, fix, "tests/test_stats.py"), DATE, environments, bench)
    report = climbed.report
    assert report.fail_to_pass == ("tests/test_stats.py::test_nothing",)
    assert "tests/test_stats.py::test_version" in report.pass_to_pass
    assert report.arguments == ("--override-ini=pythonpath=lib",)
    assert sorted(climbed.laid) == [
        f"lib/some_stats-7.dist-info/{name}" for name in ("INSTALLER", "METADATA", "entry_points.txt")
    ]
    assert report.environment is not None
    assert report.environment.rung == "current"
    assert any(line.startswith("pytest==") for line in report.environment.lock)
    assert climbed.runner is not None
    assert environments.named is not None
    pythons = {environments.named.version[:2]: environments.named.executable}
    again = reproduce(report.environment, environments.folder, environments.level, pythons)
    assert again == climbed.runner.bench.interpreter
    least, told = climbed.minimise()
    assert (told.blocks, told.kept) == (1, 1)
    assert least == climbed.commit.fix


@pytest.mark.slow
def test_what_a_hanging_test_keeps_from_running_does_not_count_as_failing(runner):
    hang = "def spin(n, wrong=True):\n    while n < 4 and wrong:\n        pass\n    return n\n"
    test = "import pytest\nfrom spin import spin\n@pytest.mark.parametrize('n', range(8))\ndef test(n):\n    spin(n)\n"
    fix = {"spin.py": hang.replace("=True", "=False"), "test_spin.py": test}
    report = examine(commit({"spin.py": hang}, fix, "test_spin.py"), quick(runner), None)
    assert report.fail_to_pass == tuple(f"test_spin.py::test[{n}]" for n in range(4))
    assert {f"test_spin.py::test[{n}]" for n in (4, 7)} <= set(report.pass_to_pass)
    assert {failure.kind for failure in report.failures.values()} == {FailureKind.TIMEOUT}


def test_tests_where_pytest_does_not_look_by_itself(runner):
    parent = {
        "stats.py": MEAN,
        "pytest.ini": "[pytest]\ntestpaths = checks\npython_files = check_*.py test_*.py\npythonpath = .\n",
        "checks/check_other.py": "from stats import mean\ndef test_other():\n    assert mean([4]) == 4\n",
        "extra/test_stats.py": TESTS,
    }
    fix = {
        **parent,
        "stats.py": MENDED,
        "extra/test_stats.py": MORE,
        "checks/check_new.py": "from stats import mean\ndef test_new():\n    assert mean([4]) == 4\n",
    }
    report = examine(commit(parent, fix, "extra/test_stats.py"), runner, None)
    assert report.fail_to_pass == ("extra/test_stats.py::test_nothing",)
    assert set(report.pass_to_pass) == {"checks/check_other.py::test_other", "extra/test_stats.py::test_mean"}
    assert report.flaky == {}
