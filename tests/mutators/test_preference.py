"""Which of the detected defects become tasks."""

from __future__ import annotations

from collections import Counter

import pytest

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.mutators.choosing.preference import BANDS, Chooser, Detected, band
from mendlab.mutators.injecting.making import Choice, Making, orders_of
from mendlab.records import (
    Baseline,
    Defect,
    Detection,
    FunctionHarness,
    Provenance,
    Subject,
    TestOutcome,
)

TESTS = tuple(f"t{n}" for n in range(20))
TREE = FileTree({"solution.py": b"x = 1\n"})
SUBJECT = Subject(
    id="s",
    snapshot=TREE.digest,
    harness=FunctionHarness(groups=()),
    source_files=("solution.py",),
    provenance=Provenance(source="here"),
)
BASELINE = Baseline(subject="s", passing=TESTS, cpu_seconds=0.1)


def defect(name: str, killers: int, function: str = "f") -> Detected:
    buggy = TREE.replace({"solution.py": f"x = {len(name) + 1}  # {name}\n".encode()})
    failing, passing = TESTS[:killers], TESTS[killers:]
    return Detected(
        Candidate(
            id=name,
            loaded=LoadedSubject(SUBJECT, TREE),
            buggy=buggy,
            defect=Defect(origin="operator", files=("solution.py",), function=function, diff=""),
            statement="",
            editable=("solution.py",),
        ),
        Detection(fail_to_pass=failing, pass_to_pass=passing, before=dict.fromkeys(failing, TestOutcome.FAILED)),
        BASELINE,
    )


OFFERS = [defect(f"{killers}", killers) for killers in (20, 3, 9, 1, 1, 14)]


def test_any_takes_the_first_and_hard_the_one_that_fewest_tests_detect() -> None:
    assert Chooser("any").choose(OFFERS) is OFFERS[0]
    assert Chooser("hard").choose(OFFERS) is OFFERS[3]


def test_spread_fills_every_band_alike() -> None:
    chooser, left, taken = (
        Chooser("spread"),
        [defect(f"{n}x{i}", n) for i in range(4) for n in (20, 19, 18, 1, 4, 8, 12)],
        [],
    )
    for _ in range(2 * len(BANDS)):
        taken.append(chooser.choose(left))
        left.remove(taken[-1])
    assert Counter(band(offer.kill_fraction) for offer in taken) == dict.fromkeys(range(len(BANDS)), 2)


@pytest.mark.parametrize(("fraction", "expected"), [(0.05, 0), (0.1, 0), (0.11, 1), (0.5, 2), (0.76, 4), (1.0, 4)])
def test_bands(fraction: float, expected: int) -> None:
    assert band(fraction) == expected


def test_what_is_not_taken_is_set_aside_and_comes_back_when_nothing_else_does() -> None:
    making = Making(Choice(limit=3, prefer="hard", oversample=6))
    making.detected = len(OFFERS)
    making.take_one(OFFERS)
    assert [task.id for task in making.tasks] == ["1"]
    assert making.not_chosen() == {"not_chosen": 5}
    making.fill()
    assert [len(task.fail_to_pass) for task in making.tasks] == [1, 1, 3]
    assert making.not_chosen() == {"not_chosen": 3}


def test_a_function_that_has_enough_gets_no_more() -> None:
    making = Making(Choice(per_function=1, prefer="hard", oversample=2))
    making.detected = 6
    making.take_one([defect("a", 1, "f"), defect("b", 2, "g")])
    making.take_one([defect("c", 1, "f"), defect("d", 2, "g")])
    making.take_one([defect("e", 1, "f"), defect("f", 2, "g")])
    making.fill()
    assert [task.id for task in making.tasks] == ["a", "d"]
    assert making.not_chosen() == {"not_chosen": 4}


@pytest.mark.parametrize(
    ("text", "orders"), [("1", (1,)), ("2", (2,)), ("1-3", (1, 2, 3)), ("3,1", (1, 3)), ("2, 2-3", (2, 3))]
)
def test_orders(text: str, orders: tuple[int, ...]) -> None:
    assert orders_of(text) == orders


@pytest.mark.parametrize("text", ["", "x", "0", "4", "2-", "-2", "3-1", "1-99", "²"])
def test_what_is_no_order(text: str) -> None:
    with pytest.raises(InputError):
        orders_of(text)
