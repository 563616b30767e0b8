"""Small changes in forks of one session have the results that each has in a session of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.mutators import enumerate_mutants
from mendlab.records import Limits, PytestHarness, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import EARLY, SESSION, UNREACHED, PytestMutantEngine, changed_lines
from mendlab.verify.engines.pytest_session import PytestSession, Unsuitable

MILL = '''
"""A mill."""
from __future__ import annotations

import functools
import math
import os
import threading

STONES = 2


def grind(grain, stones=STONES):
    """Flour from grain."""
    if grain < 0:
        raise ValueError("no grain")
    return math.floor(grain * stones)


def wheel(size):
    def turn(times):
        return size * times

    return turn


TURN = wheel(3)


@functools.lru_cache(maxsize=None)
def price(sack):
    return sack * 4


class Mill:
    kind = "water"

    def __init__(self, grain):
        self.grain = grain

    @property
    def flour(self):
        return grind(self.grain)

    @classmethod
    def empty(cls):
        return cls(0)

    def bags(self):
        for bag in range(self.flour):
            yield bag


class Windmill(Mill):
    kind = "wind"

    def bags(self):
        return [bag + 1 for bag in super().bags()]


def note(text):
    with open("notes.txt", "a") as file:
        file.write(text)
    return os.path.getsize("notes.txt")


def unused():
    return 5


def keywords(*, left, right: int = 7):
    return left + right


async def later(grain):
    return grind(grain)
'''
TESTS = """
import asyncio, os, subprocess, sys, unittest
import pytest
from mill import Mill, TURN, Windmill, grind, keywords, later, note, price

@pytest.fixture(scope="module")
def mill():
    return Mill(4)

def test_grind():
    assert grind(3) == 6

def test_no_grain():
    with pytest.raises(ValueError, match="no grain"):
        grind(-1)

def test_heads():
    assert grind.__defaults__ in [(2,), (3,)]
    assert Mill.__init__.__annotations__ == {} and Mill.__init__.__defaults__ is None
    assert keywords.__kwdefaults__ == {"right": 7} and keywords.__annotations__ == {"right": "int"}

def test_no_bags():
    assert list(Mill(0).bags()) == []

@pytest.mark.parametrize("grain", [0, 1, 5])
def test_flour(grain, capsys):
    print("milling")
    assert Mill(grain).flour == 2 * grain
    assert capsys.readouterr().out == "milling\\n"

def test_shared(mill, monkeypatch):
    monkeypatch.setattr(mill, "grain", 2)
    assert list(mill.bags()) == [0, 1, 2, 3]

def test_turn():
    assert TURN(2) == 6

def test_price():
    assert price(2) == 8

def test_note(tmp_path):
    assert not os.path.exists("notes.txt")
    assert note("three") == 5

class Winds(unittest.TestCase):
    def test_bags(self):
        self.assertEqual(Windmill(1).bags(), [1, 2])

    def test_kind(self):
        self.assertEqual(Windmill.kind, "wind")
        self.assertEqual(Mill.empty().grain, 0)

def test_later():
    assert asyncio.run(later(2)) == 4

def test_elsewhere():
    done = subprocess.run([sys.executable, "-c", "import mill; print(mill.grind(7))"], capture_output=True, text=True)
    assert done.stdout == "14\\n"

@pytest.mark.xfail
def test_hoped():
    assert grind(1) == 1
