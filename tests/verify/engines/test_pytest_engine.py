"""Projects as people write them, run by the engine: ids, outcomes, options, paths."""

from pathlib import Path

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.records import Limits, PytestHarness, TestOutcome
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.pytest_engine import PytestEngine

ADDOPTS = (
    "-vx --maxfail=1 --lf -n auto --dist loadfile --cov=waterwheel --cov-report term --cov-fail-under=100 --reruns 2 "
    "--doctest-modules --strict-markers -p no:doctest_is_not_blocked"
)
FILES = {
    "pytest.ini": f"[pytest]\naddopts = {ADDOPTS}\ntestpaths = tests src\nmarkers = slow: takes long\n"
    "required_plugins = pytest-cov\nfilterwarnings =\n    error\n    ignore::pytest.PytestDeprecationWarning\n",
    "src/waterwheel/__init__.py": "from waterwheel.turns import turn\n",
    "src/waterwheel/turns.py": '''
def turn(n):
    """Turn the wheel.

    >>> turn(2)
    4
    """
    return n * 2


def unreached():
    return (
        1
        + turn(1)
    )


def cached():
    global CACHE
    CACHE = turn(3)
    return CACHE
''',
    "tests/conftest.py": """
import pytest

@pytest.fixture(scope="session")
def wheel():
    import waterwheel
    assert waterwheel.turns.cached() == 6
    yield waterwheel
""",
    "tests/test_kinds.py": """
import subprocess, sys, unittest
import pytest

CLOSED = []

@pytest.fixture
def bad_teardown():
    yield
    raise ValueError("left open")

@pytest.fixture
def bad_setup():
    assert False

def test_passes(wheel):
    assert wheel.turn(1) == 2

def test_fails(wheel):
    assert wheel.turn(1) == 3

def test_raises():
    raise KeyError("x")

def test_expects_an_error():
    with pytest.raises(ValueError):
        pass

def test_setup(bad_setup):
    pass

def test_teardown(bad_teardown):
    pass

@pytest.mark.skip(reason="not today")
def test_skipped():
    assert False

@pytest.mark.xfail
def test_xfailed():
    assert False

@pytest.mark.xfail
def test_xpassed():
    pass

@pytest.mark.xfail(strict=True)
def test_strictly_xpassed():
    pass

@pytest.mark.parametrize("n", [1, 2, "ä b"])
def test_each(n, tmp_path, capsys, monkeypatch):
    print(n)
    assert capsys.readouterr().out == f"{n}\\n"

@pytest.mark.parametrize("thing", [object()], ids=repr)
def test_named_by_address(thing):
    pass

def test_a_process_of_its_own_imports_the_same_tree():
    told = subprocess.run([sys.executable, "-c", "import waterwheel; print(waterwheel.__file__)"],
                          capture_output=True, text=True, check=True).stdout
    import waterwheel
    assert told.strip() == waterwheel.__file__

class TestCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ready = True

    def test_method(self):
        self.assertTrue(self.ready)

    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(n, 1)
""",
    "tests/test_whole_module_skipped.py": "import pytest\npytest.skip('no', allow_module_level=True)\n",
}
KINDS = {
    "test_passes": TestOutcome.PASSED,
    "test_fails": TestOutcome.FAILED,
    "test_raises": TestOutcome.ERROR,
    "test_expects_an_error": TestOutcome.FAILED,
    "test_setup": TestOutcome.ERROR,
    "test_teardown": TestOutcome.ERROR,
    "test_skipped": TestOutcome.SKIPPED,
    "test_xfailed": TestOutcome.XFAILED,
    "test_xpassed": TestOutcome.XPASSED,
    "test_strictly_xpassed": TestOutcome.FAILED,
    "test_each[1]": TestOutcome.PASSED,
    "test_each[2]": TestOutcome.PASSED,
    "test_each[\\xe4 b]": TestOutcome.PASSED,
    "test_a_process_of_its_own_imports_the_same_tree": TestOutcome.PASSED,
    "TestCase::test_method": TestOutcome.PASSED,
    "TestCase::test_parts": TestOutcome.FAILED,
}
DOCTEST = "src/waterwheel/turns.py::waterwheel.turns.turn"


def opened(files, **options):
    files = {path: content.encode() for path, content in files.items()}
    tests = tuple(path for path in files if path.startswith("tests/"))
    options = {"limits": Limits(), "level": choose_level(), **options}
    return PytestEngine(FileTree(files), PytestHarness(test_files=tests), **options)


@pytest.fixture(scope="module")
def engine(lean_python):
    engine = opened(FILES, interpreter=lean_python)
    yield engine
    engine.close()


def kind(test):
    return f"tests/test_kinds.py::{test}"


def test_ids_are_those_that_two_collections_agree_on(engine):
    assert engine.test_ids == (*map(kind, KINDS), DOCTEST)


def test_every_outcome_is_told_whatever_the_options_say(engine):
    run = engine.run({})
    assert run.outcomes() == {**{kind(test): outcome for test, outcome in KINDS.items()}, DOCTEST: TestOutcome.PASSED}
    assert run.load_error is None
    told = {result.test_id: result.message for result in run.failing()}
    assert "tests/test_kinds.py:" in told[kind("test_fails")] and "assert 2 == 3" in told[kind("test_fails")]
    assert "KeyError" in told[kind("test_raises")]
    assert "left open" in told[kind("test_teardown")]
    assert told[kind("test_skipped")] == "Skipped: not today"
    assert all(0 <= (result.cpu_seconds or 0) < run.cpu_seconds for result in run.results)


