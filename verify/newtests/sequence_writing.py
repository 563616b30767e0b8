"""Sequences on objects with state as the lines of a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mendlab.verify.equivalence.same import show
from mendlab.verify.newtests.cases import Case, Signature, imports_for, snake
from mendlab.verify.newtests.doing import Call, Looked
from mendlab.verify.newtests.messages import Arguments
from mendlab.verify.newtests.spelling import Shape, Speller, Unspellable
from mendlab.verify.newtests.stateful import OPERATORS, Stateful, Step

LINE: Final = 84


@dataclass(frozen=True, slots=True)
class SequenceWriter:
    """Writes sequences on objects of a class as the lines of a test.

    ``raises`` are exceptions that the tests name, each with the module it comes from; None for those built in.
    """

    stateful: Stateful
    shapes: Mapping[str, Shape]
    signatures: Mapping[tuple[str, str], Signature]
    raises: Mapping[str, str | None]

    def lines(self, call: Call) -> tuple[tuple[str, ...], str]:
        """Return the lines that come first, and the expression of the last step. Raises Unspellable."""
        _, _, made_with, steps = call.arguments[0]
        thing = snake(self.stateful.name)
        first = [f"{thing} = {self.stateful.name}({self._arguments(made_with)})"]
        first += [self._step(thing, step) for step in steps[:-1]]
        last = self._step(thing, steps[-1])
        method = f"{self.stateful.name}.{steps[-1][0]}"
        wrapping = self.signatures.get((self.stateful.module, method), Signature()).wrapping
        if wrapping and steps[-1][0] not in OPERATORS:
            last = f"{wrapping}({last})"
        if any(len(line) > LINE for line in (*first, last)):
            raise Unspellable("too long")
        return tuple(first), last

    def _step(self, thing: str, step: Step) -> str:
        member, arguments = step
        if arguments is None:
            return f"{thing}.{member}"
        if member in OPERATORS:
            texts = [Speller(self.shapes).spell(value) for value in arguments[0]]
            return OPERATORS[member].format(thing, *texts)
        return f"{thing}.{member}({self._arguments(arguments)})"

    def _arguments(self, arguments: Arguments) -> str:
        spell = Speller(self.shapes).spell
        args, kwargs = arguments
        return ", ".join([*map(spell, args), *(f"{key}={spell(value)}" for key, value in kwargs.items())])

    def size(self, call: Call) -> int | None:
        """Return how long a sequence is as text; None where it cannot be written."""
        try:
            first, last = self.lines(call)
        except (Unspellable, IndexError):
            return None
        return sum(map(len, (*first, last)))

    def case(self, looked: Looked) -> Case:
        """Return the test for a sequence. Raises Unspellable."""
        first, last = self.lines(looked.call)
        raises = looked.expected.name if looked.expected.word == "raises" else ""
        if raises:
            expected = exactly = raises
        else:
            result = looked.expected.value[0]
            expected = Speller(self.shapes, approximately=True).spell(result)
            exactly = Speller(self.shapes).spell(result)
        if len(f"assert {last} == {expected}") > LINE:
            raise Unspellable("too long")
        imports = {(self.stateful.module, self.stateful.name), *imports_for(self.shapes, *first, last, expected)}
        if origin := self.raises.get(raises):
            imports.add((origin, raises))
        return Case(
            kind="aimed",
            label="",
            judged=True,
            form="sequence",
            module=self.stateful.module,
            function=f"{self.stateful.name}.{looked.call.arguments[0][3][-1][0].strip('_')}",
            names=(),
            arguments=(),
            keywords=(),
            expected=expected,
            exactly=exactly,
            buggy=show(looked.found.value[0]) if looked.found.word == "returns" else looked.found.text,
            first=first,
            last=last,
            raises=raises,
            imports=tuple(sorted(imports)),
        )
