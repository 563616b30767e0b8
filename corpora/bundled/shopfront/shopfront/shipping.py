"""What sending a cart costs."""

STEPS = [(500, 250), (2000, 490), (10000, 890)]  # up to so many grams: so many cents
FREE_FROM = 5000
EXTRA = {"island": 600, "abroad": 1500}


def parcels(weight):
    """Weights of the parcels: full ones of the largest step, and the rest."""
    largest = STEPS[-1][0]
    full, rest = divmod(weight, largest)
    return [largest] * full + ([rest] if rest else [])


def shipping(weight, subtotal, zone="home"):
    """Free from a certain subtotal on, apart from the zone's extra charge for each parcel."""
    sent = parcels(weight)
    base = 0 if subtotal >= FREE_FROM else sum(_step_price(parcel) for parcel in sent)
    return base + EXTRA.get(zone, 0) * len(sent)


def _step_price(weight):
    return next(price for limit, price in STEPS if weight <= limit)
