"""From a catalogue's text to a receipt: a fault in any module shows here."""

import pytest

from shopfront import Cart, Catalogue, Checkout
from shopfront.checkout import deposit, receipt
from shopfront.pricing import Bundle, Coupon, PriceList

CATALOGUE = Catalogue.from_lines(
    ["t1; Tea; 4.50; 100g; drink", "c1; Cocoa; 3.00; 0.25kg; drink sweet", "p1; Pot of stoneware, blue; 29.95; 1.2kg"]
)
PRICES = PriceList(
    bundles=[Bundle("drink", 3)],
    coupons={"SAVE10": Coupon(10), "BIG20": Coupon(20, minimum=3000)},
)


def cart_of(coupons=(), **quantities):
    cart = Cart(CATALOGUE)
    for sku, quantity in quantities.items():
        cart.add(sku, quantity)
    for code in coupons:
        cart.apply(code)
    return cart


@pytest.mark.parametrize(
    "quantities, cents",
    [
        ({"t1": 1}, 450),
        ({"t1": 2}, 900),
        ({"t1": 3}, 900),
        ({"t1": 2, "c1": 1}, 900),
        ({"t1": 3, "c1": 2}, 450 * 3 + 600 - 450),
        ({"t1": 4, "c1": 2}, 450 * 4 + 600 - 450 - 300),
        ({"p1": 3}, 8985),
    ],
)
def test_bundles(quantities, cents):
    assert PRICES.subtotal(cart_of(**quantities)) == cents


@pytest.mark.parametrize(
    "coupons, cents",
    [
        ([], 2995),
        (["save10"], 2695),
        (["big20"], 2995),
        (["none"], 2995),
        (["big20", "save10"], 2695),
    ],
)
def test_coupons(coupons, cents):
    assert PRICES.subtotal(cart_of(coupons, p1=1)) == cents


def test_the_best_coupon_counts():
    assert PRICES.subtotal(cart_of(["save10", "big20"], p1=2)) == 5990 - 1198


def test_the_minimum_itself_is_enough():
    prices = PriceList(coupons={"A": Coupon(50, minimum=450)})
    assert prices.subtotal(cart_of(["a"], t1=1)) == 225
    assert prices.subtotal(cart_of(["a"], c1=1)) == 300
    assert PriceList().subtotal(cart_of(t1=3)) == 1350


def test_order():
    order = Checkout(PRICES).order(cart_of(["save10", "typo"], t1=3, p1=1))
    assert order.number == 1
    assert (order.subtotal, order.shipping, order.total) == (3505, 490, 3995)
    assert order.tax == 638
    assert order.notes == ["unknown coupon TYPO"]


def test_shipping_is_free_by_the_discounted_subtotal():
    checkout = Checkout(PRICES)
    assert checkout.order(cart_of(["save10"], p1=2)).shipping == 0
    assert checkout.order(cart_of(["big20"], p1=2)).shipping == 890
    assert checkout.order(cart_of(p1=2), zone="abroad").shipping == 1500


def test_order_numbers_rise():
    checkout = Checkout(PRICES, first_number=70)
    assert [checkout.order(cart_of(t1=1)).number for _ in range(3)] == [70, 71, 72]


def test_an_empty_cart_gets_no_number():
    checkout = Checkout(PRICES)
    with pytest.raises(ValueError, match="empty"):
        checkout.order(cart_of())
    assert checkout.order(cart_of(t1=1)).number == 1


def test_receipt():
    order = Checkout(PRICES).order(cart_of(t1=3, p1=1))
    assert receipt(order) == [
        "order 1",
        "3 x Tea                 13.50",
        "1 x Pot of stoneware    29.95",
        "discount                -4.50",
        "shipping                 4.90",
        "total                   43.85",
    ]


def test_receipt_without_a_discount():
    order = Checkout(PRICES).order(cart_of(t1=1))
    assert receipt(order)[1:] == [
        "1 x Tea                  4.50",
        "shipping                 2.50",
        "total                    7.00",
    ]


def test_deposit():
    order = Checkout(PRICES).order(cart_of(t1=1, c1=1))
    assert deposit(order) == 300
    assert deposit(order, 50) == 500
    assert deposit(order._replace(total=995), 30) == 299
