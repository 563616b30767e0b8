"""Edits: merging and the smallest edit keep the effect."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mendlab.mutators.edits import Edit, apply, merge, minimal

TEXT = st.text(alphabet="ab\n", max_size=12)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, Edit]:
    source = draw(TEXT)
    start = draw(st.integers(0, len(source)))
    return source, Edit(start, draw(st.integers(start, len(source))), draw(TEXT))


@given(edited())
def test_minimal_edit_has_the_same_effect(case: tuple[str, Edit]) -> None:
    source, edit = case
    assert apply(source, [minimal(source, edit)]) == apply(source, [edit])


@given(edited(), st.data())
def test_equal_effects_have_equal_minimal_edits(case: tuple[str, Edit], data: st.DataObject) -> None:
    source, edit = case
    low = data.draw(st.integers(0, edit.start))
    high = data.draw(st.integers(edit.end, len(source)))
    wider = Edit(low, high, source[low : edit.start] + edit.text + source[edit.end : high])
    assert minimal(source, wider) == minimal(source, edit)


def test_merged_edits_have_the_same_effect() -> None:
    edits = (Edit(1, 2, "XX"), Edit(4, 4, "Y"))
    assert apply("abcdef", [merge("abcdef", edits)]) == apply("abcdef", edits) == "aXXcdYef"
