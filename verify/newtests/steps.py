"""Cases as steps of a function harness: the same as the file says, compared in the oracle's own process."""

from __future__ import annotations

from collections.abc import Iterable

from mendlab.records import Step, StepGroup
from mendlab.verify.newtests.cases import Case
from mendlab.verify.newtests.spelling import STANDARD

_SETUP = '''\
import asyncio
import math

def agree(actual, expected):
    """Whether two values are equal as the file of the tests has it: numbers of any type, floats to one in a million."""
    if type(expected) in (int, float) and type(actual) in (bool, int, float):
        if isinstance(expected, int):
            return actual == expected
        close = math.isclose(actual, expected, rel_tol=1e-6, abs_tol=1e-12)
        return close or (math.isnan(actual) and math.isnan(expected))
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, (list, tuple)):
        return len(actual) == len(expected) and all(map(agree, actual, expected))
    if isinstance(expected, dict):
        return actual.keys() == expected.keys() and all(agree(actual[key], expected[key]) for key in expected)
    return actual == expected

def agree_in_type(actual, expected):
    """Whether they are, and of one type."""
    return type(actual) is type(expected) and agree(actual, expected)
'''


def make_steps(cases: Iterable[tuple[str, Case]]) -> StepGroup:
    """Return the group of steps for cases, each with its test id."""
    return StepGroup(setup=_SETUP, steps=tuple(Step(code=_code(case), test_id=test_id) for test_id, case in cases))


def _code(case: Case) -> str:
    imports = [f"from {module} import {name}\n" for module, name in case.imports if STANDARD.get(name) == module]
    return "".join(imports) + _check(case)


def _check(case: Case) -> str:
    if case.raises:
        text = case.last if case.form == "sequence" else case.call(case.arguments)
        caught = f"try:\n    {text}\nexcept {case.raises}:\n    pass\n"
        return "\n".join([*case.first, f'{caught}else:\n    raise AssertionError("no {case.raises}")'])
    if case.form == "changes":
        at = case.changed or 0
        given = [*case.arguments[:at], "given", *case.arguments[at + 1 :]]
        return f"given = {case.arguments[at]}\n{case.call(given)}\nassert agree(given, {case.exactly})"
    if case.form == "sequence":
        return "\n".join((*case.first, f"assert agree({case.last}, {case.exactly})"))
    agree = "agree_in_type" if case.form == "has_type" else "agree"
    return f"assert {agree}({case.call(case.arguments)}, {case.exactly})"
