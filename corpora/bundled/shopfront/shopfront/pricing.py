"""What the goods in a cart cost: bundle prices first, then coupons."""

from .units import percent_of


class Bundle:
    """For every ``size`` items with a tag, in one cart, the cheapest is free."""

    def __init__(self, tag, size):
        self.tag = tag
        self.size = size

    def discount(self, lines):
        prices = sorted(
            (item.price for item, quantity in lines if self.tag in item.tags for _ in range(quantity)), reverse=True
        )
        return sum(prices[self.size - 1 :: self.size])


class Coupon:
    """Takes a percentage off what is at least ``minimum`` cents."""

    def __init__(self, percent, minimum=0):
        self.percent = percent
        self.minimum = minimum

    def discount(self, subtotal):
        return percent_of(subtotal, self.percent) if subtotal >= self.minimum else 0


class PriceList:
    def __init__(self, bundles=(), coupons=None):
        self.bundles = list(bundles)
        self.coupons = dict(coupons or {})

    def subtotal(self, cart):
        """Cents for the goods; only the best coupon counts."""
        lines = cart.lines()
        goods = sum(item.price * quantity for item, quantity in lines)
        goods -= sum(bundle.discount(lines) for bundle in self.bundles)
        offers = [self.coupons[code].discount(goods) for code in cart.coupons if code in self.coupons]
        return goods - max(offers, default=0)

    def unknown_coupons(self, cart):
        return [code for code in cart.coupons if code not in self.coupons]
