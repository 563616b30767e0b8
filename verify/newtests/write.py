"""The new tests of one task: found, written, proved, with the coverage that all tests of the task then have."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.errors import SubjectError
from mendlab.records import (
    FunctionCoverage,
    FunctionHarness,
    NewTest,
    NewTests,
    PytestHarness,
    ScriptHarness,
    Task,
    Written,
)
from mendlab.verify.bench import Bench
from mendlab.verify.equivalence.recording import Call as RecordedCall
from mendlab.verify.equivalence.recording import record_calls
from mendlab.verify.newtests import sequences
from mendlab.verify.newtests.boundaries import Boundary, boundaries
from mendlab.verify.newtests.cases import Case, Signature, exceptions_of, found_text, make_cases, signatures
from mendlab.verify.newtests.coverage import repaired_functions, take_coverage
from mendlab.verify.newtests.doing import Call, Looked, Pair
from mendlab.verify.newtests.domain import Domain, Seen, forms
from mendlab.verify.newtests.messages import Arguments, read_arguments
from mendlab.verify.newtests.proving import Proved, prove
from mendlab.verify.newtests.rivals import find_telling, surviving
from mendlab.verify.newtests.spelling import Shape, Speller, Unspellable, names_in, shapes_of
from mendlab.verify.newtests.task_parts import with_new_tests
from mendlab.verify.newtests.witnesses import Function, find

MOST_FUNCTIONS: Final = 4
MOST_SEQUENCES: Final = 3
MOST_UNASKED: Final = 4
BOUNDARY_CPU_SECONDS: Final = 0.5
PER_TASK: Final = 12


@dataclass(frozen=True, slots=True)
class _Program:
    """What the text of the reference says, by module name."""

    sources: Mapping[str, str]
    shapes: Mapping[str, Shape]
    signatures: Mapping[tuple[str, str], Signature]
    exceptions: Mapping[str, str | None]

    def size(self, call: Call) -> int | None:
        """Return how long a call is as text; None where it cannot be written."""
        args, kwargs = call.arguments
        spell = Speller(self.shapes).spell
        try:
            return sum(len(spell(value)) for value in (*args, *kwargs.values()))
        except Unspellable:
            return None

    def case(self, looked: Looked, **about: object) -> Case:
        """Return the test for a call. Raises Unspellable."""
        signature = self.signatures.get((looked.call.module, looked.call.function), Signature())
        return make_cases(looked, shapes=self.shapes, signature=signature, exceptions=self.exceptions, **about)  # type: ignore[arg-type]


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
    program = _read(task, good, recorded.modules)
    variants = _by_function(recorded.variants)

    def open_pair(tree: FileTree) -> Pair:
        modules = [*recorded.modules, sequences.MODULE]
        return Pair(task, sequences.beside(good), sequences.beside(tree), modules, bench)

    with open_pair(buggy) as pair:
        functions = _functions(task, program, recorded.calls, pair)
        aimed: list[tuple[Looked, Case]] = []
        for function in functions:
            room = per_task // 2 - len(aimed)
            if room > 0:
                near = variants.get((function.module, function.name), ())
                aimed += _aimed(function, pair, near, program, seed, room)
        cases = [case for _, case in aimed]
        subjects = {(case.module, case.function) for case in cases}
        chosen = [each for each in functions if (each.module, each.name) in subjects] or functions
        if not cases:
            cases += _sequences(task, good, program, recorded.calls, pair, seed, per_task // 2)
        spent = 0.0
        if chosen and rivals:
            survivors, spent = surviving(task, good, rivals, bench)
            known = [looked.call for looked, _ in aimed]
            telling = find_telling(survivors, open_pair, chosen, variants, program.size, seed, known)
            for looked, cpu_seconds in islice(telling, per_task // 4):
                spent += cpu_seconds
                cases += _against_a_rival(looked, pair, program)
        if chosen:
            cases += _boundaries(chosen[0], pair, program, per_task - len(cases), cases)
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


def _read(task: Task, good: FileTree, modules: Sequence[str]) -> _Program:
    sources = dict(_sources(task, good, modules))
    found = {(module, name): each for module, source in sources.items() for name, each in signatures(source).items()}
    return _Program(sources, shapes_of(sources), found, exceptions_of(sources))


def _sources(task: Task, good: FileTree, modules: Sequence[str]) -> Iterator[tuple[str, str]]:
    for module in modules:
        ending = module.replace(".", "/")
        if isinstance(task.harness, FunctionHarness):
            names = [task.harness.module]
        else:
            names = [f"{root}{ending}{rest}" for root in ("", "src/") for rest in (".py", "/__init__.py")]
        for path in names:
            if path in good:
                with contextlib.suppress(SyntaxError, ValueError):
                    text = decode(path, good[path]).text.removeprefix("\ufeff")
                    signatures(text)
                    yield module, text
                break


def _by_function(calls: Sequence[RecordedCall]) -> dict[tuple[str, str], list[Arguments]]:
    found: dict[tuple[str, str], list[Arguments]] = {}
    for module, name, message in calls:
        arguments = read_arguments(message)
        if arguments is not None:
            found.setdefault((module, name), []).append(arguments)
    return found


def _functions(task: Task, program: _Program, calls: Sequence[RecordedCall], pair: Pair) -> list[Function]:
    """Return the functions, no methods, to write tests for: the repaired one, then those on which the two differ."""
    entry_points = task.harness.entry_points if isinstance(task.harness, FunctionHarness) else None
    wanted = {name for _, name in repaired_functions(task)}
    ranked: list[tuple[tuple[bool, int], Function]] = []
    for (module, name), every in _by_function(calls).items():
        if (entry_points is not None and name not in entry_points) or "." in name:
            continue
        for group in forms(every).values():
            able = [each for each in group if program.size(Call(module, name, each)) is not None]
            # The shortest first: a program may take for ever over the longer ones.
            looked = pair.look(Call(module, name, each) for each in sorted(able, key=lambda each: len(repr(each))))
            returned = [each.call.arguments for each in looked if each.expected.word == "returns"]
            answers = Seen()
            for each in looked:
                if each.expected.word == "returns":
                    answers.add(each.expected.value[0])
            raising = tuple(each.call.arguments for each in looked if each.expected.word == "raises")
            raises = frozenset(each.expected.name for each in looked if each.expected.word == "raises")
            differing = sum(each.differs for each in looked)
            if returned and (differing or name in wanted):
                function = Function(module, name, Domain(returned), answers, raises, raising)
                ranked.append(((name not in wanted, -differing), function))
    return [function for _, function in sorted(ranked, key=lambda each: each[0])][:MOST_FUNCTIONS]


def _aimed(
    function: Function, pair: Pair, near: Sequence[Arguments], program: _Program, seed: int, most: int
) -> Iterator[tuple[Looked, Case]]:
    for witness in find(function, pair, near, program.size, seed, most):
        with contextlib.suppress(Unspellable):
            yield witness, program.case(witness, kind="aimed")


def _against_a_rival(looked: Looked, pair: Pair, program: _Program) -> Iterator[Case]:
    """Yield the test that tells a rival, with what the buggy program does there, if it can be written."""
    with contextlib.suppress(Unspellable):
        case = program.case(looked, kind="rival")
        for again in pair.look([looked.call]):
            yield replace(case, buggy=found_text(again, case.changed))


def _sequences(
    task: Task, good: FileTree, program: _Program, calls: Sequence[RecordedCall], pair: Pair, seed: int, most: int
) -> Iterator[Case]:
    """Yield tests of objects with state, of the class that the defect is in first, until there are enough."""
    repaired = {name.rpartition(".")[0]: name.rpartition(".")[2] for _, name in repaired_functions(task)}
    entry_points = task.harness.entry_points if isinstance(task.harness, FunctionHarness) else None
    classes = sequences.stateful_classes(program.sources, _by_function(calls), program.shapes)
    named = names_in(*_texts_of_tests(task, good))
    raises = {name: module for name, module in program.exceptions.items() if name in named}
    for stateful in sorted(classes, key=lambda each: each.name not in repaired)[:MOST_FUNCTIONS]:
        if entry_points is not None and stateful.name not in entry_points:
            continue
        writer = sequences.SequenceWriter(stateful, program.shapes, program.signatures, raises)
        found = sequences.find_sequences(writer, pair, repaired.get(stateful.name), seed, min(most, MOST_SEQUENCES))
        for looked in found:
            with contextlib.suppress(Unspellable):
                yield writer.case(looked)
        if found:
            return


def _texts_of_tests(task: Task, good: FileTree) -> Iterator[str]:
    match task.harness:
        case FunctionHarness(groups=groups):
            texts = [text for group in groups for text in (group.setup, *(step.code for step in group.steps))]
        case PytestHarness(test_files=paths):
            texts = [decode(path, good[path]).text for path in paths if path in good and path.endswith(".py")]
        case _:
            texts = []
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            ast.parse(text)
            yield text


def _boundaries(function: Function, pair: Pair, program: _Program, most: int, others: Sequence[Case]) -> list[Case]:
    """Return boundary cases, one of each label at each place, those that a repair is held to first."""
    found: dict[tuple[str, object], Case] = {}
    known = {case.arguments for case in others}
    wanted = list(boundaries(function.domain))
    by_arguments = {repr(each.arguments): each for each in reversed(wanted)}
    calls = [function.call(each.arguments) for each in sorted(by_arguments.values(), key=_is_huge)]
    looked = pair.look(calls, cpu_seconds=BOUNDARY_CPU_SECONDS)
    for each in sorted(looked, key=lambda each: not function.domain.admits(each.call.arguments)):
        boundary = by_arguments[repr(each.call.arguments)]
        judged = function.domain.admits(each.call.arguments) and function.is_valid(each)
        if not each.found.is_evidence or not (judged or each.expected.word == "returns"):
            continue
        with contextlib.suppress(Unspellable):
            source = None if boundary.source is None else (boundary.place, boundary.source)
            case = program.case(each, kind="boundary", label=boundary.label, judged=judged, source=source)
            if case.arguments not in known:
                known.add(case.arguments)
                found.setdefault((boundary.label, boundary.place), case)
    judged = [case for case in found.values() if case.judged]
    unasked = [case for case in found.values() if not case.judged]
    return [*judged, *unasked[:MOST_UNASKED]][:most]


def _is_huge(boundary: Boundary) -> bool:
    """Whether a boundary may take long: such come last, as what does not end ends all behind it."""
    return boundary.label in ("huge", "beyond 64 bits")
