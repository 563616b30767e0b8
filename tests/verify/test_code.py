"""Which sources count as one program, and which as none."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import DropReason
from mendlab.verify.code import Screen, fingerprint, normalised_tree, syntax_problem

DEEP = "def f(a):\n    return " + "+".join(["a"] * 1200) + "\n"

SAME = {
    "comment": ("x = 1\n", "x = 1  # one\n"),
    "layout": ("x = [1, 2]\n", "x = [\n    1,\n    2,\n]\n"),
    "docstring": ("def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'),
    "only_a_docstring": ("def f():\n    pass\n", 'def f():\n    """Nothing."""\n'),
    "docstring_of_a_module": ("x = 1\n", '"""M."""\nx = 1\n'),
    "parentheses": ("x = 1 + (2)\n", "x = (1 + 2)\n"),
    "quotes": ("x = 'a'\n", 'x = "a"\n'),
    "prefix_of_old": ("x = 'a'\n", "x = u'a'\n"),
    "byte_order_mark": ("x = 1\n", "\ufeffx = 1\n"),
    "deep": (DEEP, DEEP + "# end\n"),
    "line_ends": ("x = 1\ny = 2\n", "x = 1\r\ny = 2\r\n"),
}
DIFFERENT = {
    "one_and_true": ("x = 1\n", "x = True\n"),
    "one_and_float": ("x = 1\n", "x = 1.0\n"),
    "nested_constants": ("x = (1, 2)\n", "x = (True, 2)\n"),
    "nested_sets": ("y = x in {1, 2}\n", "y = x in {1.0, 2}\n"),
    "signed_zero": ("x = 0.0\n", "x = -0.0\n"),
    "text_and_bytes": ("x = 'a'\n", "x = b'a'\n"),
    "name": ("x = a\n", "x = b\n"),
    "attribute": ("x.a()\n", "x.b()\n"),
    "assert": ("def f(x):\n    assert x > 1\n", "def f(x):\n    assert x < 1\n"),
    "default": ("def f(x=1):\n    return x\n", "def f(x=2):\n    return x\n"),
    "keyword_only": ("def f(x, y):\n    return x\n", "def f(x, *, y):\n    return x\n"),
    "inner": ("def f():\n    return lambda: 1\n", "def f():\n    return lambda: 2\n"),
    "handler": ("try:\n    f()\nexcept KeyError:\n    pass\n", "try:\n    f()\nexcept IndexError:\n    pass\n"),
    "string_that_is_used": ("x = 'a'\n", "x = 'b'\n"),
    "deep": (DEEP, DEEP.replace("+a\n", "-a\n")),
}
BROKEN = ["def f(:\n", "x = 1\n y = 2\n", "return 1 +\n", "\x00", "(" * 5000]


@pytest.mark.parametrize("name", SAME)
def test_layout_comments_and_docstrings_make_no_other_program(name):
    one, other = SAME[name]
    assert normalised_tree(one) == normalised_tree(other) is not None
    assert fingerprint(one) == fingerprint(other) is not None


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_runs_otherwise_is_another_program(name):
    one, other = DIFFERENT[name]
    assert normalised_tree(one) != normalised_tree(other)
    assert fingerprint(one) != fingerprint(other)


def test_the_compiler_sees_equality_that_the_tree_does_not():
    one, other = "x = 2 * 3\n", "x = 6\n"
    assert fingerprint(one) == fingerprint(other)
    assert normalised_tree(one) != normalised_tree(other)


@pytest.mark.parametrize("source", BROKEN)
def test_what_does_not_parse_is_no_program(source):
    assert normalised_tree(source) is None
    assert fingerprint(source) is None


def test_what_parses_and_does_not_compile_has_a_tree_alone():
    assert normalised_tree("return 1\n") is not None
    assert fingerprint("return 1\n") is None


def screen():
    return Screen(FileTree({"a.py": b"x = 1\n", "b.py": b"y = 1\n", "data.txt": b"1\n"}))


def test_the_screen_turns_away_what_is_the_original_again():
    assert screen().refuse({"a.py": b"x = 1  # one\n"}) is DropReason.EQUAL_CODE
    assert screen().refuse({}) is DropReason.EQUAL_CODE


def test_the_screen_lets_a_change_through_once():
    kept = screen()
    assert kept.refuse({"a.py": b"x = 2\n"}) is None
    assert kept.refuse({"a.py": b"x = 1 + 1\n"}) is DropReason.EQUAL_CODE
    assert kept.refuse({"b.py": b"y = 2\n"}) is None
    assert kept.refuse({"a.py": b"x = 2\n", "b.py": b"y = 2\n"}) is None
    assert kept.refuse({"b.py": b"y = 2 \n", "a.py": b"x = 2 \n"}) is DropReason.EQUAL_CODE


def test_the_screen_turns_away_what_does_not_compile():
    assert screen().refuse({"b.py": b"y = 2\n", "a.py": b"x = = 1\n"}) is DropReason.DOES_NOT_COMPILE


def test_data_files_are_compared_by_their_bytes():
    assert screen().refuse({"data.txt": b"1\n"}) is DropReason.EQUAL_CODE
    assert screen().refuse({"data.txt": b"1 \n"}) is None


def test_the_screen_knows_removed_and_added_files():
    kept = screen()
    assert kept.refuse({"a.py": None}) is None
    assert kept.refuse({"a.py": None}) is DropReason.EQUAL_CODE
    assert kept.refuse({"new.py": b""}) is None


def test_a_source_that_parses_may_still_be_no_program():
    assert syntax_problem(b"from __future__ import annotations\nx = 1\n") is None
    assert syntax_problem(b"def f():\n    'only this'\n") is None
    for wrong in ("x = 1\nfrom __future__ import annotations\n", "return 1\n", "def f(a, a): pass\n", "x = (\n"):
        assert syntax_problem(wrong.encode())
