from decimal import Decimal as D

import pytest

from invoice import Invoice, Line


@pytest.fixture
def bill():
    return Invoice(
        [
            Line("paper", 3, D("4.15")),
            Line("ink", 1, D("19.99"), discount=D("0.1")),
            Line("book", 2, D("8.50"), tax_rate=D("0.07")),
            Line("stamp", 10, D("0.80"), tax_rate=D(0)),
        ]
    )


def test_lines(bill):
    assert [str(line.net) for line in bill.lines] == ["12.45", "17.99", "17.00", "8.00"]
    assert bill.lines[0].discount == 0


def test_taxes_by_rate(bill):
    assert bill.taxes() == {D("0.07"): D("1.19"), D("0.20"): D("6.09")}
    assert list(bill.taxes()) == [D("0.07"), D("0.20")]
    assert bill.total == D("62.72")


def test_tax_is_rounded_on_the_sum():
    bill = Invoice([Line("pin", 1, D("0.02")) for _ in range(5)])
    assert bill.taxes() == {D("0.20"): D("0.02")}


def test_taxes_within_prices(bill):
    bill.prices_include_tax = True
    assert bill.taxes() == {D("0.07"): D("1.11"), D("0.20"): D("5.07")}
    assert bill.total == D("55.44")


def test_payments(bill):
    assert bill.pay(D("50")) == 0
    assert bill.due == D("12.72")
    assert bill.pay(D("20")) == D("7.28")
    assert bill.paid == D("62.72")
    assert bill.due == 0
    assert bill.pay(D("1")) == D("1")


@pytest.mark.parametrize("amount", ["0", "-1"])
def test_payments_are_positive(bill, amount):
    with pytest.raises(ValueError, match="positive"):
        bill.pay(D(amount))


def test_small_payment(bill):
    assert bill.pay(D("0.01")) == 0
    assert bill.due == D("62.71")


def test_an_empty_bill():
    bill = Invoice()
    assert (bill.total, bill.due, bill.taxes()) == (0, 0, {})
    assert bill.prices_include_tax is False


@pytest.mark.parametrize("days, fee", [(14, "0.00"), (15, "0.10"), (0, "0.00"), (379, "36.50")])
def test_late_fee(days, fee):
    bill = Invoice([Line("work", 1, D("365"), tax_rate=D(0))])
    assert str(bill.late_fee(days, D("0.10"))) == fee


def test_late_fee_cap_and_grace():
    bill = Invoice([Line("work", 1, D("365"), tax_rate=D(0))])
    assert bill.late_fee(379, D("0.10"), cap=D("20")) == D("20")
    assert bill.late_fee(15, D("0.10"), cap=D("20")) == D("0.10")
    assert bill.late_fee(1, D("0.10"), grace=0) == D("0.10")
    bill.pay(D("265"))
    assert bill.late_fee(379, D("0.10")) == D("10.00")


def test_credit(bill):
    bill.credit("returned ink", D("17.99"))
    assert bill.lines[-1].net == D("-17.99")
    assert bill.taxes()[D("0.20")] == D("2.49")
    with pytest.raises(ValueError, match="only 12.45 can be credited at 0.20"):
        bill.credit("more", D("12.46"))
    bill.credit("all of it", D("12.45"))
    bill.credit("a book", D("8.50"), D("0.07"))
    assert bill.total == D("8.50") + D("0.60") + D("8.00")
