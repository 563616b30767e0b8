"""Steps that compare one call with a literal: what becomes of them is plain from the answer to the call.

The test program, run confined, says the same of them, at the cost of a process. Nothing is executed here: arguments and
expectations are literals, and answers that are anything but plain values, or an exception of Python's own, are left to
the test program.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from mendlab.records import Step
from mendlab.verify.confined.function import oracle_steps
from mendlab.verify.confined.function.wire import Malformed, Wire
from mendlab.verify.equivalence.plain import is_plain

ANSWER: Final = "ok"
RAISE: Final = "raise"


class NotPlain(Exception):
    """It takes the test program to say what becomes of a step."""


_FUNCTION: Final = object()


@dataclass(frozen=True, slots=True)
class _Raised:
    """An exception that a candidate raised; it is none here."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class LiteralStep:
    """``assert f(<literals>) == <literal>``; ``says`` is the text that may follow, for where it does not hold."""

    test: str
    text: str
    expected: Any
    says: str | None = None

    @classmethod
    def of(cls, step: Step) -> Self | None:
        """Read a step, or return None where it is anything else."""
        try:
            match ast.parse(step.code).body:
                case [
                    ast.Assert(
                        test=ast.Compare(left=ast.Call(), ops=[ast.Eq()], comparators=[right]) as test,
                        msg=None | ast.Constant(value=str()) as said,
                    )
                ] if step.test_id:
                    says = None if said is None else str(said.value)
                    text = ast.get_source_segment(step.code, test) or ""
                    shortened = oracle_steps.shorten(text, oracle_steps.LONGEST // 2)
                    return cls(step.test_id, shortened, ast.literal_eval(right), says)
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            pass
        return None

    def event(self, asked: Sequence[Any], answer: Sequence[Any]) -> dict[str, Any]:
        """Return what the test program would tell of the answer to a question. Raises NotPlain."""
        error = self._error(asked, answer)
        if error is None:
            return _event(self.test, "passed", "")
        if isinstance(error, _Failed):
            return _event(self.test, "failed", error.message)
        return _event(self.test, "error", oracle_steps.explain(error, oracle_steps.Comparison()))

    def _error(self, asked: Sequence[Any], answer: Sequence[Any]) -> BaseException | None:
        wire = Wire(make=_made)
        comparison = oracle_steps.Comparison()
        try:
            wire.read(asked[1:4])
            value = wire.read(answer[1:4])
            if answer[0] == RAISE and isinstance(value, _Raised):
                return value.error
            if answer[0] != ANSWER or not is_plain(value):
                raise NotPlain
            if comparison(value, "==", self.expected, self.text):
                return None
            return _Failed(_told(comparison, self.says))
        except (Malformed, TypeError, ValueError, RecursionError, MemoryError) as error:
            raise NotPlain from error


class _Failed(Exception):
    """The assertion does not hold."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _told(comparison: oracle_steps.Comparison, says: str | None) -> str:
    return oracle_steps.explain(AssertionError() if says is None else AssertionError(says), comparison)


def _event(test: str, outcome: str, message: str) -> dict[str, Any]:
    return {"test": test, "outcome": outcome, "message": message, "cpu": None}


def _made(tag: str, parts: list[Any]) -> Any:
    """The function that is called, which nobody looks at, and exceptions of Python's own."""
    if tag == "mine":
        return _FUNCTION
    if tag == "exception":
        cls, args, attributes, text = parts
        is_error = isinstance(cls, type) and issubclass(cls, Exception) and not issubclass(cls, MemoryError)
        if is_error and not attributes and text is None and is_plain(args):
            error = cls(*args)
            error.args = args
            return _Raised(error)
    raise Malformed(tag)
