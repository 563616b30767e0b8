"""A wrong declaration is refused where it stands, in one sentence with the module, the operator and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
import pytest

from mendlab.errors import InputError
from mendlab.mutators import Change, Example, operator, operators
from mendlab.mutators.context import Context

RIGHT = {
    "name": "never-registered",
    "odc": "assignment",
    "bug_type": "value misuse",
    "examples": [Example("x = 1", "x = 2")],
}


def plain(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    """Never called."""
    yield from ()


def undocumented(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    yield from ()


def without_a_full_stop(node: cst.Integer, ctx: Context) -> Iterator[Change]:
    """Never called"""
    yield from ()


def bare(node, ctx: Context) -> Iterator[Change]:
    """Never called."""
    yield from ()


def of_text(node: str, ctx: Context) -> Iterator[Change]:
    """Never called."""
    yield from ()


def of_a_name_that_is_not_there(node: cst.Intejer, ctx: Context) -> Iterator[Change]:
    """Never called."""
    yield from ()


def alone(node: cst.Integer) -> Iterator[Change]:
    """Never called."""
    yield from ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "NumberWrong"}, "lower case with hyphens"),
        ({"name": "number_wrong"}, "lower case with hyphens"),
        ({"name": ""}, "lower case with hyphens"),
        ({"family": "My Family"}, "family 'My Family' must be in lower case"),
        ({"odc": "speling"}, "odc 'speling' is none of: assignment, checking, "),
        ({"bug_type": "misuse"}, "bug_type 'misuse' is none of: value misuse, "),
        ({"pattern": "change"}, "pattern 'change' is none of: change identifier, "),
        ({"term": ""}, "term must be a text or left out"),
        ({"inverse": ["a"]}, "inverse must be a text or left out"),
        ({"examples": []}, "needs an example"),
        ({"examples": [("x = 1", "x = 2")]}, "is no Example"),
        ({"examples": [Example("x = 1", "x = 1")]}, "changes nothing"),
        ({"function": undocumented}, "needs a docstring"),
        ({"function": without_a_full_stop}, "full stop"),
        ({"function": bare}, "first parameter must be annotated"),
        ({"function": of_text}, "not 'str'"),
        ({"function": of_a_name_that_is_not_there}, "not 'cst.Intejer'"),
        ({"function": alone}, "two parameters"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_declaration_is_one_clear_sentence(wrong, said):
    arguments = {**RIGHT, **wrong}
    function = arguments.pop("function", plain)
    with pytest.raises(InputError) as error:
        operator(**arguments)(function)
    line = str(error.value)
    assert line.startswith(f"{__name__}: mutation operator {arguments['name']!r}: ")
    assert said in line
    assert line.endswith("(see docs/add-a-mutator.md)")
    assert "\n" not in line
    assert "never-registered" not in {op.name for op in operators()}


def test_a_name_can_be_registered_once():
    before = operators()
    with pytest.raises(InputError, match=r"two operators are called .*; the other is in mendlab\.mutators\.catalogue"):
        operator(**{**RIGHT, "name": before[0].name})(plain)
    assert operators() == before
