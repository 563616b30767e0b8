"""What the reference does on the inputs of a task: worked out once, and kept for the attempts to come."""

from __future__ import annotations

import ast
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confined.function.wire_values import Malformed
from mendlab.verify.engines.engine import OTHER_HASH_SEED
from mendlab.verify.equivalence.changed import module_of
from mendlab.verify.equivalence.inputs.annotations import parameters_of
from mendlab.verify.equivalence.inputs.domain import Domain
from mendlab.verify.equivalence.inputs.generating import BEYOND, generate
from mendlab.verify.equivalence.inputs.literals import Literals, literals_of
from mendlab.verify.equivalence.inputs.travel import Arguments, key_of, read_arguments, write_arguments
from mendlab.verify.equivalence.recording import Call, Recorded, record_calls
from mendlab.verify.equivalence.replaying import Function, replay
from mendlab.verify.equivalence.same import Likeness, Shown, likeness

INPUTS: Final = 300
"""Inputs tried for each function, recorded ones included."""
FRESH_SECONDS: Final = 0.02
"""CPU time of a fresh call of the reference; a candidate gets many times as much, so that a slower one is no other."""
PATIENCE: Final = 20
FOR_THE_PATCH: Final = 60
"""So many of them turn on constants that the patch alone mentions."""
MOST_FUNCTIONS: Final = 6
KEPT: Final = 16

RECORDED: Final = "recorded"
INNER: Final = "inner"


