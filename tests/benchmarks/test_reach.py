"""Exact reach and reach of samples, on programs small enough to know the answers."""

from __future__ import annotations

import pytest
from measures import reach, sampled
from measures.programs import Pair
from measures.section import Table, markdown
from measures.shares import Share
from measures.trees import normal

SUM = 'def add(a, b):\n    """Add."""\n    return a + b\n'
REACHED = Pair("add", "operator misuse", SUM, "def add(a, b):\n    return a - b\n")
MISSED = Pair("other", "missing logic", SUM, "def add(a, b):\n    import socket\n    return socket.socket().recv(a)\n")


def test_docstrings_and_layout_do_not_count() -> None:
    assert normal(SUM) == normal("def add( a, b ):\n    'Other.'\n\n    return (a+b)\n")
    assert normal(SUM) != normal(REACHED.bad)
    assert normal("def f(:\n") is None


@pytest.fixture(scope="module")
def found() -> dict[str, list[reach.Reached]]:
    return {"HumanEvalPack": reach.reach_all("test", [REACHED, MISSED], seeds=3, jobs=1)}


def test_a_bug_is_reached_if_it_is_a_mutant(found: dict[str, list[reach.Reached]]) -> None:
    hit, miss = found["HumanEvalPack"]
    assert hit.operators == ("arithmetic-swapped",)
    assert not miss.hit
    assert hit.mutants == miss.mutants == sum(hit.families.values()) > 5
    assert miss.ranks["natural"] == [None] * 3
    assert all(rank is not None and 1 <= rank <= hit.mutants for rank in hit.ranks["natural"])


def test_reach_is_told_by_type_with_what_is_missed_and_the_goals(found: dict[str, list[reach.Reached]]) -> None:
    section = reach.section(found)
    assert [row[1].split(" [")[0] for row in section.tables[0].rows] == [
        "50.0% (1/2)", "0.0% (0/1)", "100.0% (1/1)",
    ]  # fmt: skip
    assert "HumanEvalPack, not reached: other" in section.tables[0].notes
    assert [goal.met for goal in section.goals] == [False, True, False]


def test_samples_reach_less_than_all(found: dict[str, list[reach.Reached]]) -> None:
    assert sampled.shares_within(found["HumanEvalPack"], "uniform", reach.DEEPEST, 3) == [0.5] * 3
    assert sampled.shares_within(found["HumanEvalPack"], "uniform", 0, 3) == [0.0] * 3
    table = sampled.section(found, 3).tables[0]
    assert {row[1] for row in table.rows} >= {"uniform", "operator", "natural"}
    assert all(row[-2:] == ("50.0% ± 0.0%", "50.0%") for row in table.rows)


def test_two_processes_find_what_one_finds(found: dict[str, list[reach.Reached]]) -> None:
    assert reach.reach_all("test", [REACHED, MISSED], seeds=3, jobs=2) == found["HumanEvalPack"]


def test_a_share_has_its_interval() -> None:
    assert Share(9, 10).with_interval() == "90.0% (9/10) [59.6%, 98.2%]"
    assert str(Share(0, 0)) == "-"


def test_a_table_is_markdown() -> None:
    text = markdown(Table("T", ("a", "long"), [("1", "2")], ["a note"]))
    assert text == "### T\n\n| a | long |\n| - | ---- |\n| 1 | 2    |\n\n- a note\n"
