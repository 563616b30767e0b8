"""What the reference does on the inputs of a task: worked out once, and kept for the attempts to come."""

from __future__ import annotations

import ast
import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confined.function.wire_values import Malformed
from mendlab.verify.engines.engine import OTHER_HASH_SEED
from mendlab.verify.equivalence.changed import module_of
from mendlab.verify.equivalence.input import INNER, RECORDED, Input, Inputs, in_turn
from mendlab.verify.equivalence.inputs.annotations import optional_parameters, parameters_of
from mendlab.verify.equivalence.inputs.domain import Domain
from mendlab.verify.equivalence.inputs.generating import BEYOND, Fresh, generate, generate_lengths, generate_twins
from mendlab.verify.equivalence.inputs.literals import Literals, literals_of
from mendlab.verify.equivalence.inputs.sizes import extent
from mendlab.verify.equivalence.inputs.travel import Arguments, key_of, read_arguments, write_arguments
from mendlab.verify.equivalence.recording import Call, Recorded, record_calls, without_new_tests
from mendlab.verify.equivalence.replaying import REFERENCES, Function, replay
from mendlab.verify.equivalence.same import Likeness, Shown, likeness

INPUTS: Final = 300
"""Inputs tried for each function, recorded ones included, but for those on top of them."""
FRESH_SECONDS: Final = 0.02
"""CPU time of a fresh call of the reference; a candidate gets many times as much, so that a slower one is no other."""
PATIENCE: Final = 20
FOR_THE_PATCH: Final = 60
"""So many on top of them turn on constants that the patch alone mentions."""
FOR_NEW_TESTS: Final = 60
"""And so many are near what only tests call that were written for the task."""
MOST_FUNCTIONS: Final = 6
MOST_MENTIONED: Final = 8
"""Sets of constants that only patches mention, the inputs for which are kept."""
MOST_SIFTINGS: Final = 3
KEPT: Final = 16