@dataclass(frozen=True, slots=True)
class Input:
    """A call, how it was made, and how it ends on the reference. One that is not ``valid`` decides nothing."""

    call: Call
    source: str
    expected: Shown
    valid: bool

    @property
    def is_fresh(self) -> bool:
        """Whether no test makes this call."""
        return self.source not in (RECORDED, INNER)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs of some functions, how many more were set aside, and the lines that recorded calls run, by file."""

    found: list[Input]
    set_aside: int


class Reference:
    """The good tree of a task, with the calls of its tests. Not thread-safe. ``cpu_seconds`` counts what was run."""

    def __init__(self, task: Task, good: FileTree, bench: Bench) -> None:
        self.cpu_seconds = 0.0
        self._task = task
        self._good = good
        self._bench = bench
        self._recorded: Recorded | None = None
        self._lines: dict[Function, dict[str, list[int]]] | None = None
        self._known: dict[tuple[Function, Literals], Inputs] = {}

    @property
    def recorded(self) -> Recorded:
        """The calls that the tests make. Raises EngineError."""
        if self._recorded is None:
            self._recorded = record_calls(self._task, self._good, self._bench)
            self.cpu_seconds += self._recorded.cpu_seconds
        return self._recorded

    def functions(self) -> list[Function]:
        """Return the functions that tests call. Raises EngineError."""
        return list(dict.fromkeys((module, name) for module, name, _ in self.recorded.calls))

    def lines(self) -> Mapping[Function, Mapping[str, Sequence[int]]]:
        """Return what the calls of each function run, by file. Raises EngineError."""
        if self._lines is None:
            functions, harness = self.functions(), self._task.harness
            if isinstance(harness, FunctionHarness) and len(functions) == 1 and self.recorded.lines is not None:
                self._lines = {functions[0]: {harness.module: self.recorded.lines[1]}}
            else:
                files = [path for path in self._task.editable if path in self._good and path.endswith(".py")]
                done = replay(
                    self._task, self._good, self.recorded.modules, self.recorded.calls, self._bench, trace=files
                )
                self.cpu_seconds += done.cpu_seconds
                self._lines = done.lines
        return self._lines

    def inputs(self, functions: Sequence[Function], mentioned: Literals, *, inner: bool) -> Inputs:
        """Return the inputs of functions, some of them for constants that were ``mentioned``. Raises EngineError.

        ``inner``: of calls that the program itself makes of these functions.
        """
        missing = [function for function in functions if (function, Literals()) not in self._known]
        self._work_out(missing, Literals(), inner=inner)
        found, set_aside = [], 0
        if mentioned:
            new = [function for function in functions if (function, mentioned) not in self._known]
            self._work_out(new, mentioned, inner=inner)
        for function in functions:
            theirs = self._known[function, mentioned] if mentioned else Inputs([], 0)
            ours = self._known[function, Literals()]
            found += [*_first(ours.found, INPUTS - len(theirs.found)), *theirs.found]
            set_aside += ours.set_aside + theirs.set_aside
        return Inputs(sorted(found, key=lambda one: one.is_fresh), set_aside)

    def arguments(self, function: Function, *, inner: bool = False) -> list[Arguments]:
        """Return the recorded arguments of a function. Raises EngineError."""
        found = []
        for module, name, message in self.recorded.inner if inner else self.recorded.calls:
            if (module, name) == function:
                try:
                    found.append(read_arguments(message))
                except Malformed:
                    continue
        return found

    def outcomes(
        self, calls: Sequence[Call], *, fresh_from: int, hash_seed: int = 0, beside: Sequence[Shown] = ()
    ) -> list[Shown]:
        """Return how calls end on the reference. Raises EngineError."""
        done = replay(
            self._task,
            self._good,
            self.recorded.modules,
            calls,
            self._bench,
            fresh_from=fresh_from,
            fresh_seconds=FRESH_SECONDS,
            patience=PATIENCE,
            hash_seed=hash_seed,
            beside=beside,
        )
        self.cpu_seconds += done.cpu_seconds
        return done.outcomes

    def checked(self, function: Function, arguments: Sequence[Arguments], source: str) -> list[Input]:
        """Return inputs from elsewhere, as far as the reference repeats what it does on them. Raises EngineError."""
        recorded = self.arguments(function)
        domain = Domain(recorded)
        calls = [[*function, write_arguments(one)] for one in arguments if domain.is_of_types(one)]
        if not calls:
            return []
        first = self.outcomes(calls, fresh_from=0)
        again = self.outcomes(calls, fresh_from=0, hash_seed=OTHER_HASH_SEED, beside=first)
        return [
            Input(call, source, expected, expected.word == "returns" and domain.admits(read_arguments(call[2])))
            for call, expected, repeated in zip(calls, first, again, strict=True)
            if expected.is_evidence and likeness(expected, repeated) is Likeness.SAME
        ]

    def _annotations(self, function: Function) -> dict[object, ast.expr]:
        """The annotations of a function's parameters, wherever its module lies."""
        module, name = function
        for path in self._task.editable:
            if path in self._good and path.endswith(".py") and module_of(path) == module:
                return parameters_of(decode(path, self._good[path]).text, name)
        return {}

    def _work_out(self, functions: Sequence[Function], mentioned: Literals, *, inner: bool) -> None:
        """Make the inputs of functions and have the reference run them twice, under different hash seeds."""
        if not functions:
            return
        made: list[tuple[Function, Call, str]] = []
        own = literals_of(decode(path, self._good[path]).text for path in self._task.editable if path in self._good)
        for function in functions:
            calls = [
                [*function, message]
                for module, name, message in (self.recorded.inner if inner else self.recorded.calls)
                if (module, name) == function
            ]
            known = {key_of(message) for _, _, message in calls}
            if mentioned:
                before = self._known[function, Literals()].found
                known |= {key_of(one.call[2]) for one in before}
                count = FOR_THE_PATCH
            else:
                made += [(function, call, INNER if inner else RECORDED) for call in calls]
                count = INPUTS - len(calls)
            arguments = self.arguments(function, inner=inner)
            made += [
                (function, [*function, fresh.message], fresh.source)
                for fresh in generate(
                    arguments, known, mentioned or own, count, {} if mentioned else self._annotations(function)
                )
            ]
        made.sort(key=lambda item: item[2] not in (RECORDED, INNER))
        fresh_from = sum(source in (RECORDED, INNER) for _, _, source in made)
        calls = [call for _, call, _ in made]
        first = self.outcomes(calls, fresh_from=fresh_from)
        again = self.outcomes(calls, fresh_from=fresh_from, hash_seed=OTHER_HASH_SEED, beside=first)
        asked_for = {
            (function, expected.name)
            for (function, _, source), expected in zip(made, first, strict=True)
            if source in (RECORDED, INNER) and expected.word == "raises"
        }
        found: dict[Function, list[Input]] = {function: [] for function in functions}
        aside = dict.fromkeys(functions, 0)
        for (function, call, source), expected, repeated in zip(made, first, again, strict=True):
            if not expected.is_evidence or likeness(expected, repeated) is not Likeness.SAME:
                aside[function] += 1
                continue
            ends_well = expected.word == "returns" or (function, expected.name) in asked_for
            valid = ends_well and source != BEYOND and not (inner and source != INNER)
            if expected.name in RESOURCES and source not in (RECORDED, INNER):
                aside[function] += 1
                continue
            found[function].append(Input(call, source, expected, valid))
        for function in functions:
            self._known[function, mentioned] = Inputs(found[function], aside[function])


def _first(inputs: Sequence[Input], count: int) -> list[Input]:
    """Return so many, and those beyond the domain."""
    near = [one for one in inputs if one.source != BEYOND]
    return [*near[:count], *(one for one in inputs if one.source == BEYOND)]


RESOURCES: Final = ("RecursionError", "MemoryError")


class _Kept:
    """The references worked out last, each with a lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Reference, threading.Lock]] = OrderedDict()

    @contextmanager
    def reference(self, task: Task, good: FileTree, bench: Bench) -> Iterator[Reference]:
        key = json.dumps(
            [
                good.digest,
                task.harness.model_dump_json(),
                task.limits.model_dump_json(),
                task.editable,
                [*task.fail_to_pass, *task.pass_to_pass],
                str(bench.interpreter.executable),
                bench.level.value,
            ]
        )
        with self._lock:
            if key not in self._kept:
                self._kept[key] = Reference(task, good, bench), threading.Lock()
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            found, lock = self._kept[key]
        with lock:
            yield found


_kept = _Kept()


def reference_of(task: Task, good: FileTree, bench: Bench) -> AbstractContextManager[Reference]:
    """Return a context with the :class:`Reference` of a task, for one thread at a time."""
    return _kept.reference(task, good, bench)
