"""One patched tree against the reference: which inputs come to the change, and what the two do on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import Differential, Task, Witness
from mendlab.verify.bench import Bench
from mendlab.verify.equivalence.changed import changed_helper
from mendlab.verify.equivalence.input import RESOURCES, Input, Inputs
from mendlab.verify.equivalence.inputs.literals import Literals, differing_literals
from mendlab.verify.equivalence.looking import looks_at_arguments, reads_attribute
from mendlab.verify.equivalence.places import Function, Place, places
from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.reference import MOST_FUNCTIONS, Reference
from mendlab.verify.equivalence.replaying import PATIENCE, replay
from mendlab.verify.equivalence.same import (
    Likeness,
    Shown,
    further_attributes,
    leaves_arguments_alone,
    likeness,
    order_differs,
    sharing_differs,
)
from mendlab.verify.equivalence.symbolic import search
from mendlab.verify.equivalence.witness import Found, show_found, smallest

SYMBOLIC: Final = "crosshair"
RAN_OUT: Final = ("timeout", "out_of_memory")
TIMES_THE_TESTS: Final = 2
"""So many times the extent of the largest recorded input, and a candidate may run out of time on it."""
DEEP: Final = 200
"""No program recurses too deep on arguments of a lesser extent unless it does so without end."""

Look = Callable[[Sequence[Input]], bool]
"""Says whether all inputs of a task are seen to end alike on the reference and on the candidate."""


@dataclass(slots=True)
class Tally:
    """What inputs came to: valid ones by source, and those of them that tell."""

    set_aside: int = 0
    invalid: int = 0
    counted: Counter[str] = field(default_factory=Counter)
    functions: set[Function] = field(default_factory=set)
    told: list[Found] = field(default_factory=list)
    advice: Witness | None = None

    def count_alike(self, inputs: Collection[Input]) -> None:
        """Count inputs that end alike on both."""
        valid = [one for one in inputs if one.valid]
        self.invalid += len(inputs) - len(valid)
        self.counted.update([one.source for one in valid])
        self.functions.update({(one.call[0], one.call[1]) for one in valid})

    def count(self, one: Input) -> None:
        """Count a valid input."""
        self.counted[one.source] += 1
        self.functions.add(one.function)

    def add(self, other: Tally) -> None:
        """Take another one in."""
        self.set_aside += other.set_aside
        self.invalid += other.invalid
        self.counted += other.counted
        self.functions |= other.functions
        self.told += other.told
        self.advice = self.advice or other.advice


class Comparison:
    """Compares once. ``cpu_seconds`` is what the patched tree took; the reference counts its own.

    ``missed`` are the changed functions and names that no input which was compared comes to.
    """

    def __init__(
        self,
        task: Task,
        good: FileTree,
        patched: FileTree,
        bench: Bench,
        reference: Reference,
        symbolic_seconds: float,
        look: Look | None = None,
    ) -> None:
        self.cpu_seconds = 0.0
        self.missed: tuple[str, ...] = ()
        self._task = task
        self._good = good
        self._patched = patched
        self._bench = bench
        self._reference = reference
        self._places = places(good, patched, task.editable)
        self._helper = changed_helper(good, patched, reference.functions())
        self._symbolic_seconds = symbolic_seconds
        self._look = look
        self._looked_at: dict[Function, bool] = {}
        changed = {path: data for path, data in good.changed(patched).items() if path.endswith(".py")}
        self._sources = [decode(path, data).text for path, data in changed.items() if data is not None]

    def differential(self) -> Differential | None:
        """Return what came of it, or None if there is nothing to compare on. Raises EngineError."""
        inputs = self._inputs()
        if not any(one.valid for one in inputs.found):
            return None
        tally = self._tried(inputs)
        if self._symbolic_seconds and not tally.told:
            tally.add(self._tried(Inputs(self._symbolic_inputs(inputs), 0)))
        self.missed = tuple(place.name for place in self._places if not self._comes_to(place, tally.functions))
        if not tally.counted or (self.missed and not tally.told):
            return None
        return Differential(
            inputs=tally.counted.total(),
            invalid=tally.invalid,
            set_aside=tally.set_aside,
            sources=dict(tally.counted),
            advice=tally.advice,
            witness=self._witness(tally.told) if tally.told else None,
        )

    def _comes_to(self, place: Place, functions: Iterable[Function]) -> bool:
        """Whether calls of any of some functions come to a place."""
        lines = self._reference.lines()
        return any(place.is_run(lines[one]) if one in lines else one == place.function for one in functions)

    def _functions(self) -> list[Function]:
        """The functions to call: one or more for each place, those that differ first; others that come there."""
        functions = self._reference.functions()
        if not self._places:
            return functions[:MOST_FUNCTIONS]
        own = {place.function for place in self._places}
        chosen = [one for one in functions if one in own]
        for place in self._places:
            if not self._comes_to(place, chosen):
                chosen += [one for one in functions if self._comes_to(place, [one])][:1]
        reaching = [
            one
            for one in functions
            if one not in chosen and any(self._comes_to(place, [one]) for place in self._places)
        ]
        chosen += reaching[: max(0, MOST_FUNCTIONS - len(chosen))]
        return chosen or functions[:MOST_FUNCTIONS]

    def _inputs(self) -> Inputs:
        """The inputs of the functions that come to where the two differ; of all, if none does."""
        changed = sorted(self._good.changed(self._patched).keys() & self._good.keys())
        paths = [path for path in changed if path.endswith(".py") and path in self._patched]
        mentioned = differing_literals(
            [decode(path, self._good[path]).text for path in paths],
            [decode(path, self._patched[path]).text for path in paths],
        )
        found = self._reference.inputs(self._functions(), mentioned, inner=False)
        if self._helper is not None:
            found += self._reference.inputs([self._helper], mentioned, inner=True)
        return found

    def _tried(self, inputs: Inputs) -> Tally:
        """Do the inputs on the patched tree."""
        tally = Tally(set_aside=inputs.set_aside)
        alike = self._seen_alike(inputs)
        tally.count_alike(alike)
        if len(alike) == len(inputs.found):
            return tally
        left = [one for one in inputs.found if one not in alike]
        recorded = sum(not one.is_fresh for one in left)
        ends = self._ends([one.call for one in left], recorded, [one.expected for one in left])
        ran_out = 0
        for one, end in zip(left, ends, strict=True):
            given_up = end.word == "not run" and ran_out >= PATIENCE
            verdict = Likeness.UNKNOWN if given_up else self._judged(one, end)
            ran_out += one.is_fresh and end.word in RAN_OUT
            found = Found(one.call, one.expected, end, one.is_fresh)
            differs = verdict is Likeness.DIFFERENT
            if verdict is Likeness.UNKNOWN:
                tally.set_aside += 1
            elif one.valid:
                tally.count(one)
                if differs and self._decides(found):
                    tally.told.append(found)
                elif tally.advice is None and (differs or self._is_otherwise(found)):
                    tally.advice = show_found(found)
            else:
                tally.invalid += 1
                if differs and tally.advice is None:
                    tally.advice = show_found(found)
        return tally

    def _seen_alike(self, inputs: Inputs) -> frozenset[Input]:
        """Those that a quick look shows to end alike: all that do not turn on the patch alone, or none."""
        functions = self._reference.functions()
        if self._look is None or len(functions) != 1:
            return frozenset()
        known = self._reference.inputs(functions, Literals(), inner=False).found
        if not self._look(known):
            return frozenset()
        return frozenset(known) if inputs.found is known else frozenset(known).intersection(inputs.found)

    def _judged(self, one: Input, end: Shown) -> Likeness:
        """Compare; that a candidate runs out of something says little where it works far harder than for any test.

        Nor are two known to be the same where the candidate keeps something for itself and may read it again.
        """
        if one.is_fresh and (end.word in RAN_OUT or end.name in RESOURCES):
            of_tests = self._reference.extent(one.function, inner=one.function == self._helper)
            least = TIMES_THE_TESTS * of_tests
            if one.extent > (max(least, DEEP) if end.name in RESOURCES else least):
                return Likeness.UNKNOWN
        found = likeness(one.expected, end)
        if found is Likeness.SAME and one.expected.word == "returns" and end is not one.expected:
            further = further_attributes(one.expected.value, end.value)
            if any(reads_attribute(self._sources, name) for name in further):
                return Likeness.UNKNOWN
        return found

    def _decides(self, found: Found) -> bool:
        """Whether a difference is more than that the candidate leaves alone an argument that no test looks at."""
        function = (found.call[0], found.call[1])
        if not leaves_arguments_alone(found.expected, found.end, found.call):
            return True
        if function not in self._looked_at:
            self._looked_at[function] = looks_at_arguments(self._task, self._good, function[1])
        return self._looked_at[function]

    def _is_otherwise(self, found: Found) -> bool:
        """Whether a result is one object with an argument, say, on one side alone, or keys have another order."""
        if found.end is found.expected or not found.expected.word == found.end.word == "returns":
            return False
        one, other = found.expected.value, found.end.value
        return sharing_differs(one, other, of_instances=False) or order_differs(one, other)

    def _symbolic_inputs(self, inputs: Inputs) -> list[Input]:
        """What CrossHair finds for the functions of some inputs, with how the reference ends on it."""
        found: list[Input] = []
        for function in dict.fromkeys(one.function for one in inputs.found):
            arguments, cpu_seconds = search(
                self._task,
                (self._good, self._patched),
                function,
                self._reference.arguments(function),
                self._bench,
                seconds=self._symbolic_seconds,
            )
            self.cpu_seconds += cpu_seconds
            found += self._reference.checked(function, arguments, SYMBOLIC)
        return found

    def _ends(self, calls: Sequence[Call], fresh_from: int = 0, beside: Sequence[Shown] = ()) -> list[Shown]:
        modules = self._reference.recorded.modules
        done = replay(self._task, self._patched, modules, calls, self._bench, fresh_from=fresh_from, beside=beside)
        self.cpu_seconds += done.cpu_seconds
        return done.outcomes

    def _witness(self, told: Sequence[Found]) -> Witness:
        """The smallest input found on which the two differ."""
        module, name, _ = told[0].call
        inner = (module, name) == self._helper
        return show_found(smallest(told, self._reference, self._ends, self._decides, inner=inner))
