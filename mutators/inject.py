"""Injection: the mutants of subjects, in a seeded order, tried on the tests until there are tasks enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.text import decode
from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.sampling import sample
from mendlab.records import Baseline, Defect, Detection, Task
from mendlab.verify.bench import Bench
from mendlab.verify.code import Screen
from mendlab.verify.detection.baseline import task_limits
from mendlab.verify.detection.examine import Examiner
from mendlab.verify.tasks import make_task
from mendlab.workers import Progress

TOLD = "This program has a defect: some of its tests fail. Find it and mend it, and change nothing else."
FEWEST_AT_A_TIME, MOST_AT_A_TIME = 8, 400


@dataclass(frozen=True, slots=True)
class Choice:
    """Which mutants are tried, and when it is enough: ``limit`` tasks in all, ``per_function`` in each function."""

    seed: int = 0
    operators: tuple[str, ...] | None = None
    strategy: str = "uniform"
    limit: int | None = None
    per_function: int | None = None


@dataclass(frozen=True, slots=True)
class Injected:
    """The tasks made, and how many mutants came to nothing, by reason."""

    tasks: tuple[Task, ...]
    dropped: dict[str, int]


def inject(
    subjects: Sequence[LoadedSubject],
    choice: Choice,
    bench: Bench,
    building: Building,
    *,
    workers: int,
    progress: Progress,
) -> Injected:
    """Make repair tasks out of subjects. The result does not depend on the workers.

    Only the subjects whose turn comes are examined; a subject without a test that passes every time gives no task.

    Raises:
        InputError: an operator or a strategy that there is not.
        OutputError: what is found out cannot be written down.
    """
    source = _Candidates(subjects, choice, progress)
    examiner = Examiner(bench, building, workers=workers, progress=progress)
    tasks: list[Task] = []
    full: Counter[object] = Counter()
    lots = 0
    while batch := source.draw(_how_many(choice, len(tasks), lots), full, choice.per_function):
        lots += 1
        drawn = {candidate.loaded.subject.id: candidate.loaded for candidate in batch}
        baselines = examiner.baselines(list(drawn.values()))
        usable = [candidate for candidate in batch if baselines[candidate.loaded.subject.id].passing]
        found = examiner.detections(usable)
        for candidate in usable:
            if choice.limit is not None and len(tasks) >= choice.limit:
                return Injected(tuple(tasks), dict(source.dropped))
            _take(candidate, found[candidate.id], source, tasks, full, baselines, choice)
    return Injected(tuple(tasks), dict(source.dropped))


def _how_many(choice: Choice, made: int, lots: int) -> int:
    """How many to try next: a few more than are wanted, more each time, never so many that they fill the memory."""
    wanted = MOST_AT_A_TIME if choice.limit is None else 3 * (choice.limit - made) // 2
    return min(MOST_AT_A_TIME, max(FEWEST_AT_A_TIME, wanted) << min(lots, 6))


def _take(
    candidate: Candidate,
    detection: Detection,
    source: _Candidates,
    tasks: list[Task],
    full: Counter[object],
    baselines: dict[str, Baseline],
    choice: Choice,
) -> None:
    place = _place(candidate)
    if detection.dropped is not None:
        source.dropped[detection.dropped.value] += 1
    elif choice.per_function is None or full[place] < choice.per_function:
        full[place] += 1
        limits = task_limits(baselines[candidate.loaded.subject.id])
        tasks.append(make_task(candidate, detection, limits, hold_out=True))


def _place(candidate: Candidate) -> object:
    return (candidate.loaded.subject.id, candidate.defect.files, candidate.defect.function)


class _Candidates:
    """Every mutant of every subject in the order in which they are tried, screened as they are drawn."""

    def __init__(self, subjects: Sequence[LoadedSubject], choice: Choice, progress: Progress) -> None:
        self._home: dict[str, tuple[LoadedSubject, str]] = {}
        self.dropped: Counter[str] = Counter()
        mutants: list[Mutant] = []
        for done, loaded in enumerate(subjects, start=1):
            mutants += self._mutants(loaded, choice)
            progress("programs mutated", done, len(subjects))
        self._order = iter(sample(mutants, len(mutants), seed=choice.seed, strategy=choice.strategy))
        self._screens = {loaded.subject.id: Screen(loaded.tree) for loaded in subjects}

    def draw(self, count: int, full: Counter[object], per_function: int | None) -> list[Candidate]:
        """Return the next candidates, at most ``count``; none for functions that have enough."""
        drawn: list[Candidate] = []
        while len(drawn) < count:
            mutant = next(self._order, None)
            if mutant is None:
                break
            loaded, path = self._home[mutant.path]
            candidate = make_candidate(loaded, path, mutant)
            if per_function is not None and full[_place(candidate)] >= per_function:
                continue
            refused = self._screens[loaded.subject.id].refuse(loaded.tree.changed(candidate.buggy))
            if refused is None:
                drawn.append(candidate)
            else:
                self.dropped[refused.value] += 1
        return drawn

    def _mutants(self, loaded: LoadedSubject, choice: Choice) -> Iterator[Mutant]:
        for path in loaded.subject.source_files:
            label = f"{loaded.subject.id}:{path}"
            self._home[label] = (loaded, path)
            text = decode(path, loaded.tree[path]).text
            yield from enumerate_mutants(text, operators=choice.operators, path=label)


def make_candidate(loaded: LoadedSubject, path: str, mutant: Mutant) -> Candidate:
    """Return the defect that a mutant of one file makes in its subject."""
    data = mutant.source.encode(decode(path, loaded.tree[path]).encoding)
    buggy = loaded.tree.replace({path: data})
    defect = Defect(
        origin="operator",
        operator=mutant.operator,
        family=mutant.family,
        files=(path,),
        span=mutant.span,
        function=mutant.function,
        diff=make_diff(loaded.tree, buggy),
    )
    return Candidate(
        id=f"{loaded.subject.id}.{mutant.operator}.{mutant.id}",
        loaded=loaded,
        buggy=buggy,
        defect=defect,
        statement="\n\n".join(part for part in (loaded.subject.statement.strip(), TOLD) if part),
        editable=loaded.subject.source_files,
    )
