"""The new tests of one task: found, written, proved, with the coverage that all tests of the task then have."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.records import FunctionCoverage, FunctionHarness, NewTest, NewTests, ScriptHarness, Task, Written
from mendlab.verify.bench import Bench
from mendlab.verify.equivalence.recording import Call as RecordedCall
from mendlab.verify.equivalence.recording import record_calls
from mendlab.verify.newtests import stateful
from mendlab.verify.newtests.boundary_cases import boundary_cases
from mendlab.verify.newtests.cases import Case, found_text
from mendlab.verify.newtests.coverage import repaired_functions, take_coverage
from mendlab.verify.newtests.doing import Looked, Pair
from mendlab.verify.newtests.functions import MOST_FUNCTIONS, by_function, callable_functions
from mendlab.verify.newtests.program import Program, read_program
from mendlab.verify.newtests.proving import Proved, prove
from mendlab.verify.newtests.rivals import find_telling, surviving
from mendlab.verify.newtests.sequence_writing import SequenceWriter
from mendlab.verify.newtests.sequences import find_sequences
from mendlab.verify.newtests.spelling import Unspellable
from mendlab.verify.newtests.task_parts import with_new_tests
from mendlab.verify.newtests.witnesses import Function, find

MOST_SEQUENCES: Final = 3
PER_TASK: Final = 12


def write_tests(
    task: Task,
    good: FileTree,
    buggy: FileTree,
    bench: Bench,
    *,
    per_task: int = PER_TASK,
    seed: int = 0,
    number: int = 1,
    rivals: Sequence[FileTree] = (),
) -> Written:
    """Return new tests for a task, at most ``per_task``, or why there are none. ``number`` goes into a file's name.

    ``rivals`` are other mistakes in the same place: tests are written for those that pass all tests of the task.

    Raises:
        EngineError: the lab itself fails.
    """
    bench = bench.suited(task.harness)
    before = () if isinstance(task.harness, ScriptHarness) else take_coverage(task, good, bench)

    def nothing(why: str, cpu_seconds: float) -> Written:
        return Written(about=NewTests(task=task.id, why=why, coverage_before=before), cpu_seconds=cpu_seconds)

    if isinstance(task.harness, ScriptHarness):
        return nothing("its tests are scripts, whose calls cannot be recorded", 0.0)
    cases, cpu_seconds = _cases(task, good, buggy, bench, per_task, seed, rivals)
    if not cases:
        return nothing("no input was found that differs and can be written with its answer", cpu_seconds)
    try:
        proved = prove(task, good, buggy, cases, bench, number)
    except SubjectError as error:
        return nothing(str(error), cpu_seconds)
    if proved is None:
        return nothing("no test that was written holds on the reference", cpu_seconds)
    return _written(task, good, bench, proved, before, cpu_seconds + proved.cpu_seconds)


def _cases(
    task: Task, good: FileTree, buggy: FileTree, bench: Bench, per_task: int, seed: int, rivals: Sequence[FileTree]
) -> tuple[list[Case], float]:
    """Return tests that are still to be proved, and the CPU seconds: at most half aimed, a quarter against rivals."""
    recorded = record_calls(task, good, bench)
    program = read_program(task, good, recorded.modules)

    def open_pair(tree: FileTree) -> Pair:
        modules = [*recorded.modules, stateful.MODULE]
        return Pair(task, stateful.beside(good), stateful.beside(tree), modules, bench)

    with open_pair(buggy) as pair:
        functions = callable_functions(task, program, recorded.calls, pair)
        aimed: list[tuple[Looked, Case]] = []
        for function in functions:
            room = per_task // 2 - len(aimed)
            if room > 0:
                aimed += _aimed(function, pair, program, seed, room)
        cases = [case for _, case in aimed]
        subjects = {(case.module, case.function) for case in cases}
        chosen = [each for each in functions if (each.module, each.name) in subjects] or functions
        if not cases:
            cases += _sequences(task, program, recorded.calls, pair, seed, per_task // 2)
        spent = 0.0
        if chosen and rivals:
            survivors, spent = surviving(task, good, rivals, bench)
            known = [looked.call for looked, _ in aimed]
            telling = find_telling(survivors, open_pair, chosen, program.size, seed, known)
            for looked, cpu_seconds in islice(telling, per_task // 4):
                spent += cpu_seconds
                cases += _against_a_rival(looked, pair, program)
        if chosen:
            cases += boundary_cases(chosen[0], pair, program, per_task - len(cases), cases)
        return cases, recorded.cpu_seconds + spent + pair.cpu_seconds


def _written(
    task: Task, good: FileTree, bench: Bench, proved: Proved, before: tuple[FunctionCoverage, ...], cpu_seconds: float
) -> Written:
    tests = tuple(
        NewTest(
            test_id=test_id,
            kind=case.kind,
            label=case.label,
            judged=case.judged,
            call=case.text,
            expected=f"raises {case.raises}" if case.raises else case.exactly,
            buggy=case.buggy,
        )
        for test_id, case in proved.cases
    )
    written = Written(
        about=NewTests(task=task.id, tests=tests),
        path=proved.path,
        text=proved.text,
        steps=proved.steps,
        before=dict(proved.before),
        cpu_seconds=cpu_seconds,
    )
    whole, tree = with_new_tests(task, written, good)
    about = written.about.model_copy(update={"coverage_before": before, "coverage": take_coverage(whole, tree, bench)})
    return written.model_copy(update={"about": about})


def _aimed(function: Function, pair: Pair, program: Program, seed: int, most: int) -> Iterator[tuple[Looked, Case]]:
    for witness in find(function, pair, program.size, seed, most):
        with contextlib.suppress(Unspellable):
            yield witness, program.case(witness, kind="aimed")


def _against_a_rival(looked: Looked, pair: Pair, program: Program) -> Iterator[Case]:
    """Yield the test that tells a rival, with what the buggy program does there, if it can be written."""
    with contextlib.suppress(Unspellable):
        case = program.case(looked, kind="rival")
        for again in pair.look([looked.call]):
            yield replace(case, buggy=found_text(again, case.changed))


def _sequences(
    task: Task, program: Program, calls: Sequence[RecordedCall], pair: Pair, seed: int, most: int
) -> Iterator[Case]:
    """Yield tests of objects with state, of the class that the defect is in first, until there are enough."""
    repaired = {name.rpartition(".")[0]: name.rpartition(".")[2] for _, name in repaired_functions(task)}
    entry_points = task.harness.entry_points if isinstance(task.harness, FunctionHarness) else None
    classes = stateful.stateful_classes(program.sources, by_function(calls), program.shapes)
    raises = {name: module for name, module in program.exceptions.items() if name in program.named}
    for each in sorted(classes, key=lambda found: found.name not in repaired)[:MOST_FUNCTIONS]:
        if entry_points is not None and each.name not in entry_points:
            continue
        writer = SequenceWriter(each, program.shapes, program.signatures, raises)
        found = find_sequences(writer, pair, repaired.get(each.name), seed, min(most, MOST_SEQUENCES))
        for looked in found:
            with contextlib.suppress(Unspellable):
                yield writer.case(looked)
        if found:
            return
