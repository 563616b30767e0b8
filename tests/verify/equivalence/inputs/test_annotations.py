"""Arguments by annotations, as Hypothesis makes them."""

import pytest

from mendlab.verify.equivalence.inputs.annotations import parameters_of, typed
from mendlab.verify.equivalence.inputs.domain import Domain

pytest.importorskip("hypothesis")


def drawn(head, *calls):
    recorded = [(call, {}) for call in calls]
    annotated = parameters_of(f"from typing import *\n\ndef f({head}): ...\n", "f")
    return list(typed(annotated)(recorded, Domain(recorded)))


@pytest.mark.parametrize(
    ("annotation", "check"),
    [
        ("int", lambda value: type(value) is int),
        ("List[float]", lambda value: type(value) is list and all(type(item) is float for item in value)),
        ("'list[str]'", lambda value: type(value) is list and all(type(item) is str for item in value)),
        ("Optional[int]", lambda value: value is None or type(value) is int),
        ("int | str", lambda value: type(value) in (int, str)),
        ("tuple[int, str]", lambda value: (type(value[0]), type(value[1])) == (int, str)),
        ("tuple[int, ...]", lambda value: type(value) is tuple and all(type(item) is int for item in value)),
        ("Dict[str, set[int]]", lambda value: type(value) is dict and all(type(v) is set for v in value.values())),
        ("Literal['a', 3]", lambda value: value in ("a", 3)),
    ],
)
def test_values_are_of_the_annotated_type(annotation, check):
    found = [args[0] for args, _ in drawn(f"x: {annotation}", (None,))]
    assert len(found) > 1
    assert all(map(check, found))


def test_what_is_not_annotated_is_as_recorded():
    found = drawn("x: int, y", (1, "kept"))
    assert {args[1] for args, _ in found} == {"kept"}
    assert len({args[0] for args, _ in found}) > 5


@pytest.mark.parametrize("head", ["x: Whatever", "x", "x: list", "x: List[Whatever]"])
def test_what_is_not_known_makes_nothing(head):
    assert drawn(head, (1,)) == []


def test_the_same_always():
    assert drawn("x: List[int]", ([1],)) == drawn("x: List[int]", ([1],))


def test_methods_are_found_by_their_qualified_name():
    source = "class C:\n    def f(self, x: int, *, y: str): ...\n"
    assert set(parameters_of(source, "C.f")) == {1, "x", "y"}
    assert parameters_of(source, "D.f") == {}