"""
TREE = FileTree({"mill.py": MILL.encode(), "test_mill.py": TESTS.encode()})
HARNESS = PytestHarness(test_files=("test_mill.py",))
FLOUR = ("test_flour[0]", "test_flour[1]", "test_flour[5]")
TRIPLED = {"test_grind", *FLOUR[1:], "test_shared", "Winds::test_bags", "test_later", "test_elsewhere"}
BAGS = ("test_no_bags", "Winds::test_bags")
BAD = {TestOutcome.FAILED, TestOutcome.ERROR}
LIMITS = Limits(cpu_seconds=5.0, wall_seconds=60.0)


def changed(old: str, new: str) -> dict[str, bytes | None]:
    assert MILL.count(old) == 1, old
    return {"mill.py": MILL.replace(old, new).encode()}


@pytest.fixture(scope="module")
def slow() -> Iterator[PytestEngine]:
    engine = PytestEngine(TREE, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def fast(slow: PytestEngine) -> Iterator[PytestMutantEngine]:
    engine = PytestMutantEngine(
        TREE, HARNESS, slow.coverage(), limits=LIMITS, level=choose_level(), interpreter=find_interpreter()
    )
    yield engine
    engine.close()


def by_id(run: TestRun) -> dict[str, TestOutcome]:
    return {test_id.partition("::")[2]: outcome for test_id, outcome in run.outcomes().items()}


def test_good_tree(fast: PytestMutantEngine, slow: PytestEngine) -> None:
    assert by_id(fast.run({})) == by_id(slow.run({}))


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("grain * stones", "grain + stones", {"test_grind", *FLOUR, *BAGS, "test_elsewhere"}),
        ("grain < 0", "grain <= 0", {"test_flour[0]", "test_no_bags"}),
        ("size * times", "size - times", {"test_turn"}),
        ("sack * 4", "sack * 5", {"test_price"}),
        ("bag + 1 for", "bag for", {"Winds::test_bags"}),
        ("bag + 1 for", "bag + len(self.kind) for", {"Winds::test_bags"}),
        ("            yield bag", "            yield bag\n            yield bag", {"test_shared", "Winds::test_bags"}),
        ("return 5", "return 6", set()),
        ("stones=STONES", "stones=3", TRIPLED),
        ("def grind(grain, stones=STONES)", "def grind(grain=2, stones=STONES)", {"test_heads"}),
        ("    def __init__(self, grain):", "    def __init__(self, grain: str = 3):", {"test_heads"}),
        ("*, left, right: int = 7", "*, left=1, right: int = 8", {"test_heads"}),
    ],
)  # fmt: skip
def test_swapped(fast: PytestMutantEngine, old: str, new: str, failing: set[str]) -> None:
    fast.paths.clear()
    found = by_id(fast.run(changed(old, new)))
    heads = "def " in old or "=" in old  # which a test of this project reads
    assert fast.paths.keys() <= {SESSION, UNREACHED, *([EARLY] if heads else [])}
    assert {test_id for test_id, outcome in found.items() if outcome in BAD} == failing
    assert found["test_hoped"] is TestOutcome.XFAILED


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("STONES = 2", "STONES = 3", "more than the code of functions differs"),
        ('kind = "wind"', 'kind = "water "', "more than the code of functions differs"),
        ("stones=STONES", "stones=STONES * 1", "more than the code of functions differs"),
        ("def price(sack):", "def price(sack=1):", "more than the code of functions differs"),
        ("    @property\n", "", "more than the code of functions differs"),
        ("TURN = wheel(3)", "", "goes beyond statements|more than the code"),
        ("    def turn(times):\n", "    times = size\n\n    def turn(times):\n", "wheel has run already"),
        ("return size * times", "return times", "turn closes over other names|wheel has run already"),
        ("super().bags()", "Mill.bags(self)", "more than the code of functions differs"),
        ("def unused():", "def unused(more=None):", "unused has another signature|more than the code"),
        ("def note(text):", "def note(sound):", "note has another signature"),
        ("            yield bag", "            return bag", "bags has another signature"),
    ],
)
def test_unswappable(session: PytestSession, old: str, new: str, why: str) -> None:
    with pytest.raises(Unsuitable, match=why):
        session.run(
            {"mill.py": changed(old, new)["mill.py"] or b""},
            ["test_mill.py::test_turn"],
            stop_at_first=False,
            limits=LIMITS,
        )


@pytest.fixture(scope="module")
def session() -> Iterator[PytestSession]:
    opened = PytestSession(TREE, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
    yield opened
    opened.close()


@pytest.mark.slow
def test_every_mutant_as_in_a_session_of_its_own(fast: PytestMutantEngine, slow: PytestEngine) -> None:
    # The size of a number is that of an open file: which there are is the process's own affair.
    alike = [m for m in enumerate_mutants(MILL, path="mill.py") if "getsize(os.path.getsize" not in m.source]
    mutants = alike[::8]
    assert len(mutants) > 100
    for mutant in mutants:
        changes: dict[str, bytes | None] = {"mill.py": mutant.source.encode()}
        whole = slow.run(changes)
        assert by_id(fast.run(changes)) == by_id(whole), mutant.diff
        first = fast.run(changes, RunOptions(stop_at_first=True))
        assert bool(first.failing()) == bool(whole.failing()), mutant.diff


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("while True: pass", TestOutcome.TIMEOUT),
        ("os._exit(0)", TestOutcome.CRASH),
        ("os.kill(os.getpid(), 9)", TestOutcome.CRASH),
        ("os.kill(os.getppid(), 9)", None),
        ("os.kill(-1, 9)", None),
        ("[os.fork() for _ in range(9)]", None),
        ("open(__file__, 'w').write('')", None),
        ("os.remove(__file__)", None),
        ("__import__('shutil').rmtree('.')", None),
        ("os.chmod('.', 0)", None),
        ("threading.Thread(target=__import__('time').sleep, args=(60,), daemon=False).start()", None),
        ("open('/dev/shm/x', 'wb').write(b'x' * 10_000_000)", None),
    ],
)
def test_harm_is_undone(fast: PytestMutantEngine, statement: str, outcome: TestOutcome | None) -> None:
    found = fast.run(changed("    return size * times", f"    {statement}\n        return size * times")).outcomes()
    if outcome is not None:
        assert found["test_mill.py::test_turn"] is outcome
    assert by_id(fast.run({})) == by_id(fast.run({}, RunOptions(fresh=True)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            yield bag\n", "            yield bag\n        yield 7\n"),  # after a loop that runs not once
        ('        raise ValueError("no grain")\n', '        pass\n    raise ValueError("no grain")\n'),
    ],
)
def test_code_that_comes_to_run_elsewhere(fast: PytestMutantEngine, slow: PytestEngine, old: str, new: str) -> None:
    found, whole = by_id(fast.run(changed(old, new))), by_id(slow.run(changed(old, new)))
    assert found == whole
    assert set(found.values()) & BAD


@pytest.mark.slow
def test_a_server_that_is_stopped_is_ended() -> None:
    limits = LIMITS.model_copy(update={"wall_seconds": 5.0})
    session = PytestSession(TREE, HARNESS, limits=limits, level=choose_level(), interpreter=find_interpreter())
    stopped = changed("    return size * times", "    os.kill(os.getppid(), 19)\n        return size * times")
    with closing(session), pytest.raises(Unsuitable, match="ended the session"):
        data = {path: data for path, data in stopped.items() if data is not None}
        session.run(data, ["test_mill.py::test_turn"], stop_at_first=False, limits=limits)


@pytest.mark.parametrize(
    ("statement", "outcome"), [("while True: pass", TestOutcome.TIMEOUT), ("os._exit(3)", TestOutcome.CRASH)]
)
def test_who_ends_the_process_costs_no_other_test(
    fast: PytestMutantEngine, statement: str, outcome: TestOutcome
) -> None:
    changes = changed("    if grain < 0:\n", f"    if grain == 5:\n        {statement}\n    if grain < 0:\n")
    clean = by_id(fast.run({}))
    passing = [result.test_id for result in fast.run({}).results if result.outcome is TestOutcome.PASSED]
    found, first = fast.run(changes), fast.run(changes, RunOptions(tests=passing, stop_at_first=True))
    assert by_id(found) == {**clean, "test_flour[5]": outcome}
    assert [each.outcome for each in first.failing() if each.outcome is not TestOutcome.MISSING] == [outcome]


def test_a_test_that_starts_processes_reaches_everything(fast: PytestMutantEngine) -> None:
    assert by_id(fast.run(changed("math.floor(", "math.ceil(7 / ")))["test_elsewhere"] is TestOutcome.FAILED


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (b"a\nb\nc\n", b"a\nx\nc\n", (2, 2)),
        (b"a\nb\nc\n", b"a\nc\n", (2, 2)),
        (b"a\nb\n", b"a\nx\nb\n", (1, 1)),
        (b"a\nb\n", b"x\na\nb\n", (1, 1)),
        (b"a\nb\nc\nd", b"x\nb\nc\ny", (1, 4)),
    ],
)
def test_changed_lines(old: bytes, new: bytes, lines: tuple[int, int]) -> None:
    assert changed_lines(old, new) == lines
