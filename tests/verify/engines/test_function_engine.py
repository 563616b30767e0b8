"""Function tests give what they would in one process, and say what they got."""

from pathlib import Path

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Step, StepGroup, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.function_engine import FunctionEngine

LIMITS = Limits(cpu_seconds=1.0, wall_seconds=4.0, memory_bytes=400 * 2**20)
PASSED, FAILED, ERROR = TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.ERROR
OTHER_PYTHONS = [
    path for version in ("3.8", "3.13") for path in Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
]

SOURCE = """
import collections, dataclasses, enum, typing

LIMIT = 3
Pair = collections.namedtuple("Pair", "first second")
start_end = typing.NamedTuple("start_end", [("start", int)])

class Colour(enum.Enum):
    RED = 1

class TooMuch(ValueError):
    def __init__(self, amount):
        super().__init__(amount)
        self.amount = amount
    def __str__(self):
        return "%s is too much" % self.amount

class Account:
    opened = 0
    def __init__(self, balance):
        self.balance = balance
    def withdraw(self, amount):
        if amount > self.balance:
            raise TooMuch(amount)
        self.balance -= amount
        return self
    def __enter__(self): return self
    def __exit__(self, *_): self.balance = None
    def __len__(self): return self.balance
    def __getitem__(self, i): return [self.balance][i]
    @classmethod
    def empty(cls): return cls(0)

class Savings(Account):
    pass

@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int = 0
    def __add__(self, other): return Point(self.x + other, self.y + other)

class Word(str):
    pass

class Tree:
    def __init__(self, value, left=None):
        self.value, self.left = value, left

def increase(x): return x + 1
def append(items, item):
    items.append(item)
    return items
def swap(mapping):
    mapping["a"], mapping["b"] = mapping["b"], mapping["a"]
def each(function, items): return [function(item) for item in items]
def consume(items): return list(items)
def count(n):
    for i in range(n): yield i
def adder(n): return lambda x: x + n
def shout(word): return Word(word.upper())
def length(node):
    total = 0
    while node is not None:
        node, total = node.next, total + 1
    return total
def reverse(node):
    before = None
    while node is not None:
        node.next, before, node = before, node, node.next
    return before
def root(tree): return tree.value
def boom(): raise KeyError("k", 1)
def asserts(): assert False
def leaves(): raise SystemExit(0)
async def later(x):
    import asyncio
    await asyncio.sleep(0.001)
    return x
def pair(): return Pair(1, 2)
def greet(name):
    '''
    >>> greet("you")
    hello you
    5
    >>> greet(3)
    Traceback (most recent call last):
    TypeError: can only concatenate str (not "int") to str
    '''
    print("hello " + name)
    return len(name) + 2
def helper(): return "reference"
"""

SETUP = """
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next
    def double(self):
        return self.value * 2

chain = Node(1, Node(2, Node(3)))
"""

