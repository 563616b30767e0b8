import pytest

from outcomes import Fault, Ok, email, fault, length_between, password, required, sign_up, whole_number

GOOD = {"name": " Robin ", "email": "robin@Example.org", "age": "30", "password": "abcdefg1", "repeat": "abcdefg1"}


def test_a_good_form():
    assert sign_up(GOOD) == Ok({"name": "robin", "email": "robin@example.org", "age": 30, "password": "abcdefg1"})


@pytest.mark.parametrize(
    "change, complaint",
    [
        ({"name": ""}, ("name", "is missing")),
        ({"name": "x"}, ("name", "is shorter than 2")),
        ({"name": "KIM"}, ("name", "is taken")),
        ({"email": " "}, ("email", "is missing")),
        ({"age": "15"}, ("age", "must be from 16 to 120")),
        ({"age": "old"}, ("age", "is not a whole number")),
        ({"repeat": "abcdefg2"}, ("repeat", "differs from the password")),
    ],
)
def test_one_complaint(change, complaint):
    assert sign_up({**GOOD, **change}, taken=frozenset({"kim"})) == Fault((complaint,))


@pytest.mark.parametrize("age", ["", "  "])
def test_age_may_be_left_out(age):
    assert sign_up({**GOOD, "age": age}).value["age"] is None


def test_an_empty_form_gets_every_complaint_in_order():
    assert sign_up({}).complaints == (("name", "is missing"), ("email", "is missing"), ("password", "is missing"))
    assert sign_up({"repeat": "x", "age": "7"}).complaints[2:] == (
        ("age", "must be from 16 to 120"),
        ("password", "is missing"),
        ("repeat", "differs from the password"),
    )


def test_required():
    assert required({"a": " x "}, "a") == Ok("x")
    assert required({"a": "x"}, "b") == fault("b", "is missing")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a", fault("f", "is shorter than 2")),
        ("ab", Ok("ab")),
        ("abc", Ok("abc")),
        ("abcd", fault("f", "is longer than 3")),
    ],
)
def test_length_between(text, expected):
    assert length_between("f", 2, 3)(text) == expected


@pytest.mark.parametrize("text, good", [("-1", False), ("0", True), ("5", True), ("6", False), ("2.0", False)])
def test_whole_number(text, good):
    assert isinstance(whole_number("f", 0, 5)(text), Ok) is good


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a@b.c", Ok("a@b.c")),
        ("A.b@My-Site.CO.uk", Ok("A.b@my-site.co.uk")),
        ("plain", fault("email", "needs one @")),
        ("@b.c", fault("email", "needs one @")),
        ("a@b@c.d", fault("email", "needs one @")),
        ("a@b", fault("email", "has a bad domain")),
        ("a@b..c", fault("email", "has a bad domain")),
        ("a@b.c_d", fault("email", "has a bad domain")),
    ],
)
def test_email(text, expected):
    assert email(text) == expected


@pytest.mark.parametrize(
    "text, messages",
    [
        ("abcdefg1", []),
        ("abcdef1", ["needs 8 characters"]),
        ("abcdefgh", ["needs a digit"]),
        ("12345678", ["needs a letter"]),
        ("?", ["needs a digit", "needs a letter", "needs 8 characters"]),
    ],
)
def test_password(text, messages):
    result = password(text)
    assert result == (Fault(tuple(("password", m) for m in messages)) if messages else Ok(text))
