"""Messages of :mod:`wire` made of lists, tuples, dicts, scalars and texts, read and written in a fraction of the time.

What has anything else in it is left to :mod:`wire`. Python 3.8 to 3.13, standard library only.
"""

import sys
from typing import Any, Dict, List

load = sys.modules["__main__"].load
values = load("wire_values")

SCALARS = frozenset({str, int, float, bool, type(None)})
TEXT = "S"
TAGS: Dict[Any, str] = {list: "l", tuple: "t", dict: "d"}


class NotPlain(Exception):
    """There is something else in it."""


def read(message):
    """The value of a message that shares nothing with earlier ones. Raises NotPlain."""
    root, nodes, updates = message
    if updates:
        raise NotPlain
    made: Dict[int, Any] = {}

    def value(reference):
        if type(reference) is not list:
            return reference
        index = reference[0]
        if index in made:
            if made[index] is NotPlain:
                raise NotPlain
            return made[index]
        node = nodes[index]
        tag = node[0]
        found: Any
        if tag == "l":
            made[index] = found = []
            found.extend(map(value, node[1:]))
        elif tag == "t":
            made[index] = NotPlain
            made[index] = found = tuple(map(value, node[1:]))
        elif tag == "d":
            made[index] = found = {}
            for at in range(1, len(node), 2):
                found[value(node[at])] = value(node[at + 1])
        elif tag == TEXT:
            made[index] = found = values.kind_tagged(TEXT).build(*node[1:])
        else:
            raise NotPlain
        return found

    try:
        return value(root)
    except (TypeError, ValueError, RecursionError, LookupError, values.Malformed):
        raise NotPlain from None


def write(whole):
    """The message that :mod:`wire` has for a value. Raises NotPlain."""
    shared: List[Any] = []
    indexes: Dict[int, int] = {}

    def reference(value):
        kind = type(value)
        if kind in SCALARS and values.is_inline(value):
            return value
        if kind not in TAGS:
            raise NotPlain
        index = indexes.get(id(value))
        if index is None:
            index = indexes[id(value)] = len(shared)
            shared.append(value)
        return [index]

    root = reference(whole)
    nodes = []
    for value in shared:
        parts = values.items_of(value) if type(value) is dict else value
        node: List[Any] = [TAGS[type(value)]]
        if SCALARS.issuperset(map(type, parts)) and values.all_inline(parts):
            node += parts
        else:
            node += map(reference, parts)
        nodes.append(node)
    return [root, nodes, {}]
