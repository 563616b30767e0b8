"""Injection: the mutants of subjects, in a seeded order, tried on the tests until there are tasks enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mendlab.corpora.building import Building
from mendlab.corpora.candidates import LoadedSubject
from mendlab.errors import InputError
from mendlab.mutators.injecting.combining import inject_higher_order
from mendlab.mutators.injecting.first_order import inject_first_order
from mendlab.mutators.injecting.making import Choice, Injected, Making
from mendlab.mutators.injecting.programs import Programs
from mendlab.verify.bench import Bench
from mendlab.verify.detection.examine import Examiner
from mendlab.workers import Progress

__all__ = ["Choice", "Injected", "inject"]


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
        InputError: an operator or a strategy that there is not, or a choice that nothing can meet.
        OutputError: what is found out cannot be written down.
    """
    check(choice, subjects)
    programs = Programs(subjects, choice.operators, progress)
    examiner = Examiner(bench, building, workers=workers, progress=progress)
    making = Making(choice)
    if len(subjects) == 1 and not examiner.baselines(subjects)[subjects[0].subject.id].passing:
        return Injected((), {})
    if choice.orders == (1,):
        inject_first_order(programs, choice, examiner, making)
    else:
        inject_higher_order(programs, choice, examiner, making, progress)
    dropped = programs.dropped + Counter(making.not_chosen())
    return Injected(tuple(making.tasks), dict(dropped))


def check(choice: Choice, subjects: Sequence[LoadedSubject]) -> None:
    """Refuse a choice that nothing can meet.

    Raises:
        InputError: says what contradicts what.
    """
    if choice.orders != (1,) and choice.limit is None:
        raise InputError("of higher-order defects there are too many to try all", hint="say how many with --limit")
    if choice.prefer != "any" and choice.limit is None and choice.per_function is None:
        raise InputError(
            f"{choice.prefer} defects can be preferred only where not all become tasks",
            hint="say how many with --limit or --per-function",
        )
    if max(choice.orders) == 1 and choice.across != "any":
        raise InputError("a defect of order 1 has one part", hint="with --across give --order 2, 3 or 1-3")
    if choice.across == "files" and subjects and all(len(each.subject.source_files) < 2 for each in subjects):
        raise InputError(
            "no program here has a second source file",
            where=subjects[0].subject.id,
            hint="choose --across function or functions, or a project with several modules",
        )
