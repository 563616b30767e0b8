from __future__ import annotations

import pytest

from mendlab.corpora.split_tests import split_check, split_script
from mendlab.errors import FormatError, InputError

CHECK = '''
import math

METADATA = {"author": "me"}

def near(a, b):
    return math.isclose(a, b)

def check(candidate):
    """Not a test."""
    print("start")
    # a comment
    assert candidate(2) == 4, "two"  # why
    rows = [1,
            2]
    for row in rows:
        assert near(candidate(row), row * row)
    assert True, "always"
    assert candidate("""a
    b""") == """
    c"""; assert candidate(0) == 0
'''


def test_each_assertion_of_check_is_a_test_in_its_own_words() -> None:
    group = split_check(CHECK, "square")
    assert group.setup == (
        'import math\nMETADATA = {"author": "me"}\ndef near(a, b):\n    return math.isclose(a, b)\ncandidate = square\n'
    )
    assert [(step.test_id, step.code) for step in group.steps] == [
        ("check[0]", 'assert candidate(2) == 4, "two"  # why'),
        (None, "rows = [1,\n        2]"),
        ("check[1]", "for row in rows:\n    assert near(candidate(row), row * row)"),
        ("check[2]", 'assert candidate("""a\n    b""") == """\n    c"""'),
        ("check[3]", "assert candidate(0) == 0"),
    ]


def test_a_parameter_called_as_the_entry_point_is_not_bound_anew_and_the_final_call_is_dropped() -> None:
    group = split_check("def check(square):\n    assert square(2) == 4\n\ncheck(square)\n", "square")
    assert group.setup == ""
    assert [step.test_id for step in group.steps] == ["check[0]"]


@pytest.mark.parametrize(
    "body",
    [
        "if candidate(1):\n        return\n    assert candidate(2)",
        "x = 1\n    def f():\n        nonlocal x\n    assert candidate(x)",
        "assert locals()['candidate'](1)",
        "def inner():\n        yield 1\n    yield\n    assert candidate(1)",
        "assert True",
        "LIMIT = 1\n    assert within(candidate(1))",
    ],
)
def test_a_body_that_would_mean_something_else_outside_stays_whole(body: str) -> None:
    test = f"LIMIT = 9\ndef within(x):\n    return x < LIMIT\ndef check(candidate):\n    {body}\n"
    group = split_check(test, "f")
    assert [(step.test_id, step.code) for step in group.steps] == [("check", "check(f)")]
    assert "def check(candidate):" in group.setup


def test_a_generator_inside_check_does_not_keep_it_whole() -> None:
    test = "def check(candidate):\n    def inner():\n        yield 1\n    assert candidate(list(inner()))\n"
    assert [step.test_id for step in split_check(test, "f").steps] == [None, "check[0]"]


def test_a_call_of_a_helper_that_asserts_is_a_test() -> None:
    test = "def same(a, b):\n    assert a == b\ndef check(c):\n    same(c(1), 1)\n    same(2, c(2))\n"
    assert [step.test_id for step in split_check(test, "f").steps] == ["check[0]", "check[1]"]


def test_what_is_no_check_is_said() -> None:
    with pytest.raises(FormatError, match="no function check"):
        split_check("assert f(1)", "f")
    with pytest.raises(InputError, match=r"test:2: not valid Python"):
        split_check("x = 1\ndef check(:", "f")


def test_a_script_of_functions_runs_them_in_the_order_of_their_calls_with_what_they_share() -> None:
    script = (
        "class Node:\n    pass\n\nnode = Node()\n\n"
        "def test1():\n    assert f(node)\n\ndef test2():\n    node.x = f(1)\n\ndef test3():\n    assert f(3)\n\n"
        "test2()\ntest1()\n"
    )
    group = split_script(script)
    assert group.setup.startswith("class Node:\n    pass\nnode = Node()\ndef test1():")
    assert [(step.test_id, step.code) for step in group.steps] == [
        ("test2", "test2()"),
        ("test1", "test1()"),
        ("test3", "test3()"),
    ]


def test_a_script_of_asserts() -> None:
    group = split_script("x = 1\nassert f(x)\nx = 2\nassert f(x)\n")
    assert group.setup == "x = 1\n"
    assert [(step.test_id, step.code) for step in group.steps] == [
        ("assert[0]", "assert f(x)"),
        (None, "x = 2"),
        ("assert[1]", "assert f(x)"),
    ]
    with pytest.raises(FormatError, match="no assert"):
        split_script("f(1)\n")
