"""Guards around calls: argument checks, call budgets, circuit breakers, rollback and scoped changes."""

import functools
import inspect
import os
from contextlib import ContextDecorator, contextmanager


class BudgetExceeded(Exception):
    pass


class CircuitOpen(Exception):
    pass


def checked(**rules):
    """Checks arguments by name, defaults included: a rule is a predicate, or a type, or a tuple of types."""

    def decorate(function):
        signature = inspect.signature(function)
        unknown = sorted(set(rules) - set(signature.parameters))
        if unknown:
            raise TypeError("{} has no parameter {}".format(function.__name__, unknown[0]))

        @functools.wraps(function)
        def guarded(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, rule in rules.items():
                value = bound.arguments[name]
                if isinstance(rule, (type, tuple)):
                    if not isinstance(value, rule):
                        raise TypeError("{}: {!r} has the wrong type".format(name, value))
                elif not rule(value):
                    raise ValueError("{}: {!r} is not allowed".format(name, value))
            return function(*args, **kwargs)

        return guarded

    return decorate


def budget(calls):
    """Allows a number of calls; ``.left`` says how many remain and ``.refill()`` starts over."""

    def decorate(function):
        @functools.wraps(function)
        def guarded(*args, **kwargs):
            if guarded.left <= 0:
                raise BudgetExceeded("{} may be called {} times".format(function.__name__, calls))
            guarded.left -= 1
            return function(*args, **kwargs)

        def refill():
            guarded.left = calls

        guarded.left = calls
        guarded.refill = refill
        return guarded

    return decorate


class Breaker:
    """Stops calling what keeps failing.

    After ``limit`` failures in a row calls are refused for ``rest`` units of ``clock``; then one
    call is let through, and its outcome closes the circuit or opens it again.
    """

    def __init__(self, limit, rest, clock):
        self.limit = limit
        self.rest = rest
        self.clock = clock
        self.failures = 0
        self.opened_at = None

    def __call__(self, function):
        @functools.wraps(function)
        def guarded(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return guarded

    def __enter__(self):
        if self.opened_at is not None and self.clock() - self.opened_at < self.rest:
            raise CircuitOpen("resting until {}".format(self.opened_at + self.rest))
        return self

    def __exit__(self, error_type, error, traceback):
        if error_type is None:
            self.failures, self.opened_at = 0, None
        else:
            self.failures += 1
            if self.failures >= self.limit:
                self.opened_at = self.clock()
        return False


class Rollback:
    """Collects undo steps and, when the block fails, runs them in reverse; an undo that fails is kept in ``errors``."""

    def __init__(self):
        self._steps = []
        self.errors = []

    def on_failure(self, step, *args):
        self._steps.append((step, args))

    def __enter__(self):
        return self

    def __exit__(self, error_type, error, traceback):
        if error_type is not None:
            for step, args in reversed(self._steps):
                try:
                    step(*args)
                except Exception as undo_error:
                    self.errors.append(undo_error)
        self._steps.clear()
        return False


@contextmanager
def environment(**changes):
    """Sets variables for a block, removes those given as None, and puts all of them back."""
    before = {name: os.environ.get(name) for name in changes}
    _apply(changes)
    try:
        yield
    finally:
        _apply(before)


def _apply(values):
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class count_errors(ContextDecorator):
    """Counts errors by type name into ``tally`` and swallows those of the given types."""

    def __init__(self, tally, *swallow):
        self.tally = tally
        self.swallow = swallow

    def __enter__(self):
        return self

    def __exit__(self, error_type, error, traceback):
        if error_type is None:
            return False
        self.tally[error_type.__name__] = self.tally.get(error_type.__name__, 0) + 1
        return issubclass(error_type, self.swallow)
