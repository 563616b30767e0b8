"""Gates run confined: what they do, they do to one run."""

import time

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, ScriptHarness, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.script_engine import ScriptEngine

LIMITS = Limits(
    cpu_seconds=1.0,
    wall_seconds=5.0,
    memory_bytes=300 * 2**20,
    processes=20,
    file_bytes=8 * 2**20,
    disk_bytes=16 * 2**20,
)
HOSTILE = {
    "ok": "grep -q hello greeting.txt",
    "fails": "echo wrong; exit 3",
    "spin": "while :; do :; done",
    "sleep": "sleep 100",
    "fork_bomb": "f() { f | f & }; f; sleep 3",
    "memory": "python3 -c 'x = bytearray(10**10)' || tail /dev/zero",
    "disk": "for i in 1 2 3 4 5 6; do head -c 5000000 /dev/zero > f$i; done; df . | tail -1; exit 1",
    "print": "yes | head -c 50000000; exit 1",
    "kill_all": "kill -9 -1; kill -9 1; exit 0",
    "orphan": "(setsid sleep 50 &) ; exit 0",
    "network": "exec 3<>/dev/tcp/127.0.0.1/1",
    "write_root": "touch /usr/x || touch /x || touch /mendlab/x || touch /usr/lib/x",
    "closed_directory": "mkdir -p d/e && touch d/e/f && chmod 0 d/e d; exit 0",
    "deep_directory": "for i in $(seq 1500); do mkdir d && cd d || exit 1; done; exit 0",
    "delete_tree": "rm -rf ./* /tmp/*; exit 0",
}


@pytest.fixture(scope="module")
def engine():
    tree = FileTree({"greeting.txt": b"hello\n", "sub/run.sh": b"exit 0\n"}, frozenset({"sub/run.sh"}))
    engine = ScriptEngine(
        tree, ScriptHarness(scripts=HOSTILE), limits=LIMITS, level=choose_level(), interpreter=find_interpreter()
    )
    yield engine
    engine.close()


EXPECTED = {
    "ok": {TestOutcome.PASSED},
    "fails": {TestOutcome.FAILED},
    "spin": {TestOutcome.TIMEOUT},
    "sleep": {TestOutcome.TIMEOUT},
    "fork_bomb": {TestOutcome.CRASH, TestOutcome.TIMEOUT, TestOutcome.FAILED, TestOutcome.OUT_OF_MEMORY},
    "memory": {TestOutcome.FAILED, TestOutcome.OUT_OF_MEMORY, TestOutcome.TIMEOUT},
    "disk": {TestOutcome.FAILED},
    "print": {TestOutcome.FAILED},
    "kill_all": {TestOutcome.PASSED},
    "orphan": {TestOutcome.PASSED},
    "network": {TestOutcome.FAILED},
    "write_root": {TestOutcome.FAILED},
    "closed_directory": {TestOutcome.PASSED},
    "deep_directory": {TestOutcome.PASSED, TestOutcome.TIMEOUT},
    "delete_tree": {TestOutcome.PASSED},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_gate_costs_its_own_run_alone(engine, name):
    started = time.monotonic()
    run = engine.run({}, RunOptions(tests=[name, "ok"]))
    assert run.results[0].outcome in EXPECTED[name], run
    assert run.results[1].outcome is TestOutcome.PASSED
    assert time.monotonic() - started < 12


def test_output_is_trimmed_and_kept(engine):
    run = engine.run({}, RunOptions(tests=["print"]))
    assert len(run.output) < LIMITS.output_bytes + 100
    assert "bytes left out" in run.output


def test_changes_are_laid_over_the_tree(engine):
    run = engine.run({"greeting.txt": b"bye\n"}, RunOptions(tests=["ok"]))
    assert run.results[0].outcome is TestOutcome.FAILED
    run = engine.run({"greeting.txt": None}, RunOptions(tests=["ok"], fresh=True))
    assert run.results[0].outcome is TestOutcome.FAILED


def test_stopping_at_the_first_failure_leaves_the_rest_unheard(engine):
    run = engine.run({}, RunOptions(tests=["fails", "ok"], stop_at_first=True))
    assert [result.outcome for result in run.results] == [TestOutcome.FAILED, TestOutcome.MISSING]
