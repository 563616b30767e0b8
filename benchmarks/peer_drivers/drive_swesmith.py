"""SWE-smith: its procedural modifiers, every outcome of their dice with one site changed.

A modifier flips a coin at each site and then draws what to change. Its random generator is replaced by one that
follows a script; the scripts are walked depth first, so that each coin comes up once alone, with every draw that
follows it. Shuffles of more than six statements are enumerated as exchanges of two.

``own``: the modifiers of its generation script, on the entities that meet their conditions and complexity limits.
``all``: every modifier of the package, on every entity.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import libcst
import swesmith
from exchange import serve
from swesmith.bug_gen.adapters import get_entities_from_file
from swesmith.bug_gen.procedural.generate import PM_TECHNIQUES
from swesmith.bug_gen.procedural.operations import OperationFlipOperatorModifier
from swesmith.bug_gen.utils import apply_code_change
from swesmith.utils import BugRewrite

EVERY_TECHNIQUE = [*PM_TECHNIQUES, OperationFlipOperatorModifier()]
FILE = Path("entity_file.py")
WHOLE_SHUFFLE = 6


class Script:
    """Stands in for ``random.Random``: answers from a list of choices and notes how many there were."""

    def __init__(self, answers: Sequence[int]) -> None:
        self.answers, self.widths, self.flipped = list(answers), [], False

    def draw(self, width: int) -> int:
        place = len(self.widths)
        self.widths.append(width)
        if place == len(self.answers):
            self.answers.append(0)
        return self.answers[place]

    def random(self) -> float:
        flip = self.draw(1 if self.flipped else 2)
        self.flipped = self.flipped or flip == 1
        return 0.0 if flip else 1.0

    def choice(self, options: Sequence) -> object:
        return options[self.draw(len(options))]

    def randint(self, low: int, high: int) -> int:
        return low + self.draw(high - low + 1)

    def shuffle(self, items: list) -> None:
        orders = list(orders_of(len(items)))
        items[:] = [items[index] for index in orders[self.draw(len(orders))]]


def orders_of(count: int) -> Iterator[tuple[int, ...]]:
    if count <= WHOLE_SHUFFLE:
        yield from itertools.permutations(range(count))
        return
    for one, other in itertools.combinations(range(count), 2):
        order = list(range(count))
        order[one], order[other] = other, one
        yield tuple(order)


def outcomes(modifier: object, module: libcst.Module) -> Iterator[str]:
    """The text after each script, in order; one that fails is passed over, as the generation script does."""
    answers: list[int] = []
    while True:
        script = Script(answers)
        modifier.rand = script
        with contextlib.suppress(Exception):  # SWE-smith gives the candidate up, too
            yield module.visit(modifier).code
        answers = script.answers[: len(script.widths)]
        while answers and answers[-1] + 1 >= script.widths[len(answers) - 1]:
            answers.pop()
        if not answers:
            return
        answers[-1] += 1


def fits(modifier: object, entity: object) -> bool:
    """``modifier.can_change(entity)``, which fails on Python entities (it calls ``complexity``, a property)."""
    tagged = all(condition in entity._tags for condition in modifier.conditions)
    return tagged and modifier.min_complexity <= entity.complexity <= modifier.max_complexity


def mutants(source: str) -> Iterator[str]:
    FILE.write_text(source)
    entities: list = []
    get_entities_from_file["py"](entities, str(FILE))
    everything = sys.argv[1] == "all"
    for modifier in EVERY_TECHNIQUE if everything else PM_TECHNIQUES:
        for entity in entities:
            if not (everything or fits(modifier, entity)):
                continue
            module = libcst.parse_module(entity.src_code)
            for text in dict.fromkeys(outcomes(modifier, module)):
                if text != module.code:
                    FILE.write_text(source)
                    apply_code_change(entity, BugRewrite(text, modifier.explanation, modifier.name))
                    yield FILE.read_text()


if __name__ == "__main__":
    serve(swesmith.__version__, mutants, sys.argv[2:])
