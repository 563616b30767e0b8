# ruff: noqa: E501
"""Which changes infect which runs, on every Python that is here: a table of changes, each with the right answer.

``«old¦new»`` in a module marks what a change puts in the place of what; its ``test`` is the one that runs.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.verify import confined
from mendlab.verify.engines.changed_code import common_ends

PYTHONS = sorted(
    path
    for version in ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
    for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
)
CHANGE = re.compile("«(.*?)¦(.*?)»", re.DOTALL)
SAME, INFECTED = False, True
HEAD = """
import importlib, importlib.machinery, json, os, sys, types

PLACES = {file: os.path.join(folder, file) for folder, _, files in os.walk(sys.argv[1]) for file in files}

def load(name):
    private = "_mendlab_" + name
    if private not in sys.modules:
        loader = importlib.machinery.SourceFileLoader(private, PLACES[name + ".py"])
        module = sys.modules[private] = types.ModuleType(private)
        loader.exec_module(module)
    return sys.modules[private]

work = os.path.realpath(os.getcwd())
sys.path.insert(0, work)
cases = json.loads(sys.stdin.read())
files = {path: (text.encode(), 0o644) for path, text, _ in cases}
mutants = [[path, *change] for path, _, change in cases]
infection = load("infection_run").Infection(work, files, mutants)
"""
RUN = """
told = {}
for path, _, _ in cases:
    module = importlib.import_module(path[:-3])
    infection.switch()
    try:
        returned = module.test()
        raised = None
    except BaseException as error:
        raised = type(error).__name__
    told[path] = [infection.switch(), raised]
