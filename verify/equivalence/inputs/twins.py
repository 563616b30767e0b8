"""Arguments in which what is equal is not the same object: a program that asks ``is`` for ``==`` is told by them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from mendlab.verify.equivalence.inputs.domain import SEQUENCES, SETS, Domain, places
from mendlab.verify.equivalence.inputs.literals import Literals
from mendlab.verify.equivalence.inputs.travel import Arguments, Kept, changed, write_arguments
from mendlab.verify.equivalence.inputs.varying import Varying

SHARED: Final = 300
"""Python keeps one object for each number that is nearer to zero."""
DEEPEST: Final = 8
_OF_VALUES: Final = ("l", "t", "s", "f", "dq", "d")


def twins(recorded: Sequence[Arguments], domain: Domain, literals: Literals, chance: Random) -> Iterator[Arguments]:
    """Recorded arguments, as they are and with one change, with numbers and texts that Python does not share."""
    yield from recorded
    varying = Varying(chance, literals)
    while True:
        arguments = chance.choice(recorded)
        given = places(arguments)
        if not given:
            return
        place, value = chance.choice(given)
        if chance.random() < 0.7:
            arguments = changed(arguments, place, varying.vary(value, domain.shapes[place]))
        for inside in (False, True):
            enlarged = arguments
            for where, each in places(arguments):
                if not inside or isinstance(each, (*SEQUENCES, *SETS, dict, Kept)):
                    enlarged = changed(enlarged, where, _enlarged(each))
            yield enlarged
        if type(value) is list:
            yield changed(enlarged, place, [_enlarged(item) for item in value for _ in range(2)])


def write_apart(arguments: Arguments) -> Any:
    """Return the message for arguments with an object of its own for each text. Raises as :func:`write_arguments`."""
    root, nodes, updates = write_arguments(arguments)
    keywords = nodes[root[0]][2]
    for index, node in enumerate(list(nodes)):
        if node[0] in _OF_VALUES and [index] != keywords:
            for at, part in enumerate(node[1:], 1):
                if type(part) is str and len(part) > 1:
                    node[at] = [len(nodes)]
                    nodes.append(["S", part.encode("utf-8", "surrogatepass").hex()])
    return [root, nodes, updates]


def _enlarged(value: Any, depth: int = 0) -> Any:
    """A value made anew, with other numbers and texts, equal ones for equal ones and in the same order."""
    kind = type(value)
    if kind is int:
        return value + SHARED if value >= 0 else value - SHARED
    if kind is str:
        return value + value
    if depth > DEEPEST:
        return value
    if kind in (list, tuple, deque, set, frozenset):
        return kind(_enlarged(item, depth + 1) for item in value)
    if kind is dict:
        return {_enlarged(key, depth + 1): _enlarged(item, depth + 1) for key, item in value.items()}
    if kind is Kept and value.tag.startswith("@"):
        return Kept(value.tag, [_enlarged(part, depth + 1) if at % 2 else part for at, part in enumerate(value.parts)])
    return value
