"""What a change that shows at import can be noticed by: the tests whose file comes by it when it is collected alone."""

from __future__ import annotations

from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.coverage import EVERYWHERE, Coverage
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.pytest_engine import PytestEngine, common_error
from mendlab.verify.engines.pytest_mutants import EARLY, PytestMutantEngine, likeliest_first
from mendlab.verify.engines.reaching import Reaching

pytestmark = pytest.mark.slow
LIMITS = Limits(cpu_seconds=20.0, wall_seconds=300.0)
FILES = {
    "pkg/__init__.py": "VERSION = 1\n\ndef __getattr__(name):\n    import importlib\n"
    "    if name != 'lazy':\n        raise AttributeError(name)\n"
    "    return importlib.import_module('pkg.' + name)\n",
    "pkg/plain.py": "LIMIT = 1\n",
    "pkg/lazy.py": "VALUE = 2\n",
    "pkg/inner/__init__.py": "DEPTH = 3\nfrom .deep import *\n",
    "pkg/inner/deep.py": "DEEP = 4\n",
    "registry.py": "KNOWN = {}\n",
    "plugins.py": "import registry\nregistry.KNOWN['plugin'] = 5\n",
    "user.py": "import registry\n\ndef known():\n    import plugins\n    return registry.KNOWN\n",
    "for_all.py": "SHARED = 6\n",
    "for_some.py": "NEEDED = 7\n\ndef reset():\n    return 8\n",
    "plugin.py": "import pytest\nfrom started import STARTED\n\n"
    "@pytest.fixture\ndef started():\n    return STARTED\n",
    "started.py": "STARTED = 9\n",
    "named.py": "NAMED = 10\n",
    "documented.py": 'def one():\n    """\n    >>> one()\n    1\n    """\n    return 1\n\nLEFT = 11\n',
    "one/same.py": "NAME = 12\n",
    "other/same.py": "NAME = 13\n",
    "text.py": "TEXT = 14\n",
    "left.py": "LEFT_BEHIND = 15\n",
    "conftest.py": "import for_all\npytest_plugins = ['plugin']\n",
    "sub/conftest.py": "import for_some\n\ndef pytest_runtest_protocol(item, nextitem):\n    for_some.reset()\n",
    "sub/test_sub.py": "def test_in_sub(): pass\n",
    "one/test_one.py": "import same\ndef test_one(): assert same.NAME > 11\n",
    "other/test_same.py": "import same\ndef test_same(): assert same.NAME > 11\n",
    "test_plain.py": "import pkg.plain\ndef test_plain(): assert pkg.plain.LIMIT == 1\n",
    "test_lazy.py": "import pkg\n"
    "def test_lazy(): assert pkg.lazy.VALUE == 2\ndef test_version(): assert pkg.VERSION == 1\n",
    "test_inner.py": "def test_inner():\n    from pkg import inner\n    assert inner.DEEP == 4\n"
    "def test_beside(): pass\n",
    "test_user.py": "import user\ndef test_known(): assert user.known()['plugin'] == 5\ndef test_unknown(): pass\n",
    "test_named.py": "import sys\ndef test_named():\n    __import__('na' + 'med')\n"
    "    assert sys.modules['named'].NAMED == 10\n",
    "test_text.py": "TEXT = open('text.py').read()\ndef test_text(): assert '14' in TEXT\n",
    "test_leaves.py": "import left\ndef test_leaves(): assert left.LEFT_BEHIND == 15\n",
    "test_leans.py": "import sys\ndef test_leans(): assert sys.modules['left'].LEFT_BEHIND == 15\n",
    "test_process.py": "import subprocess, sys\n"
    "def test_process(): subprocess.check_call([sys.executable, '-c', 'import pkg.plain'])\n",
    "test_none.py": "def test_none(): pass\n",
}  # fmt: skip
HARNESS = PytestHarness(
    test_files=tuple(path for path in FILES if "test_" in path or path.endswith("conftest.py")),
    arguments=("--doctest-modules", "--ignore=one/same.py", "--ignore=other/same.py"),  # two of one name it refuses
)
TREE = FileTree({path: text.encode() for path, text in FILES.items()})


