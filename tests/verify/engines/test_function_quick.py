"""A candidate that is asked what the good program was asked gets the results that the test program gives it."""

import time
from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, TestOutcome
from mendlab.verify.confined.function.wire import Wire
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.conversation import Conversation
from mendlab.verify.engines.engine import ENDS_THE_PROCESS, RunOptions
from mendlab.verify.engines.function_engine import FunctionEngine

LIMITS = Limits(cpu_seconds=1.5, wall_seconds=6.0, memory_bytes=400 * 2**20)
OFTEN = RunOptions(often=True)
GOOD = """
class Box:
    def __init__(self, value):
        self.value = value

def double(items, by=2):
    return [item * by for item in items]

def boxed(value):
    return Box(value)

def each(function, items):
    return [function(item) for item in items]
"""
LITERAL = [
    "assert double([]) == []",
    "assert double([1, 2]) == [2, 4]",
    "assert double(['a'], 3) == ['aaa']",
    "assert double((1.5,), by=2) == [3.0]",
    "assert double([3]) == [6], 'a text  of its own'",
    "assert double([4]) == [8], ''",
]
OTHERWISE = [
    "assert boxed(3).value == 3",
    "assert each(lambda x: x + 1, [1, 2]) == [2, 3]",
    "assert sorted(double([2, 1])) == [2, 4]",
    "items = [1]\nassert double(items) == [2] and items == [1]",
]
CANDIDATES = {
    "as it is": GOOD,
    "another way": GOOD.replace("[item * by for item in items]", "list(map(lambda item: by * item, items))"),
    "wrong": GOOD.replace("item * by for", "item + by for"),
    "wrong where it is empty": GOOD.replace("return [item * by", "return items and [item * by"),
    "another type": GOOD.replace("return [item * by for item in items]", "return tuple(item * by for item in items)"),
    "floats": GOOD.replace("item * by for", "item * by * (1.0 if by == 2 else 1) for"),
    "raises": GOOD.replace("return [item * by", "raise ValueError('not', 3)\n    return [item * by"),
    "raises its own": GOOD.replace("return [item", "raise type('Odd', (KeyError,), {})('x')\n    return [item"),
    "asserts": GOOD.replace("return [item * by", "assert by == 2, by\n    return [item * by"),
    "out of memory": GOOD.replace("return [item * by", "raise MemoryError\n    return [item * by"),
    "leaves": GOOD.replace("return [item * by", "raise SystemExit(0)\n    return [item * by"),
    "ends": GOOD.replace("return [item * by", "if by == 3: __import__('os')._exit(0)\n    return [item * by"),
    "prints": GOOD.replace("return [item * by", "print('here')\n    return [item * by"),
    "changes what it is given": GOOD.replace(
        "return [item * by", "isinstance(items, list) and items.append(1)\n    return [item * by"
    ),
    "remembers": "seen = []\n"
    + GOOD.replace("return [item * by", "seen.append(1)\n    by += len(seen) > 3\n    return [item * by"),
    "equals everything": GOOD.replace(
        "return [item * by for item in items]", "return type('E', (), {'__eq__': lambda *_: True})()"
    ),
    "equals as a list": GOOD.replace(
        "return [item * by for item in items]", "return type('E', (list,), {'__eq__': lambda *_: True})()"
    ),
    "returns a function": GOOD.replace("return [item * by for item in items]", "return double"),
    "very deep": GOOD.replace(
        "return [item * by for item in items]", "a = []\n    for _ in range(5000): a = [a]\n    return a"
    ),
    "a huge number": GOOD.replace("return [item * by for item in items]", "return 10 ** 10000"),
    "does not import": "raise ImportError('no')\n" + GOOD,
    "has no such function": GOOD.replace("def double", "def triple"),
    "other calls": GOOD.replace("return [function(item) for item in items]", "return [function(2), function(3)]"),
    "breaks off": GOOD.replace("return [item * by", "__import__('os').closerange(3, 200)\n    return [item * by"),
}


@pytest.fixture(scope="module")
def opened():
    engines = {}

    def open_engine(steps, setup=""):
        key = tuple(steps), setup
        if key not in engines:
            made = tuple(Step(code=code, test_id=f"t{n}") for n, code in enumerate(steps))
            harness = FunctionHarness(module="m.py", groups=(StepGroup(setup=setup, steps=made),))
            tree = FileTree({"m.py": GOOD.encode()})
            common = {"limits": LIMITS, "level": choose_level(), "interpreter": find_interpreter()}
            engines[key] = FunctionEngine(tree, harness, **common)
        return engines[key]

    yield open_engine
    for engine in engines.values():
        engine.close()


def told(run):
    """All but in which way a process ended."""
    return run.load_error, [
        (one.test_id, one.outcome, "" if one.outcome in ENDS_THE_PROCESS else one.message) for one in run.results
    ]


