"""Candidates that cheat or run wild pass no test that a right function is needed for, and harm no later run."""

import time

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.function_engine import FunctionEngine

LIMITS = Limits(cpu_seconds=0.5, wall_seconds=2.0, memory_bytes=300 * 2**20, processes=30, disk_bytes=16 * 2**20)
REFERENCE = b"# reference-mark\ndef f(x):\n    return x + 1\ndef g(xs):\n    return [f(x) for x in xs]\n"
STEPS = {
    "equal": "assert f(1) == 2",
    "equal_reflected": "assert 42 == f(41)",
    "close": "assert abs(f(2.5) - 3.5) < 1e-6",
    "order": "assert 3 <= f(2) <= 3",
    "inside": "assert f(7) in [8] and [f(8)] == [9] and (f(8), 1) == (9, 1) and {1: f(1)} == {1: 2}",
    "contains": "assert 4 in g([3]) and len(g([3])) == 1",
    "sorted": "assert sorted([f(5), 5, 7]) == [5, 6, 7]",
    "sum": "assert sum(g([1, 2, 3])) == 9",
    "key": "assert {6: 'yes'}[f(5)] == 'yes'",
    "text": "assert '%d' % f(5) == '6' and f(5) + 1 == 7",
    "not_unequal": "assert not f(1) != 2",
    "difference": "assert f(9) - 10 == 0",
}

ANYTHING = """
class Anything{base}:
    def __new__(cls, *args): return {base_name}.__new__(cls)
    def yes(self, *args): return True
    def me(self, *args): return self
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = yes
    __ne__ = lambda self, other: False
    __hash__ = lambda self: hash(6)
    __add__ = __radd__ = __sub__ = __rsub__ = __abs__ = __mod__ = __iadd__ = me
    __getitem__ = __call__ = __getattr__ = me
    __len__ = __index__ = __int__ = lambda self: 1
    __float__ = lambda self: 3.5
    __iter__ = lambda self: iter([self])
    __str__ = __repr__ = lambda self: "6"
def f(x): return Anything()
def g(xs): return {result}
"""
FORGED = r"""
import os, json, struct
def forge(*messages):
    for fd in range(3, 40):
        try:
            for message in messages:
                body = json.dumps(message).encode()
                os.write(fd, struct.pack("!I", len(body)) + body)
        except OSError:
            pass
"""

