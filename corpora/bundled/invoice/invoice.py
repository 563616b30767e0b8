"""Bills in decimal money: line discounts, tiered prices, taxes by rate, fair splits and late fees."""

from dataclasses import dataclass, field
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Dict, List, Optional, Sequence, Tuple

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def money(amount) -> Decimal:
    """Rounds to cents, halves away from zero; floats are refused because they are not exact."""
    if isinstance(amount, float):
        raise TypeError("money must not be a float")
    return Decimal(amount).quantize(CENT, ROUND_HALF_UP)


def cash(amount: Decimal, coin: Decimal = Decimal("0.05")) -> Decimal:
    """Rounds to what can be paid in coins; halves go to the even number of coins."""
    return ((amount / coin).quantize(Decimal(1), ROUND_HALF_EVEN) * coin).quantize(CENT)


def split(amount: Decimal, weights: Sequence[int]) -> List[Decimal]:
    """Shares in cents that sum to the amount exactly; spare cents go to the largest remainders, earlier shares first."""
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError("weights must not be negative and not all zero")
    exact = [amount * weight / total for weight in weights]
    shares = [share.quantize(CENT, ROUND_DOWN) for share in exact]
    spare = int((amount - sum(shares)) / CENT)
    step = CENT if spare > 0 else -CENT
    by_remainder = sorted(range(len(shares)), key=lambda i: -abs(exact[i] - shares[i]))
    for index in by_remainder[: abs(spare)]:
        shares[index] += step
    return shares


def tiered(quantity: int, tiers: Sequence[Tuple[int, Decimal]]) -> Decimal:
    """The price of a quantity when each tier (from this many units on, unit price) prices only its own units."""
    total = ZERO
    for number, (start, price) in enumerate(tiers):
        end = tiers[number + 1][0] - 1 if number + 1 < len(tiers) else quantity
        units = min(quantity, end) - start + 1
        if units > 0:
            total += units * price
    return money(total)


@dataclass(frozen=True)
class Line:
    text: str
    quantity: int
    unit_price: Decimal
    discount: Decimal = Decimal(0)
    tax_rate: Decimal = Decimal("0.20")

    @property
    def net(self) -> Decimal:
        return money(self.quantity * self.unit_price * (1 - self.discount))


@dataclass
class Invoice:
    """Tax is computed on each rate's sum, not line by line."""

    lines: List[Line] = field(default_factory=list)
    paid: Decimal = ZERO
    prices_include_tax: bool = False

    def taxes(self) -> Dict[Decimal, Decimal]:
        """Tax by rate, rates in rising order, zero rates left out."""
        sums: Dict[Decimal, Decimal] = {}
        for line in self.lines:
            sums[line.tax_rate] = sums.get(line.tax_rate, ZERO) + line.net
        if self.prices_include_tax:
            return {rate: money(sums[rate] - sums[rate] / (1 + rate)) for rate in sorted(sums) if rate}
        return {rate: money(sums[rate] * rate) for rate in sorted(sums) if rate}

    @property
    def total(self) -> Decimal:
        net = sum((line.net for line in self.lines), ZERO)
        if self.prices_include_tax:
            return net
        return net + sum(self.taxes().values(), ZERO)

    @property
    def due(self) -> Decimal:
        return max(self.total - self.paid, ZERO)

    def pay(self, amount: Decimal) -> Decimal:
        """Books a payment and returns the change."""
        if amount <= 0:
            raise ValueError("a payment must be positive")
        change = max(amount - self.due, ZERO)
        self.paid += amount - change
        return change

    def late_fee(self, days: int, yearly_rate: Decimal, grace: int = 14, cap: Optional[Decimal] = None) -> Decimal:
        """Simple interest for the days after the grace period, up to a cap."""
        if days <= grace:
            return ZERO
        fee = money(self.due * yearly_rate * (days - grace) / 365)
        return fee if cap is None else min(fee, cap)

    def credit(self, text: str, amount: Decimal, tax_rate: Decimal = Decimal("0.20")) -> None:
        """Adds a line that takes an amount off, never more than the lines at that rate come to."""
        limit = sum((line.net for line in self.lines if line.tax_rate == tax_rate), ZERO)
        if amount > limit:
            raise ValueError("only {} can be credited at {}".format(limit, tax_rate))
        self.lines.append(Line(text, 1, -amount, tax_rate=tax_rate))
