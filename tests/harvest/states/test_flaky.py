"""Planted flaky tests of four kinds, each in a commit that otherwise tells its states apart."""

import os
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.environment.requirements import Source
from mendlab.harvest.states.examining import examine
from mendlab.harvest.states.reports import FlakyKind
from mendlab.harvest.states.running import Runner
from mendlab.harvest.trees import CommitTrees
from mendlab.records import Limits
from mendlab.verify.bench import Bench

A_KIND = 10
NOW = datetime.now(UTC)
RANDOM = (
    "import random\ndef test_flaky():\n    assert random.random() < 0.5\n",
    "import os\ndef test_flaky():\n    assert os.urandom(1)[0] % 2\n",
    "import uuid\ndef test_flaky():\n    assert int(uuid.uuid4()) % 3\n",
    "from program import draw\ndef test_flaky():\n    assert draw() < 0.7\n",
    "import random\nWORDS = random.sample(range(9), 3)\ndef test_flaky():\n    assert WORDS == sorted(WORDS)\n",
)
ORDER = (
    "SEEN = []\ndef test_before():\n    SEEN.append(1)\ndef test_flaky():\n    assert SEEN\n",
    "SEEN = []\ndef test_flaky():\n    assert not SEEN\ndef test_later():\n    SEEN.append(1)\n",
    "import program\ndef test_flaky():\n    assert not program.STATE\n@__import__('pytest').fixture(scope='module')\n"
    "def dirty():\n    program.STATE.append(1)\n    yield\n    program.STATE.clear()\ndef test_x(dirty):\n    pass\n",
    "import os\nclass TestOne:\n    def test_sets(self):\n        os.environ['PLANTED_{n}'] = '1'\n"
    "class TestTwo:\n    def test_flaky(self):\n        assert 'PLANTED_{n}' in os.environ\n",
    "import program\nLOG = program.LOG_{n} = []\ndef test_flaky():\n    LOG.append(1)\n    assert len(LOG) == 1\n"
    "def test_other():\n    program.LOG_{n}.append(1)\n",
)
HASH = (
    "def test_flaky():\n    assert ''.join({{*'abcdefghij{n}'}}) == {order!r}\n",
    "def test_flaky():\n    assert hash('{n}') == {hash}\n",
    "def test_flaky():\n    assert next(iter(frozenset('abcdefghij{n}'))) == {order!r}[0]\n",
)
CLOCK = (
    "import datetime\ndef test_flaky():\n    assert datetime.date.today().month in ({month}, {next_month})\n",
    "import time\ndef test_flaky():\n    assert time.localtime().tm_yday // 100 == {yday} // 100\n",
    "import datetime\ndef test_flaky():\n    assert datetime.datetime.now() < datetime.datetime({later})\n",
    "import time\ndef test_flaky():\n    start = time.monotonic()\n    time.sleep(0.1)\n"
    "    assert time.monotonic() - start < 0.16\n",
    "from datetime import datetime, timezone\n"
    "def test_flaky():\n    assert datetime.now(timezone.utc).timestamp() < {stamp}\n",
)
PROGRAM = "import random\nSTATE = []\ndef draw():\n    return random.random()\ndef answer():\n    return 41\n"
TELLS = "from program import answer\ndef test_answer():\n    assert answer() == 42\n"


def planted(kind, executable):
    """Test files by path, with one flaky test each."""
    shapes = {"random": RANDOM, "order": ORDER, "hash": HASH, "clock": CLOCK}[kind]
    files = {}
    for n in range(A_KIND):
        later = NOW + timedelta(days=60)
        values = {
            "n": n,
            "month": NOW.month,
            "next_month": NOW.month % 12 + 1,
            "yday": NOW.timetuple().tm_yday,
            "later": f"{later.year}, {later.month}, {later.day}",
            "stamp": later.timestamp(),
            **(of_seed_zero(executable, n) if kind == "hash" else {}),
        }
        files[f"tests/test_{kind}_{n}.py"] = shapes[n % len(shapes)].format(**values)
    return files


def of_seed_zero(executable, n):
    """What the first run will see."""
    code = f"print(''.join({{*'abcdefghij{n}'}}), hash('{n}'))"
    said = subprocess.check_output([executable, "-c", code], text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    order, number = said.split()
    return {"order": order, "hash": number}


@pytest.fixture(scope="module")
def runner(environments, bench):
    (ready,) = environments.ladder((Source("pytest", ("pytest",)),), None, NOW)
    return Runner(Bench(bench.level, ready.interpreter), limits=Limits(cpu_seconds=30, wall_seconds=90))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "told_as"),
    [
        ("random", {FlakyKind.AGAIN, FlakyKind.ORDER, FlakyKind.HASH_SEED, FlakyKind.CLOCK}),  # as it happens
        ("order", {FlakyKind.ORDER}),
        ("hash", {FlakyKind.HASH_SEED}),
        ("clock", {FlakyKind.CLOCK}),
    ],
)
def test_planted_flaky_tests_leave_both_lists(runner, kind, told_as):
    flaky = planted(kind, runner.bench.interpreter.executable)
    files = {path: text.encode() for path, text in flaky.items()}
    parent = FileTree({"program.py": PROGRAM.encode(), **files})
    with_tests = parent.replace({"tests/test_answer.py": TELLS.encode()})
    fix = with_tests.replace({"program.py": PROGRAM.replace("41", "42").encode()})
    report = examine(CommitTrees(parent, with_tests, fix, ("tests/test_answer.py",)), runner, None)
    assert report.fail_to_pass == ("tests/test_answer.py::test_answer",)
    listed = {test_id.partition("::")[0] for test_id in report.pass_to_pass if test_id.endswith("test_flaky")}
    missed = sorted(listed)
    caught = {test_id: found for test_id, found in report.flaky.items() if test_id.endswith("test_flaky")}
    assert missed == []
    assert set(caught.values()) <= told_as


def test_steady_tests_are_not_called_flaky(runner):
    steady = (
        "import datetime, os, random, time\n"
        "def test_random():\n    assert random.Random(3).random() == random.Random(3).random()\n"
        "def test_now():\n    assert datetime.datetime.now().year >= 2024\n"
        "def test_elapsed():\n    start = time.time()\n    time.sleep(0.01)\n    assert 0 < time.time() - start < 30\n"
        "def test_type():\n    assert type(datetime.datetime.now()) is datetime.datetime\n"
        "def test_file(tmp_path):\n    (tmp_path / 'f').write_text('')\n"
        "    assert abs((tmp_path / 'f').stat().st_mtime - time.time()) < 400 * 86400\n"
    )
    parent = FileTree({"program.py": PROGRAM.encode(), "tests/test_steady.py": steady.encode()})
    with_tests = parent.replace({"tests/test_answer.py": TELLS.encode()})
    fix = with_tests.replace({"program.py": PROGRAM.replace("41", "42").encode()})
    report = examine(CommitTrees(parent, with_tests, fix, ("tests/test_answer.py",)), runner, None)
    assert (report.flaky, len(report.pass_to_pass)) == ({}, 5)
