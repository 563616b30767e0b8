"""Tracks stock in dated lots: first in, first out costing, reservations and reordering."""

from collections import defaultdict, deque
from dataclasses import dataclass


class StockError(Exception):
    """A movement that the stock does not allow."""


@dataclass
class Lot:
    """Units of one product bought together, at ``unit_cost`` cents each."""

    quantity: int
    unit_cost: int


@dataclass(frozen=True)
class Product:
    sku: str
    reorder_point: int = 0
    pack_size: int = 1


class Stockroom:
    def __init__(self, products):
        self.products = {product.sku: product for product in products}
        self._lots = defaultdict(deque)
        self._reserved = defaultdict(int)

    def _known(self, sku):
        if sku not in self.products:
            raise StockError(f"unknown product {sku}")

    def on_hand(self, sku):
        self._known(sku)
        return sum(lot.quantity for lot in self._lots[sku])

    def free(self, sku):
        """What is on hand and not reserved."""
        return self.on_hand(sku) - self._reserved[sku]

    def receive(self, sku, quantity, unit_cost):
        """Books a delivery; a delivery at the last lot's price joins that lot."""
        self._known(sku)
        if quantity <= 0 or unit_cost < 0:
            raise StockError("a delivery needs a quantity and a cost")
        lots = self._lots[sku]
        if lots and lots[-1].unit_cost == unit_cost:
            lots[-1].quantity += quantity
        else:
            lots.append(Lot(quantity, unit_cost))

    def reserve(self, sku, quantity):
        """Promises up to ``quantity`` units; returns how many could be promised."""
        promised = max(0, min(quantity, self.free(sku)))
        self._reserved[sku] += promised
        return promised

    def ship(self, sku, quantity, reserved=False):
        """Takes units out, oldest first, and returns what they cost in cents."""
        limit = self._reserved[sku] if reserved else self.free(sku)
        if quantity > limit:
            raise StockError(f"only {limit} of {sku} can be shipped")
        if reserved:
            self._reserved[sku] -= quantity
        cost = 0
        lots = self._lots[sku]
        while quantity:
            taken = min(quantity, lots[0].quantity)
            cost += taken * lots[0].unit_cost
            lots[0].quantity -= taken
            quantity -= taken
            if lots[0].quantity == 0:
                lots.popleft()
        return cost

    def take_back(self, sku, quantity):
        """A customer's return goes to the front, at the oldest cost, so that it leaves next."""
        self._known(sku)
        lots = self._lots[sku]
        if not lots:
            raise StockError(f"no cost is known for {sku}")
        lots[0].quantity += quantity

    def value(self):
        """Cents tied up in everything on hand."""
        return sum(lot.quantity * lot.unit_cost for lots in self._lots.values() for lot in lots)

    def average_cost(self, sku):
        """Cents a unit over all lots, or None when nothing is on hand."""
        count = self.on_hand(sku)
        if count == 0:
            return None
        return sum(lot.quantity * lot.unit_cost for lot in self._lots[sku]) / count

    def reorder(self):
        """What to order, by sku: whole packs that lift each product above its reorder point."""
        orders = {}
        for sku, product in sorted(self.products.items()):
            short = product.reorder_point + 1 - self.free(sku)
            if short > 0:
                packs = -(-short // product.pack_size)
                orders[sku] = packs * product.pack_size
        return orders

    def recount(self, sku, counted):
        """Settles a stock-take: losses leave oldest first, surplus is booked at no cost; returns the difference."""
        difference = counted - self.on_hand(sku)
        if difference > 0:
            self.receive(sku, difference, 0)
        elif difference < 0:
            self._reserved[sku] = min(self._reserved[sku], counted)
            self.ship(sku, -difference)
        return difference
