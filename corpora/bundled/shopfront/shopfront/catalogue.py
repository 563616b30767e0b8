"""What is for sale."""

from .units import parse_cents, parse_grams


class Item:
    def __init__(self, sku, name, price, weight, tags=()):
        self.sku = sku
        self.name = name
        self.price = price
        self.weight = weight
        self.tags = frozenset(tags)

    def __eq__(self, other):
        return isinstance(other, Item) and self.sku == other.sku

    def __hash__(self):
        return hash(self.sku)


class Catalogue:
    def __init__(self, items=()):
        self._items = {item.sku: item for item in items}

    @classmethod
    def from_lines(cls, lines):
        """Reads ``sku; name; price; weight; tag tag``; the tags may be left out."""
        items = []
        for line in lines:
            if line.strip():
                sku, name, price, weight, *tags = [part.strip() for part in line.split(";")]
                words = tags[0].split() if tags else []
                items.append(Item(sku, name, parse_cents(price), parse_grams(weight), words))
        return cls(items)

    def __getitem__(self, sku):
        try:
            return self._items[sku]
        except KeyError:
            raise LookupError("no item " + sku) from None

    def tagged(self, tag):
        """Items with a tag, the cheapest first."""
        return sorted((item for item in self._items.values() if tag in item.tags), key=lambda i: (i.price, i.sku))