RIGHT = {
    "plain": "assert increase(1) == 2",
    "constant": "assert LIMIT == 3",
    "same_object": "xs = [1]\nassert append(xs, 2) is xs\nassert xs == [1, 2]",
    "aliases": "xs = [[]]\nassert append(xs, xs[0]) == [[], []]\nassert xs[0] is xs[1]",
    "mapping": "d = dict(a=1, b=2)\nassert swap(d) is None\nassert d == {'a': 2, 'b': 1}",
    "callback": "seen = []\nassert each(lambda x: seen.append(x) or x * 2, [1, 2]) == [2, 4]\nassert seen == [1, 2]",
    "callback_raises": (
        "def bad(x):\n    raise LookupError(x)\ntry:\n    each(bad, [1])\n    assert False\n"
        "except LookupError as e:\n    assert e.args == (1,)"
    ),
    "callback_changes_its_argument": "xs = [[1], [2]]\neach(lambda x: x.append(0), xs)\nassert xs == [[1, 0], [2, 0]]",
    "callback_calls_back": "assert each(lambda x: each(increase, [x]), [1, 2]) == [[2], [3]]",
    "builtin_argument": "assert each(str, [1, 2]) == ['1', '2'] and each(str.upper, ['a']) == ['A']",
    "library_argument": (
        "import collections, math, os.path\nassert each(collections.Counter, ['aa']) == [{'a': 2}]\n"
        "assert each(math.factorial, [4]) == [24] and each(os.path.basename, ['a/b']) == ['b']\n"
        "assert isinstance(each(open, ['/dev/null'])[0].name, str)"
    ),
    "view_argument": "assert consume({1: 2}.values()) == [2] and consume({1: 2}.items()) == [(1, 2)]",
    "bound_method_argument": "seen = []\neach(seen.append, [1, 2])\nassert seen == [1, 2]",
    "iterator_argument": "assert consume(x * 2 for x in [1, 2]) == [2, 4]",
    "generator": (
        "g = count(3)\nassert next(g) == 0 and list(g) == [1, 2]\n"
        "import types\nassert isinstance(count(1), types.GeneratorType)"
    ),
    "returned_function": "assert adder(2)(3) == 5",
    "text_of_a_subclass": "assert shout('a') == 'A' and shout('a') + 'b' == 'Ab' and 'A' in shout('a')",
    "test_class": "assert length(chain) == 3",
    "test_class_changed_in_place": (
        "first = chain\nlast = chain.next.next\nassert reverse(chain) is last\n"
        "assert [last.value, last.next.value, first.next] == [3, 2, None]\nassert last.double() == 6"
    ),
    "reference_class": "t = Tree(5)\nt.left = Tree(6)\nassert root(t) == 5 and root(t.left) == 6",
    "object": (
        "a = Account(5)\nassert a.withdraw(2) is a\nassert a.balance == 3 and len(a) == 3 and a[0] == 3\n"
        "a.balance = 9\nassert a.balance == 9\nassert isinstance(a, Account) and not isinstance(a, Savings)"
    ),
    "copy": (
        "import copy\na = Account([1])\nb, c = copy.copy(a), copy.deepcopy(a)\na.balance.append(2)\n"
        "assert b is not a and isinstance(c, Account) and c.balance == [1]"
    ),
    "coroutine": (
        "import asyncio\nassert asyncio.run(later(1)) == 1\n"
        "async def both():\n    return await asyncio.gather(later(2), later(3))\nassert asyncio.run(both()) == [2, 3]"
    ),
    "with": "a = Account(1)\nwith a as b:\n    assert b is a\nassert a.balance is None",
    "class_itself": "assert Account.empty().balance == 0 and Account.opened == 0\nassert Account.__name__ == 'Account'",
    "subclass": "assert isinstance(Savings(1), Account) and issubclass(Savings, Account)",
    "own_exception": (
        "try:\n    Account(1).withdraw(2)\n    assert False\nexcept TooMuch as e:\n"
        "    assert isinstance(e, ValueError) and e.amount == 2 and str(e) == '2 is too much'"
    ),
    "builtin_exception": "try:\n    boom()\n    assert False\nexcept KeyError as e:\n    assert e.args == ('k', 1)",
    "exit": "try:\n    leaves()\n    assert False\nexcept SystemExit as e:\n    assert e.code == 0",
    "dataclass": (
        "assert Point(1, 2) == Point(1, 2) != Point(1, 3)\nassert sorted([Point(2), Point(1)])[0].x == 1\n"
        "assert Point(1) < Point(2)\nassert repr(Point(1)) == 'Point(x=1, y=0)'\nassert (Point(1) + 1).y == 1"
    ),
    "enum": "assert Colour.RED is Colour(1) and Colour.RED.value == 1 and [c.name for c in Colour] == ['RED']",
    "namedtuple": (
        "assert pair() == (1, 2) and pair().first == 1\nassert isinstance(pair(), Pair) and Pair(3, 4).second == 4"
    ),
}
RIGHT["printed"] = (
    "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as out:\n    greet('me')\n"
    "assert out.getvalue() == 'hello me\\n'"
)
RIGHT["doctest"] = (
    "import doctest\ntest = doctest.DocTestParser().get_doctest(greet.__doc__, {'greet': greet}, 'greet', None, 0)\n"
    "assert not doctest.DocTestRunner().run(test).failed"
)
WRONG = {
    "not_equal": ("assert increase(1) == 3", FAILED, "assert increase(1) == 3, got 2"),
    "with_message": ("assert increase(1) == 3, 'no good'", FAILED, "AssertionError: no good"),
    "raises": ("boom()", ERROR, "KeyError: ('k', 1)"),
    "asserts_itself": ("asserts()", ERROR, "AssertionError"),
    "leaves": ("leaves()", ERROR, "SystemExit: 0"),
    "wrong_syntax": ("assert increase(", ERROR, "SyntaxError"),
    "derives": ("class Sub(Account):\n    pass", ERROR, "TypeError: a class of the test program cannot derive"),
    "chained": ("assert 1 < increase(1) < 2", FAILED, "AssertionError"),
}
ALL = {**RIGHT, **{name: step for name, (step, _, _) in WRONG.items()}}


