"""Probes tell what a trace function tells of every statement, and change nothing that a program can see."""

import ast
import re

import pytest

from mendlab.verify.engines.coverage import statement_lines

PROGRAM = '''\
"""The module's docstring."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import marshal
import pickle
from typing import TYPE_CHECKING
from other import *

if TYPE_CHECKING:
    import nowhere

KEPT = {}
total = 0


def plain(x: (lambda: 0) = 1, *, key: int = 2) -> "a result":
    """Its docstring."""
    global total
    total += x; y = x
    if x > 2: y += 1
    elif x > 1:
        y += 2
    else:
        pass
    return (
        y
        + key
    )


def only_docstring():
    """Nothing else."""


def loops(items):
    found = []
    for item in items:
        if not item:
            continue
        found.append(item)
        if item == 9:
            break
    else:
        found.append("none")
    while found and found[-1] == 9:
        found.pop()
    else:
        found += [1 for n in found if n]
    return found


def tries(what):
    try:
        if what == "raise":
            raise ValueError(
                what
            )
        elif what == "other":
            1 / 0
    except ValueError as error:
        return str(error)
    except (
        ZeroDivisionError
    ):
        with contextlib.suppress(KeyError), contextlib.suppress(IndexError):
            {}[1]
            total_of_nothing = 1
        return "zero"
    else:
        what += "!"
    finally:
        what = 1
        del what
    return "end"


def later():
    if "later" not in KEPT:
        KEPT["later"] = lambda n: (
            n + 1
        )
        KEPT["few"] = (
            n * 2 for n in range(100)
            if n
        )
    return 0


def lazily():
    later()
    return KEPT["later"](1) + next(KEPT["few"])


def generates():
    """A generator."""
    n = 0
    while True:
        n += 1
        got = yield n
        if got: n = 0
        yield -n


def resumes():
    if "running" not in KEPT:
        KEPT["running"] = generates()
    return next(KEPT["running"])


async def waits(n):
    async def inner():
        return n
    if n:
        return await inner()
    async with asyncio.Lock():
        n = [x async for x in ticks()]
    async for x in ticks():
        n.append(x)
    return n


async def ticks():
    for n in range(2):
        yield n
        await asyncio.sleep(0)


def runs(n):
    return asyncio.run(waits(n))


class Thing:
    """The class's docstring."""

    side: int = 1
    double = property(lambda self: self.side * 2)

    def __init__(self, side=1): self.side = side

    @property
    @functools.lru_cache(
        maxsize=None
    )
    def area(self):
        "Short."
        def square(): return self.side ** 2
        class Inner: value = square()
        return Inner.value

    def counts(self):
        count = 0
        def step():
            nonlocal count
            count += 1
            return count
        return step() + step()


class Bare:
    """Only this."""


def makes():
    return Thing(3).area + Thing(2).counts() + Thing(1).double


def own_code():
    code = own_code.__code__
    constants = [c for c in code.co_consts if not isinstance(c, type(code))]
    pickle.loads(pickle.dumps(constants))
    marshal.dumps(code)
    return [code.co_name, code.co_names, code.co_varnames, code.co_firstlineno, {code: 1}[code], code == code]


def fails(n):
    assert n
    boom = (n,
        1 / (n - 1))
    return boom
'''
CASES = [
    *("plain(1)", "plain(2)", "plain(3)", "only_docstring()", "loops([])", "loops([0, 1, 9])", "loops([9, 8])"),
    *("tries('')", "tries('raise')", "tries('other')", "later()", "lazily()", "lazily()", "resumes()", "resumes()"),
    *("resumes()", "runs(1)", "runs(0)", "makes()", "own_code()", "fails(0)", "fails(1)", "fails(2)"),
]
MATCHING = """\
def matches(x):
    match x:
        case 1 | 2:
            return "few"
        case [a, *rest] if a:
            return rest
        case {"k": v}: return v
        case _:
            pass
"""
MATCHED = ["1", "[1, 2]", "[0]", "{'k': 5}", "7"]
RESUMED = {"got = yield n", "yield -n"}
"""A trace says nothing of the rest of a line at which a generator goes on."""
SHARED = {"total_of_nothing = 1", 'case {"k": v}: return v'}
"""A trace has this line, too, when a ``with`` ends by an error (3.8, 3.9), and when the pattern before it is tried."""
OBSERVE = """
import inspect, json, linecache, traceback, types
work = os.path.realpath(os.getcwd())
lines = load("pytest_run_lines")
tracer = None
seen = set()

def trace(frame, event, argument):
    if frame.f_code.co_filename.endswith("program.py"):
        if event == "line":
            seen.add(frame.f_lineno)
        return trace

if MODE == "trace":
    sys.settrace(trace)
else:
    tracer = lines.Tracer(work)
for name in ("pytest_run_lines", "probes", "instrumented"):
    del sys.modules[name]
import program
told = [sorted(seen)] if tracer is None else [tracer.common()["program.py"]]
if tracer is not None:
    tracer.switch()
results = []
for case in CASES:
    seen.clear()
    try:
        result = repr(eval(case, vars(program)))
    except Exception as error:
        result = [repr(error), [line for _, line, _, _ in traceback.extract_tb(error.__traceback__)[1:]]]
    results.append(result)
    told.append(sorted(seen) if tracer is None else tracer.switch().get("program.py", []))
sys.settrace(None)

def look(name, value):
    about = [name, type(value).__name__, value.__doc__ if isinstance(value, (type, types.FunctionType)) else None]
    if isinstance(value, types.FunctionType):
        code = value.__code__
        about += [inspect.getsource(value), code.co_names, code.co_varnames, code.co_freevars, code.co_firstlineno]
        about += [code.co_flags, str(value.__annotations__)]
    if isinstance(value, type):
        about += [look(key, item) for key, item in vars(value).items() if key not in ("__dict__", "__weakref__")]
    return about

shown = [look(name, value) for name, value in vars(program).items() if name not in ("__builtins__", "__cached__")]
print(json.dumps([told, results, shown], default=str))
"""


