"""Differential equivalence: candidate and reference do the same calls, each in its own process, and are compared here.

The calls are those that the task's tests make (visible and held-out), recorded on the reference, and fresh ones near
them. What the reference does not repeat is no evidence and is left out; a fresh input on which it fails is advice. It
is a bounded claim: "the same on so many inputs".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import Differential, Task, Witness
from mendlab.verify.bench import Bench
from mendlab.verify.confined.function.wire_values import Malformed
from mendlab.verify.engines.coverage import COMMON, Coverage
from mendlab.verify.equivalence.changed import changed_helper
from mendlab.verify.equivalence.inputs.literals import differing_literals
from mendlab.verify.equivalence.inputs.sizes import extent
from mendlab.verify.equivalence.inputs.travel import read_arguments
from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.reference import MOST_FUNCTIONS, RESOURCES, Input, Inputs, Reference, reference_of
from mendlab.verify.equivalence.replaying import replay
from mendlab.verify.equivalence.same import Likeness, Shown, likeness, read_outcome, show
from mendlab.verify.equivalence.shrinking import size_of, smaller_calls
from mendlab.verify.equivalence.symbolic import search

SHRINKING_ROUNDS = 12
SYMBOLIC = "crosshair"


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison (``None``: there was nothing to compare on), and the CPU seconds it took."""

    differential: Differential | None
    cpu_seconds: float


def compare(task: Task, good: FileTree, patched: FileTree, bench: Bench, *, symbolic_seconds: float = 0.0) -> Compared:
    """Do the calls of the task's tests, and fresh ones near them, on the reference and on the patched tree.

    For so many ``symbolic_seconds`` CrossHair, if it is there, looks for further inputs where these tell nothing.

    Raises:
        EngineError: the lab itself fails.
    """
    with reference_of(task, good, bench) as reference:
        before = reference.cpu_seconds
        comparison = _Comparison(task, good, patched, bench, reference, symbolic_seconds)
        differential = comparison.differential()
        spent = reference.cpu_seconds - before + comparison.cpu_seconds
    return Compared(differential, spent)


@dataclass(slots=True)
class _Tally:
    """What inputs came to: valid ones by source, and those of them that tell."""

    set_aside: int = 0
    invalid: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    told: list[tuple[Input, Shown]] = field(default_factory=list)
    advice: Witness | None = None

    def add(self, other: _Tally) -> None:
        self.set_aside += other.set_aside
        self.invalid += other.invalid
        self.counted += other.counted
        self.told += other.told
        self.advice = self.advice or other.advice


