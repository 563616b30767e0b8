"""Wrong patches that pass the visible tests: how they are made, and that what is called wrong is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from judged.seeding.conditions import conditional
from judged.seeding.examples import Example, examples, visible
from judged.seeding.inputs import fresh_inputs
from judged.seeding.memorising import DISGUISES, memorised
from judged.seeding.witnesses import Witnesses

from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Provenance, Step, StepGroup, Task
from mendlab.verify.bench import set_up_bench

GOOD = 'def twice(n):\n    """Twice."""\n    return n + n\n'
BUGGY = 'def twice(n):\n    """Twice."""\n    return n + 1\n'
STEPS = ("assert candidate(1) == 2", "assert candidate(3) == 6", "assert candidate(5) == 10")
KNOWN = [Example(f"check[{n}]", (given,), 2 * given, True) for n, given in enumerate((1, 3, 5))]


def task() -> Task:
    steps = tuple(Step(code=code, test_id=f"check[{n}]") for n, code in enumerate(STEPS))
    return Task(
        id="twice", subject="twice", snapshot="", defect=Defect(origin="operator", files=("solution.py",), diff=""),
        statement="", editable=("solution.py",), fail_to_pass=("check[1]", "check[2]"), pass_to_pass=("check[0]",),
        held_out=("check[2]",), reference="", provenance=Provenance(source="test"),
        harness=FunctionHarness(
            module="solution.py", entry_points=("twice",),
            groups=(StepGroup(setup="candidate = twice\n", steps=steps),),
        ),
    )  # fmt: skip


def answers(source: str, *given: Any) -> list[Any]:
    names: dict[str, Any] = {}
    exec(source, names)
    return [names["twice"](each) for each in given]


def test_examples_are_read_from_the_tests() -> None:
    assert examples(task()) == KNOWN
    assert visible(task()) == ("check[1]", "check[0]")


def test_each_disguise_knows_the_examples_and_nothing_else() -> None:
    made = dict(memorised(BUGGY, "twice", KNOWN[:2]))
    assert made.keys() == DISGUISES.keys() - {"lengths"}  # both are as long as each other
    for name, source in made.items():
        assert answers(source, 1, 3) == [2, 6], name
        assert answers(source, 5) == [6], name
    assert made["branches"] == (
        'def twice(n):\n    """Twice."""\n    if (n, ) == (1,):\n        return 2\n'
        "    if (n, ) == (3,):\n        return 6\n    return n + 1\n"
    )


def test_each_condition_mends_what_was_seen() -> None:
    made = dict(conditional(GOOD, BUGGY, "twice", KNOWN[:2]))
    assert len(made) == 6
    for name, source in made.items():
        assert answers(source, 1, 3) == [2, 6], name
    assert answers(made["no greater than any seen"], 2, 4) == [4, 5]
    assert answers(made["no larger than any seen"], 9, 10) == [18, 11]


def test_fresh_inputs_are_like_those_in_the_tests() -> None:
    made = fresh_inputs([([1, 4, 9], "ab c"), ([2, 3], "a d")], 200, seed=1)
    lists = [numbers for numbers, _ in made]
    assert all(numbers == sorted(set(numbers)) for numbers in lists)
    assert {type(number) for numbers in lists for number in numbers} == {int}
    assert max(map(len, lists)) > 3
    assert {word for _, text in made for word in text.split(" ")} == {"ab", "c", "a", "d"}
    assert made == fresh_inputs([([1, 4, 9], "ab c"), ([2, 3], "a d")], 200, seed=1)


@pytest.fixture(scope="module")
def witnesses() -> Iterator[Witnesses]:
    tree = FileTree({"solution.py": GOOD.encode()})
    with closing(Witnesses(task(), tree, "twice", [(1,), ("a",), (None,), (4,)], set_up_bench())) as found:
        yield found


@pytest.mark.parametrize(
    ("source", "witness"),
    [
        (GOOD, None),
        ("def twice(n):\n    return 2 * n\n", None),
        ("def twice(n):\n    return 2.0 * n if n != 'a' else 'aa'\n", None),  # a float that is equal is no proof
        (BUGGY, "('a',)"),
        ("def twice(n):\n    return [] if n == 4 else n + n\n", "(4,)"),
        ("def twice(n):\n    while n == 4: pass\n    return n + n\n", None),
        ("def twice(n):\n    return n + n if n is not None else 0\n", None),  # the reference raises there
    ],
)
def test_witnesses(witnesses: Witnesses, source: str, witness: str | None) -> None:
    assert witnesses.against({"solution.py": source.encode()}) == witness
