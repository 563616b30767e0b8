"""Deciding mutants with mendlab's own engines: what became of each, and what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

from measures.progress import say
from measures.section import Table

from detecting.cpu import Spent, spending
from detecting.subjects import Drawn, Prepared
from mendlab.errors import EngineError
from mendlab.records import TestOutcome
from mendlab.verify.detection.baseline import hang_limits
from mendlab.verify.detection.canary import Canary, check_canary
from mendlab.verify.detection.detect import quick_engine
from mendlab.verify.detection.reach import take_infections
from mendlab.verify.engines.engine import Engine, RunOptions
from mendlab.verify.engines.infection import Infections
from mendlab.verify.engines.pytest_mutants import PytestMutantEngine

KINDS: Final = ("assertion", "error", "timeout", "survived")
_KIND: Final = {TestOutcome.FAILED: "assertion", TestOutcome.TIMEOUT: "timeout"}


class CanaryLives(Exception):
    """A mutant that must be killed is not, or the good tree is: nothing measured on the subject means anything."""


@dataclass
class Decided:
    """What came of mutants: for each the outcome by test id, as far as known; the cost of starting and of deciding.

    Apart: those inside bodies of functions, and the others.
    """

    outcomes: list[dict[str, TestOutcome]]
    starting: Spent
    bodies: Spent
    others: Spent
    paths: Counter[str] = field(default_factory=Counter)

    @property
    def deciding(self) -> Spent:
        """The cost of deciding all of them."""
        return Spent(self.bodies.wall + self.others.wall, self.bodies.cpu + self.others.cpu)

    @property
    def kinds(self) -> list[str]:
        """For each mutant one of :data:`KINDS`."""
        return [kind(outcomes) for outcomes in self.outcomes]


def kind(outcomes: dict[str, TestOutcome]) -> str:
    """What killed a mutant: an assertion if any test failed with one, else an error, else a timeout alone."""
    bad = {_KIND.get(outcome, "error") for outcome in outcomes.values() if _is_bad(outcome)}
    return next((each for each in KINDS if each in bad), "survived")


def failing(outcomes: dict[str, TestOutcome]) -> dict[str, TestOutcome]:
    """The outcomes that are no pass."""
    return {test: outcome for test, outcome in outcomes.items() if outcome is not TestOutcome.PASSED}


def _is_bad(outcome: TestOutcome) -> bool:
    return outcome not in (TestOutcome.PASSED, TestOutcome.MISSING)


def open_quick(prepared: Prepared, infections: Infections | None = None) -> Engine:
    """The engine that detection uses for mutants, under its limits."""
    return quick_engine(prepared.loaded, prepared.baseline, prepared.bench, prepared.coverage, infections)


def learn(prepared: Prepared, mutants: Sequence[Drawn]) -> Infections | None:
    """Which tests the mutants infect, where finding out pays."""
    changes = [mutant.changes for mutant in mutants]
    tests = prepared.baseline.passing
    return take_infections(prepared.loaded, prepared.bench, tests, changes, prepared.coverage)


def open_slow(prepared: Prepared) -> Engine:
    """The engine that shares nothing, if it is asked for fresh runs; the same limits."""
    loaded = prepared.loaded
    return prepared.bench.open(loaded.tree, loaded.subject.harness, hang_limits(prepared.baseline))


def decide(
    prepared: Prepared, mutants: Sequence[Drawn], *, workers: int = 1, full: bool = False, label: str = "decided"
) -> Decided:
    """Run the passing tests on every mutant with the quick engine: until one fails, or all that reach it if ``full``.

    Every worker has its own engine, which is started, and has decided the canary, before the clock of deciding starts;
    so is known which tests the mutants infect. Mutants inside bodies of functions come first.

    Raises:
        CanaryLives: the canary survives, or the good tree does not pass.
    """
    options = RunOptions(tests=prepared.baseline.passing, stop_at_first=not full)
    runs: dict[int, dict[str, TestOutcome]] = {}
    bodies, others = ([at for at, one in enumerate(mutants) if one.in_body is inside] for inside in (True, False))

    def work(engine: Engine, waiting: Iterator[int]) -> None:
        for index in waiting:
            runs[index] = engine.run(mutants[index].changes, options).outcomes()
            if len(runs) % 200 == 0:
                say(f"{prepared.name}: {label}, {len(runs)} of {len(mutants)}")

    with ExitStack() as opened, ThreadPoolExecutor(workers) as threads:
        with spending() as starting:
            infections = learn(prepared, mutants)
            engines = [opened.enter_context(closing(open_quick(prepared, infections))) for _ in range(workers)]
            list(threads.map(lambda engine: check(prepared, engine), engines))
        for engine in engines:
            _paths(engine).clear()
        with spending() as in_bodies:
            list(threads.map(work, engines, repeat(iter(bodies))))
        with spending() as elsewhere:
            list(threads.map(work, engines, repeat(iter(others))))
        paths = sum(map(_paths, engines), Counter[str]())
    return Decided([runs[index] for index in range(len(mutants))], starting, in_bodies, elsewhere, paths)


def _paths(engine: Engine) -> Counter[str]:
    return engine.paths if isinstance(engine, PytestMutantEngine) else Counter()


def check(prepared: Prepared, engine: Engine) -> Canary:
    """Try the good tree with an engine, and the canary, which is returned.

    Raises:
        CanaryLives: the canary survives, or the good tree does not pass.
    """
    try:
        return check_canary(engine, prepared.loaded, prepared.coverage, prepared.baseline.passing, prepared.files)
    except EngineError as error:
        raise CanaryLives(str(error)) from error


def canary_table(subjects: Sequence[Prepared]) -> Table:
    """The canary of each subject, tried with the quick engine. Raises CanaryLives."""
    rows = []
    for prepared in subjects:
        with closing(open_quick(prepared)) as engine:
            rows.append([prepared.name, str(check(prepared, engine))])
    return Table("Canaries, killed on every subject before and in every measurement", ("subject", "canary"), rows)