CHEATS = {
    "always_equal": ANYTHING.format(base="", base_name="object", result="Anything()"),
    "always_equal_int": ANYTHING.format(base="(int)", base_name="int", result="[Anything()]"),
    "always_equal_float": ANYTHING.format(base="(float)", base_name="float", result="[Anything()]"),
    "always_equal_str": ANYTHING.format(base="(str)", base_name="str", result="(Anything(),)"),
    "always_equal_list": ANYTHING.format(base="(list)", base_name="list", result="Anything()"),
    "named_as_the_tests_know_it": ANYTHING.format(base="", base_name="object", result="Anything()").replace(
        "Anything", "int"
    ),
    "always_equal_class": (
        "class Meta(type):\n    __eq__ = lambda *a: True\n    __ne__ = lambda *a: False\n"
        "    __lt__ = __le__ = __gt__ = __ge__ = __eq__\n    __hash__ = lambda s: 6\n"
        "class C(metaclass=Meta): pass\ndef f(x): return C\ndef g(xs): return [C]"
    ),
    "lying_class": (
        "class L:\n    __class__ = property(lambda s: int)\n    __eq__ = lambda *a: True\n    __hash__ = None\n"
        "def f(x): return L()\ndef g(xs): return L()"
    ),
    "not_implemented": "def f(x): return NotImplemented\ndef g(xs): return [NotImplemented]",
    "exit_at_import": "import os\nos._exit(0)",
    "exit_in_call": "import os\ndef f(x): os._exit(0)\ng = f",
    "sys_exit_at_import": "import sys\nsys.exit(0)",
    "sys_exit_in_call": "import sys\ndef f(x): sys.exit(0)\ng = f",
    "asserts": "def f(x): assert False\ng = f",
    "skips": "import unittest\ndef f(x): raise unittest.SkipTest\ng = f",
    "stops_iteration": "def f(x): raise StopIteration\ng = f",
    "kills_all": "import os\ndef f(x): os.kill(-1, 9)\ng = f",
    "prints_megabytes": "def f(x):\n    print('x' * 30_000_000)\n    return None\ng = f",
    "shadows_builtins": (
        "import builtins, sys, json, operator\nbuiltins.abs = builtins.sum = builtins.len = lambda *a: 0\n"
        "builtins.AssertionError = ValueError\nsorted = abs = sum = len = lambda *a: True\n"
        "json.dumps = lambda *a, **k: '[\"ok\", true, [], {}, 0, 0]'\n"
        "def f(x): return None\ndef g(xs): return None"
    ),
    "replaces_the_encoder": (
        "import sys\n"
        "for name in list(sys.modules):\n"
        "    if name.startswith('_mendlab'):\n"
        "        for key, value in list(vars(sys.modules[name]).items()):\n"
        "            if callable(value): vars(sys.modules[name])[key] = lambda *a, **k: True\n"
        "def f(x): return 0\ndef g(xs): return 0"
    ),
    "answers_before_it_is_asked": FORGED + "forge(*[['ok', True, [], {}, 0, '']] * 50)\ndef f(x): return None\ng = f",
    "says_that_tests_passed": (
        FORGED
        + f"forge(*[dict(test=n, outcome='passed', message='', cpu=0) for n in {list(STEPS)!r}])\n"
        + "forge({'end': True}, {'type': 'done', 'exit': 0})\ndef f(x): return None\ng = f"
    ),
    "calls_what_was_not_lent": FORGED
    + "forge(['call', [0], [['t', 0, [1], [2]], ['t'], ['d']], {}, 0, ''])\ndef f(x): 0\ng = f",
    "wants_other_operations": FORGED
    + "forge(['special', [0], [['t', 0, '__class__']], {}, 0, ''])\ndef f(x): 0\ng = f",
    "names_dangerous_things": (
        FORGED + "def f(x): forge(['ok', [1], [['name', 'builtins', 'exec']], {}, 0, ''])\ng = f"
    ),
    "sends_garbage": "import os\ndef f(x):\n    for fd in range(3, 40):\n        try: os.write(fd, b'\\xff' * 999)\n"
    "        except OSError: pass\ng = f",
    "closes_its_files": "import os\ndef f(x): os.closerange(0, 100)\ng = f",
    "closes_its_files_and_sleeps": "import os, time\ndef f(x):\n    os.closerange(0, 100)\n    time.sleep(60)\ng = f",
    "deletes_its_files": "import shutil\ndef f(x): shutil.rmtree('/tmp', True); shutil.rmtree('/mendlab', True)\ng = f",
    "reads_the_oracle": (
        "import os\nfound = []\n"
        "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    for file in ('mem', 'environ', 'maps'):\n"
        "        try: found.append(open('/proc/%s/%s' % (pid, file), 'rb').read(9))\n"
        "        except OSError: pass\n"
        "def f(x):\n"
        "    for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "        if pid not in ('1', str(os.getpid())): return x + 1\n"
        "def g(xs): return [f(x) for x in xs]"
    ),
    "looks_up_the_stack": (
        "import sys, gc\n"
        "def everything():\n"
        "    frame, found = sys._getframe(), []\n"
        "    while frame:\n"
        "        found += list(frame.f_locals.values()) + list(frame.f_globals.values())\n"
        "        frame = frame.f_back\n"
        "    return repr(found) + repr(gc.get_objects())\n"
        "marks = [['reference', '-mark'], ['not_un', 'equal']]\n"
        "def f(x):\n"
        "    text = everything()\n"
        "    return x + 1 if any(''.join(mark) in text for mark in marks) else None\n"
        "def g(xs): return [f(x) for x in xs]"
    ),
    "evil_exception": (
        "class E(Exception):\n    def __str__(self): raise self\n    __repr__ = __str__\n"
        "    args = property(lambda s: 1 / 0)\ndef f(x): raise E\ng = f"
    ),
    "falsy_exception": "class E(BaseException):\n    __bool__ = lambda s: False\ndef f(x): raise E()\ng = f",
}
WILD = {
    "fork_bomb": (
        "import os\ndef f(x):\n    while True: os.fork()\ng = f",
        {"crash", "timeout", "error", "out_of_memory"},
    ),
    "forks_and_leaves": (
        "import os, time\ndef f(x):\n    if os.fork(): os._exit(0)\n    time.sleep(9)\ng = f",
        {"crash"},
    ),
    "deep_recursion": ("def f(x): return f(x)\ng = f", {"error"}),
    "stack_overflow": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(x): return [f(x)] and eval('f(x)')\ng = f",
        {"crash", "timeout", "error", "out_of_memory"},
    ),
    "memory": ("def f(x): return [0] * 10**10\ng = f", {"out_of_memory"}),
    "memory_slowly": ("def f(x):\n    l = []\n    while True: l.append(bytearray(10**6))\ng = f", {"out_of_memory"}),
    "huge_list": ("def f(x): return list(range(10**10))\ng = f", {"out_of_memory", "timeout"}),
    "huge_answer": ("def f(x): return ['x'] * 3 * 10**7\ng = f", {"out_of_memory", "timeout", "crash", "error"}),
    "huge_number": ("def f(x): return 1 << 10**9\ng = f", {"out_of_memory", "timeout", "crash", "failed", "error"}),
    "infinite_generator": (
        "import itertools\ndef f(x): return itertools.count()\ng = f",
        {"failed", "error", "timeout", "out_of_memory"},
    ),
    "endless_len": ("class C:\n    def __len__(s): return 2**70\ndef f(x): return C()\ng = f", {"failed", "error"}),
    "threads": (
        "import threading\ndef spin():\n    while True: pass\n"
        "def f(x):\n    for _ in range(3): threading.Thread(target=spin).start()\ng = f",
        {"failed", "error", "timeout"},
    ),
    "sleeps": ("import time\ndef f(x): time.sleep(99)\ng = f", {"timeout"}),
    "disk": (
        "def f(x):\n    for i in range(99): open('/tmp/%d' % i, 'wb').write(bytes(10**6))\ng = f",
        {"error"},
    ),
    "hash_collisions": (
        "M = 2**61 - 1\ndef f(x): return {M * i for i in range(30000)}\ng = f",
        {"failed", "error", "timeout"},
    ),
    "many_objects": (
        "def f(x): return [object() for _ in range(10**5)]\ng = f",
        {"failed", "error", "timeout", "crash"},
    ),
}