@pytest.mark.parametrize("steps", [LITERAL, OTHERWISE, LITERAL + OTHERWISE], ids=["literal", "otherwise", "both"])
@pytest.mark.parametrize("name", CANDIDATES)
def test_the_quick_way_tells_what_the_long_way_does(opened, steps, name):
    changes = {"m.py": CANDIDATES[name].encode()}
    engine = opened(steps)
    for stop in (False, True):
        long = engine.run(changes, RunOptions(stop_at_first=stop))
        assert told(engine.run(changes, RunOptions(stop_at_first=stop, often=True))) == told(long)


def test_the_test_program_is_run_once_for_candidates_that_answer_as_the_good_one(opened, monkeypatch):
    engine = opened(["assert double([7]) == [14]", "assert double([0]) == [0]"])
    assert not engine.run({}, OFTEN).failing()
    monkeypatch.setattr(engine, "_oracle", None)
    monkeypatch.setattr(engine._quick, "_oracle", None)
    assert not engine.run({"m.py": CANDIDATES["another way"].encode()}, OFTEN).failing()
    failing = engine.run({"m.py": CANDIDATES["wrong"].encode()}, OFTEN).failing()
    assert [(each.test_id, each.outcome, each.message) for each in failing] == [
        ("t0", TestOutcome.FAILED, "assert double([7]) == [14], got [9]"),
        ("t1", TestOutcome.FAILED, "assert double([0]) == [0], got [2]"),
    ]


def test_no_answer_is_given_away_with_the_questions(opened, monkeypatch):
    """What one call gets from another's answer is asked only when that has come."""
    engine = opened(["assert double(double([1])) == [4]", "assert double([1]) == [2]"])
    known = []
    monkeypatch.setattr(
        Conversation, "questions", lambda self, real=Conversation.questions: known.append(self) or real(self)
    )
    assert not engine.run({}, OFTEN).failing()
    assert not known[0].at_once
    assert [len(questions) for questions in list(known[0].questions())[:3]] == [1, 1, 1]


def test_a_hang_costs_little(opened):
    hanging = GOOD.replace("return [item * by", "while True: pass\n    return [item * by")
    engine = opened(LITERAL)
    engine.run({}, OFTEN)
    run = engine.run({"m.py": hanging.encode()}, RunOptions(often=True, decisive=frozenset({"t0", "t1", "t2", "t3"})))
    assert run.outcomes()["t0"] is TestOutcome.TIMEOUT
    assert run.cpu_seconds < 0.5


@pytest.mark.parametrize("when", ["by == 3", "not items", "len(items) == 1 and by == 2"])
def test_what_is_slow_in_one_test_has_all_the_time_that_the_task_allows(opened, when):
    slow = GOOD.replace("return [item * by", f"if {when}: sum(range(15_000_000))\n    return [item * by")
    engine = opened(LITERAL)
    engine.run({}, OFTEN)
    start = time.process_time()
    run = engine.run({"m.py": slow.encode()}, OFTEN)
    assert not run.failing()
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("name", "alike"),
    [("as it is", True), ("another way", True), ("remembers", False), ("floats", None), ("prints", None)],
)
def test_prepared_calls_are_compared_in_the_same_process(opened, name, alike):
    engine = opened(["assert double([1, 2]) == [2, 4]"])
    calls = [["m", "double", Wire().write((([n],), {})), True] for n in range(20)]
    calls += [["m", "double", Wire().write((([b"x", n],), {})), False] for n in range(3)]
    engine.prepare(calls, "these")
    run = engine.run({"m.py": CANDIDATES[name].encode()}, OFTEN)
    assert (run.alike, engine.prepared) == (alike, "these")
    engine.prepare([], None)
    assert engine.run({}, OFTEN).alike is None


def test_types_that_equal_one_another_are_told_apart(opened):
    engine = opened(["assert double([2]) == [4]"])
    engine.prepare([["m", "double", Wire().write((([1],), {})), True]], "one")
    for wrong in ("[True for _ in items]", "[float(item * by) for item in items]"):
        other = GOOD.replace("[item * by for item in items]", f"[4] if items == [2] else {wrong}")
        assert engine.run({"m.py": other.encode()}, OFTEN).alike is False
    engine.prepare([], None)


def test_a_fresh_run_learns_nothing(opened):
    with closing(opened(["assert double([3]) == [6]"])) as engine:
        engine.run({}, RunOptions(often=True, fresh=True))
        assert not engine._quick._known


@pytest.mark.parametrize("steps", [LITERAL, LITERAL + OTHERWISE], ids=["literal", "both"])
def test_a_program_that_stands_still_in_some_tests_need_not_use_up_its_time(opened, steps):
    """One that merely takes long in them does, for it may be right."""
    endless = GOOD.replace("return [item * by", "while by == 3: pass\n    return [item * by")
    run = opened(steps).run({"m.py": endless.encode()}, OFTEN)
    assert [one.outcome for one in run.results].count(TestOutcome.TIMEOUT) == 1
    assert run.results[2].outcome is TestOutcome.TIMEOUT
    assert "it comes back to line" in run.results[2].message
    assert run.cpu_seconds < 0.5 < LIMITS.cpu_seconds
    slow = GOOD.replace("return [item", "n = by == 3 and 4_000_000\n    while n: n -= 1\n    return [item")
    assert not opened(steps).run({"m.py": slow.encode()}, OFTEN).failing()
