"""Values that are no plain ones: how they are told by name and parts, and found or made again elsewhere.

Members of a program's enumerations, its named tuples, its functions and classes, and the iterators of Python's own.
Python 3.8 to 3.13, standard library only.
"""

import copy
import enum
import functools
import itertools
import sys
import types

load = sys.modules["__main__"].load
wire = load("wire")
candidate_objects = load("candidate_objects")

MOST_ITEMS = 2000
ITERATORS = frozenset(
    map(type, (iter([]), iter(()), iter(""), iter("é"), iter(b""), iter(range(0)), reversed([]), itertools.count()))
)


def items_left(iterator):
    """What an iterator has still to give, as far as anyone would look; a copy of it is asked."""
    return list(itertools.islice(copy.copy(iterator), MOST_ITEMS))


def name_of(value, modules):
    """``(module, qualified name)`` of a class or a function that one of the modules holds under its name, or None."""
    place = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if place[0] not in modules or not isinstance(place[1], str):
        return None
    try:
        found = functools.reduce(getattr, place[1].split("."), modules[place[0]])
    except AttributeError:
        return None
    return place if getattr(found, "__wrapped__", found) is getattr(value, "__wrapped__", value) else None


def describe(value, modules):
    """Tag and parts, or None for what is not to be found again."""
    cls = type(value)
    if cls in ITERATORS:
        return "iterator", items_left(value)
    if isinstance(value, (type, types.FunctionType)):
        place = name_of(value, modules)
        return None if place is None else ("own", list(place))
    place = name_of(cls, modules)
    if place is None:
        return None
    if issubclass(cls, enum.Enum) and isinstance(value.name, str):
        return "member", [*place, value.name]
    if candidate_objects.is_namedtuple(cls):
        return "namedtuple", [*place, *tuple.__iter__(value)]
    return None


def make(tag, parts, modules):
    """The value in this version of the program. Raises Malformed where it has none."""
    if tag == "iterator":
        return iter(parts)
    module, name, *rest = parts
    try:
        found = functools.reduce(getattr, name.split("."), modules[module])
        if tag == "own" and not rest:
            return found
        if tag == "member":
            return found[rest[0]]
        if tag == "namedtuple":
            return found(*rest)
    except Exception as error:
        raise wire.Malformed(type(error).__name__) from None
    raise wire.Malformed(tag)
