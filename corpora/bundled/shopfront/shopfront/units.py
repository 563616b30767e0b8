"""Amounts in cents and weights in grams, read and shown."""


def parse_cents(text):
    """``"12.5"`` is 1250; more than two decimals are refused."""
    sign = -1 if text.startswith("-") else 1
    whole, _, decimals = text.lstrip("-").partition(".")
    if len(decimals) > 2:
        raise ValueError("fractions of a cent: " + text)
    return sign * (int(whole or "0") * 100 + int(decimals.ljust(2, "0")))


def show_cents(cents):
    sign = "-" if cents < 0 else ""
    return "{}{}.{:02}".format(sign, abs(cents) // 100, abs(cents) % 100)


def parse_grams(text):
    number, unit = float(text.rstrip("kg")), text.lstrip("0123456789.")
    if unit == "kg":
        return round(number * 1000)
    if unit == "g":
        return round(number)
    raise ValueError("unknown unit: " + text)


def percent_of(cents, percent):
    """A share of an amount, rounded half up for amounts of either sign."""
    scaled = abs(cents) * percent
    share = (scaled + 50) // 100
    return share if cents >= 0 else -share
