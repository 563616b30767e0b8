"""Runs that nobody waits for are not begun: an interruption ends work in other threads, too."""

import threading

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.function_engine import FunctionEngine
from mendlab.workers import map_ordered

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=5.0, memory_bytes=400 * 2**20)
HARNESS = FunctionHarness(
    module="m.py", groups=(StepGroup(setup="", steps=(Step(code="assert f() == 1", test_id="t"),)),)
)


def test_a_thread_that_is_left_ends_at_its_next_run():
    tree = FileTree({"m.py": b"def f(): return 1\n"})
    begun, ended = threading.Event(), []

    def work(item):
        engine = FunctionEngine(tree, HARNESS, limits=LIMITS, level=choose_level(), interpreter=find_interpreter())
        try:
            for number in range(1000):
                engine.run({})
                begun.set()
                if item == 0 and number == 3:
                    raise KeyboardInterrupt
        except BaseException as error:
            ended.append((item, type(error).__name__, number))
            raise
        finally:
            engine.close()

    with pytest.raises(KeyboardInterrupt):
        list(map_ordered(work, range(2), 2))
    assert [(item, name) for item, name, _ in ended] == [(0, "KeyboardInterrupt"), (1, "KeyboardInterrupt")]
    assert begun.is_set()
    assert ended[1][2] < 999
