import pytest

from formula import FormulaError, evaluate


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("20 - 5 - 3", 12),
        ("48 / 4 / 2", 6.0),
        ("17 % 5 * 2", 4),
        ("2 ^ 3 ^ 2", 512),
        ("-2 ^ 2", -4),
        ("2 * -3", -6),
        ("--7", 7),
        ("-3 * 2 + 10", 4),
        ("1.5 + .25", 1.75),
        ("1 + 2 = 3", True),
        ("2 < 2", False),
        ("2 <= 2", True),
        ("3 <= 2", False),
        ("1 < 2 and 3 < 2", False),
        ("1 = 1 or 1 = 2 and 1 = 3", True),
        ("not 0 and 0", 0),
        ("not 1 = 1", False),
        ("0 or 9", 9),
        ("3 = 3 = 1", True),
        ("1 < 2 < 2", True),
        ("3 <= 1 <= 0", True),
        ("4 = 1 + 3", True),
        ("2 < 1 + 2", True),
        ("2 <= 1 + 3", True),
        ("1 = 3 - 2", True),
        ("0 and 1 = 0", 0),
        ("0 and 1 < 2", 0),
        ("0 and 2 <= 1", 0),
        ("12 * 7 % 5", 4),
        ("7 % 4 / 2", 1.5),
        ("2 + 7 % 4", 5),
        ("2 + 8 / 4", 4.0),
        ("10 - 2 * 3", 4),
        ("-3 % 2", 1),
    ],
)
def test_operators(text, expected):
    assert evaluate(text) == expected


def test_number_types_are_kept():
    assert isinstance(evaluate("3"), int)
    assert isinstance(evaluate("3.0"), float)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("max(3, 9, 4)", 9),
        ("min(3, 9, 1 + 1)", 2),
        ("max(5)", 5),
        ("max(3, 9)", 9),
        ("abs(-4)", 4),
        ("round(2.71828, 2)", 2.72),
        ("round(2.6)", 3),
        ("if(1 < 2, 10, 20)", 10),
        ("if(2 < 1, 10, if(0, 30, 40))", 40),
        ("max(min(8, 3), abs(0 - 2))", 3),
    ],
)
def test_functions(text, expected):
    assert evaluate(text) == expected


def test_variables():
    assert evaluate("price * (1 + tax)", {"price": 200, "tax": 0.25}) == 250


def test_the_untaken_side_is_not_evaluated():
    assert evaluate("if(n = 0, 0, 1 / n)", {"n": 0}) == 0
    assert evaluate("n = 0 or 1 / n", {"n": 0}) is True
    assert evaluate("n and 1 / n", {"n": 0}) == 0
    assert evaluate("n and 1 / n", {"n": 4}) == 0.25


@pytest.mark.parametrize(
    "text, message, position",
    [
        ("1 + ", "expected a value", 4),
        ("* 2", "expected a value", 0),
        ("(1 + 2", "expected '\\)'", 6),
        ("1 2", "unexpected '2'", 2),
        ("x + 1", "unknown name 'x'", 0),
        ("1 + y", "unknown name 'y'", 4),
        ("4 / (2 - 2)", "division by zero", 2),
        ("4 % 0", "division by zero", 2),
        ("2 * hypot(3)", "unknown function 'hypot'", 4),
        ("abs(1, 2)", "wrong number of arguments for abs", 0),
        ("1 + max()", "wrong number of arguments for max", 4),
        ("round(1, 2, 3)", "wrong number", 0),
        ("abs()", "wrong number of arguments for abs", 0),
        ("min()", "wrong number of arguments for min", 0),
        ("round()", "wrong number of arguments for round", 0),
        ("if(1, 2)", "if takes 3", 0),
        ("max(1 2)", "expected '\\)'", 6),
    ],
)
def test_errors_say_where(text, message, position):
    with pytest.raises(FormulaError, match=message) as caught:
        evaluate(text)
    assert caught.value.position == position
