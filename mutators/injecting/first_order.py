"""Defects of one mutant each: drawn from the programs in turn and tried on the tests until there are tasks enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.mutators.choosing.preference import Detected, place_in
from mendlab.mutators.choosing.sampling import Balance, functions_in_turn, shuffled, take_turns
from mendlab.mutators.injecting.making import Choice, Making
from mendlab.mutators.injecting.programs import Programs, make_candidate
from mendlab.mutators.mutant import Mutant
from mendlab.verify.detection.examine import Examiner

FEWEST_AT_A_TIME, MOST_AT_A_TIME = 8, 400


def inject_first_order(programs: Programs, choice: Choice, examiner: Examiner, making: Making) -> None:
    """Make tasks until there are as many as are wanted, or no mutant is left; count in ``programs`` what is dropped.

    Of each ``oversample`` detected defects in a row one is taken; the rest come back only if the mutants run out. For
    a mix of grades no more than ``tries`` are tried for each task wanted.
    """
    stream = drawn(programs, choice)
    lot: list[Detected] = []
    batches = tried = 0
    most = choice.tries * (choice.limit or 0) if choice.mix else None
    while batch := _batch(stream, programs, _how_many(choice, making, batches), making):
        batches, tried = batches + 1, tried + len(batch)
        for offer in detected(batch, examiner, programs.dropped):
            making.detected += 1
            if making.missing == 0:
                continue
            lot.append(offer)
            if len(lot) == choice.oversample:
                making.take_one(lot)
                lot = []
        if making.missing == 0 or (most is not None and tried >= most):
            break
    making.set_aside += lot
    making.fill()


def detected(batch: Sequence[Candidate], examiner: Examiner, dropped: Counter[str]) -> Iterator[Detected]:
    """Yield what the tests detect, in the order of the batch; what they do not is counted as it is passed."""
    subjects = {candidate.loaded.subject.id: candidate.loaded for candidate in batch}
    baselines = examiner.baselines(list(subjects.values()))
    usable = [candidate for candidate in batch if baselines[candidate.loaded.subject.id].passing]
    found = examiner.detections(usable)
    for candidate in usable:
        detection = found[candidate.id]
        if detection.dropped is None:
            yield Detected(candidate, detection, baselines[candidate.loaded.subject.id])
        else:
            dropped[detection.dropped.value] += 1


def drawn(programs: Programs, choice: Choice) -> Iterator[tuple[LoadedSubject, Mutant]]:
    """Yield every mutant: round by round one of each program that has any left, which takes it from its functions in
    turn. A function is mutated when its first turn comes; families are balanced over all programs."""
    balance = Balance()

    def mutants_of(loaded: LoadedSubject) -> Iterator[tuple[LoadedSubject, Mutant]]:
        mutants = functions_in_turn(
            programs.places(loaded),
            partial(programs.mutants_at, loaded),
            seed=choice.seed,
            strategy=choice.strategy,
            balance=balance,
        )
        for mutant in mutants:
            yield loaded, mutant

    return take_turns(mutants_of(loaded) for loaded in in_order(programs.subjects, choice.seed))


def in_order(subjects: Sequence[LoadedSubject], seed: int) -> list[LoadedSubject]:
    """Return the programs in the order in which they have their first turns."""
    return shuffled(subjects, lambda loaded: loaded.subject.id, seed)


def _batch(
    stream: Iterator[tuple[LoadedSubject, Mutant]], programs: Programs, count: int, making: Making
) -> list[Candidate]:
    """Return the next candidates, at most ``count``; none for functions that have enough."""
    batch: list[Candidate] = []
    for loaded, mutant in stream:
        candidate = make_candidate(loaded, mutant)
        if not making.has_enough_at(place_in(candidate)) and programs.admits(candidate, programs.dropped):
            batch.append(candidate)
        if len(batch) == count:
            break
    return batch


def _how_many(choice: Choice, making: Making, batches: int) -> int:
    """How many to try next: a few more than are wanted, more each time, never so many that they fill the memory."""
    if making.missing is None:
        return MOST_AT_A_TIME
    wanted = 3 * making.missing * choice.oversample // 2
    return min(MOST_AT_A_TIME, max(FEWEST_AT_A_TIME, wanted) << min(batches, 6))
