"""What tells candidates apart, what reads oddly, and what a chosen patch looks like."""

from __future__ import annotations

from mendlab.mutators.edits import Edit
from mendlab.mutators.mutant import SourceText
from mendlab.repair.candidates import Candidate
from mendlab.repair.searching.keys import Keys
from mendlab.repair.searching.natural import naturalness
from mendlab.repair.searching.pairs import pairs
from mendlab.repair.searching.tidying import tidy

TEXT = "def f(x, y):\n    if x > y:\n        return x - 1\n    return (y)\n"
BASE = SourceText.of("m.py", TEXT)


def patch(old: str, new: str, likelihood: float = 1.0) -> Candidate:
    start = TEXT.index(old)
    return Candidate("test", (Edit(start, start + len(old), new),), BASE, "utf-8", likelihood)


def test_equal_programs_have_one_key_and_what_is_none_or_no_change_has_none() -> None:
    keys = Keys()
    assert keys.of(patch("x - 1", "x - 2")) == keys.of(patch("1", "2")) == keys.of(patch("x - 1", "(x - 2)"))
    assert keys.of(patch("x - 1", "x - 2")) != keys.of(patch("x - 1", "x - 3"))
    assert keys.of(patch("1", "True")) != keys.of(patch("1", "1.0"))
    assert keys.of(patch("x > y", "y < x")) != keys.of(patch("x > y", "x >= y"))
    assert keys.of(patch("return (y)", "return y")) is None
    assert keys.of(patch("x - 1", "x -")) is None
    assert keys.of(patch("    return (y)\n", "")) is not None
    assert keys.of(patch("    return (y)\n", "    return y\n")) is None
    assert keys.of(Candidate("test", (Edit(13, 13, "é"),), BASE, "ascii", 1.0)) is None


def test_what_nobody_writes_is_less_likely_and_so_is_much() -> None:
    assert naturalness(patch("x > y", "x < y")) > naturalness(patch("x > y", "not x > y"))
    assert naturalness(patch("x - 1", "x - 2")) > naturalness(patch("x - 1", "x - x"))
    assert naturalness(patch("x - 1", "y - 1")) > naturalness(patch("x - 1", "-x - 1"))
    assert naturalness(patch("1", "2")) > naturalness(patch("1", "len(str(x)) + len(str(y))"))
    # Of a long replacement only that counts which differs.
    assert naturalness(patch("x - 1", "x - 1 + 1")) > naturalness(patch("x - 1", "y + 1 + 2"))


def test_a_chosen_patch_has_no_needless_brackets_of_its_own() -> None:
    assert "return x * (x - 1)\n" in tidy(patch("x - 1", "((x) * (x - 1))")).text
    assert "if not x > y:" in tidy(patch("x > y", "not (x > y)")).text
    assert "return f((x, y))\n" in tidy(patch("x - 1", "f((x, y))")).text
    assert "return (y)\n" in tidy(patch("1", "2")).text  # those that stood there stay


def test_pairs_do_not_touch_and_begin_with_what_helps() -> None:
    one, other, third = patch(">", "<", 0.5), patch("1", "2", 0.4), patch("x - 1", "y", 0.05)
    found = [each.operator + each.text for each in pairs([one, other, third], set())]
    assert len(found) == 2  # 1 lies within x - 1
    assert "x < y" in found[0] and "x - 2" in found[0]
    first = next(iter(pairs([one, other, third], {id(third)})))
    assert "return y\n" in first.text