@pytest.fixture(scope="module")
def coverage():
    engine = PytestEngine(TREE, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    with closing(engine):
        return engine.coverage(engine.test_ids)


def short(test_ids):
    return {test_id.rpartition("::")[2] for test_id in test_ids}


def reaching(coverage: Coverage, path: str, old: str, new: str) -> set[str]:
    """The names of tests that may notice that a text is another, without those that may notice anything."""
    assert FILES[path].count(old) == 1
    asked = Reaching(TREE, coverage)
    found = asked.of({path: FILES[path].replace(old, new).encode()}, asked.tests)
    return short(test_id for test_id in found if EVERYWHERE not in coverage.lines[test_id])


@pytest.mark.parametrize(
    ("path", "change", "tests"),
    [
        ("pkg/plain.py", ("1", "2"), {"test_plain"}),
        ("pkg/__init__.py", ("1", "2"), {"test_plain", "test_lazy", "test_version", "test_inner"}),
        ("pkg/lazy.py", ("2", "3"), {"test_lazy"}),  # by way of __getattr__ of a package
        ("pkg/inner/__init__.py", ("3", "4"), {"test_inner"}),
        ("pkg/inner/deep.py", ("4", "5"), {"test_inner"}),  # by an import in a function, and one of all names
        ("registry.py", ("{}", "{1: 2}"), {"test_known", "test_unknown"}),
        ("plugins.py", ("5", "6"), {"test_known"}),  # read by who never names it
        ("named.py", ("10", "11"), {"test_named"}),
        ("documented.py", ("11", "12"), {"documented.one"}),
        ("for_some.py", ("7", "8"), {"test_in_sub"}),  # by the conftest file of a folder
        ("for_some.py", ("8", "9"), {"test_in_sub"}),  # by a hook of it, before the test begins
        ("one/same.py", ("12", "13"), {"test_one"}),
        ("other/same.py", ("13", "14"), {"test_same"}),  # which nothing imports when all is collected
        ("text.py", ("14", "15"), {"test_text"}),
        ("left.py", ("15", "16"), {"test_leaves", "test_leans"}),  # which by itself would not pass
    ],
)  # fmt: skip
def test_a_change_at_import_is_noticed_by_whose_file_imports_it(coverage, path, change, tests):
    assert reaching(coverage, path, *change) - {"test_leans"} == tests - {"test_leans"}


@pytest.mark.parametrize(("path", "change"), [("for_all.py", ("6", "7")), ("started.py", ("9", "8"))])
def test_what_conftest_files_and_plugins_import_is_noticed_by_all(coverage, path, change):
    everyone = {test_id for test_id, ran in coverage.lines.items() if test_id and EVERYWHERE not in ran}
    assert reaching(coverage, path, *change) == short(everyone)


@pytest.mark.parametrize(
    ("path", "change", "tests"),
    [
        ("pkg/plain.py", ("LIMIT = 1", "LIMIT = ("), {"test_plain", "test_leans"}),  # of no syntax
        ("pkg/inner/deep.py", ("DEEP", "if"), {"test_inner"}),
    ],
)
def test_a_change_of_which_nothing_can_be_told_is_noticed_by_who_runs_its_file(coverage, path, change, tests):
    assert reaching(coverage, path, *change) == tests


def test_where_nothing_of_a_file_runs_it_may_be_noticed_by_all():
    coverage = Coverage.of({"": {"m.py": [1]}, "t.py::a": {}, "u.py::b": {}}, {"t.py": {"m.py": [1]}}, exclude=())
    assert coverage.running("empty.py") == {"t.py::a", "u.py::b"}
    assert coverage.running("m.py") == {"t.py::a", "u.py::b"}
    assert Coverage(coverage.lines, files={**coverage.files, "u.py": {}}).running("m.py") == {"t.py::a"}


def test_who_leans_on_the_imports_of_others_depends_on_what_all_import(coverage):
    assert short(coverage.leaning) == {"test_leans"}
    assert "test_leans" in reaching(coverage, "left.py", "15", "16")


def test_who_starts_a_process_may_notice_anything(coverage):
    assert EVERYWHERE in coverage.lines["test_process.py::test_process"]
    assert "test_process.py::test_process" in coverage.reaching("pkg/lazy.py", FILES["pkg/lazy.py"], 1, 1)


def test_without_files_a_change_at_import_is_noticed_by_all():
    coverage = Coverage.of({"": {"m.py": [1]}, "t.py::a": {}, "u.py::b": {}}, {"t.py": {"m.py": [2]}}, exclude=())
    assert coverage.reaching("m.py", "A = 1\nB = 2\n", 1, 1) == {"u.py::b"}
    assert coverage.reaching("m.py", "A = 1\nB = 2\n", 2, 2) == {"t.py::a"}


def test_files_for_which_there_is_no_time_depend_on_what_all_import():
    names = ("conftest.py", "for_all.py", "plugin.py", "started.py", "test_none.py", "test_plain.py", "test_user.py")
    files = {path: text for path, text in FILES.items() if path in names or path.startswith(("pkg/", "user", "regi"))}
    tree = FileTree({path: text.encode() for path, text in {**files, "plugins.py": FILES["plugins.py"]}.items()})
    harness = PytestHarness(test_files=HARNESS.test_files)
    engine = PytestEngine(tree, harness, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    with closing(engine):
        coverage = engine.coverage(engine.test_ids, collecting_seconds=0.0)
    assert list(coverage.files) == ["test_none.py"] and not coverage.leaning
    assert short(coverage.reaching("pkg/plain.py", FILES["pkg/plain.py"], 1, 1)) == {
        *("test_plain", "test_known", "test_unknown"),
    }
    assert short(coverage.reaching("plugins.py", FILES["plugins.py"], 2, 2)) == {"test_known"}


@pytest.mark.parametrize(("loads", "runs"), [(True, [["a.py::x"]]), (False, [["a.py::x"], ["b.py::y"]])])
def test_a_file_that_cannot_be_imported_says_enough_where_another_is_known_to_be(loads, runs):
    seen = []

    def run(tests):
        seen.append(list(tests))
        errors = tuple(TestResult(test_id=test_id, outcome=TestOutcome.ERROR, message="broken") for test_id in tests)
        return TestRun(errors, 0.0, common_error(errors))

    found = likeliest_first(run, ["a.py::x", "b.py::y"], True, loads=loads)
    assert seen == runs and found.failing()


def without_leaning(coverage: Coverage) -> Coverage:
    lines = {test_id: ran for test_id, ran in coverage.lines.items() if test_id not in coverage.leaning}
    return Coverage(lines, files=coverage.files)


def test_the_early_session_runs_the_files_that_import_it_and_answers_as_the_slow_way_does(coverage):
    engine = PytestMutantEngine(
        TREE, HARNESS, without_leaning(coverage), limits=LIMITS, level=choose_level(), interpreter=find_interpreter()
    )
    with closing(engine):
        tests = [test_id for test_id in engine.test_ids if test_id not in coverage.leaning]
        for path, old, new in (("pkg/plain.py", "1", "2"), ("plugins.py", "5", "6"), ("pkg/lazy.py", "VALUE", "X")):
            changes: dict[str, bytes | None] = {path: FILES[path].replace(old, new).encode()}
            expected = engine.run(changes, RunOptions(tests=tests, fresh=True))
            found = engine.run(changes, RunOptions(tests=tests))
            assert found.outcomes() == expected.outcomes()
            assert TestOutcome.PASSED in found.outcomes().values() and found.failing()
            assert len(found.infected or ()) == 2  # the one that starts a process, too
    assert engine.paths[EARLY] == 3
