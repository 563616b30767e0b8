"""Keeps bank accounts in whole cents, with overdrafts, holds and all-or-nothing transfers."""

import itertools


class LedgerError(Exception):
    """An operation that the ledger refuses; nothing has changed."""


class InsufficientFunds(LedgerError):
    def __init__(self, account, wanted):
        super().__init__("{} has {} available, not {}".format(account.name, account.available, wanted))
        self.missing = wanted - account.available


class Account:
    """One account. ``balance`` counts held money too; ``available`` does not."""

    def __init__(self, name, overdraft=0):
        if overdraft < 0:
            raise LedgerError("an overdraft limit cannot be negative")
        self.name = name
        self.overdraft = overdraft
        self.balance = 0
        self.closed = False
        self._holds = {}
        self._numbers = itertools.count(1)

    @property
    def held(self):
        return sum(self._holds.values())

    @property
    def available(self):
        return self.balance + self.overdraft - self.held

    def deposit(self, amount):
        self._check(amount)
        self.balance += amount

    def withdraw(self, amount):
        self._check(amount)
        if amount > self.available:
            raise InsufficientFunds(self, amount)
        self.balance -= amount

    def hold(self, amount):
        """Sets money aside and returns the hold's number."""
        self._check(amount)
        if amount > self.available:
            raise InsufficientFunds(self, amount)
        number = next(self._numbers)
        self._holds[number] = amount
        return number

    def release(self, number):
        """Makes held money available again and returns how much it was."""
        try:
            return self._holds.pop(number)
        except KeyError:
            raise LedgerError("no hold {} on {}".format(number, self.name)) from None

    def capture(self, number, amount=None):
        """Takes held money, all or a part of it; the rest of the hold is released."""
        held = self._holds.get(number)
        if held is None:
            raise LedgerError("no hold {} on {}".format(number, self.name))
        taken = held if amount is None else amount
        self._check(taken)
        if taken > held:
            raise LedgerError("only {} is held".format(held))
        del self._holds[number]
        self.balance -= taken
        return taken

    def close(self):
        if self.balance != 0 or self._holds:
            raise LedgerError("{} is not settled".format(self.name))
        self.closed = True

    def _check(self, amount):
        if self.closed:
            raise LedgerError("{} is closed".format(self.name))
        if amount <= 0:
            raise LedgerError("an amount must be positive")


class Ledger:
    """Accounts by name, and a journal of what happened."""

    def __init__(self):
        self.accounts = {}
        self.journal = []

    def open(self, name, overdraft=0):
        if name in self.accounts and not self.accounts[name].closed:
            raise LedgerError("{} is open already".format(name))
        self.accounts[name] = Account(name, overdraft)
        return self.accounts[name]

    def account(self, name):
        if name not in self.accounts:
            raise LedgerError("no account {}".format(name))
        return self.accounts[name]

    def transfer(self, source, target, amount, fee=0):
        """Moves ``amount``; the source pays ``fee`` on top. Either both sides happen or neither."""
        giver, taker = self.account(source), self.account(target)
        if giver is taker:
            raise LedgerError("source and target are the same")
        if fee < 0:
            raise LedgerError("a fee cannot be negative")
        taker._check(amount)
        giver.withdraw(amount + fee)
        taker.deposit(amount)
        self.journal.append((source, target, amount))
        if fee:
            self.journal.append((source, None, fee))

    def pay_interest(self, basis_points):
        """Credits each positive balance, rounding down to the cent; returns what was paid in all."""
        paid = 0
        for account in self.accounts.values():
            interest = max(account.balance, 0) * basis_points // 10000
            if interest > 0:
                account.deposit(interest)
                self.journal.append((None, account.name, interest))
                paid += interest
        return paid

    def statement(self, name):
        """The signed amounts of the journal that touch one account."""
        signed = []
        for source, target, amount in self.journal:
            if source == name:
                signed.append(-amount)
            elif target == name:
                signed.append(amount)
        return signed
