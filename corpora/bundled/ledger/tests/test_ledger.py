import unittest

from ledger import Account, InsufficientFunds, Ledger, LedgerError


class AccountTest(unittest.TestCase):
    def setUp(self):
        self.account = Account("ann", overdraft=50)
        self.account.deposit(100)

    def test_a_new_account_is_empty(self):
        account = Account("new")
        self.assertEqual((account.balance, account.available, account.held), (0, 0, 0))
        self.assertFalse(account.closed)
        self.assertEqual(account.overdraft, 0)

    def test_negative_overdraft(self):
        with self.assertRaises(LedgerError):
            Account("x", overdraft=-1)

    def test_withdraw_down_to_the_overdraft(self):
        self.account.withdraw(150)
        self.assertEqual(self.account.balance, -50)
        self.assertEqual(self.account.available, 0)

    def test_withdraw_too_much(self):
        with self.assertRaises(InsufficientFunds) as caught:
            self.account.withdraw(151)
        self.assertEqual(caught.exception.missing, 1)
        self.assertEqual(str(caught.exception), "ann has 150 available, not 151")
        self.assertEqual(self.account.balance, 100)

    def test_amounts_must_be_positive(self):
        for operation in (self.account.deposit, self.account.withdraw, self.account.hold):
            for amount in (0, -1):
                with self.subTest(operation=operation.__name__, amount=amount):
                    with self.assertRaisesRegex(LedgerError, "positive"):
                        operation(amount)
        self.account.deposit(1)
        self.assertEqual(self.account.balance, 101)

    def test_hold_and_release(self):
        first = self.account.hold(60)
        second = self.account.hold(40)
        self.assertEqual((first, second), (1, 2))
        self.assertEqual((self.account.balance, self.account.held, self.account.available), (100, 100, 50))
        self.assertEqual(self.account.release(first), 60)
        self.assertEqual(self.account.available, 110)
        with self.assertRaisesRegex(LedgerError, "no hold 1 on ann"):
            self.account.release(first)

    def test_hold_limit(self):
        with self.assertRaises(InsufficientFunds):
            self.account.hold(151)
        self.account.hold(150)
        self.assertEqual(self.account.available, 0)

    def test_capture_all(self):
        number = self.account.hold(30)
        self.assertEqual(self.account.capture(number), 30)
        self.assertEqual((self.account.balance, self.account.held), (70, 0))
        with self.assertRaisesRegex(LedgerError, "no hold 1 on ann"):
            self.account.capture(number)

    def test_capture_a_part_releases_the_rest(self):
        number = self.account.hold(30)
        self.assertEqual(self.account.capture(number, 10), 10)
        self.assertEqual((self.account.balance, self.account.available), (90, 140))

    def test_capture_too_much_keeps_the_hold(self):
        number = self.account.hold(30)
        with self.assertRaisesRegex(LedgerError, "only 30 is held"):
            self.account.capture(number, 31)
        self.assertEqual(self.account.capture(number, 30), 30)

    def test_capture_nothing(self):
        number = self.account.hold(30)
        with self.assertRaisesRegex(LedgerError, "positive"):
            self.account.capture(number, 0)

    def test_close(self):
        with self.assertRaisesRegex(LedgerError, "not settled"):
            self.account.close()
        self.account.withdraw(100)
        self.account.close()
        self.assertTrue(self.account.closed)
        with self.assertRaisesRegex(LedgerError, "ann is closed"):
            self.account.deposit(5)

    def test_close_with_a_hold_or_a_debt(self):
        account = Account("bob", overdraft=20)
        number = account.hold(5)
        with self.assertRaises(LedgerError):
            account.close()
        account.capture(number)
        with self.assertRaises(LedgerError):
            account.close()
        self.assertFalse(account.closed)


class LedgerTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()
        self.ledger.open("ann").deposit(1000)
        self.ledger.open("bob", overdraft=10)

    def balances(self):
        return {name: account.balance for name, account in self.ledger.accounts.items()}

    def test_open(self):
        self.assertEqual(self.ledger.account("bob").overdraft, 10)
        with self.assertRaisesRegex(LedgerError, "bob is open already"):
            self.ledger.open("bob")
        with self.assertRaisesRegex(LedgerError, "no account eve"):
            self.ledger.account("eve")

    def test_reopen_a_closed_account(self):
        old = self.ledger.account("bob")
        old.close()
        self.assertIsNot(self.ledger.open("bob"), old)
        self.assertFalse(self.ledger.account("bob").closed)

    def test_transfer_with_a_fee(self):
        self.ledger.transfer("ann", "bob", 300, fee=2)
        self.assertEqual(self.balances(), {"ann": 698, "bob": 300})
        self.assertEqual(self.ledger.journal, [("ann", "bob", 300), ("ann", None, 2)])
        self.assertEqual(self.ledger.statement("ann"), [-300, -2])
        self.assertEqual(self.ledger.statement("bob"), [300])

    def test_transfer_without_a_fee(self):
        self.ledger.transfer("ann", "bob", 1000)
        self.assertEqual(self.balances(), {"ann": 0, "bob": 1000})
        self.assertEqual(self.ledger.journal, [("ann", "bob", 1000)])

    def test_the_fee_counts_towards_the_limit(self):
        with self.assertRaises(InsufficientFunds):
            self.ledger.transfer("ann", "bob", 1000, fee=1)
        self.assertEqual(self.balances(), {"ann": 1000, "bob": 0})
        self.assertEqual(self.ledger.journal, [])

    def test_transfer_to_a_closed_account_changes_nothing(self):
        self.ledger.account("bob").close()
        with self.assertRaisesRegex(LedgerError, "bob is closed"):
            self.ledger.transfer("ann", "bob", 10)
        self.assertEqual(self.balances()["ann"], 1000)

    def test_refused_transfers(self):
        cases = [("ann", "ann", 5, 0, "same"), ("ann", "bob", 5, -1, "fee"), ("ann", "bob", 0, 7, "positive")]
        for source, target, amount, fee, message in cases:
            with self.subTest(message=message):
                with self.assertRaisesRegex(LedgerError, message):
                    self.ledger.transfer(source, target, amount, fee)
        self.assertEqual(self.balances(), {"ann": 1000, "bob": 0})

    def test_interest(self):
        self.ledger.account("bob").withdraw(10)
        self.ledger.open("cat").deposit(399)
        self.ledger.open("dan").deposit(39)
        self.assertEqual(self.ledger.pay_interest(250), 25 + 9)
        self.assertEqual(self.balances(), {"ann": 1025, "bob": -10, "cat": 408, "dan": 39})
        self.assertEqual(self.ledger.statement("cat"), [9])
        self.assertEqual(self.ledger.statement("dan"), [])

    def test_interest_of_one_cent(self):
        self.ledger.open("dan").deposit(40)
        self.assertEqual(self.ledger.pay_interest(250), 26)
