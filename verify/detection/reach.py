"""What the tests of a subject come by at all, and what of it infects them: no other test needs to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.text import decode
from mendlab.errors import EngineError, SubjectError
from mendlab.records import FunctionHarness, PytestHarness, TestOutcome
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import CLEAN_LIMITS
from mendlab.verify.engines.changed_code import changed_region
from mendlab.verify.engines.coverage import COMMON, Coverage, statement_lines
from mendlab.verify.engines.infection import Changes, Infections
from mendlab.verify.engines.pytest_engine import PytestEngine
from mendlab.verify.engines.reaching import Reaching
from mendlab.verify.equivalence.recording import record_function_calls
from mendlab.workers import Progress, unheard

TRACED_LIMITS: Final = CLEAN_LIMITS.model_copy(
    update={"cpu_seconds": 3 * CLEAN_LIMITS.cpu_seconds, "wall_seconds": 3 * CLEAN_LIMITS.wall_seconds}
)
"""Recording makes a clean run about one and a half times as long, more where code runs little but short statements."""
WORTH_LEARNING: Final = 150
"""Finding out which tests changes infect takes a fork for each test, and spares about half of what survivors cost."""


def take_coverage(
    loaded: LoadedSubject, bench: Bench, tests: Sequence[str], progress: Progress = unheard
) -> Coverage | None:
    """Return the lines of the good tree that its tests run, or None where that cannot be told."""
    try:
        match loaded.subject.harness:
            case FunctionHarness() as harness:
                recorded = record_function_calls(loaded.tree, harness, CLEAN_LIMITS, bench)
                if recorded.lines is None:
                    return None
                # Line 0 is where a module's code begins, and no statement.
                imported, tested = ([line for line in lines if line > 0] for lines in recorded.lines)
                told = {COMMON: {harness.module: imported}, "all": {harness.module: tested}}
                return Coverage.of(told, exclude=())
            case PytestHarness() as harness:
                engine = PytestEngine(
                    loaded.tree, harness, limits=TRACED_LIMITS, level=bench.level, interpreter=bench.interpreter
                )
                with closing(engine):
                    return engine.coverage(tests, lambda done: progress("runs recorded", done, 2 * len(tests)))
            case _:
                return None
    except (EngineError, SubjectError):
        return None


def take_infections(
    loaded: LoadedSubject,
    bench: Bench,
    tests: Sequence[str],
    batch: Sequence[Changes],
    coverage: Coverage,
    progress: Progress = unheard,
) -> Infections | None:
    """Return which of the tests, all of which pass, changes may infect, of those that reach one of them.

    None where it cannot be told, or where the changes are so few that finding out costs more than it spares.
    """
    harness = loaded.subject.harness
    if not isinstance(harness, PytestHarness) or len(batch) < WORTH_LEARNING:
        return None
    engine = PytestEngine(loaded.tree, harness, limits=TRACED_LIMITS, level=bench.level, interpreter=bench.interpreter)
    reaching = Reaching(loaded.tree, coverage)
    concerned = frozenset[str]().union(*(reaching.of(changes, tests) for changes in batch)).intersection(tests)
    infections = Infections(
        loaded.tree,
        engine,
        dict.fromkeys(tests, TestOutcome.PASSED),
        lambda done: progress("runs compared with mutants", done, len(tests) + len(concerned)),
        concerned,
    )
    with closing(engine):
        try:
            infections.learn(batch)
        except (EngineError, SubjectError):
            return None
    return infections


def is_reached(coverage: Coverage | None, loaded: LoadedSubject, candidate: Candidate) -> bool:
    """Whether some test runs what a defect changes; True where it cannot be told."""
    if coverage is None or candidate.defect.span is None:
        return True
    return any(
        region is None or coverage.reaching(path, text, *region) for path, text, region in _regions(loaded, candidate)
    )


def is_at_import(coverage: Coverage | None, loaded: LoadedSubject, candidate: Candidate) -> bool:
    """Whether what a defect changes is known to run when the file is imported."""
    if coverage is None or candidate.defect.span is None:
        return False
    for path, text, region in _regions(loaded, candidate):
        lines = None if region is None else statement_lines(text, *region)
        if lines is not None and not lines.isdisjoint(coverage.lines.get(COMMON, {}).get(path, ())):
            return True
    return False


def _regions(loaded: LoadedSubject, candidate: Candidate) -> Iterator[tuple[str, str, tuple[int, int] | None]]:
    """Each changed file, its text, and the lines where the two first differ, if that can be told."""
    for path, data in loaded.tree.changed(candidate.buggy).items():
        known = data is not None and path in loaded.tree
        yield (
            path,
            decode(path, loaded.tree[path]).text if known else "",
            changed_region(path, loaded.tree[path], data) if data is not None and known else None,
        )
