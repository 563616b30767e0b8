"""A small shop in six modules: catalogue, units, cart, pricing, shipping and checkout."""

from .cart import Cart
from .catalogue import Catalogue, Item
from .checkout import Checkout, Order

__all__ = ["Cart", "Catalogue", "Checkout", "Item", "Order"]
