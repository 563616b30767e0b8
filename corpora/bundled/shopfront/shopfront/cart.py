"""What a customer wants to buy."""

MOST_OF_ONE_ITEM = 20


class Cart:
    """Items with quantities, in the order in which they were first added."""

    def __init__(self, catalogue):
        self._catalogue = catalogue
        self._quantities = {}
        self.coupons = []

    def add(self, sku, quantity=1):
        """Returns the quantity in the cart, which is cut at the most that is sold of one item."""
        item = self._catalogue[sku]
        if quantity < 1:
            raise ValueError("add at least one")
        total = min(self._quantities.get(item, 0) + quantity, MOST_OF_ONE_ITEM)
        self._quantities[item] = total
        return total

    def remove(self, sku, quantity=None):
        """Takes some out, or all; returns what is left of the item."""
        item = self._catalogue[sku]
        had = self._quantities.get(item, 0)
        left = 0 if quantity is None else max(had - quantity, 0)
        if left:
            self._quantities[item] = left
        else:
            self._quantities.pop(item, None)
        return left

    def lines(self):
        return list(self._quantities.items())

    def apply(self, code):
        """Whether the coupon was new to the cart."""
        code = code.strip().upper()
        if code in self.coupons:
            return False
        self.coupons.append(code)
        return True

    @property
    def weight(self):
        return sum(item.weight * quantity for item, quantity in self._quantities.items())

    def __len__(self):
        return sum(self._quantities.values())