def observe(each_python, mode, program, cases):
    files = {"program.py": program, "other.py": "__all__ = ['OTHER']\nOTHER = 1\nHIDDEN = 2\n"}
    script = f"sys.modules['__main__'].load = load\nMODE, CASES = {mode!r}, {cases!r}\n" + OBSERVE
    told, results, shown = each_python(script, files)
    return told, results, re.sub(r" at 0x[0-9a-f]+", "", repr(shown))


def statements(program):
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.stmt):
            yield node, (min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]), node.end_lineno)


def has_no_code(node):
    """Whether some Pythons make no code of a statement, so that its line is not traced."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Pass | ast.Global | ast.Nonlocal)


@pytest.mark.parametrize("program", ["most", "match"])
def test_probes_tell_what_a_trace_tells(each_python, request, program):
    text, cases = (PROGRAM, CASES) if program == "most" else (MATCHING, [f"matches({x})" for x in MATCHED])
    if program == "match" and re.search(r"python3\.[89]\b", request.node.name):
        pytest.skip("it has no match statement")
    traced, expected, plain = observe(each_python, "trace", text, cases)
    probed, found, looks = observe(each_python, "probes", text, cases)
    assert found == expected
    assert looks == plain
    for case, old, new in zip(["import", *cases], traced, probed, strict=True):
        for node, span in statements(text):
            wanted = statement_lines(text, *span)
            reached, was = not wanted.isdisjoint(new), not wanted.isdisjoint(old)
            line = text.splitlines()[span[0] - 1].strip()
            if reached and not was:
                assert has_no_code(node) or line in RESUMED, (case, line)
            elif was and not reached:
                assert line in SHARED, (case, line)
