"""Many versions in one process: each is told what becomes of it, whatever the others do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, TestOutcome
from mendlab.verify.bench import set_up_bench
from mendlab.verify.engines.function_screen import FunctionScreen

MODULE = b"def half(n):\n    kept = [n]\n    return n // 3\n"
RIGHT = b"def half(n):\n    return n // 2\n"
STEPS = ["assert half(8) == 4", "assert half(0) == 0", "assert half(6) == 3"]


@pytest.fixture(scope="module")
def screen() -> Iterator[FunctionScreen]:
    bench = set_up_bench(allow_unconfined=True)
    groups = (StepGroup(steps=tuple(Step(code=code, test_id=f"t{at}") for at, code in enumerate(STEPS))),)
    made = FunctionScreen(
        FileTree({"solution.py": MODULE}),
        FunctionHarness(groups=groups),
        limits=Limits(),
        level=bench.level,
        interpreter=bench.interpreter,
    )
    with closing(made):
        yield made


STUBBORN = b"""
def half(n):
    while True:
        try:
            n += 1
        except BaseException:
            pass
"""
VERSIONS = [
    (RIGHT, "passed", (0, 1)),
    (MODULE, "failed", ()),
    (b"def half(n):\n    return 4 if n == 8 else 3\n", "failed", (0, 1)),  # but not the rest
    (b"def half(n):\n    while n:\n        pass\n    return 0\n", "slow", ()),
    (STUBBORN, "slow", ()),
    (b"def half(n):\n    return sum(range(10**12))\n", "slow", ()),  # no signal is heard of in there
    (b"import os\ndef half(n):\n    os._exit(0)\n", "slow", ()),
    (b"def half(n):\n    return half(n)\n", "failed", ()),
    (b"def half(n:\n", "broken", ()),
    (b"raise SystemExit\n", "broken", ()),
    (RIGHT, "passed", (0, 1)),
]  # fmt: skip


def test_each_version_is_told_in_its_turn(screen: FunctionScreen) -> None:
    told = list(screen.screen([source for source, *_ in VERSIONS], ["t0", "t2"], ["t1"], 0.05))
    assert [each.word for each in told] == [word for _, word, _ in VERSIONS]
    assert [each.passed for each in told][:2] == [(0, 1), ()]
    assert screen.cpu_seconds > 0


def test_a_version_leaves_nothing_for_the_next(screen: FunctionScreen) -> None:
    leaving = (
        b"import builtins\nseen = globals().setdefault('seen', 0) + 1\ndef half(n):\n    return n // 2 + seen - 1\n"
    )
    assert [each.word for each in screen.screen([leaving] * 3, ["t0"], ["t1", "t2"], 0.1)] == ["passed"] * 3


def test_a_profile_has_lines_types_outcomes_and_calls(screen: FunctionScreen) -> None:
    found = screen.profile(["t0", "t1", "t2"])
    assert {each.test_id: each.outcome for each in found.results} == {
        "t0": TestOutcome.FAILED,
        "t1": TestOutcome.PASSED,
        "t2": TestOutcome.FAILED,
    }
    assert found.lines["t0"] == {1, 2, 3}
    assert found.types["half:1"]["n"] == ("int",) and found.types["half:1"]["kept"] == ("list",)
    assert [call[1] for call in found.calls] == ["half"] * 3


def test_behaviour_is_equal_for_equal_ends(screen: FunctionScreen) -> None:
    calls = screen.profile(["t0", "t1", "t2"]).calls
    one, same, other, raising = (
        screen.behaviour(source, calls)
        for source in (RIGHT, b"def half(n):\n    return int(n / 2)\n", MODULE, b"def half(n):\n    return 1 // 0\n")
    )
    assert one == same != other
    assert {each[0] for each in raising if each} == {"raises"}


def test_without_the_probe_nothing_else_is_run(screen: FunctionScreen) -> None:
    never = b"def half(n):\n    while n > 6:\n        pass\n    return 3\n"
    (probed,) = screen.screen([never], ["t0", "t2"], ["t1"], 0.1, "t0")
    (passing,) = screen.screen([RIGHT], ["t0", "t2"], ["t1"], 0.1, "t2")
    (failing,) = screen.screen([MODULE], ["t0", "t2"], ["t1"], 0.1, "t2")
    assert (probed.word, passing.word, failing.word) == ("slow", "passed", "failed")


def test_a_test_that_never_ends_costs_a_profile_that_test_alone() -> None:
    bench = set_up_bench(allow_unconfined=True)
    steps = ["assert f(1) == 1", "assert f(-1) == 1", "assert f(2) == 2"]
    groups = (StepGroup(steps=tuple(Step(code=code, test_id=f"t{at}") for at, code in enumerate(steps))),)
    tree = FileTree({"solution.py": b"def f(n):\n    while n < 0:\n        n -= 1\n    return n\n"})
    harness = FunctionHarness(groups=groups)
    with closing(
        FunctionScreen(tree, harness, limits=Limits(), level=bench.level, interpreter=bench.interpreter)
    ) as made:
        found = made.profile(["t0", "t1", "t2"])
        again = made.profile(["t0", "t1", "t2"], ["t1"])
    for each in (found, again):
        assert [result.outcome.value for result in each.results] == ["passed", "timeout", "passed"]
        assert each.lines["t1"] == {1, 2, 3} and each.lines["t2"] == {1, 2, 4}
        assert set(each.seconds) == {"t0", "t2"}
