"""Injection by a model: it is asked about the functions in turn, until there are tasks enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, Protocol, final

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.errors import ModelError
from mendlab.mutators.choosing.sampling import shuffled, take_turns
from mendlab.mutators.injecting.first_order import detected
from mendlab.mutators.injecting.making import Choice, Injected, Making
from mendlab.mutators.injecting.programs import Programs, make_candidate
from mendlab.mutators.written.places import WrittenPlace, written_places
from mendlab.mutators.written.reading import FAMILY, read_defect
from mendlab.records import ByModel, DropReason
from mendlab.verify.bench import Bench
from mendlab.verify.detection.examine import Examiner
from mendlab.workers import Progress, parse_in_turn

Mode = Literal["change", "rewrite"]
MODES: Final[tuple[Mode, ...]] = ("change", "rewrite")
_FEWEST_AT_A_TIME: Final = 8
MOST_USELESS: Final = 40
"""Answers in a row without a function in any."""


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote, ``None`` if it did not, and what is recorded of it."""

    text: str | None
    by: ByModel


class Writer(Protocol):
    """Has functions written; used by several threads at once."""

    @property
    def mode(self) -> Mode:
        """What the model is told."""
        ...

    def write(self, place: WrittenPlace, time: int) -> Answer:
        """Return what the model makes of a function when it is asked for that ``time``, from 0.

        Raises:
            ModelError: it cannot be asked any further.
        """
        ...


def places_to_write(subjects: Sequence[LoadedSubject], choice: Choice, mode: Mode) -> list[tuple[WrittenPlace, int]]:
    """Return which functions are asked for, and how often, in order: programs take turns, and within one its functions.

    A function without a docstring cannot be written from it.
    """
    rounds = choice.per_function or 1

    def of_program(loaded: LoadedSubject) -> Iterator[tuple[WrittenPlace, int]]:
        places = [place for place in written_places([loaded]) if mode == "change" or place.docstring]
        ordered = shuffled(places, lambda place: place.id, choice.seed)
        return ((place, time) for time in range(rounds) for place in ordered)

    programs = shuffled(subjects, lambda loaded: loaded.subject.id, choice.seed)
    return list(take_turns(of_program(loaded) for loaded in programs))


def inject_written(
    subjects: Sequence[LoadedSubject],
    choice: Choice,
    writer: Writer,
    bench: Bench,
    building: Building,
    *,
    at_once: int,
    workers: int,
    progress: Progress,
) -> Injected:
    """Make repair tasks of what a model writes and the tests detect.

    Raises:
        ModelError: the model cannot be asked any further, or answers with nothing of use again and again, which is
            paid for, too. What it answered is kept by the writer.
        OutputError: what is found out cannot be written down.
    """
    programs = Programs(subjects, None, lambda *told: None)
    examiner = Examiner(bench, building, workers=workers, progress=progress)
    making = Making(choice)
    wanted = places_to_write(subjects, choice, writer.mode)
    waiting = iter(wanted)
    asked = useless = 0
    with ThreadPoolExecutor(at_once, thread_name_prefix="write", initializer=parse_in_turn) as pool:
        while making.missing != 0 and (batch := list(islice(waiting, _how_many(making, at_once)))):
            progress("functions written", asked, len(wanted))
            usable = _with_tests(batch, examiner)
            answers = list(pool.map(lambda each: writer.write(*each), usable))
            asked += len(batch)
            found = [_candidate(place, answer) for (place, _), answer in zip(usable, answers, strict=True)]
            candidates = [each for each in found if isinstance(each, Candidate)]
            useless = 0 if candidates else useless + len(found)
            if useless >= MOST_USELESS:
                why = f"the last {useless} answers have no function in them that could be put in"
                raise ModelError(why, hint="look at what was answered, and name another model")
            programs.dropped.update(each.value for each in found if isinstance(each, DropReason))
            admitted = [each for each in candidates if programs.admits(each, programs.dropped)]
            for offer in detected(admitted, examiner, programs.dropped):
                making.detected += 1
                making.take_one([offer])
    progress("functions written", asked, len(wanted))
    dropped = programs.dropped + Counter(making.not_chosen())
    return Injected(tuple(making.tasks), dict(dropped))


def _with_tests(batch: Sequence[tuple[WrittenPlace, int]], examiner: Examiner) -> list[tuple[WrittenPlace, int]]:
    """What is worth asking for: functions of programs that have a test which passes every time."""
    subjects = {place.loaded.subject.id: place.loaded for place, _ in batch}
    baselines = examiner.baselines(list(subjects.values()))
    return [(place, time) for place, time in batch if baselines[place.loaded.subject.id].passing]


def _how_many(making: Making, at_once: int) -> int:
    """As many as are wanted, and no more: each is paid for."""
    return max(at_once, _FEWEST_AT_A_TIME) if making.missing is None else min(making.missing, 10 * at_once)


def _candidate(place: WrittenPlace, answer: Answer) -> Candidate | DropReason:
    if answer.text is None:
        return DropReason.NO_ANSWER
    mutant = read_defect(place, answer.text)
    if isinstance(mutant, DropReason):
        return mutant
    made = make_candidate(place.loaded, mutant)
    defect = made.defect.model_copy(update={"origin": "model", "operator": None, "by_model": answer.by})
    return Candidate(
        id=f"{place.loaded.subject.id}.{FAMILY}.{mutant.id}",
        loaded=made.loaded,
        buggy=made.buggy,
        defect=defect,
        statement=made.statement,
        editable=made.editable,
        tags=(f"{FAMILY}-{answer.by.mode}",),
    )
