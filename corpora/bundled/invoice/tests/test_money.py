from decimal import Decimal as D

import pytest

from invoice import cash, money, split, tiered


@pytest.mark.parametrize(
    "amount, rounded",
    [("1.004", "1.00"), ("1.005", "1.01"), ("1.015", "1.02"), ("-1.005", "-1.01"), (3, "3.00"), (D("2.999"), "3.00")],
)
def test_money(amount, rounded):
    assert str(money(amount)) == rounded


def test_floats_are_refused():
    with pytest.raises(TypeError, match="float"):
        money(1.5)


@pytest.mark.parametrize(
    "amount, coin, paid",
    [("1.02", "0.05", "1.00"), ("1.03", "0.05", "1.05"), ("1.025", "0.05", "1.00"), ("1.075", "0.05", "1.10"), ("2.50", "1", "2.00"), ("3.50", "1", "4.00")],
)
def test_cash(amount, coin, paid):
    assert str(cash(D(amount), D(coin))) == paid


def test_smallest_coin_unless_told():
    assert cash(D("9.98")) == D("10.00")


@pytest.mark.parametrize(
    "amount, weights, shares",
    [
        ("10.00", [1, 1], "5.00 5.00"),
        ("10.00", [1, 1, 1], "3.34 3.33 3.33"),
        ("0.05", [1, 1, 1], "0.02 0.02 0.01"),
        ("10.01", [3, 1], "7.51 2.50"),
        ("1.00", [1, 2, 3], "0.17 0.33 0.50"),
        ("-10.00", [1, 1, 1], "-3.34 -3.33 -3.33"),
        ("7.77", [0, 1], "0.00 7.77"),
        ("0.00", [1, 1], "0.00 0.00"),
    ],
)
def test_split(amount, weights, shares):
    assert [str(share) for share in split(D(amount), weights)] == shares.split()


@pytest.mark.parametrize("weights", [[0, 0], [2, -1], []])
def test_bad_weights(weights):
    with pytest.raises(ValueError):
        split(D(1), weights)


@pytest.mark.parametrize(
    "quantity, price",
    [(0, "0.00"), (1, "2.00"), (10, "20.00"), (11, "21.50"), (50, "80.00"), (51, "81.00"), (53, "83.00")],
)
def test_tiered(quantity, price):
    assert str(tiered(quantity, [(1, D("2")), (11, D("1.5")), (51, D("1"))])) == price


def test_tiered_rounds_at_the_end():
    assert tiered(3, [(1, D("0.005"))]) == D("0.02")
