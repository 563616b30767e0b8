"""Witnesses on objects with state: one is made, some of its methods are called, and the last answer differs.

What it is made with, and what its methods are called with, is drawn from recorded calls alone.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Final

from mendlab.verify.equivalence.same import same_value
from mendlab.verify.newtests.doing import Call, Looked, Pair
from mendlab.verify.newtests.sequence_writing import SequenceWriter
from mendlab.verify.newtests.stateful import Stateful, Step

TRIED: Final = 300
LONGEST: Final = 5
ROUNDS: Final = 8


def find_sequences(writer: SequenceWriter, pair: Pair, method: str | None, seed: int, most: int) -> list[Looked]:
    """Return at most so many sequences on which the two programs differ, the shortest first.

    ``method`` is one that is called wherever that can be.
    """
    chance = random.Random(f"{seed} {writer.stateful.module} {writer.stateful.name}")
    differing = _differing(writer, pair, _drawn(writer.stateful, method, chance))
    found: dict[str, Looked] = {}
    for start in differing[:: max(1, len(differing) // most)][:most]:
        looked = _shrink(writer, pair, start)
        found[repr(looked.call)] = looked
    return sorted(found.values(), key=lambda each: writer.size(each.call) or 0)


def _drawn(stateful: Stateful, method: str | None, chance: random.Random) -> Iterator[Call]:
    names = sorted(stateful.methods)
    for _ in range(TRIED):
        steps: list[Step] = []
        for _ in range(chance.randint(1, LONGEST)):
            wanted = method if method in stateful.methods and chance.random() < 0.3 else chance.choice(names)
            assert wanted is not None
            steps.append((wanted, chance.choice(stateful.methods[wanted])))
        if stateful.properties and chance.random() < 0.3:
            steps.append((chance.choice(stateful.properties), None))
        yield stateful.call(chance.choice(stateful.made_with), steps)


def _shrink(writer: SequenceWriter, pair: Pair, looked: Looked) -> Looked:
    for _ in range(ROUNDS):
        size = writer.size(looked.call) or 0
        tried = [call for call in _shorter(writer.stateful, looked.call) if (writer.size(call) or size) < size]
        smaller = _differing(writer, pair, iter(tried[:60]))
        if not smaller:
            return looked
        looked = smaller[0]
    return looked


def _shorter(stateful: Stateful, call: Call) -> Iterator[Call]:
    _, _, made_with, steps = call.arguments[0]
    for at in range(len(steps)):
        yield stateful.call(made_with, (*steps[:at], *steps[at + 1 :]))
    for other in stateful.made_with:
        yield stateful.call(other, steps)
    for at, (member, arguments) in enumerate(steps):
        for fewer in stateful.methods.get(member, ()):
            if arguments is not None and len(repr(fewer)) < len(repr(arguments)):
                yield stateful.call(made_with, (*steps[:at], (member, fewer), *steps[at + 1 :]))


def _differing(writer: SequenceWriter, pair: Pair, calls: Iterator[Call]) -> list[Looked]:
    able = list({repr(call): call for call in calls if writer.size(call) is not None}.values())
    found = [each for each in pair.look(able) if each.differs and _answers(each, writer.raises)]
    return sorted(found, key=lambda each: (not each.found.is_evidence, writer.size(each.call) or 0))


def _answers(looked: Looked, raises: Collection[str]) -> bool:
    """Whether the last answers differ, not only what the steps were given; or what is raised, if that is asked for."""
    if looked.expected.word == "raises":
        return looked.expected.name in raises
    return looked.found.word != "returns" or not same_value(looked.expected.value[0], looked.found.value[0])
