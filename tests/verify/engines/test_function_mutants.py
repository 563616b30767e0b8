"""Mutant and tests in one process give the answers that they give in two."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.function_mutants import FunctionMutantEngine

SOURCE = """
def without(text, letters, mark="x"):
    if mark == "long_name":
        return text + "!"
    return "".join(letter for letter in text if letter not in letters)
"""
STEPS = {
    "one": "assert without('abcdef', 'b') == 'acdef'",
    "two": "assert without('dwik', 'w') == 'dik'",
    "three": "assert without('a', 'a', mark='long_name') == 'a!'",
    "four": "assert without('a', '') == 'a'",
}


@pytest.fixture(scope="module")
def engine():
    steps = tuple(Step(code=code, test_id=test_id) for test_id, code in STEPS.items())
    harness = FunctionHarness(module="solution.py", groups=(StepGroup(steps=steps),), entry_points=("without",))
    opened = FunctionMutantEngine(
        FileTree({"solution.py": SOURCE.encode()}),
        harness,
        limits=Limits(cpu_seconds=1.0, wall_seconds=5.0),
        level=choose_level(),
        interpreter=find_interpreter(),
    )
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("not in letters", "not in text", {"one", "two", "four"}),
        ("not in letters", "is not letters", None),
        ('mark == "long_name"', 'mark is "long_name"', set()),
        ('mark == "long_name"', 'mark is not "long_name"', {"one", "two", "three", "four"}),
        ("return text", "while True: text", {"three"}),
        ("return text", "import os; os._exit(0)", {"three"}),
        ("def without", "raise ValueError\ndef without", {"one", "two", "three", "four"}),
    ],
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_the_same_as_apart(engine, old, new, failing):
    changes = {"solution.py": SOURCE.replace(old, new).encode()}
    together, apart = engine.run(changes), engine.run(changes, RunOptions(fresh=True))
    assert together.outcomes() == apart.outcomes()
    if failing is not None:  # else it is a matter of the Python version
        assert {result.test_id for result in together.failing()} == failing
    stopped = engine.run(changes, RunOptions(stop_at_first=True)).failing()
    assert [r.outcome for r in stopped[:1]] == [r.outcome for r in together.failing()[:1]]


def test_the_good_module_passes_and_a_subset_is_told(engine):
    assert engine.run({}).failing() == ()
    assert engine.run({}, RunOptions(tests=["two"])).outcomes() == {"two": TestOutcome.PASSED}