def make_engine(source, *groups, entry_points=None, limits=LIMITS, interpreter=None, files=None, **more):
    harness = FunctionHarness(entry_points=entry_points, groups=groups, **more)
    tree = FileTree({harness.module: source.encode(), **(files or {})})
    return FunctionEngine(
        tree, harness, limits=limits, level=choose_level(), interpreter=interpreter or find_interpreter()
    )


def group(setup="", /, **steps):
    return StepGroup(setup=setup, steps=tuple(Step(code=code, test_id=name) for name, code in steps.items()))


def outcomes(run):
    return {name: outcome.value for name, outcome in run.outcomes().items()}


@pytest.fixture(scope="module", params=[None, *OTHER_PYTHONS], ids=lambda path: path.name if path else "own")
def engine(request):
    # A group for each: they change what they share.
    groups = [group(SETUP, **{name: step}) for name, step in ALL.items()]
    engine = make_engine(SOURCE, *groups, interpreter=find_interpreter(request.param))
    yield engine
    engine.close()


def test_right_steps_pass_and_wrong_ones_say_what_they_got(engine):
    run = engine.run({})
    assert [result for result in run.failing() if result.test_id in RIGHT] == []
    results = {result.test_id: result for result in run.results}
    for name, (_, outcome, message) in WRONG.items():
        assert results[name].outcome is outcome, results[name]
        assert message in results[name].message
    assert 0 < results["plain"].cpu_seconds < run.cpu_seconds < 1


def test_a_warm_run_equals_a_fresh_one(engine):
    changed = {"solution.py": SOURCE.replace("x + 1", "x - 1").replace("amount > self", "amount < self").encode()}
    warm = engine.run(changed)
    fresh = engine.run(changed, RunOptions(fresh=True))
    again = engine.run(changed)
    shuffled = engine.run(changed, RunOptions(shuffle_seed=3))
    assert warm.outcomes() == fresh.outcomes() == again.outcomes() == shuffled.outcomes()
    assert [r.message for r in warm.results] == [r.message for r in fresh.results]
    assert warm.outcomes()["plain"] is FAILED
    assert warm.outcomes()["own_exception"] is FAILED


@pytest.fixture(scope="module")
def small():
    steps = [
        Step(code="state.append(increase(1))"),
        Step(code="assert state == [2]", test_id="one"),
        Step(code="state.append(increase(2))\nassert state == [2, 3]", test_id="two"),
        Step(code="assert state == [2, 3]", test_id="three"),
    ]
    other = group("assert helper() == 'reference'", four="assert increase(3) == 4")
    engine = make_engine(SOURCE, StepGroup(setup="state = []", steps=tuple(steps)), other, entry_points=("increase",))
    yield engine
    engine.close()


def change(old, new):
    return {"solution.py": SOURCE.replace(old, new).encode()}


def test_a_subset_runs_what_it_stands_on(small):
    assert outcomes(small.run({}, RunOptions(tests=["three"]))) == {"three": "passed"}
    assert outcomes(small.run({}, RunOptions(tests=["four", "one"]))) == {"four": "passed", "one": "passed"}
    assert outcomes(small.run({}, RunOptions(tests=[]))) == {}


def test_stopping_at_the_first_failure_leaves_the_rest_unheard(small):
    run = small.run(change("x + 1", "x + 1 if x < 2 else 0"), RunOptions(stop_at_first=True))
    assert outcomes(run) == {"one": "passed", "two": "failed", "three": "missing", "four": "missing"}


def test_names_that_are_no_entry_points_are_the_references(small):
    assert small.run(change('return "reference"', 'return "candidate"')).failing() == ()