class _Comparison:
    """One patched tree against the reference."""

    def __init__(
        self,
        task: Task,
        good: FileTree,
        patched: FileTree,
        bench: Bench,
        reference: Reference,
        symbolic_seconds: float,
    ) -> None:
        self.cpu_seconds = 0.0
        self._task = task
        self._good = good
        self._patched = patched
        self._bench = bench
        self._reference = reference
        self._helper = changed_helper(good, patched)
        self._symbolic_seconds = symbolic_seconds

    def differential(self) -> Differential | None:
        """Return what came of it, or None if there is nothing to compare on."""
        inputs = self._inputs()
        if not any(one.valid for one in inputs.found):
            return None
        tally = self._tried(inputs)
        if self._symbolic_seconds and not tally.told:
            tally.add(self._tried(Inputs(self._symbolic_inputs(inputs), 0)))
        if not tally.counted:
            return None
        return Differential(
            inputs=tally.counted.total(),
            invalid=tally.invalid,
            set_aside=tally.set_aside,
            sources=dict(tally.counted),
            advice=tally.advice,
            witness=self._shrunk(tally.told) if tally.told else None,
        )

    def _tried(self, inputs: Inputs) -> _Tally:
        """Do the inputs on the patched tree."""
        tally = _Tally(set_aside=inputs.set_aside)
        if not inputs.found:
            return tally
        theirs = self._outcomes(
            [one.call for one in inputs.found],
            sum(not one.is_fresh for one in inputs.found),
            [one.expected for one in inputs.found],
        )
        for one, found in zip(inputs.found, theirs, strict=True):
            verdict = self._judged(one, found)
            if verdict is Likeness.UNKNOWN:
                tally.set_aside += 1
            elif not one.valid:
                tally.invalid += 1
                if verdict is Likeness.DIFFERENT and tally.advice is None:
                    tally.advice = _witness(one.call, one.expected, found)
            else:
                tally.counted[one.source] += 1
                if verdict is Likeness.DIFFERENT:
                    tally.told.append((one, found))
        return tally

    def _symbolic_inputs(self, inputs: Inputs) -> list[Input]:
        """What CrossHair finds for the functions of some inputs, with how the reference ends on it."""
        found: list[Input] = []
        for function in dict.fromkeys((one.call[0], one.call[1]) for one in inputs.found):
            recorded = self._reference.arguments(function)
            arguments, cpu_seconds = search(
                self._task,
                (self._good, self._patched),
                function,
                recorded,
                self._bench,
                seconds=self._symbolic_seconds,
            )
            self.cpu_seconds += cpu_seconds
            found += self._reference.checked(function, arguments, SYMBOLIC)
        return found

    def _inputs(self) -> Inputs:
        """The inputs that come to where the two differ."""
        reference = self._reference
        if not reference.recorded.calls:
            return Inputs([], 0)
        changed = sorted(self._good.changed(self._patched).keys() & self._good.keys())
        functions = reference.functions()
        if changed:
            lines = reference.lines()
            functions = [
                function for function in functions if reached(self._good, self._patched, lines.get(function, {}))
            ]
        paths = [path for path in changed if path.endswith(".py") and path in self._patched]
        mentioned = differing_literals(
            [decode(path, self._good[path]).text for path in paths],
            [decode(path, self._patched[path]).text for path in paths],
        )
        found = reference.inputs(functions[:MOST_FUNCTIONS], mentioned, inner=False)
        if self._helper is not None and self._helper not in functions:
            inner = reference.inputs([self._helper], mentioned, inner=True)
            merged = sorted([*found.found, *inner.found], key=lambda one: one.is_fresh)
            return Inputs(merged, found.set_aside + inner.set_aside)
        return found

    def _outcomes(self, calls: Sequence[Call], fresh_from: int, beside: Sequence[Shown] = ()) -> list[Shown]:
        done = replay(
            self._task,
            self._patched,
            self._reference.recorded.modules,
            calls,
            self._bench,
            fresh_from=fresh_from,
            beside=beside,
        )
        self.cpu_seconds += done.cpu_seconds
        return done.outcomes

    def _shrunk(self, told: Sequence[tuple[Input, Shown]]) -> Witness:
        """The smallest input found on which the two differ; tests' own inputs come before fresh ones."""
        one, found = min(told, key=lambda pair: (pair[0].is_fresh, size_of(pair[0].call)))
        best = _witness(one.call, one.expected, found)
        call, function = one.call, (one.call[0], one.call[1])
        known = self._reference.arguments(function, inner=function == self._helper)
        for _ in range(SHRINKING_ROUNDS):
            calls = smaller_calls(call, known)
            if not calls:
                break
            ours = self._reference.outcomes(calls, fresh_from=0)
            ending = (one.expected.word, one.expected.name)
            usable = [at for at, end in enumerate(ours) if (end.word, end.name) == ending]
            theirs = self._outcomes([calls[at] for at in usable], 0)
            differing = [
                (calls[at], ours[at], end)
                for at, end in zip(usable, theirs, strict=True)
                if self._judged(Input(calls[at], "smaller", ours[at], valid=True), end) is Likeness.DIFFERENT
            ]
            if not differing:
                break
            call, expected, end = min(differing, key=lambda item: size_of(item[0]))
            best = _witness(call, expected, end)
        return best

    def _judged(self, one: Input, found: Shown) -> Likeness:
        """Compare; that a candidate runs out of something says little where no test makes it work as hard."""
        if found.word == "not run":
            return Likeness.UNKNOWN
        ran_out = found.word in ("timeout", "out_of_memory") or found.name in RESOURCES
        if ran_out and one.is_fresh and not self._is_as_small_as_tests(one.call):
            return Likeness.UNKNOWN
        return likeness(one.expected, found)

    def _is_as_small_as_tests(self, call: Call) -> bool:
        function = (call[0], call[1])
        recorded = self._reference.arguments(function, inner=function == self._helper)
        try:
            return extent(read_arguments(call[2])) <= max(map(extent, recorded), default=0)
        except Malformed:
            return False


def _witness(call: Call, expected: Shown, found: Shown) -> Witness:
    return Witness(call=show_call(call), reference=expected.text, candidate=found.text)


def reached(good: FileTree, patched: FileTree, lines: Mapping[str, Sequence[int]]) -> bool:
    """Whether calls that ran these lines of the good tree come to where the patched one differs.

    Where they do not, that both did the same says nothing of the patch.
    """
    coverage = Coverage.of({COMMON: {}, "calls": lines}, exclude=())
    for path, data in good.changed(patched).items():
        if path not in good or not path.endswith(".py"):
            continue
        old, new = decode(path, good[path]).text, "" if data is None else decode(path, data).text
        matcher = SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
        for tag, start, stop, _, _ in matcher.get_opcodes():
            if tag != "equal" and coverage.reaching(path, old, max(start, 1), max(stop, start, 1)):
                return True
    return False


def show_call(call: Call) -> str:
    """Return a recorded call as source text."""
    module, name, message = call
    shown = read_outcome(["returns", message, ""])
    args, kwargs = shown.value if isinstance(shown.value, tuple) and len(shown.value) == 2 else ((), {})
    parts = [show(arg) for arg in args] + [f"{key}={show(value)}" for key, value in kwargs.items()]
    return f"{module}.{name}({', '.join(parts)})"
