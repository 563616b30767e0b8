import pytest

from shopfront.cart import MOST_OF_ONE_ITEM, Cart
from shopfront.catalogue import Catalogue, Item
from shopfront.shipping import parcels, shipping
from shopfront.units import parse_cents, parse_grams, percent_of, show_cents

LINES = ["t1; Tea; 4.50; 100g; drink", "", "c1; Cocoa; 3; 0.25kg; drink sweet", "p1; Pot; 29.95; 1.2kg"]


@pytest.fixture
def catalogue():
    return Catalogue.from_lines(LINES)


@pytest.fixture
def cart(catalogue):
    return Cart(catalogue)


@pytest.mark.parametrize("text, cents", [("12.5", 1250), ("3", 300), ("0.05", 5), (".5", 50), ("-1.25", -125)])
def test_parse_cents(text, cents):
    assert parse_cents(text) == cents


@pytest.mark.parametrize("cents, text", [(1250, "12.50"), (5, "0.05"), (-125, "-1.25"), (-5, "-0.05"), (0, "0.00")])
def test_show_cents(cents, text):
    assert show_cents(cents) == text


def test_no_fractions_of_a_cent():
    with pytest.raises(ValueError, match="fractions of a cent: 1.005"):
        parse_cents("1.005")


@pytest.mark.parametrize("text, grams", [("100g", 100), ("1.2kg", 1200), ("0.0006kg", 1), ("2.6g", 3)])
def test_parse_grams(text, grams):
    assert parse_grams(text) == grams


def test_unknown_unit():
    with pytest.raises(ValueError, match="unknown unit: 3"):
        parse_grams("3")


@pytest.mark.parametrize("cents, percent, share", [(1000, 15, 150), (10, 25, 3), (9, 5, 0), (10, 5, 1), (-10, 25, -3), (0, 50, 0)])
def test_percent_of(cents, percent, share):
    assert percent_of(cents, percent) == share


def test_catalogue(catalogue):
    tea = catalogue["t1"]
    assert (tea.name, tea.price, tea.weight, tea.tags) == ("Tea", 450, 100, {"drink"})
    assert catalogue["p1"].tags == frozenset()
    assert [item.sku for item in catalogue.tagged("drink")] == ["c1", "t1"]
    assert catalogue.tagged("none") == []
    with pytest.raises(LookupError, match="no item x9"):
        catalogue["x9"]


def test_items_are_equal_by_sku():
    assert Item("a", "x", 1, 1) == Item("a", "y", 2, 2)
    assert Item("a", "x", 1, 1) != Item("b", "x", 1, 1)
    assert Item("a", "x", 1, 1) != "a"
    assert len({Item("a", "x", 1, 1), Item("a", "y", 2, 2)}) == 1


def test_cart_add(cart):
    assert cart.add("t1") == 1
    assert cart.add("p1", 2) == 2
    assert cart.add("t1", 3) == 4
    assert [(item.sku, quantity) for item, quantity in cart.lines()] == [("t1", 4), ("p1", 2)]
    assert cart.weight == 4 * 100 + 2 * 1200
    assert len(cart) == 6


def test_cart_limits(cart):
    assert MOST_OF_ONE_ITEM == 20
    assert cart.add("t1", 19) == 19
    assert cart.add("t1", 5) == 20
    with pytest.raises(ValueError, match="at least one"):
        cart.add("t1", 0)
    with pytest.raises(LookupError):
        cart.add("x9")


@pytest.mark.parametrize("quantity, left", [(1, 2), (2, 1), (3, 0), (4, 0), (None, 0)])
def test_cart_remove(cart, quantity, left):
    cart.add("t1", 3)
    assert cart.remove("t1", quantity) == left
    assert len(cart) == left
    assert len(cart.lines()) == (1 if left else 0)


def test_removing_what_is_not_there(cart):
    assert cart.remove("t1") == 0


def test_coupons_are_applied_once(cart):
    assert cart.apply("save10 ") is True
    assert cart.apply("SAVE10") is False
    assert cart.coupons == ["SAVE10"]


@pytest.mark.parametrize(
    "weight, split",
    [(0, []), (1, [1]), (10000, [10000]), (10001, [10000, 1]), (25000, [10000, 10000, 5000])],
)
def test_parcels(weight, split):
    assert parcels(weight) == split


@pytest.mark.parametrize(
    "weight, subtotal, zone, cents",
    [
        (500, 100, "home", 250),
        (501, 100, "home", 490),
        (2000, 100, "home", 490),
        (2001, 100, "home", 890),
        (10001, 100, "home", 1140),
        (500, 4999, "home", 250),
        (500, 5000, "home", 0),
        (500, 100, "island", 850),
        (10001, 5000, "abroad", 3000),
    ],
)
def test_shipping(weight, subtotal, zone, cents):
    assert shipping(weight, subtotal, zone) == cents