def test_a_change_is_seen_by_the_tests_and_doctests_that_meet_it(engine):
    changed = FILES["src/waterwheel/turns.py"].replace("return n * 2", "return n * 3").encode()
    found = engine.run({"src/waterwheel/turns.py": changed}, RunOptions(tests=[DOCTEST, kind("test_each[2]")]))
    assert [result.outcome for result in found.results] == [TestOutcome.FAILED, TestOutcome.PASSED]


def test_only_what_is_asked_for_comes_back_in_the_order_asked(engine):
    asked = [kind("test_fails"), "tests/test_nowhere.py::test_x", kind("test_passes"), kind("test_unknown")]
    run = engine.run({}, RunOptions(tests=asked))
    assert [result.test_id for result in run.results] == asked
    assert [result.outcome for result in run.results] == [
        TestOutcome.FAILED,
        TestOutcome.MISSING,
        TestOutcome.PASSED,
        TestOutcome.MISSING,
    ]


def test_stopping_at_the_first_leaves_the_rest_missing(engine):
    tests = [kind("test_passes"), kind("test_raises"), kind("test_each[1]")]
    found = engine.run({}, RunOptions(tests=tests, stop_at_first=True)).outcomes()
    assert list(found.values()) == [TestOutcome.PASSED, TestOutcome.ERROR, TestOutcome.MISSING]


def test_a_shuffle_changes_the_order_alone(engine):
    in_order = engine.run({}, RunOptions(stop_at_first=True)).outcomes()
    shuffled = [engine.run({}, RunOptions(stop_at_first=True, shuffle_seed=seed)).outcomes() for seed in range(4)]
    assert any(outcomes != in_order for outcomes in shuffled)
    assert engine.run({}, RunOptions(shuffle_seed=1)).outcomes() == engine.run({}).outcomes()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("def turn(n)\n", "src/waterwheel/turns.py:1: SyntaxError"),
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise RuntimeError('at\\nimport')\n", "src/waterwheel/turns.py:1: RuntimeError"),
    ],
)
def test_a_program_that_cannot_be_imported_makes_errors(engine, program, said):
    run = engine.run({"src/waterwheel/turns.py": program.encode()}, RunOptions(tests=[kind("test_passes"), DOCTEST]))
    assert {result.outcome for result in run.results} == {TestOutcome.ERROR}
    assert said in run.results[0].message


def test_lines_are_recorded_by_test(engine):
    coverage = engine.coverage()
    assert set(coverage.lines) == {"", *engine.test_ids}
    path, source = "src/waterwheel/turns.py", FILES["src/waterwheel/turns.py"]
    line = {text.strip(): number for number, text in enumerate(source.splitlines(), 1)}
    assert line["return n * 2"] in coverage.lines[DOCTEST][path]
    assert path not in coverage.lines[kind("test_raises")]
    # What the process runs that a test starts is not known.
    starter = kind("test_a_process_of_its_own_imports_the_same_tree")
    # The fixture that they share runs cached(), which runs turn().
    sharing = {kind("test_passes"), kind("test_fails"), starter}
    assert coverage.reaching(path, source, line["return n * 2"], line["return n * 2"]) == {DOCTEST, *sharing}
    assert coverage.reaching(path, source, line["+ turn(1)"], line["+ turn(1)"]) == {starter}
    assert coverage.reaching(path, source, line["CACHE = turn(3)"], line["CACHE = turn(3)"]) == sharing
    # It leaves no code, and counts as the function's definition, which runs where the module is imported: in a fixture,
    # and to collect its doctest.
    imports = coverage.reaching(path, source, line["global CACHE"], line["global CACHE"])
    assert {DOCTEST, *sharing} <= imports
    assert kind("test_raises") not in imports


REFUSED = {
    "no tests": ({"tests/test_a.py": "x = 1\n"}, "pytest finds no tests"),
    "empty": ({"a.py": ""}, "pytest finds no tests"),
    "a syntax error": ({"tests/test_a.py": "def test_a(:\n"}, "tests/test_a.py:1: .*SyntaxError"),
    "an import": ({"tests/test_a.py": "\nimport nowhere\n"}, "tests/test_a.py:2: .*No module named 'nowhere'"),
    "a conftest": ({"conftest.py": "\n\n1 / 0\n", "tests/test_a.py": ""}, "conftest.py:3: .*ZeroDivisionError"),
    "an option": ({"pytest.ini": "[pytest]\naddopts = --nonsense\n", "tests/test_a.py": ""}, "nonsense"),
    "a hang": ({"tests/test_a.py": "while True: pass\n"}, "tests/test_a.py: .*cpu limit"),
    "leaving": ({"tests/test_a.py": "import os\nos._exit(0)\n"}, "tests/test_a.py: .*exit code 0"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_project_whose_tests_cannot_be_collected_is_refused_in_one_line(lean_python, what):
    files, said = REFUSED[what]
    engine = opened(files, limits=Limits(cpu_seconds=1.0), interpreter=lean_python)
    try:
        with pytest.raises(SubjectError, match=said) as caught:
            _ = engine.test_ids
        assert "\n" not in str(caught.value)
    finally:
        engine.close()


def test_an_interpreter_without_pytest_is_refused():
    with pytest.raises(SubjectError, match="--python"):
        opened(FILES, interpreter=Interpreter(Path("/usr/bin/python3"), (3, 11, 0), (), False))
