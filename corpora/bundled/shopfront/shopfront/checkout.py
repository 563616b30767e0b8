"""Turns carts into numbered orders."""

from collections import namedtuple

from .shipping import shipping
from .units import percent_of, show_cents

Order = namedtuple("Order", "number lines subtotal shipping total tax notes")
TAX_PERCENT = 19


class Checkout:
    def __init__(self, prices, first_number=1):
        self.prices = prices
        self._next = first_number

    def order(self, cart, zone="home"):
        """An order with a fresh number; tax is what the total contains."""
        if not len(cart):
            raise ValueError("the cart is empty")
        subtotal = self.prices.subtotal(cart)
        postage = shipping(cart.weight, subtotal, zone)
        total = subtotal + postage
        tax = total - round(total * 100 / (100 + TAX_PERCENT))
        notes = ["unknown coupon " + code for code in self.prices.unknown_coupons(cart)]
        order = Order(self._next, cart.lines(), subtotal, postage, total, tax, notes)
        self._next += 1
        return order


def receipt(order):
    """Lines of text; what the discounts came to is shown when there were any."""
    full = sum(item.price * quantity for item, quantity in order.lines)
    rows = [("{} x {}".format(quantity, item.name), item.price * quantity) for item, quantity in order.lines]
    if full != order.subtotal:
        rows.append(("discount", order.subtotal - full))
    rows += [("shipping", order.shipping), ("total", order.total)]
    lines = ["order {}".format(order.number)]
    lines += ["{:<20}{:>9}".format(text[:20], show_cents(cents)) for text, cents in rows]
    return lines


def deposit(order, percent=30):
    """What is to be paid in advance."""
    return percent_of(order.total, percent)
