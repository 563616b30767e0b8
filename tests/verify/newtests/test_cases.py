"""What a test looks at, and how its parameters are called."""

from __future__ import annotations

import pytest

from mendlab.verify.equivalence.same import Shown
from mendlab.verify.newtests.cases import Signature, exceptions_of, make_case, signatures, snake
from mendlab.verify.newtests.doing import Call, Looked
from mendlab.verify.newtests.spelling import Unspellable


def returns(result, *arguments):
    return Shown("returns", value=(result, arguments, {}))


def case(expected, found, *arguments, signature=Signature(("n",)), **keywords):  # noqa: B008
    looked = Looked(Call("m", "f", (arguments, keywords)), expected, found)
    exceptions = exceptions_of({"m": "class Own(ValueError): pass"})
    return make_case(looked, kind="aimed", shapes={}, signature=signature, exceptions=exceptions)


def test_the_answer_is_looked_at_floats_with_a_tolerance():
    made = case(returns(0.5, 1), returns(0.75, 1), 1)
    assert (made.form, made.expected, made.exactly, made.buggy) == ("returns", "pytest.approx(0.5)", "0.5", "0.75")
    assert made.text == "f(1)"
    assert made.imports == (("m", "f"),)


@pytest.mark.parametrize(("right", "wrong"), [(2, 2.0), (True, 1), ({1}, frozenset({1}))])
def test_the_type_is_looked_at_where_it_alone_differs(right, wrong):
    assert case(returns(right, 1), returns(wrong, 1), 1).form == "has_type"


def test_an_argument_is_looked_at_where_it_alone_differs_or_nothing_is_returned():
    made = case(returns(1, [1], [2]), returns(1, [1], [3]), [1], [0], signature=Signature(("a", "b")))
    assert (made.form, made.changed, made.expected, made.buggy) == ("changes", 1, "[2]", "[3]")
    made = case(returns(None, [1]), returns(7, [1]), [0])
    assert (made.form, made.changed, made.expected) == ("changes", 0, "[1]")


def test_an_exception_comes_from_where_it_is():
    assert case(Shown("raises", "Own"), returns(1, 1), 1).imports == (("m", "Own"), ("m", "f"))
    assert case(Shown("raises", "KeyError"), returns(1, 1), 1).imports == (("m", "f"),)
    with pytest.raises(Unspellable):
        case(Shown("raises", "Strange"), returns(1, 1), 1)


@pytest.mark.parametrize(
    ("parameters", "several", "arguments", "names"),
    [
        (("a", "b"), None, (1, 2), ("a", "b")),
        (("a", "b"), None, (1,), ("a",)),
        (("a",), "rest", (1, 2, 3), ("a", "rest_1", "rest_2")),
        ((), None, (1,), ("argument_1",)),
        (("f", "request", "expected"), None, (1, 2, 3), ("f_", "request_", "expected_")),
    ],
)
def test_parameters_are_called_as_those_of_the_function(parameters, several, arguments, names):
    made = case(returns(0, *arguments), returns(1, *arguments), *arguments, signature=Signature(parameters, several))
    assert made.names == names


def test_named_arguments_stay_so():
    made = case(returns(0, 1), returns(1, 1), 1, base=2)
    assert (made.names, made.text) == (("n", "base"), "f(1, base=2)")


def test_signatures_say_how_a_result_comes_to_its_end():
    found = signatures(
        "def plain(a, *, b): return [x for x in a]\n"
        "def lazy(a): return (x for x in a)\n"
        "def mapped(a): return map(len, a)\n"
        "def steps(a, *more):\n    def inner(): return 1\n    yield inner()\n"
        "async def waits(): return 1\n"
        "def outer():\n    def inner(): yield 1\n    return inner\n"
        "class C:\n    def method(self): yield 1\n"
    )
    assert {name: each.wrapping for name, each in found.items()} == {
        "plain": "",
        "lazy": "list",
        "mapped": "list",
        "steps": "list",
        "waits": "asyncio.run",
        "outer": "",
        "C.method": "list",
    }
    assert (found["steps"].parameters, found["steps"].several) == (("a",), "more")


@pytest.mark.parametrize(
    ("name", "plain"), [("IndexedHeap.pop", "indexed_heap_pop"), ("f", "f"), ("HTTPError", "httperror"), ("_x_", "x")]
)
def test_names_within_names(name, plain):
    assert snake(name) == plain