print("\\n" + json.dumps([told, infection.common(), sys.version_info >= (3, 13)]))
"""


def change(marked):
    """Return a source, and the lines that a change replaces, with what: as the runner wants it."""
    old, new = CHANGE.sub(r"\1", marked), CHANGE.sub(r"\2", marked)
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head, tail = common_ends(before, after)
    return old, [head + 1, len(before) - tail, "".join(after[head : len(after) - tail])]


def run(python, directory, cases, script=RUN):
    """Run each marked module's test with its own change under watch; returns reports and what tests raised."""
    given = []
    for number, marked in enumerate(cases):
        old, changed = change(marked)
        (directory / f"case_{number}.py").write_text(old)
        given.append([f"case_{number}.py", old, changed])
    done = subprocess.run(
        [python, "-c", HEAD + script, str(Path(confined.__file__).parent)],
        input=json.dumps(given), cwd=directory, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def returning(expression, setting="x = 5"):
    """A module whose test evaluates one expression."""
    return f"{setting}\ndef test():\n    return {expression}\n"


def holding(expression, setting):
    """The same in a method, ``self`` being an instance of a class C with a body."""
    lines = "\n".join(f"    {line}" for line in setting.splitlines())
    return f"class C:\n{lines}\n    def run(self):\n        return {expression}\ndef test():\n    return C().run()\n"


TABLE = [
    # The largest expression around a change counts.
    (returning("x > «3¦4»"), SAME),
    (returning("x > «3¦5»"), INFECTED),
    (returning("x «>¦>=» 3"), SAME),
    (returning("x «>¦>=» 5"), INFECTED),
    (returning("x «+¦-» 0"), SAME),
    (returning("x «+¦-» 1"), INFECTED),
    (returning("«x + y¦y + x»", "x, y = 2, 3"), SAME),
    (returning("«x - y¦y - x»", "x, y = 2, 3"), INFECTED),
    (returning("print(«x + y¦y + x», end='')", "x, y = 2, 3"), SAME),
    (returning("print(«x, y¦y, x», end='')", "x = y = 2"), SAME),
    (returning("print(«x, y¦y, x», end='')", "x, y = 2, 3"), INFECTED),
    # Values are compared strictly.
    (returning("«x¦y»", "x, y = 1, True"), INFECTED),
    (returning("«x¦y»", "x, y = 1, 1.0"), INFECTED),
    (returning("«x¦y»", "x, y = 0.0, -0.0"), INFECTED),
    (returning("«x¦y»", "x, y = (1, (2,)), (1, (True + 1,))"), SAME),
    (returning("«x¦y»", "x, y = (1,), (1.0,)"), INFECTED),
    (returning("«x¦y»", "x = float('nan'); y = x"), SAME),
    (returning("«x¦y»", "x, y = float('nan'), float('nan')"), INFECTED),
    (returning("«x¦y»", "x, y = 0j, -0j"), INFECTED),
    (returning("«x¦y»", "x, y = frozenset({1}), frozenset({True})"), INFECTED),
    (returning("«x¦y»", "x, y = range(0), range(1, 1)"), INFECTED),
    (returning("«x¦y»", "x, y = b'1', '1'"), INFECTED),
    (returning("«x¦y»", "import datetime as d\nx, y = d.timedelta(1), d.timedelta(hours=24)"), SAME),
    (returning("«x¦y»", "x = y = []"), SAME),
    (returning("«x¦y»", "x, y = [], []"), INFECTED),
    (returning("«x¦y»", "class C(int): pass\nx, y = C(1), C(1)"), INFECTED),
    (returning("«[]¦[]  + []»"), INFECTED),
    (returning("len(«[x]¦[x, x]»)"), INFECTED),
    (returning("len(«[x, 1]¦[x, 2]»)"), SAME),
    # Where only truth counts, it alone is compared.
    ("x = 5\ndef test():\n    if «x¦x - 1»:\n        return 1\n", SAME),
    ("x = 5\ndef test():\n    if «x¦not x»:\n        return 1\n", INFECTED),
    ("x = [1]\ndef test():\n    while «x¦len(x)»:\n        x.pop()\n", SAME),
    ("x = [1]\ndef test():\n    while «x¦len(x) > 1»:\n        x.pop()\n", INFECTED),
    ("x = 5\ndef test():\n    assert «x¦x - 1», print()\n", SAME),
    (returning("print if «x¦[x]» else open"), SAME),
    (returning("not print(end='') if «x¦0» else 1"), INFECTED),
    (returning("not «x¦[x]»"), SAME),
    (returning("[print(end='') for _ in 'ab' if «x¦'x'»]"), SAME),
    (returning("[print(end='') for _ in 'ab' if «x¦''»]"), INFECTED),
    (returning("«x¦'x'» and print(end='')"), INFECTED),
    (returning("«0¦''» and print(end='')"), INFECTED),
    ("x = 5\ndef test():\n    if «x¦'x'» and print(end=''):\n        return 1\n", SAME),
    ("class C: pass\ndef test():\n    if «C()¦None»:\n        return 1\n", "unknown"),
    ("class C: pass\nx = C()\ndef test():\n    if «x¦1»:\n        return 1\n", SAME),
    ("class C:\n    def __len__(self):\n        return 1\nx = C()\ndef test():\n    if «x¦1»:\n        pass\n", INFECTED),
    ("class C:\n    def __bool__(self):\n        return True\nx = C()\ndef test():\n    if «x¦1»:\n        pass\n", INFECTED),
    # Augmented assignments.
    ("def test(x=4):\n    x «+¦-»= 0\n    return x\n", SAME),
    ("def test(x=4):\n    x «+¦-»= 1\n    return x\n", INFECTED),
    ("def test(x=4):\n    x *= «1¦True»\n    return x\n", SAME),
    ("def test(x=(), y=()):\n    x += «()¦y»\n    return x\n", SAME),
    ("def test():\n    x = [1]\n    x «+¦*»= [1]\n    return x\n", INFECTED),
    ("class C:\n    def __iadd__(self, other):\n        return 1\ndef test(x=C()):\n    x += «1¦2»\n", INFECTED),
    ("def test(x=[3]):\n    x[0] «+¦-»= 0\n", "unknown"),
    # Names of every kind of scope.
    ("x = 1\ndef test():\n    x = 2\n    return «x¦2»\n", SAME),
    ("x = y = 1\ndef test():\n    x = 2\n    def inner():\n        return «y¦x»\n    return inner()\n", INFECTED),
    ("y = 2\ndef test():\n    x = 2\n    def inner():\n        return «y¦x»\n    return inner()\n", INFECTED),
    ("y = 2\ndef test():\n    x = 2\n    def inner():\n        return x, «y¦x»\n    return inner()\n", SAME),
    ("def test():\n    x = y = 2\n    return [print(y, «x¦y», end='') for x in (2, 2)]\n", SAME),
    ("def test():\n    y = 2\n    return [print(«x¦y», end='') for x in (2, 3)]\n", INFECTED),
    ("def test():\n    return [print(«x¦x + 0», end='') for x in (2, 3)]\n", SAME),
    ("def test():\n    return {print(«x¦x - 0», end=''): 1 for x in (2, 3)}\n", SAME),
    ("def test():\n    return list(print(«x¦x * 1», end='') for x in (2, 3))\n", SAME),
    ("def test():\n    y = 2\n    return list(print(x, «y¦y + 1», end='') for x in (2, 3))\n", INFECTED),
    ("def test():\n    def numbers(n):\n        yield «n¦n + 0»\n    return list(numbers(3))\n", SAME),
    ("def test():\n    def numbers(n):\n        yield «n¦n + 1»\n    return list(numbers(3))\n", INFECTED),
    ("def test():\n    return (lambda n: print(«n¦+n», end=''))(3)\n", SAME),
    ("def test():\n    class C:\n        x = 1\n        y = «x¦1»\n    return C\n", SAME),
    ("x = 7\ndef test():\n    class C:\n        x = 1\n        y = [print(«0¦x», end='') for _ in 'a']\n", "unknown"),
    ("x = 7\ndef test():\n    class C:\n        y = 1\n        def run(self):\n            return «x¦7»\n    C().run()\n", SAME),
    ("__n = 1\n_C__n = 2\nclass C:\n    def run(self):\n        return «1¦__n»\ndef test():\n    C().run()\n", "unknown"),
    ("x = 1\ndef test():\n    global x\n    x = 2\n    return «x¦2»\n", INFECTED),  # not told from a local one
    ("def test():\n    if not test:\n        x = 1\n    try:\n        return «1¦x»\n    except NameError:\n        pass\n", INFECTED),
    ("def test():\n    x = 1\n    del x\n    return «1¦x»\nx = 1\n", INFECTED),
    ("def len(x):\n    return 3\ndef test():\n    return «3¦len(())»\n", INFECTED),
    # Reads that run no code, and reads that may.
    (holding("self.x > «3¦2»", "x = 5"), SAME),
    (holding("self.y > «3¦2»", "def __init__(self):\n    self.y = 5"), SAME),
    (holding("self.y «>¦>=» 5", "def __init__(self):\n    self.y = 5"), INFECTED),
    (holding("self.y > «3¦2»", "__slots__ = ('y',)\ndef __init__(self):\n    self.y = 5"), SAME),
    (holding("self.p > «3¦2»", "@property\ndef p(self):\n    return 5"), INFECTED),
    (holding("self.x > «3¦2»", "x = 5\ndef __getattribute__(self, name):\n    return 9 if name == 'x' else object.__getattribute__(self, name)"), INFECTED),
    (holding("self.z > «3¦2»", "def __getattr__(self, name):\n    return 9"), INFECTED),
    (holding("C.x > «3¦2»", "x = 5"), SAME),
    (returning("m.pi > «3¦2»", "import math as m"), SAME),
    (returning("E.A.value > «3¦2»", "import enum\nclass E(enum.Enum):\n    A = 5"), INFECTED),
    (returning("E.A is «E.A¦E.B»", "import enum\nclass E(enum.Enum):\n    A = 5\n    B = 6"), INFECTED),
    (holding("«self.x¦self.y»", "x = y = object()"), SAME),
    (holding("«self.a¦self.b»", "def a(self): pass\nb = a"), INFECTED),
    # Identity.
    (returning("x is «None¦...»"), SAME),
    (returning("x is «None¦x»"), INFECTED),
    (returning("x is «y¦z»", "x, y, z = [], [], []"), SAME),
    # Containers: only with what is safe to compare.
    (returning("x in «(5, 6)¦(5, 7)»"), SAME),
    (returning("x in «(5, 6)¦{6, 7}»"), INFECTED),
    (returning("x «in¦not in» {5}"), INFECTED),
    (returning("d[«'a'¦'b'»]", "d = {'a': 1, 'b': 1}"), SAME),
    (returning("d[«'a'¦'c'»]", "d = {'a': 1, 'b': 1}"), INFECTED),
    (returning("d.get(«'a'¦'b'»)", "d = {'a': 1, 'b': 1}"), SAME),
    (returning("d.get(«'a'¦'c'»)", "d = {'a': 1, 'b': 1}"), INFECTED),
    (returning("d.get(«'a'¦'b'»)", "class D(dict):\n    get = print\nd = D(a=1, b=1)"), INFECTED),
    (returning("d[«1¦1.0»]", "class K:\n    def __hash__(self):\n        return 1\nd = {K(): 1, 1: 1}"), INFECTED),
    (returning("x in «[1]¦[2]»", "class K:\n    def __eq__(self, other):\n        return False\nx = K()"), INFECTED),
    (returning("x[«0¦-1»]", "x = [7]"), SAME),
    (returning("x[«0¦1»]", "x = [7]"), INFECTED),
    (returning("x[«1:¦1:9»]", "x = 'abc'"), SAME),
    (returning("x[«1:¦2:»]", "x = 'abc'"), INFECTED),
    # Functions and methods of Python's own.
    (returning("«len(x)¦3»", "x = [1, 2, 3]"), SAME),
    (returning("«len(x)¦3»", "class L(list):\n    def __len__(self):\n        return 3\nx = L()"), INFECTED),
    (returning("isinstance(x, «int¦float»)"), INFECTED),
    (returning("isinstance(x, «int¦(int, float)»)"), SAME),
    (returning("isinstance(x, «int¦(C, int)»)", "class M(type):\n    def __instancecheck__(self, other):\n        return True\nclass C(metaclass=M): pass\nx = 5"), INFECTED),
    (returning("«min¦max»(x, 5)"), SAME),
    (returning("«min¦max»(x, 6)"), INFECTED),
    (returning("max([1, 2], key=«lambda n: n¦lambda n: -n»)"), INFECTED),
    (returning("sorted(x)[«0¦1»]", "x = [2, 1, 1]"), SAME),
    (returning("«sum(x)¦4»", "x = [2, 1, 1]"), SAME),
    (returning("«x.strip()¦x»", "x = 'abc'"), SAME),
    (returning("«x.strip()¦x»", "x = 'abc '"), INFECTED),
    (returning("x.startswith(«'a'¦'ab'»)", "x = 'abc'"), SAME),
    (returning("x.«lower¦upper»()", "x = '12'"), SAME),
    (returning("x.«lower¦upper»()", "x = 'a'"), INFECTED),
    (returning("f'{x:>«3¦03»}' == '  5'"), INFECTED),
    (returning("len(f'{x:>«3¦03»}')"), SAME),
    (returning("'%d' % «x¦(x,)»"), SAME),
    (returning("'%s' % «x¦[x]»"), INFECTED),
    (returning("'{}'.format(«x¦str(x)»)"), SAME),
    (returning("m.floor(«x¦x + 0.5»)", "import math as m\nx = 5"), SAME),
    # Nothing takes long, and nothing is raised.
    (returning("1 if «x¦10 ** 10 ** 10» else 0"), INFECTED),
    (returning("1 if «x¦'a' * 10 ** 12» else 0"), INFECTED),
    (returning("1 if «x¦1 << 10 ** 9» else 0"), INFECTED),
    (returning("1 if «x¦'%999999999d' % x» else 0"), INFECTED),
    (returning("1 if «x¦f\"{x:999999999}\"» else 0"), INFECTED),
    (returning("«x¦x // 0»"), INFECTED),
    (returning("«1 // (x - 5)¦1 / (x - 5)»"), INFECTED),
    # A condition that comes or goes.
    ("def test(x=5):\n«¦    if x is None:\n        return 1\n»    return x\n", SAME),
    ("def test(x=5):\n«¦    if x > 3:\n        return 1\n»    return x\n", INFECTED),
    ("def test(x=5):\n    y = x\n«¦    if y is None:\n        return 1\n»    return y\n", SAME),
    ("def test(x=5):\n    for y in [x]:\n        print(y, end='')\n«¦        if y < 5:\n            continue\n»", SAME),
    ("def test(x=5):\n    for y in [x]:\n        print(y, end='')\n«¦        if y > 4:\n            continue\n»", INFECTED),
    ("def test(x=5):\n«    if x is None:\n        return 1\n¦»    return x\n", SAME),
    ("def test(x=5):\n«    if x:\n        return 1\n¦»    return x\n", INFECTED),
    ("def test(x=5):\n    «if x:\n        return print(end='')¦return print(end='')»\n", SAME),
    ("def test(x=5):\n    «if not x:\n        return print(end='')¦return print(end='')»\n", INFECTED),
    ("def test(x=5):\n    «return print(end='')¦if x:\n        return print(end='')»\n", SAME),
    ("def test(x=5):\n    «return print(end='')¦if not x:\n        return print(end='')»\n", INFECTED),
    ("def test(x=5):\n    «if x:\n        x = 6\n    else:\n        return 1¦x = 6»\n    return x\n", SAME),
    ("def test(x=5):\n    if x > 7:\n        return 1\n«    elif x > 6:\n        return 2\n¦»    return x\n", SAME),
    ("def test(x=5):\n    if x > 7:\n        return 1\n«    elif x > 4:\n        return 2\n¦»    return x\n", INFECTED),
    ("def test(x=5):\n    if x > 7:\n        return 1\n«¦    elif x > 6:\n        return 2\n»    return x\n", SAME),
    ("def test(x=5):\n    if x > 7:\n        return 1\n«¦    elif x > 4:\n        return 2\n»    return x\n", INFECTED),
    ("def test(x=5):\n«    if x is None:\n        y = 1\n¦»    return x\n", "unknown"),
    ("def test(x=5):\n«¦    if x is None:\n        yield 1\n»    return x\n", "unknown"),
    ("def test(x=5):\n«¦    if print(end=''):\n        return 1\n»    return x\n", "unknown"),
    ("def test(x=5):\n«¦    if x is None:\n        return 1\n»    \"\"\"Text.\"\"\"\n    return x\n", "unknown"),
    ("x = 5\n«¦if x is None:\n    raise ValueError\n»def test():\n    return x\n", "unknown"),
    # Moved into another block.
    ("def test(x=5):\n    for y in 'ab':\n        x += 1\n«    if x > 6:\n        x = 1\n¦        if x > 6:\n            x = 1\n»    return x\n", "unknown"),
    ("def test(x=5):\n    if x > 6:\n        x = 1\n«    x += 1¦        x += 1»\n    return x\n", "unknown"),
    # What is not of this form is infected wherever it is reached.
    (returning("«x¦(x := 5)»"), "unknown"),
    (returning("«print(end='')¦print(1)»"), "unknown"),
    ("def test():\n    «return 1¦pass»\n", "unknown"),
    ("def test():\n    «\"\"\"Text.\"\"\"¦\"\"\"Other.\"\"\"»\n", "unknown"),
    (returning("x is «None¦'5'»"), "unknown"),  # the compiler warns
    (returning("'5' in x", "x = «'5'¦'\\5\\d'»"), "unknown"),
    ("def test(x=5):\n    assert «x¦(x, x)»\n", "unknown"),
    ("def test(x: «int¦str» = 5):\n    return x\n", "unknown"),
    ("def test():\n    for «x¦y» in ():\n        pass\n", "unknown"),
    ("def test():\n    x = 5\n    print(len(locals()), end='')\n    return x > «3¦2»\n", "looked at"),
]  # fmt: skip


@pytest.fixture(params=[pytest.param(path, id=path.name) for path in PYTHONS] or [Path(sys.executable)])
def python(request):
    return request.param


def test_the_table(python, tmp_path):
    reports, common, live_locals = run(python, tmp_path, [marked for marked, _ in TABLE])
    wrong = []
    for number, (marked, expected) in enumerate(TABLE):
        report, _ = reports[f"case_{number}.py"]
        answer = "unknown" if number in common["unknown"] else number in report["infected"]
        if expected == "looked at":
            expected = SAME if live_locals else "unknown"
        if answer != expected or "*" in report or number in common["infected"]:
            wrong.append((marked, expected, answer, report))
    assert not wrong, "\n".join(map(str, wrong))


NO_TRACE = [
    """
import sys, weakref
class Thing: pass
def test():
    thing, limit = Thing(), 3
    reference, count = weakref.ref(thing), sys.getrefcount(thing)
    assert limit > «2¦1»
    assert sys.getrefcount(thing) == count
    del thing
    assert reference() is None
""",
    """
import sys
def test():
    try:
        raise ValueError
    except ValueError as error:
        before = sys.exc_info()
        assert before[1] is error is not «None¦(0 if 1 else 0)»
        assert sys.exc_info() == before and error.__context__ is None and error.__traceback__.tb_next is None
    assert sys.exc_info() == (None, None, None)
""",
    """
def numbers(limit):
    while limit > «0¦-0»:
        try:
            got = yield limit
        finally:
            limit -= got or 1
def test():
    generator = numbers(5)
    assert [next(generator), generator.send(2), *generator] == [5, 3, 2, 1]
""",
    """
x = 1
names = sorted(globals())
assert x > «0¦-1»
def test():
    assert sorted(globals()) == sorted([*names, "names", "test"])
    class C:
        y = 2
        assert y > x
    assert sorted(name for name in vars(C) if name[0] != "_") == ["y"]
""",
]


def test_what_is_watched_runs_as_ever(python, tmp_path):
    reports, common, _ = run(python, tmp_path, NO_TRACE)
    assert [raised for _, raised in reports.values()] == [None] * len(NO_TRACE)
    assert common["infected"] == common["unknown"] == []
    assert all(report["infected"] == [] and "*" not in report for report, _ in reports.values())


CLUES = [
    ("import os\nx = 5\ndef test():\n    if os.fork() == 0:\n        os._exit(x > «3¦2»)\n    os.wait()\n", "*"),
    ("import sys\nx = 5\ndef test():\n    sys.settrace(lambda *_: None)\n    assert x > «3¦2»\n    sys.settrace(None)\n", "*"),
    ("import sys\nx = 5\ndef test():\n    sys.setprofile(print and (lambda *_: 0))\n    assert x > «3¦2»\n    sys.setprofile(None)\n", "*"),
    ("def test(n=1):\n    try:\n        return test(n + 1) if n > «0¦-1» else 0\n    except RecursionError:\n        return 0\n", "*"),
    ("import inspect\nx = 5\ndef test():\n    assert x > «3¦2»\n    assert '3' in inspect.getsource(test)\n", INFECTED),
    ("x = 5\ndef again():\n    exec(open(__file__).read(), {'__file__': ''})\ndef test():\n    again()\n    assert x > «3¦2»\n", INFECTED),
    ("import runpy\nx = 5\ndef test():\n    runpy.run_path(__file__)\n    assert x > «3¦2»\n", INFECTED),
    ("import sys, importlib\nx = 5\ndef test():\n    importlib.reload(sys.modules[__name__])\n    assert x > «3¦2»\n", SAME),
    ("import threading\ndef work(x):\n    assert x > «3¦4»\ndef test():\n    t = threading.Thread(target=work, args=(5,))\n    t.start()\n    t.join()\n", SAME),
    ("import threading\ndef work(x):\n    assert x > «3¦5»\ndef test():\n    t = threading.Thread(target=work, args=(5,))\n    t.start()\n    t.join()\n", INFECTED),
    ("def test():\n    for x in range(99):\n        assert x > «-1¦-2»\n", SAME),
    ("def test():\n    for x in range(101):\n        assert x > «-1¦-2»\n", INFECTED),
]  # fmt: skip


def test_what_gives_a_change_away(python, tmp_path):
    reports, common, _ = run(python, tmp_path, [marked for marked, _ in CLUES])
    wrong = []
    for number, (marked, expected) in enumerate(CLUES):
        report, raised = reports[f"case_{number}.py"]
        answer = "*" if "*" in report else number in report["infected"]
        if raised is not None or answer != expected:
            wrong.append((marked, expected, report, raised))
    assert not wrong, "\n".join(map(str, wrong))
    assert common["infected"] == common["unknown"] == []


def calling(head, *calls):
    """A module whose test calls a function."""
    tests = "\n".join(f"    {call}" for call in calls)
    return f"import asyncio\n\n{head}\n    return a\n\ndef test():\n{tests}\n"


HEADS = [
    (calling("def f(a«¦=1»):", "assert f(3) == 3"), SAME),
    (calling("def f(a«=1¦»):", "assert f(3) == 3"), SAME),
    (calling("def f(a=«1¦2»):", "assert f(3) == 3"), SAME),
    (calling("def f(a=«1¦2»):", "assert f() == 1"), INFECTED),
    (calling("def f(a«=1¦»):", "assert f() == 1"), INFECTED),
    (calling("def f(a, b«¦=1», c=2):", "assert f(3, c=5, b=4) == 3"), SAME),
    (calling("def f(a, b=1, c=«2¦[]»):", "assert f(3, 4) == 3"), INFECTED),
    (calling("def f(a, b=«1¦3», c=2):", "assert f(3, 4) == 3"), SAME),
    (calling("def f(a, *, b«¦=1»):", "assert f(3, b=4) == 3"), SAME),
    (calling("def f(a, *, b=«1¦2»):", "assert f(3) == 3"), INFECTED),
    (calling("def f(a«¦=1», /, b=2):", "assert f(3) == 3"), SAME),
    (calling("def f(a: int«¦ = 1»):\n    'what it does'", "assert f(3) == 3 and f.__doc__ == 'what it does'"), SAME),
    (
        calling(
            "def f(a«¦=1»):", "try:\n        f()\n    except TypeError as error:\n        assert \"'a'\" in str(error)"
        ),
        INFECTED,
    ),
    ("class A:\n    @staticmethod\n    def f(a«¦=1»):\n        return a\ndef test():\n    assert A.f(2) == 2\n", SAME),
    ("class A:\n    def f(self, a=«1¦2»):\n        return super().__init__()\ndef test():\n    A().f()\n", INFECTED),
    ("def out():\n    def f(a=«1¦2»):\n        return a\n    return f\ndef test():\n    assert out()(4) == 4\n", SAME),
]


def test_defaults_infect_who_leaves_the_argument_out(python, tmp_path):
    reports, common, _ = run(python, tmp_path, [marked for marked, _ in HEADS])
    for number, (marked, expected) in enumerate(HEADS):
        report, raised = reports[f"case_{number}.py"]
        assert raised is None and "*" not in report, marked
        assert (number in report["infected"]) is expected, marked
    assert common["infected"] == common["unknown"] == []


@pytest.mark.parametrize(
    "marked",
    [
        calling("def f(a=«g()¦1»):", "assert f(3) == 3").replace("import asyncio", "def g():\n    return 1"),
        calling("def f(a«¦=1»):\n    yield", "list(f(3))"),
        calling("def f(a«¦=1»):", "f(3)").replace("import asyncio", "import inspect"),
        calling("def f(a«¦=1», b«¦=2»):", "f(3, 4)").replace("def f", "@print\ndef f").replace("f(3, 4)", "pass"),
        calling("async def f(a«¦=1»):", "asyncio.run(f(3))"),
    ],
)
def test_other_heads_infect_every_test(python, tmp_path, marked):
    _, common, _ = run(python, tmp_path, [marked])
    assert common["unknown"] == [0] or common["infected"] == [0]


def test_what_runs_outside_a_test_every_test_depends_on(python, tmp_path):
    cases = ["x = 5\ny = x «>¦>=» 5\n", "def check(x):\n    return x > «3¦5»\n", "x = 5\ny = x «>¦>=» 5\n"]
    script = """
importlib.import_module("case_0")
case_1 = importlib.import_module("case_1")
infection.switch()
case_1.check(2)
importlib.import_module("case_2")
first = infection.switch()
case_1.check(5)
infection.switch()
case_1.check(5)
print(json.dumps([first, infection.switch(), infection.common()]))
"""
    first, second, common = run(python, tmp_path, cases, script)
    assert first == {"infected": [2]}
    assert second == {"infected": []}  # what is settled is not looked at again
    assert common == {"infected": [0, 1], "unknown": []}
