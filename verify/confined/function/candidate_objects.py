"""How the candidate's objects look to the oracle: plain values by value, all others as handles that stay here.

What is told of an object here is not to be trusted: the oracle reads it through :mod:`wire` and decides alone what it
asks of the object (:mod:`oracle_objects`). Python 3.8 to 3.13, standard library only.
"""

import collections
import enum
import functools
import importlib
import sys
import types
from typing import Any, Dict, List, Set

load = sys.modules["__main__"].load
values = load("wire_values")

BINARY = "lt le gt ge add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift contains"
REFLECTED = "radd rsub rmul rtruediv rfloordiv rmod rdivmod rpow rmatmul rand ror rxor rlshift rrshift"
IN_PLACE = "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift"
OTHER = (
    "eq hash bool len iter next reversed getitem setitem delitem call str repr format bytes int float complex index"
    " round trunc floor ceil abs neg pos invert enter exit"
)
SPECIAL = ["__%s__" % name for name in " ".join((BINARY, REFLECTED, IN_PLACE, OTHER)).split()]
# The plain value inside an instance of a subclass, read past what the subclass makes of it.
PLAIN: Dict[Any, Any] = {
    int: int.__int__,
    float: float.__float__,
    complex: lambda value: complex.__add__(value, 0j),
    str: str.__str__,
    bytes: lambda value: bytes(bytes.__iter__(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    list: lambda value: list(list.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    bytearray: lambda value: bytearray(bytearray.__iter__(value)),
}
BASES = tuple(PLAIN)


class Far:
    """A function or an iterator of the test program, as the candidate sees it."""

    def __init__(self, objects, handle):
        self._objects = objects
        self._handle = handle

    def __call__(self, *args, **kwargs):
        return self._objects.peer.request("call", self._handle, args, kwargs)


class FarIterator(Far):
    def __iter__(self):
        return self

    def __next__(self):
        return self._objects.peer.request("next", self._handle)


class Objects:
    """The handles given out, and the classes of the test program known here by name."""

    def __init__(self) -> None:
        self.peer: Any = None
        self.module: Any = None
        self.classes: Dict[str, type] = {}
        self._held: List[Any] = []
        self._handles: Dict[int, int] = {}
        self._loop: Any = None
        self._told: Set[int] = set()

    def handle(self, value):
        """The number that the oracle knows an object by; the object is held from now on."""
        handle = self._handles.get(id(value))
        if handle is None:
            handle = self._handles[id(value)] = len(self._held)
            self._held.append(value)
        return handle

    def wait_for(self, handle):
        """Run a coroutine to its end, on a loop of this process."""
        if self._loop is None:
            self._loop = importlib.import_module("asyncio").new_event_loop()
        return self._loop.run_until_complete(self._held[handle])

    def describe(self, value):
        cls = type(value)
        if issubclass(cls, Far):
            return "mine", [value._handle]
        if isinstance(value, type):
            return self._describe_class(value)
        if issubclass(cls, BaseException):
            return "exception", [cls, *exception_parts(value)]
        if is_namedtuple(cls):
            return "namedtuple", [*namedtuple_parts(cls), *tuple.__iter__(value)]
        if issubclass(cls, enum.Enum) and cls in self.classes.values():
            return "member", [cls, value.name]
        if cls is types.CoroutineType:
            return "coroutine", [self.handle(value)]
        return "object", [self.handle(value), cls]

    def _describe_class(self, cls):
        for name, known in self.classes.items():
            if known is cls:
                return "test class", [name]
        if is_namedtuple(cls):
            return "namedtuple class", namedtuple_parts(cls)
        handle = self.handle(cls)
        if handle in self._told:
            return "class", [handle]
        self._told.add(handle)
        base = next((base for base in BASES if issubclass(cls, base)), None)
        return "class", [handle, cls.__name__, tuple(_mortal(cls.__bases__)), specials(cls), base]

    def make(self, tag, parts):
        if tag == "mine":
            return self._held[parts[0]]
        if tag == "function":
            return Far(self, parts[0])
        if tag == "iterator":
            return FarIterator(self, parts[0])
        if tag == "test class":
            return self.classes[parts[0]]
        if tag == "own name":
            return getattr(self.module, parts[0])
        if tag == "library":
            return functools.reduce(getattr, parts[1].split("."), importlib.import_module(parts[0]))
        if tag == "member":
            return parts[0][parts[1]]
        if tag == "exception":
            cls, args, attributes, _ = parts
            error = cls.__new__(cls, *args)
            error.args = args
            error.__dict__.update(attributes)
            return error
        if tag == "namedtuple":
            name, fields, defaults, *items = parts
            return namedtuple_class(self.module, name, fields, defaults)(*items)
        raise values.Malformed(tag)


def exception_parts(error):
    """Arguments, attributes and, where it has a text of its own, that text."""
    try:
        args = tuple(error.args)
        attributes = {str(name): value for name, value in vars(error).items()}
        owner = next(cls for cls in type(error).__mro__ if "__str__" in vars(cls))
        text = None if owner.__module__ == "builtins" else str(error)
    except Exception:
        return (), {}, None
    return args, attributes, text


def specials(cls):
    """The special methods that a class or one of its bases but object defines; ``-__hash__`` if it has no hash."""
    found = {name for base in cls.__mro__ if base is not object for name in SPECIAL if name in vars(base)}
    if cls.__hash__ is None:
        found = found - {"__hash__"} | {"-__hash__"}
    return tuple(sorted(found))


def is_namedtuple(cls):
    """Whether instances are tuples with names for their items and nothing else of their own."""
    if cls.__bases__ != (tuple,) or not hasattr(cls, "_fields"):
        return False
    own_specials = set(SPECIAL) & vars(cls).keys() - {"__repr__"}
    return not own_specials and all(name.startswith("_") or name in cls._fields for name in vars(cls))


def namedtuple_parts(cls):
    return [cls.__name__, tuple(cls._fields), tuple(cls._field_defaults.values())]


def namedtuple_class(module, name, fields, defaults):
    """The module's own class if it has that one, else a new one."""
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, tuple) and getattr(found, "_fields", None) == fields:
        return found
    return collections.namedtuple(name, fields, defaults=defaults)


def plain(value):
    """The plain value inside an instance of a subclass of a builtin type."""
    base = next(base for base in BASES if isinstance(value, base))
    return PLAIN[base](value)


def _mortal(bases):
    return [base for base in bases if base is not object]
