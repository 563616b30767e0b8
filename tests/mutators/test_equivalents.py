"""Rules for equivalent programs: each rewrites its examples to one form, leaves the near ones apart, and is right.

Both programs of every example are run on the same values, which note and vary what is done to them: they must do the
same things in the same order and come to the same end.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mendlab.mutators.equivalents import Facts, Rule, rules
from mendlab.mutators.validity.forms import Forms

EXAMPLES = [pytest.param(r, pair, id=f"{r.name}-{n}") for r in rules() for n, pair in enumerate(r.examples)]
NEAR = [pytest.param(r, pair, id=f"{r.name}-{n}") for r in rules() for n, pair in enumerate(r.near)]


class Odd:
    """Notes what is done to it, and answers as its seed says: now a value, now another one, now an exception."""

    def __init__(self, log: list[str], name: str, seed: int) -> None:
        self._log, self._name, self._seed, self._asked = log, name, seed, 0

    def _answer(self, what: str, values: list[Any]) -> Any:
        self._log.append(f"{self._name}.{what}")
        self._asked += 1
        choice = (self._seed * 7 + self._asked * 3 + len(what)) % (len(values) + 1)
        if choice == len(values):
            raise ArithmeticError(what)
        return values[choice]

    def _other(self, what: str) -> Any:
        return self._answer(what, [Odd(self._log, f"{self._name}'", self._seed + 1), 3, None])

    def __bool__(self) -> bool:
        return bool(self._answer("bool", [True, False, True]))

    def __len__(self) -> int:
        return int(self._answer("len", [0, 1, 2, 3, -1]))

    def __contains__(self, item: object) -> Any:
        return self._answer("contains", [True, False, 2])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._answer("iter", [[], [2, 1], [1, 0, 2], [Odd(self._log, "item", self._seed)]]))

    def __eq__(self, other: object) -> Any:
        return self._answer("eq", [True, False, 0])

    def __lt__(self, other: object) -> Any:
        return self._answer("lt", [True, False, 0])

    def __hash__(self) -> int:
        return int(self._answer("hash", [1, 2]))

    def __int__(self) -> int:
        return int(self._answer("int", [1, 2]))

    def __index__(self) -> int:
        return int(self._answer("index", [0, 3, 5]))

    def __float__(self) -> float:
        return float(self._answer("float", [0.5, -0.0]))

    def __str__(self) -> str:
        return str(self._answer("str", ["x", "y"]))

    def __round__(self, *digits: object) -> Any:
        return self._answer(f"round{digits}", [1, 2])

    def __add__(self, other: object) -> Any:
        return self._other("add")

    def __sub__(self, other: object) -> Any:
        return self._other("sub")

    def __radd__(self, other: object) -> Any:
        return self._other("radd")

    def __neg__(self) -> Any:
        return self._other("neg")

    def __enter__(self) -> Any:
        return self._other("enter")

    def __exit__(self, *_: object) -> bool:
        return bool(self._answer("exit", [False, True]))


PLAIN: list[Callable[[], Any]] = [
    lambda: 0, lambda: 3, lambda: -2.5, lambda: True, lambda: None, lambda: "", lambda: "ab", list, lambda: [3, 1, 2],
    lambda: (1,), lambda: {"k": 1}, lambda: {2, 1}, lambda: ValueError,
]  # fmt: skip


def arguments() -> Iterator[tuple[list[str], list[Any]]]:
    """Values for a, b and c, with the log that they write to."""
    for seed in range(60):
        log: list[str] = []
        yield log, [Odd(log, name, seed + 5 * n) for n, name in enumerate("abc")]
    for made in itertools.islice(itertools.product(PLAIN, repeat=2), 0, None):
        yield [], [*(make() for make in made), 7]


def program(body: str) -> str:
    return f"def f(a, b, c):\n{textwrap.indent(body, '    ')}\n"


def behaviour(body: str) -> list[object]:
    """What a body does with each of the values: what it asks of them and prints, and what it returns or raises."""
    seen: list[object] = []
    for log, values in arguments():
        names: dict[str, Any] = {}
        exec(program(body), names)
        printed = io.StringIO()
        end: object
        with contextlib.redirect_stdout(printed):
            try:
                result = names["f"](*values)
                end = shown(list(itertools.islice(result, 9)) if hasattr(result, "__next__") else result)
            except Exception as error:
                end = type(error)
        shared = [shown(names[name]) for name in ("x", "y") if name in names]
        seen.append((list(log), end, shared, printed.getvalue()))
    return seen


def shown(value: object) -> object:
    if isinstance(value, Odd):
        return value._name
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [shown(item) for item in value]
    if isinstance(value, dict):
        return "dict", [(shown(k), shown(v)) for k, v in value.items()]
    return type(value).__name__, repr(value)


def forms(pair: tuple[str, str]) -> tuple[int, int]:
    """The numbers of the normal forms of two bodies, as of a file and a mutant of it."""
    one, other = (ast.parse(program(body)) for body in pair)
    found = Forms(Facts.of(ast.Module([*one.body, *other.body], [])))
    return found.normal_number(one), found.normal_number(other)


@pytest.mark.parametrize(("rule", "pair"), EXAMPLES)
def test_examples_have_one_form(rule: Rule, pair: tuple[str, str]) -> None:
    one, other = forms(pair)
    assert one == other
    assert ast.dump(ast.parse(program(pair[0]))) != ast.dump(ast.parse(program(pair[1])))


@pytest.mark.parametrize(("rule", "pair"), EXAMPLES)
def test_examples_do_the_same(rule: Rule, pair: tuple[str, str]) -> None:
    assert behaviour(pair[0]) == behaviour(pair[1])


@pytest.mark.parametrize(("rule", "pair"), NEAR)
def test_near_ones_have_two_forms(rule: Rule, pair: tuple[str, str]) -> None:
    one, other = forms(pair)
    assert one != other


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_a_rule_is_proved_and_has_near_ones_that_differ(rule: Rule) -> None:
    assert rule.proof.endswith(".") and rule.examples and rule.near
    assert any(behaviour(one) != behaviour(other) for one, other in rule.near)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are of Python 3.12")
def test_a_type_parameter_binds_its_name() -> None:
    for source in ("def f[len](a): return len(a)", "class A[*len]: pass", "type A[**len] = int"):
        assert Facts.of(ast.parse(source)).rebound == {"len"}


def test_an_argument_unpacked_after_a_default_is_left_alone() -> None:
    node = ast.parse("print(*a, sep=' ', **kw)", mode="eval").body
    found = Forms(Facts.of(node))
    assert found.normal_number(node) == found.number(node)
