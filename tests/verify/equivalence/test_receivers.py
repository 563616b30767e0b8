"""Methods are compared with their receivers, and a helper by itself where it alone differs."""

import pytest

from mendlab.verify.equivalence.recording import record_calls
from mendlab.verify.equivalence.same import show_call

ACCOUNT = """import enum
from collections import namedtuple

class Kind(enum.Enum):
    IN = 1
    OUT = 2

Entry = namedtuple("Entry", "kind amount")

class Account:
    rate = 2

    def __init__(self, balance):
        self.balance = balance
        self.entries = []

    def pay(self, amount):
        self.balance += amount
        self.entries.append(Entry(Kind.IN, amount))
        return self.balance

    @property
    def doubled(self):
        return self.balance * self.rate

    @classmethod
    def empty(cls):
        return cls(0)

    @staticmethod
    def fee(amount):
        return amount // 10
"""
USE = "a = Account(5)\na.pay(7)\na.doubled\nAccount.empty()\nAccount.fee(30)\na.pay(8)"


def test_receivers_are_recorded_as_they_are_before_the_call(bench, task_of):
    tree, task = task_of(ACCOUNT, [USE])
    calls = [show_call(call) for call in record_calls(task, tree, bench).calls]
    assert [call for call in calls if ".pay" in call] == [
        "solution.Account.pay(Account(balance=5, entries=[]), 7)",
        "solution.Account.pay(Account(balance=12, entries=[Entry(Kind.IN, 7)]), 8)",
    ]
    assert {call.partition("(")[0] for call in calls} == {
        f"solution.Account.{name}" for name in ("__init__", "pay", "doubled", "empty", "fee")
    }


@pytest.mark.parametrize(
    ("old", "new", "call"),
    [
        ("self.balance += amount", "self.balance += abs(amount)", None),
        ("return self.balance\n", "return amount\n", "Account.pay"),
        ("Kind.IN, amount", "Kind.OUT, amount", "Account.pay"),
        ("Entry(Kind.IN, amount)", "(Kind.IN, amount)", "Account.pay"),
        ("self.entries.append(Entry(Kind.IN, amount))", "pass", "Account.pay"),
        ("self.balance * self.rate", "self.balance + 5", "Account.doubled"),
        ("cls(0)", "cls(1)", "Account.empty"),
        ("amount // 10", "3", "Account.fee"),
        ("self.entries = []", "self.entries = ()", "Account.empty"),
    ],
)
def test_a_method_that_differs_is_told_by_its_result_or_its_receiver(differ, old, new, call):
    assert ACCOUNT.count(old) == 1
    witness = differ(ACCOUNT, ACCOUNT.replace(old, new), USE).witness
    if call is None:
        assert witness is None
    else:
        assert witness.call.startswith(f"solution.{call}(")


HELPED = """def total(items):
    return sum(scaled(item) for item in items if item < 50)

def scaled(item):
    return item * 2 if item >= 0 else 0
"""


def test_a_helper_is_compared_by_itself_where_it_alone_differs(differ):
    other = HELPED.replace("return item * 2 if item", "return item + item + 0 * (item > 9) if item")
    found = differ(HELPED, other, "total([1, 2])", "total([70, 3])", "total([4, 9, 20])")
    assert found.sources["inner"] == 6
    assert found.witness is None


def test_a_helper_that_keeps_something_for_itself_is_told_on_the_calls_that_it_gets(differ):
    good = "def f(x):\n    table = {}\n    note(table, x)\n    return x\n\ndef note(table, x):\n    table[x] = x\n"
    found = differ(good, good.replace("table[x] = x", "table[x] = -x"), "f(3)", "f(4)")
    assert found.witness.call == "solution.note({}, 1)"


def test_what_a_helper_is_never_asked_for_decides_nothing(differ):
    other = HELPED.replace("item * 2 if item", "item * 2 + (item > 60) if item")
    found = differ(HELPED, other, "total([1, 2])", "total([70, 3])", "total([4, 9, 20])")
    assert found.witness is None
    assert found.advice.call.startswith("solution.scaled(")


def test_a_helper_does_not_count_where_its_caller_differs_too(differ):
    other = HELPED.replace("scaled(item) for", "2 * scaled(item) for").replace("item * 2 if", "item if")
    found = differ(HELPED, other, "total([1, 2])", "total([70, 3])", "total([4, 9, 20])")
    assert found.witness is None
    assert "inner" not in found.sources


HISTORY = """class Account:
    def __init__(self, history):
        self.history = list(history)

    def deposit(self, amount):
        self.history.append(amount)
        return self
"""
OPENED = ["a = Account([1, 2])\na.deposit(4)", "Account([]).deposit(3)"]


@pytest.mark.parametrize(
    ("old", "new", "call"),
    [
        ("list(history)", "history", "solution.Account.__init__(Account(), [])"),
        ("return self\n", "return Account(self.history)\n", None),
        ("list(history)", "list(history)\n        self.kept = 1", "solution.Account.__init__(Account(), [])"),
    ],
)
def test_which_parts_of_a_receiver_are_one_object_counts(differ, old, new, call):
    assert HISTORY.count(old) == 1
    witness = differ(HISTORY, HISTORY.replace(old, new), *OPENED).witness
    assert witness is not None
    assert call is None or witness.call == call


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("list(history)", "list(history)\n        self._cached = None"),
        ("list(history)", "[*history]"),
        ("        self.history = list(history)", "        self._size = 0\n        self.history = list(history)"),
    ],
)
def test_further_private_attributes_decide_nothing(differ, old, new):
    assert HISTORY.count(old) == 1
    assert differ(HISTORY, HISTORY.replace(old, new), *OPENED).witness is None


def test_what_a_receiver_keeps_for_itself_and_reads_again_is_not_known_to_be_the_same(differ):
    counting = HISTORY.replace(
        "        return self\n",
        "        self._n = getattr(self, '_n', 0) + 1\n        return self if self._n < 9 else None\n",
    )
    assert differ(HISTORY, counting, *OPENED) is None
