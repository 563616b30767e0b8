"""A loop that comes back to where it was is told from one that goes on, however long that takes."""

import subprocess
import sys
import textwrap

import pytest

from mendlab.verify.confined.function import standstill

DRIVER = """
import os, runpy, signal, sys, types
standstill = types.SimpleNamespace(**runpy.run_path(sys.argv[1]))
module = types.ModuleType("m")
def found(line):
    print("still at", line, flush=True)
    os._exit(0)
def look(number, frame):
    signal.setitimer(signal.ITIMER_PROF, 0.05)
    standstill.watch(frame, vars(module), found)
look.__module__ = "_mendlab_here"
signal.signal(signal.SIGPROF, look)
signal.setitimer(signal.ITIMER_PROF, 0.01)
exec(compile(sys.argv[2], "m.py", "exec"), vars(module))
print("returned", module.f())
"""
STILL = {
    "nothing": ("def f():\n    while True: pass", 2),
    "no progress": ("def f(a=[1, 2]):\n    i = 0\n    while i < len(a):\n        if a[i] > 5: i += 1", 4),
    "a cycle": ("def f():\n    n = 7\n    while n != 1:\n        n = (n * 3 + 1) % 64", 4),
    "within a loop that would go on": ("def f():\n    for x in [1, 2]:\n        while x: y = x", 3),
    "methods of texts": ("def f():\n    s = 'a'\n    while s == 'a':\n        s = s.upper().lower()", 4),
    "what is tried": ("def f():\n    while True:\n        try: [][0]\n        except IndexError: pass", 3),
}
LONG = 300_000
BODY = "\n".join(f"        a{at % 7} = b{at % 5} + c{at % 3} * 2 - b{(at + 1) % 5}" for at in range(60))
NAMES = "    " + "; ".join(f"{letter}{at} = 1" for letter in "abc" for at in range(7))
HANDLED = "            k = 0\n            while k < 2: k += 1"
GOES_ON = {
    "items of a loop": f"def f():\n    for x in [1] * {LONG}: pass",
    "items around a loop": f"def f():\n    for x in [1] * {LONG}:\n        y = 0\n        while y < 2: y += 1",
    "items within a loop": f"def f():\n    while 1:\n        for x in [0] * {LONG}: pass\n        return",
    "items of a long loop": f"def f():\n{NAMES}\n    for x in [1] * {LONG // 6}:\n{BODY}",
    "items around a loop, after much": (
        f"def f():\n{NAMES}\n    for x in [1] * {LONG // 6}:\n{BODY}\n        k = 0\n        while k < 2: k += 1"
    ),
    "items around what handles": (
        f"def f():\n    for x in [1] * {LONG}:\n        try: 1/0\n        except ZeroDivisionError:\n{HANDLED}"
    ),
    "items around what is done at last": (
        f"def f():\n    for x in [1] * {LONG}:\n        try:\n            int(x)\n        finally:\n{HANDLED}"
    ),
    "what a function has": f"def f():\n    while f.todo: f.todo.pop()\nf.todo = [0] * {LONG}",
    "what a function counts": f"def f():\n    while f.c['n'] < {LONG}: f.c['n'] += 1\nf.c = dict(n=0)",
    "what all functions have": f"def f():\n    while f.__dict__['n'] < {LONG}: f.__dict__['n'] += 1\nf.n = 0",
    "a default": f"def g(x=[0] * {LONG}): pass\ndef f():\n    while g.__defaults__[0]: g.__defaults__[0].pop()",
    "items asked for": f"def f():\n    i = iter([1] * {LONG})\n    while next(i, None): pass",
    "a global": f"n = [0]\ndef f():\n    while n[0] < {LONG}: n[0] += 1",
    "a cell": f"def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    while n < {LONG}: g()",
    "an attribute": f"class A: n = 0\ndef f():\n    while A.n < {LONG}: A.n += 1",
    "time": "import time\ndef f():\n    t = time.time() + 0.3\n    while time.time() < t: pass",
    "chance": "import random\ndef f():\n    while random.random() > 1e-6: pass",
    "a set": f"def f():\n    s = set(range({LONG}))\n    n = 0\n    while s.pop() != {LONG - 1}: n = 0",
    "a signal": (
        "import signal\nx = []\nsignal.signal(signal.SIGALRM, lambda *_: x.append(1))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\ndef f():\n    while not x: pass"
    ),
    "a thread": (
        "import threading\nx = []\nthreading.Timer(0.3, lambda: x.append(1)).start()\ndef f():\n    while not x: pass"
    ),
}


def told(code):
    command = [sys.executable, "-c", DRIVER, standstill.__file__, textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("name", STILL)
def test_a_loop_that_never_ends_is_told(name):
    code, line = STILL[name]
    assert told(code) == f"still at {line}"


@pytest.mark.parametrize("name", GOES_ON)
def test_a_loop_that_ends_is_not_taken_for_one(name):
    assert told(GOES_ON[name]) == "returned None"
