"""CrossHair's search for inputs, where it is installed."""

import pytest

from mendlab.verify.equivalence.compare import compare
from mendlab.verify.equivalence.inputs.domain import Shape
from mendlab.verify.equivalence.symbolic import annotation_of, is_available


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1, 2], "int"),
        ([1, None], "Union[int, None]"),
        ([[1.5], []], "List[float]"),
        ([{"a": [True]}], "Dict[str, List[bool]]"),
        ([(1, 2)], None),
        ([[]], None),
    ],
)
def test_annotations_of_what_was_recorded(values, text):
    shape = Shape()
    for value in values:
        shape.add(value)
    assert annotation_of(shape) == text


@pytest.mark.slow
@pytest.mark.skipif(not is_available(), reason="crosshair-tool is not installed")
def test_an_input_that_no_neighbour_of_a_test_would_be(bench, task_of):
    good = "def f(x: int):\n    return x * 2\n"
    other = "def f(x: int):\n    return x * 2 + (x * 3 + 7 == 370360)\n"
    tree, task = task_of(good, ["f(3)", "f(8)"])
    patched = tree.replace({"solution.py": other.encode()})
    assert compare(task, tree, patched, bench).differential.witness is None
    found = compare(task, tree, patched, bench, symbolic_seconds=10.0).differential
    assert found.witness.call == "solution.f(123451)"
    assert found.witness.reference == "246902"
    assert found.sources["crosshair"] == 1