def test_preparation_that_fails_makes_later_tests_errors(small):
    run = small.run(change("x + 1", "x + 1 if x == 3 else undefined"))
    assert outcomes(run) == {"one": "error", "two": "error", "three": "error", "four": "passed"}
    assert "undefined" in run.results[0].message


def test_a_missing_entry_point_is_an_error(small):
    run = small.run(change("def increase", "def renamed"))
    assert outcomes(run) == dict.fromkeys(["one", "two", "three", "four"], "error")
    assert "increase" in run.results[0].message


@pytest.mark.parametrize(
    "code, message",
    [
        ("def increase(x) return", "solution.py:1: SyntaxError"),
        ("x = 1\n1 / 0", "solution.py:2: ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("import nothing_like_this", "ModuleNotFoundError"),
        ("a = '\0'", "null byte"),
        ("class E(Exception):\n    def __str__(self): raise self\nraise E", "solution.py:3: E"),
    ],
)
def test_a_module_that_does_not_load_is_one_load_error(small, code, message):
    run = small.run({"solution.py": code.encode()})
    assert set(outcomes(run).values()) == {"error"}
    assert message in run.load_error
    assert small.run({}).failing() == ()


def test_a_module_that_is_removed_or_ends_the_process_loads_nothing(small):
    assert set(outcomes(small.run({"solution.py": None})).values()) == {"error"}
    ended = small.run({"solution.py": b"import os\nos._exit(0)"})
    assert set(outcomes(ended).values()) == {"crash"} and ended.load_error
    hung = small.run({"solution.py": b"while True: pass"})
    assert set(outcomes(hung).values()) == {"timeout"} and hung.load_error


def test_a_lost_test_costs_itself_and_the_rest_goes_on(small):
    run = small.run(change("x + 1", "x + 1 if x != 2 else __import__('os')._exit(0)"))
    assert outcomes(run) == {"one": "passed", "two": "crash", "three": "failed", "four": "passed"}


@pytest.mark.parametrize(("decisive", "rest"), [("two", "missing"), ("one", "passed")])
def test_behind_a_decisive_test_that_is_lost_nothing_is_run(small, decisive, rest):
    dying = change("x + 1", "x + 1 if x != 2 else __import__('os')._exit(0)")
    run = small.run(dying, RunOptions(tests=["one", "two", "four"], decisive=[decisive]))
    assert outcomes(run) == {"one": "passed", "two": "crash", "four": rest}


def test_tests_that_always_hang_are_given_up_after_three():
    steps = {f"t{i}": "assert increase(1) == 2" for i in range(8)}
    engine = make_engine(SOURCE, group("", **steps), limits=LIMITS.model_copy(update={"cpu_seconds": 0.3}))
    try:
        run = engine.run(change("x + 1", "all(n == 0 for n in iter(int, 1))"))
    finally:
        engine.close()
    assert set(outcomes(run).values()) == {"timeout"}
    assert run.cpu_seconds < 3
    assert "not run" in run.results[-1].message


def test_the_other_files_of_the_tree_are_there():
    files = {"pkg/other.py": b"def two(): return 2", "pkg/data.txt": b"3"}
    source = (
        "import other, os\ndef total(): return other.two() + int(open(os.path.dirname(__file__) + '/data.txt').read())"
    )
    engine = make_engine(source, group("", a="assert total() == 5"), files=files, module="pkg/main.py")
    try:
        assert engine.run({}).failing() == ()
        run = engine.run({"pkg/other.py": b"def two(): return 4"})
        assert run.results[0].message == "assert total() == 5, got 7"
    finally:
        engine.close()


def test_a_reference_that_does_not_import_is_a_load_error():
    engine = make_engine("1 / 0", group("", a="assert True"))
    try:
        assert "ZeroDivisionError" in engine.run({}).load_error
    finally:
        engine.close()


def test_chance_is_the_same_in_every_run():
    source = "import random\ndef draw(): return random.random()"
    engine = make_engine(source, group("import random", a="assert (draw(), random.random()) == 0"))
    try:
        assert engine.run({}).results[0].message == engine.run({}, RunOptions(fresh=True)).results[0].message
    finally:
        engine.close()


def test_the_ids_and_the_level_are_told(small):
    assert small.test_ids == ("one", "two", "three", "four")
    assert small.level is choose_level()
