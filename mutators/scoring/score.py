"""Mutants of programs, drawn and tried on the tests; a verdict each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from mendlab.corpora.candidates import Candidate, LoadedSubject, Refusal
from mendlab.corpora.score_folder import ScoreFolder
from mendlab.mutators.choosing.picking import functions_named
from mendlab.mutators.injecting.first_order import drawn, in_order
from mendlab.mutators.injecting.making import Choice
from mendlab.mutators.injecting.programs import Programs, make_candidate
from mendlab.mutators.mutant import Mutant
from mendlab.records import MutantVerdict, ScoreTotals
from mendlab.verify.bench import Bench
from mendlab.verify.detection.baseline import problem, unusable
from mendlab.verify.detection.batches import in_batches, try_batches
from mendlab.verify.detection.examine import clean_runs
from mendlab.verify.detection.reach import take_coverage, take_infections
from mendlab.verify.detection.verdicts import Assessor, not_run
from mendlab.verify.engines.coverage import Coverage
from mendlab.verify.engines.infection import MOST_MUTANTS, Infections
from mendlab.workers import PerKey, Progress

Draw = tuple[LoadedSubject, Mutant]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which mutants are scored, and how far they are run.

    Attributes:
        seed: of the choice.
        operators: names of operators and families; ``None`` for all.
        function: only what is changed inside the functions of this name.
        size: so many mutants, chosen by ``seed`` and ``strategy``; ``None`` for all.
        strategy: in which order they are drawn (:data:`mendlab.mutators.choosing.sampling.STRATEGIES`).
        full: every test that reaches a mutant runs, not only up to the first that fails.
    """

    seed: int = 0
    operators: tuple[str, ...] | None = None
    function: str | None = None
    size: int | None = None
    strategy: str = "uniform"
    full: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """The verdicts, by program and place, what they were drawn from, and the programs that could not be tested."""

    verdicts: tuple[MutantVerdict, ...]
    totals: ScoreTotals
    refused: tuple[Refusal, ...]


def score(
    subjects: Sequence[LoadedSubject],
    scope: Scope,
    bench: Bench,
    folder: ScoreFolder,
    *,
    workers: int,
    progress: Progress,
) -> Scored:
    """Give a verdict on every mutant in ``scope``. What the folder has is not done again.

    Which mutants these are, and what is kept of a stopped run, does not depend on the workers. Programs that cannot be
    tested are refused; a sample is drawn from the others. Clean runs come before any mutant is made.

    Raises:
        InputError: there is no such operator, strategy or function.
        EngineError: a mutant that must be killed lives, or a good tree fails: no verdict can be trusted.
        OutputError: what is found out cannot be written down.
    """
    return _Scoring(subjects, scope, bench, folder, workers, progress).score()