class Reference:
    """The good tree of a task, with the calls of its tests. Not thread-safe.

    ``cpu_seconds`` counts what was run; ``tells`` says of buggy trees, by digest, whether a comparison tells them.
    """

    def __init__(self, task: Task, good: FileTree, bench: Bench) -> None:
        self.cpu_seconds = 0.0
        self.tells: dict[str, bool] = {}
        self._task = task
        self._good = good
        self._bench = bench
        self._recorded: Recorded | None = None
        self._old: set[str] = set()
        self._lines: dict[Function, dict[str, list[int]]] | None = None
        self._sayings: list[tuple[Call, Shown]] | None = None
        self._known: dict[tuple[Function, bool, Literals], Inputs] = {}

    @property
    def recorded(self) -> Recorded:
        """The calls that the tests make. Raises EngineError."""
        if self._recorded is None:
            self._recorded = self._record(self._task)
            old_task = without_new_tests(self._task)
            if old_task is not self._task:
                old = self._record(old_task)
                self._old = {key_of(call) for call in (*old.calls, *old.inner)}
                self._recorded = replace(
                    self._recorded,
                    calls=_together(old.calls, self._recorded.calls),
                    inner=_together(old.inner, self._recorded.inner),
                )
        return self._recorded

    def _record(self, task: Task) -> Recorded:
        recorded = record_calls(task, self._good, self._bench)
        self.cpu_seconds += recorded.cpu_seconds
        return recorded

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
                    self._task,
                    self._good,
                    self.recorded.modules,
                    self.recorded.calls,
                    self._bench,
                    trace=files,
                    serves=REFERENCES,
                )
                self.cpu_seconds += done.cpu_seconds
                self._lines = done.lines
        return self._lines

    def inputs(self, functions: Sequence[Function], mentioned: Literals, *, inner: bool) -> Inputs:
        """Return the inputs of functions, some of them for constants that were ``mentioned``. Raises EngineError.

        ``inner``: of calls that the program itself makes of these functions.
        """
        found = Inputs([], 0)
        if mentioned:
            self._forget(mentioned)
        for words in (Literals(), mentioned) if mentioned else (Literals(),):
            missing = [function for function in functions if (function, inner, words) not in self._known]
            self._work_out(missing, words, inner=inner)
        if len(functions) == 1:
            ours = self._known[functions[0], inner, Literals()]
            return ours + self._known[functions[0], inner, mentioned] if mentioned else ours
        for function in functions:
            theirs = self._known[function, inner, mentioned] if mentioned else Inputs([], 0)
            ours = self._known[function, inner, Literals()]
            found += ours + theirs
        return found

    def arguments(self, function: Function, *, inner: bool = False) -> list[Arguments]:
        """Return the recorded arguments of a function. Raises EngineError."""
        return [given for _, given in self._readable(function, inner=inner)]

    def extent(self, function: Function, *, inner: bool = False) -> float:
        """Return how much work the largest recorded arguments of a function may be. Raises EngineError."""
        return max((one.extent for one in self._recorded_inputs(function, inner=inner)), default=0)

    def outcomes(
        self, calls: Sequence[Call], *, fresh_from: int, hash_seed: int = 0, beside: Sequence[Shown] = ()
    ) -> list[Shown]:
        """Return how calls end on the reference. Raises EngineError."""
        if not calls:
            return []
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
            serves=REFERENCES,
        )
        self.cpu_seconds += done.cpu_seconds
        return done.outcomes

    def sayings(self) -> list[tuple[Call, Shown]]:
        """Return the tests' own calls that raise, as far as what the exception says is always the same.

        Raises EngineError.
        """
        if self._sayings is None:
            calls = self.recorded.calls
            first = self.outcomes(calls, fresh_from=len(calls))
            again = self.outcomes(calls, fresh_from=len(calls), hash_seed=OTHER_HASH_SEED)
            self._sayings = [
                (call, one)
                for call, one, other in zip(calls, first, again, strict=True)
                if one.word == "raises" and (one.name, one.said) == (other.name, other.said) and one.word == other.word
            ]
        return self._sayings

    def checked(self, function: Function, arguments: Sequence[Arguments], source: str) -> list[Input]:
        """Return inputs from elsewhere, as far as the reference repeats what it does on them. Raises EngineError."""
        recorded = self.arguments(function)
        domain = Domain(recorded, self._optional(function))
        calls = [[*function, write_arguments(one)] for one in arguments if domain.is_of_types(one)]
        if not calls:
            return []
        first = self.outcomes(calls, fresh_from=0)
        again = self.outcomes(calls, fresh_from=0, hash_seed=OTHER_HASH_SEED, beside=first)
        return [
            Input(call, source, expected, expected.word == "returns" and domain.admits(arguments), extent(arguments))
            for call, expected, repeated in zip(calls, first, again, strict=True)
            if expected.is_evidence and likeness(expected, repeated) is Likeness.SAME
            for arguments in [read_arguments(call[2])]
        ]

    def _forget(self, mentioned: Literals) -> None:
        """Make room for what turns on other constants than these; the oldest goes first."""
        others = dict.fromkeys(words for _, _, words in self._known if words and words != mentioned)
        for words in list(others)[: max(0, len(others) - MOST_MENTIONED + 1)]:
            for key in [key for key in self._known if key[2] == words]:
                del self._known[key]

    def _annotations(self, function: Function) -> dict[object, ast.expr]:
        """The annotations of a function's parameters."""
        source = self._source_of(function)
        return {} if source is None else parameters_of(source, function[1])

    def _optional(self, function: Function) -> set[object]:
        """The places of a function's arguments that may be left out, or are asked whether they are None."""
        source = self._source_of(function)
        return set() if source is None else optional_parameters(source, function[1])

    def _source_of(self, function: Function) -> str | None:
        """The text of a function's module, wherever that lies."""
        for path in self._task.editable:
            if path in self._good and path.endswith(".py") and module_of(path) == function[0]:
                return decode(path, self._good[path]).text
        return None

    def _recorded_inputs(self, function: Function, *, inner: bool) -> list[Input]:
        known = self._known.get((function, inner, Literals()), Inputs([], 0))
        return [one for one in known.found if not one.is_fresh]

    def _work_out(self, functions: Sequence[Function], mentioned: Literals, *, inner: bool) -> None:
        """Make the inputs of functions and find out how the reference ends on them, as far as it repeats itself."""
        if not functions:
            return
        made = [one for function in functions for one in self._made(function, mentioned, inner=inner)]
        made.sort(key=in_turn)
        first = self.outcomes([one.call for one in made], fresh_from=sum(not one.is_fresh for one in made))
        ended = [replace(one, expected=end) for one, end in zip(made, first, strict=True)]
        asked_for = {
            (one.function, one.expected.name) for one in ended if not one.is_fresh and one.expected.word == "raises"
        }
        found: dict[Function, list[Input]] = {function: [] for function in functions}
        for one in self._repeated([one for one in ended if one.is_evidence]):
            ends_well = one.expected.word == "returns" or (one.function, one.expected.name) in asked_for
            may_decide = one.source != BEYOND and not (inner and one.is_fresh)
            found[one.function].append(replace(one, valid=ends_well and may_decide))
        counts = Counter(one.function for one in made)
        for function in functions:
            aside = counts[function] - len(found[function])
            self._known[function, inner, mentioned] = Inputs(sorted(found[function], key=in_turn), aside)

    def _repeated(self, inputs: list[Input]) -> list[Input]:
        """Those on which the reference does the same under another hash seed and in another order.

        Where some are not, calls may depend on those before: then the others must do the same by themselves as well.
        """
        backwards = [one for fresh in (False, True) for one in reversed(inputs) if one.is_fresh is fresh]
        same = {id(one) for one in self._alike(backwards, OTHER_HASH_SEED)}
        kept = [one for one in inputs if id(one) in same]
        for _ in range(MOST_SIFTINGS):
            if len(kept) == len(inputs):
                return kept
            inputs, kept = kept, self._alike(kept, 0)
        return kept if len(kept) == len(inputs) else []

    def _alike(self, inputs: Sequence[Input], hash_seed: int) -> list[Input]:
        """Those on which the reference ends as before when they are done in this order."""
        ends = self.outcomes(
            [one.call for one in inputs],
            fresh_from=sum(not one.is_fresh for one in inputs),
            hash_seed=hash_seed,
            beside=[one.expected for one in inputs],
        )
        return [one for one, end in zip(inputs, ends, strict=True) if likeness(one.expected, end) is Likeness.SAME]

    def _readable(self, function: Function, *, inner: bool) -> list[tuple[Any, Arguments]]:
        """Recorded arguments of a function that can be read, each with the message that they came in."""
        found = []
        for module, name, message in self.recorded.inner if inner else self.recorded.calls:
            if (module, name) == function:
                with suppress(Malformed):
                    found.append((message, read_arguments(message)))
        return found

    def _made(self, function: Function, mentioned: Literals, *, inner: bool) -> Iterator[Input]:
        """Recorded inputs of a function and fresh ones; those for what was ``mentioned`` come on top of them."""
        recorded = self._readable(function, inner=inner)
        every = [given for _, given in recorded]
        # Tests that were written for the task only add inputs: the others are drawn as if there were none.
        old = [pair for pair in recorded if key_of([*function, pair[0]]) in self._old] or recorded
        arguments = [given for _, given in old]
        known = {key_of(message) for message, _ in recorded}
        optional = self._optional(function)
        made: list[Fresh] = []
        if mentioned:
            known |= {key_of(one.call[2]) for one in self._known[function, inner, Literals()].found}
            made += generate(arguments, known, mentioned, FOR_THE_PATCH, {}, optional)
            made += generate_lengths(arguments, known, mentioned)
        else:
            for message, given in recorded:
                yield Input([*function, message], INNER if inner else RECORDED, Shown.lost(), False, extent(given))
            sources = [decode(path, self._good[path]).text for path in self._task.editable if path in self._good]
            words, count = literals_of(sources), INPUTS - len(old)
            made += generate(arguments, known, words, count, self._annotations(function), optional)
            made += generate_twins(arguments, known, words)
            if len(old) < len(recorded):
                made += generate(every, known, words, FOR_NEW_TESTS, {}, optional)
        for one in made:
            yield Input([*function, one.message], one.source, Shown.lost(), False, extent(read_arguments(one.message)))


def _together(old: Sequence[Call], new: Sequence[Call]) -> list[Call]:
    known = {key_of(call) for call in old}
    return [*old, *(call for call in new if key_of(call) not in known)]


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