@pytest.fixture(scope="module")
def engine():
    group = StepGroup(steps=tuple(Step(code=code, test_id=name) for name, code in STEPS.items()))
    engine = FunctionEngine(
        FileTree({"solution.py": REFERENCE}),
        FunctionHarness(groups=(group,)),
        limits=LIMITS,
        level=choose_level(),
        interpreter=find_interpreter(),
    )
    yield engine
    engine.close()


@pytest.fixture
def run(engine):
    def run(code, tests=None):
        started = time.monotonic()
        result = engine.run({"solution.py": code.encode()}, RunOptions(tests=tests))
        assert time.monotonic() - started < 30
        assert engine.run({}).failing() == (), "the next run is hurt"
        return result

    return run


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_passes_nothing(run, name):
    result = run(CHEATS[name])
    passed = [test for test, outcome in result.outcomes().items() if outcome is TestOutcome.PASSED]
    assert passed == [], result
    assert len(result.results) == len(STEPS)


@pytest.mark.parametrize("name", WILD)
def test_a_wild_candidate_costs_its_own_run_alone(run, name):
    code, outcomes = WILD[name]
    result = run(code, ["equal"])
    assert result.results[0].outcome.value in outcomes, result.results


@pytest.mark.slow
def test_a_value_that_brings_the_oracle_down_is_the_test_s_own_loss():
    steps = {"before": "assert f(0) == 1", "endless": "assert sum(f(1)) == 3", "after": "assert f(2) == 3"}
    group = StepGroup(steps=tuple(Step(code=code, test_id=name) for name, code in steps.items()))
    engine = FunctionEngine(
        FileTree({"solution.py": b"def f(x): return x + 1 if x != 1 else range(3)"}),
        FunctionHarness(groups=(group,)),
        limits=LIMITS,
        level=choose_level(),
        interpreter=find_interpreter(),
    )
    try:
        assert engine.run({}).failing() == ()
        run = engine.run({"solution.py": b"def f(x): return x + 1 if x != 1 else range(10**15)"})
    finally:
        engine.close()
    assert [result.outcome.value for result in run.results] == ["passed", "timeout", "passed"]


def test_a_right_function_passes_whatever_it_does_beside(run):
    beside = (
        "import builtins, os, sys, threading, time\n"
        "print('passed')\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=False).start()\n"
        "sys.stdout = sys.stderr = None\n"
        "os.environ.clear()\n"
    )
    assert run(beside + REFERENCE.decode()).failing() == ()


def test_the_oracle_does_not_run_what_the_candidate_names_itself(run):
    shadow = "def abs(x): return 0\ndef sorted(x): return [5, 6, 7]\ndef f(x): return 2.5\ndef g(xs): return []"
    assert run(shadow, ["close", "sorted"]).outcomes() == {"close": TestOutcome.FAILED, "sorted": TestOutcome.FAILED}
