"""On the bundled programs with real mutants, a warm run says what a fresh one says, and reaching tests are enough."""

import random
from pathlib import Path

import pytest

from mendlab.corpora.bundled_programs import bundled_programs
from mendlab.corpora.subjects import read_subjects
from mendlab.mutators import enumerate_mutants
from mendlab.records import Limits, TestOutcome
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import choose_level
from mendlab.verify.engines.engine import RunOptions
from mendlab.verify.engines.pytest_engine import PytestEngine

QUICK = ("delimited", "stockroom")
LIMITS = Limits(cpu_seconds=4.0, wall_seconds=30.0)


def opened(name, interpreter):
    (loaded,) = read_subjects(f"bundled:{name}")
    subject = loaded.subject
    engine = PytestEngine(loaded.tree, subject.harness, limits=LIMITS, level=choose_level(), interpreter=interpreter)
    return engine, loaded.tree, subject.source_files


def mutants_of(tree, sources, number):
    """A few mutants, the same every time."""
    found = [(path, mutant) for path in sources for mutant in enumerate_mutants(tree[path].decode(), path=path)]
    return random.Random(7).sample(found, number)


def compare(name, interpreter, number):
    """Return how many of the mutants were killed."""
    engine, tree, sources = opened(name, interpreter)
    killed = 0
    try:
        clean = engine.run({})
        assert {result.outcome for result in clean.results} == {TestOutcome.PASSED}, clean.failing()
        coverage = engine.coverage()
        for path, mutant in mutants_of(tree, sources, number):
            changes = {path: mutant.source.encode()}
            warm = engine.run(changes).outcomes()
            assert engine.run(changes, RunOptions(fresh=True)).outcomes() == warm, mutant.diff
            span = mutant.span
            reaching = coverage.reaching(path, tree[path].decode(), span.start_line, span.end_line)
            not_passing = {test_id for test_id, outcome in warm.items() if outcome is not TestOutcome.PASSED}
            assert not_passing <= reaching, mutant.diff
            subset = engine.run(changes, RunOptions(tests=sorted(reaching))).outcomes()
            assert subset == {test_id: warm[test_id] for test_id in reaching}, mutant.diff
            killed += bool(not_passing)
        assert engine.run({}).outcomes() == clean.outcomes()
    finally:
        engine.close()
    return killed


@pytest.mark.parametrize("name", QUICK)
def test_a_warm_run_equals_a_fresh_one(lean_python, name):
    assert compare(name, lean_python, 3) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [program.slug for program in bundled_programs()[::4]])
def test_a_warm_run_equals_a_fresh_one_on_more_programs(lean_python, name):
    assert compare(name, lean_python, 3) > 0


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.8", "3.12", "3.13"])
def test_another_interpreter_runs_the_suites_too(version):
    # Any Python of this machine that has pytest; none is made here.
    found = [find_interpreter(python) for python in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    able = [interpreter for interpreter in found if interpreter.has_pytest]
    if not able:
        pytest.skip(f"no Python {version} with pytest here")
    assert compare("stockroom", able[0], 2) > 0