class _Scoring:
    def __init__(
        self,
        subjects: Sequence[LoadedSubject],
        scope: Scope,
        bench: Bench,
        folder: ScoreFolder,
        workers: int,
        progress: Progress,
    ) -> None:
        self._scope = scope
        self._bench = bench
        self._folder = folder
        self._workers = workers
        self._progress = progress
        self._subjects = {loaded.subject.id: loaded for loaded in subjects}
        self._draws: Sequence[Draw] = ()
        self._coverages: PerKey[str, Coverage | None] = PerKey(self._take_coverage)
        self._infections: PerKey[str, Infections | None] = PerKey(self._take_infections)
        functions = None
        if scope.function is not None:
            known = (each.qualified_name for loaded in subjects for each in loaded.subject.functions)
            functions = functions_named(scope.function, known)
        self._programs = Programs(subjects, scope.operators, progress, functions)

    def score(self) -> Scored:
        known, totals = self._folder.verdicts, self._folder.finished
        if totals is None:
            draws = self._draws = self._draw()

            def keep(_: Candidate, verdict: MutantVerdict) -> None:
                self._progress("mutants decided", self._folder.add_verdict(verdict), len(draws))

            if draws:
                self._progress("mutants decided", len(known), len(draws))
            try_batches(self._batches(draws, keep), self._open, keep, workers=self._workers)
            totals = self._totals()
            self._folder.finish(totals)
        baselines = [self._folder.baselines[subject] for subject in self._subjects if subject in self._folder.baselines]
        return Scored(tuple(sorted(known.values(), key=_place)), totals, tuple(unusable(baselines)))

    def _draw(self) -> list[Draw]:
        """The mutants in scope, of programs whose tests can be relied on."""
        choice = Choice(seed=self._scope.seed, operators=self._scope.operators, strategy=self._scope.strategy)
        concerned = [loaded for loaded in self._programs.subjects if self._programs.places(loaded)]
        first = in_order(concerned, choice.seed)[: self._scope.size]
        self._run_clean(first)
        if not any(map(self._can_be_scored, concerned)) and len(first) == len(concerned):
            return []
        stream = drawn(self._programs, choice)
        found: list[Draw] = []
        while True:
            missing = None if self._scope.size is None else self._scope.size - len(found)
            batch = list(islice(stream, missing))
            if not batch:
                return found
            self._run_clean([loaded for loaded, _ in batch])
            found += [draw for draw in batch if self._can_be_scored(draw[0])]

    def _can_be_scored(self, loaded: LoadedSubject) -> bool:
        baseline = self._folder.baselines.get(loaded.subject.id)
        return baseline is not None and problem(baseline) is None

    def _totals(self) -> ScoreTotals:
        refused = {each.id for each in unusable(self._folder.baselines.values())}
        made = self._programs.made(self._subjects.keys() - refused)
        return ScoreTotals(
            verdicts=len(self._folder.verdicts),
            mutants=made.mutants,
            functions=made.functions,
            of_functions=made.of_functions,
        )

    def _run_clean(self, subjects: Sequence[LoadedSubject]) -> None:
        pending = {loaded.subject.id: loaded for loaded in subjects if loaded.subject.id not in self._folder.baselines}
        clean_runs(
            list(pending.values()),
            self._bench,
            workers=self._workers,
            progress=self._progress,
            keep=self._folder.add_baseline,
        )

    def _batches(
        self, draws: Sequence[Draw], keep: Callable[[Candidate, MutantVerdict], None]
    ) -> Iterator[Sequence[Candidate]]:
        """Yield what is to be run; of what needs no run the verdict is kept at once."""
        for batch in in_batches(draws, _subject_of, self._workers):
            pending = []
            for loaded, mutant in batch:
                candidate = make_candidate(loaded, mutant)
                refused = self._programs.refuse(candidate)
                if candidate.id in self._folder.verdicts:
                    continue
                if refused is not None:
                    keep(candidate, not_run(candidate, refused))
                else:
                    pending.append(candidate)
            if pending:
                yield pending

    def _open(self, loaded: LoadedSubject) -> Assessor:
        coverage = self._coverages.get(loaded.subject.id)
        return Assessor(
            loaded,
            self._folder.baselines[loaded.subject.id],
            self._bench,
            coverage=coverage,
            infections=self._infections.get(loaded.subject.id),
            full=self._scope.full,
        )

    def _take_coverage(self, subject: str) -> Coverage | None:
        tests = self._folder.baselines[subject].passing
        return take_coverage(self._subjects[subject], self._bench, tests, self._progress)

    def _take_infections(self, subject: str) -> Infections | None:
        """Of the first mutants drawn, known or not, so that a resumed run says the same; of the rest all may infect."""
        mine = islice((draw for draw in self._draws if _subject_of(draw) == subject), MOST_MUTANTS)
        changes = [loaded.tree.changed(make_candidate(loaded, mutant).buggy) for loaded, mutant in mine]
        tests = self._folder.baselines[subject].passing
        coverage = self._coverages.get(subject)
        if coverage is None:
            return None
        return take_infections(self._subjects[subject], self._bench, tests, changes, coverage, self._progress)


def _subject_of(draw: Draw) -> str:
    return draw[0].subject.id


def _place(verdict: MutantVerdict) -> tuple[str, str, int, int, str]:
    span = verdict.defect.span
    line, column = (0, 0) if span is None else (span.start_line, span.start_column)
    return verdict.subject, verdict.defect.files[0], line, column, verdict.mutant
