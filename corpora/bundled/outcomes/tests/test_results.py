import pytest

from outcomes import Fault, Ok, attempt, fault, first_ok, gather


def half(number):
    return Ok(number // 2) if number % 2 == 0 else fault("n", "{} is odd".format(number))


def test_ok_goes_on():
    assert Ok(8).then(half).then(half) == Ok(2)
    assert Ok(8).map(str) == Ok("8")
    assert Ok(0).or_else(5) == 0


def test_fault_stays():
    failed = Ok(6).then(half).then(half)
    assert failed == fault("n", "3 is odd")
    assert failed.then(half) is failed
    assert failed.map(str) is failed
    assert failed.or_else(5) == 5


def test_fault_holds_one_complaint():
    assert fault("a", "b").complaints == (("a", "b"),)


@pytest.mark.parametrize(
    "call, args, expected",
    [
        (int, ("12",), Ok(12)),
        ({"a": 1}.__getitem__, ("a",), Ok(1)),
        ({"a": 1}.__getitem__, ("b",), fault("f", "unknown key b")),
        ([].pop, (), fault("f", "pop from empty list")),
    ],
)
def test_attempt(call, args, expected):
    assert attempt("f", call, *args) == expected


def test_attempt_turns_value_errors_into_their_text():
    def refuse():
        raise ValueError("no good")

    assert attempt("f", refuse) == fault("f", "no good")


def test_attempt_lets_other_errors_through():
    with pytest.raises(TypeError):
        attempt("f", int, None)


def test_gather():
    assert gather({"a": Ok(1), "b": Ok(2)}) == Ok({"a": 1, "b": 2})
    assert gather({}) == Ok({})
    two = Fault((("x", "1"), ("x", "2")))
    assert gather({"a": two, "b": Ok(2), "c": fault("y", "3")}) == Fault((("x", "1"), ("x", "2"), ("y", "3")))


def test_first_ok():
    assert first_ok([fault("a", "1"), Ok(2), Ok(3)]) == Ok(2)
    assert first_ok([fault("a", "1"), fault("b", "2")]) == fault("b", "2")
    assert first_ok([]) == fault("", "nothing to try")


def test_first_ok_is_lazy():
    def results():
        yield Ok(1)
        raise AssertionError("asked for too much")

    assert first_ok(results()) == Ok(1)
