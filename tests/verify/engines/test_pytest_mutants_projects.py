"""Projects that load, keep, read and share code in ways of their own: the sessions answer as the slow way does."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, PytestHarness
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.pytest_mutants import PytestMutantEngine

LIMITS = Limits(cpu_seconds=10.0, wall_seconds=60.0)
SOURCE = "def double(n):\n    return n * 2\n"
WRONG = ("n * 2", "n * 3")


@dataclass(frozen=True)
class Project:
    """Files, one change ``(old, new)`` of one of them, and the tests that fail of it (ids without their file)."""

    test: str
    change: tuple[str, str] = WRONG
    failing: tuple[str, ...] = ("test_it",)
    path: str = "mill.py"
    source: str = SOURCE
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def tree(self) -> FileTree:
        files = {self.path: self.source, "test_mill.py": self.test, **self.others}
        return FileTree({path: text.encode() for path, text in files.items()})

    @property
    def changes(self) -> dict[str, bytes | None]:
        old, new = self.change
        assert self.source.count(old) == 1
        return {self.path: self.source.replace(old, new).encode()}


LOADED = {
    "by its location": Project(
        "import importlib.util\n"
        "spec = importlib.util.spec_from_file_location('elsewhere', 'mill.py')\n"
        "mill = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(mill)\n"
        "def test_it(): assert mill.double(2) == 4\n"
    ),
    "by runpy": Project(
        "import runpy\nmill = runpy.run_path('mill.py')\ndef test_it(): assert mill['double'](2) == 4\n"
    ),
    "and taken out of the modules": Project(
        "import sys\nfrom mill import double\ndel sys.modules['mill']\ndef test_it(): assert double(2) == 4\n"
    ),
    "by a path with dots": Project(
        "from mill import double\ndef test_it(): assert double(2) == 4\n",
        path="code/mill.py",
        others={
            "conftest.py": "import os, sys\n"
            "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'docs', '..', 'code'))\n",
            "docs/index.txt": "",
        },
    ),
    "through a link": Project(
        "from mill import double\ndef test_it(): assert double(2) == 4\n",
        path="code/mill.py",
        others={
            "conftest.py": "import os, sys, tempfile\nlink = os.path.join(tempfile.mkdtemp(), 'link')\n"
            "os.symlink(os.path.abspath('code'), link)\nsys.path.insert(0, link)\n",
        },
    ),
    "as two modules": Project(
        "import grain.mill, sys\nsys.path.insert(0, 'grain')\nimport mill\n"
        "def test_one(): assert mill.double(2) == 4\ndef test_other(): assert grain.mill.double(2) == 4\n",
        path="grain/mill.py",
        others={"grain/__init__.py": ""},
        failing=("test_one", "test_other"),
    ),
    "as text": Project(
        "space = {}\nexec(open('mill.py').read(), space)\ndef test_it(): assert space['double'](2) == 4\n"
    ),
}
KEPT = {
    "in a generator that has not begun": Project(
        "import mill\ndef test_it(): assert next(mill.KEPT) == 4\n",
        source="def doubles(n):\n    yield n * 2\n\n\nKEPT = doubles(2)\n",
    ),
    "in a coroutine that has not begun": Project(
        "import asyncio, mill\n"
        "async def wait(): return await mill.KEPT\n"
        "def test_it(): assert asyncio.run(wait()) == 4\n",
        source="async def double(n):\n    return n * 2\n\n\nKEPT = double(2)\n",
    ),
    "in a copy of the function": Project(
        "import mill\ndef test_it(): assert mill.copy(2) == 4\ndef test_other(): assert mill.double(2) == 4\n",
        source=f"import types\n\n\n{SOURCE}\n\n"
        "copy = types.FunctionType(double.__code__.replace(co_name='copy'), globals())\n",
        failing=("test_it", "test_other"),
    ),
    "in a cache of the function's": Project(
        "import mill\ndef test_first(): mill.double(2)\ndef test_it(): assert mill.double(2) == 4\n",
        source=f"import functools\n\n\n@functools.lru_cache\n{SOURCE}",
    ),
    "in a cache of the module's": Project(
        "import mill\ndef test_first(): mill.double(2)\ndef test_it(): assert mill.double(2) == 4\n",
        source="KEPT = {}\n\n\ndef double(n):\n    if n not in KEPT:\n        KEPT[n] = n * 2\n    return KEPT[n]\n",
    ),
}
READ = {
    "by inspect": Project(
        "import inspect, mill\ndef test_it(): assert 'n * 2' in inspect.getsource(mill.double)\n"
        "def test_again(): assert 'n * 2' in inspect.getsource(mill)\n",
        failing=("test_it", "test_again"),
    ),
    "by ast": Project(
        "import ast\ndef test_it(): assert 'Constant(value=2)' in ast.dump(ast.parse(open('mill.py').read()))\n"
    ),
    "as bytes": Project("import os\ndef test_it(): assert b'n * 2' in os.read(os.open('mill.py', os.O_RDONLY), 99)\n"),
    "before the tests": Project(
        "import pathlib\nTEXT = pathlib.Path('mill.py').read_text()\nfrom mill import double\n"
        "def test_it(): assert 'n * 2' in TEXT\ndef test_other(): assert double(2) == 4\n",
        failing=("test_it", "test_other"),
    ),
    "with warnings as errors": Project(
        "import mill\ndef test_it(): assert mill.double(2) == 4\ndef test_other(): pass\n",
        change=("n * 2", "n * 2 if n is 2 else 4"),
        failing=("test_it", "test_other"),
        others={"pytest.ini": "[pytest]\nfilterwarnings =\n    error::SyntaxWarning\n"},
    ),
}
SEEN = {
    "by a process at import": Project(
        "import subprocess, sys\n"
        "SAY = 'import mill; print(mill.double(2))'\n"
        "OUT = subprocess.run([sys.executable, '-c', SAY], capture_output=True).stdout\n"
        "import mill\ndef test_it(): assert OUT.strip() == b'4' and mill.double\n",
    ),
    "beside a profiler": Project(
        "import cProfile, mill\nprofile = cProfile.Profile()\nTWICE = profile.runcall(mill.double, 2)\n"
        "AGAIN = mill.double(2)\ndef test_it(): assert AGAIN == 4 and TWICE == 4\n"
    ),
    "in the code of a function": Project(
        "import mill\nCODE = mill.double.__code__\ndef test_it(): assert CODE.co_name == 'double'\n"
        "def test_other(): assert CODE.co_consts == mill.double.__code__.co_consts\n"
        "def test_consts(): assert 3 not in CODE.co_consts\n",
        failing=("test_consts",),
    ),
    "in a default at import": Project(
        "import mill\ndef test_it(): assert mill.DEFAULT == 2\n",
        source="def double(n=2):\n    return n * 2\n\n\nDEFAULT = double.__defaults__[0]\n",
        change=("n=2", "n=5"),
    ),
    "in a default that a call leaves out": Project(
        "import mill\ndef test_it(): assert mill.double(2) == 4\ndef test_other(): assert mill.double(2, 2) == 4\n",
        source="def double(n, by=2, *, more=0):\n    return n * by + more\n",
        change=("by=2, *, more=0", "by=3, *, more=0"),
    ),
    "in a file open since import": Project(
        "import mill\ndef test_it():\n    mill.double(3)\n    assert 'double 3' in open('mill.log').read()\n",
        source="import logging\n\nlog = logging.getLogger('mill')\nlog.setLevel(logging.INFO)\n"
        "log.addHandler(logging.FileHandler('mill.log'))\n\n\n"
        "def double(n):\n    log.info('double %d', n)\n    return n * 2\n",
        failing=(),
    ),
    "after the tree is removed": Project(
        "import mill, os, pytest\n"
        "def test_it(): assert mill.double(2) == 4\n"
        "def test_where(): assert mill.double(1) and os.getcwd()\n",
        change=("    return n * 2", "    import shutil, os\n    shutil.rmtree(os.getcwd())\n    return n * 3"),
        failing=("test_it", "test_where"),
    ),
}
SHARED = {
    "set up once for each value": Project(
        "import mill, pytest\nMADE = []\n"
        "@pytest.fixture(scope='session', params=[1, 2])\ndef made(request):\n"
        "    MADE.append(request.param)\n    return MADE.count(request.param)\n"
        "def test_slow(made):\n    sum(range(300_000))\n    assert made == 1 and mill.double(1) > 0\n"
        "def test_quick(made): assert made == 1 and mill.double(1) > 0\n",
        failing=(),
    ),
    "asked for by name": Project(
        "import mill, pytest\nMADE = []\n"
        "@pytest.fixture(scope='module')\ndef made():\n    MADE.append(1)\n    return len(MADE)\n"
        "def test_slow(request):\n    sum(range(300_000))\n"
        "    assert request.getfixturevalue('made') == 1 and mill.double(1) > 0\n"
        "def test_quick(request): assert request.getfixturevalue('made') == 1 and mill.double(1) > 0\n",
        failing=(),
        others={
            "test_other.py": "import mill\ndef test_middle():\n    sum(range(100_000))\n    assert mill.double(1) > 0\n"
        },
    ),
    "set up once": Project(
        "import mill, pytest\n"
        "MADE = []\n"
        "@pytest.fixture(scope='module')\ndef made():\n    MADE.append(1)\n    return len(MADE)\n"
        "def test_slow(made):\n    sum(range(300_000))\n    assert made == 1 and mill.double(1) > 0\n"
        "def test_quick(made): assert made == 1 and mill.double(1) > 0\n",
        failing=(),
        others={
            "test_other.py": "import mill\ndef test_middle():\n    sum(range(100_000))\n    assert mill.double(1) > 0\n"
        },
    ),
    "torn down": Project(
        "import mill, pytest\n"
        "@pytest.fixture(scope='module')\ndef made():\n    yield\n    assert mill.double(2) == 4\n"
        "def test_one(made): pass\ndef test_it(made): pass\n"
    ),
    "torn down by a class": Project(
        "import mill, unittest\n"
        "class TestIt(unittest.TestCase):\n"
        "    @classmethod\n    def tearDownClass(cls): assert mill.double(2) == 4\n"
        "    def test_a(self): pass\n    def test_it(self): pass\n"
    ),
    "in an order that counts": Project(
        "import mill\nSEEN = []\n"
        "def test_first():\n    sum(range(300_000))\n    SEEN.append(mill.double(2))\n"
        "def test_it(): assert SEEN and mill.double(2) == 4\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "project",
    [
        pytest.param(project, id=f"{what} {how}")
        for what, group in {"loaded": LOADED, "kept": KEPT, "read": READ, "seen": SEEN, "shared": SHARED}.items()
        for how, project in group.items()
    ],
)
def test_answers_of_the_slow_way(project: Project) -> None:
    harness = PytestHarness(test_files=("test_mill.py", "conftest.py", "test_other.py"))
    common = {"limits": LIMITS, "level": choose_level(), "interpreter": find_interpreter()}
    with ExitStack() as stack:
        slow = stack.enter_context(closing(PytestEngine(project.tree, harness, **common)))
        coverage = slow.coverage(slow.test_ids)
        fast = stack.enter_context(closing(PytestMutantEngine(project.tree, harness, coverage, **common)))
        found = fast.run(project.changes).outcomes()
        assert found == slow.run(project.changes, RunOptions(fresh=True)).outcomes()
        failing = [test_id.rpartition("::")[2] for test_id, outcome in found.items() if outcome != "passed"]
        assert failing == list(project.failing)
        first = fast.run(project.changes, RunOptions(stop_at_first=True))
        assert bool(first.failing()) == bool(project.failing)
