"""Calls of a program's functions: recorded while its tests run, and done again on another version of the program.

A call is kept as values (:mod:`wire`), with instances of the program's own classes by their attributes. Only the
outermost call is recorded: what a test asks of the program, not what the program asks of itself. Python 3.8 to 3.13,
standard library only.
"""

import asyncio
import functools
import importlib.machinery
import inspect
import itertools
import json
import os
import sys
import types

load = sys.modules["__main__"].load
wire = load("wire")
support = load("support")
candidate_objects = load("candidate_objects")
variants = load("variants")

MOST_OF_ONE = 60
MOST_IN_ALL = 600
MOST_ITEMS = 2000
LARGEST = 100_000
WAIT_SECONDS = 0.5
_MADE_BY_DATACLASS = ("__init__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__")


class Waits(Exception):
    """A coroutine does not come to its end by itself."""


class Recorder:
    """Wraps the functions and methods of modules, and keeps the calls that come from outside."""

    def __init__(self):
        self.calls = []
        self._seen = set()
        self._counts = {}
        self._inside = False
        self._classes = {}
        self.modules = []

    def variants(self):
        """Calls near the recorded ones (:mod:`variants`)."""
        return variants.make_variants(self.calls, self._classes)

    def wrap(self, namespace):
        """Wrap whatever a module defines; ``namespace`` is its globals, once it has been executed."""
        module = namespace.get("__name__")
        self.modules.append(module)
        for name, value in list(namespace.items()):
            if getattr(value, "__module__", None) != module:
                continue
            if isinstance(value, type):
                self._wrap_class(module, value)
            elif isinstance(value, types.FunctionType):
                namespace[name] = self._wrapped(value, module, name)

    def _wrap_class(self, module, cls):
        if support.travels(cls):
            self._classes["%s:%s" % (module, cls.__qualname__)] = cls
        for name, value in list(vars(cls).items()):
            if isinstance(value, types.FunctionType) and not (name.startswith("__") and name not in _own_dunders(cls)):
                setattr(cls, name, self._wrapped(value, module, "%s.%s" % (cls.__qualname__, name)))

    def _wrapped(self, function, module, name):
        @functools.wraps(function)
        def call(*args, **kwargs):
            if self._inside:
                return function(*args, **kwargs)
            self._inside = True
            try:
                self._keep(module, name, args, kwargs)
                return function(*args, **kwargs)
            finally:
                self._inside = False

        return call

    def _keep(self, module, name, args, kwargs):
        place = (module, name)
        if self._counts.get(place, 0) >= MOST_OF_ONE or len(self.calls) >= MOST_IN_ALL:
            return
        try:
            writer = wire.Wire()
            writer.carry_instances(self._classes)
            message = writer.write((args, kwargs))
            text = json.dumps(message)
        except (TypeError, ValueError, RecursionError):
            return
        if len(text) > LARGEST or (place, text) in self._seen:
            return
        self._seen.add((place, text))
        self._counts[place] = self._counts.get(place, 0) + 1
        self.calls.append([module, name, message])


class Watch:
    """Has a recorder wrap every module that is imported from some files, before anyone else gets to see it."""

    def __init__(self, recorder, files):
        self.recorder = recorder
        self.files = files

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None or os.path.realpath(spec.origin or "") not in self.files:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self.recorder.wrap(vars(module))

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _own_dunders(cls):
    """The special methods that someone wrote in a class, which are worth a call of their own."""
    made = _MADE_BY_DATACLASS if hasattr(cls, "__dataclass_fields__") else ()
    return {name for name in vars(cls) if name.startswith("__") and name not in made and name != "__class_getitem__"}


def classes_of(modules):
    """The classes of modules (by name) whose instances travel by value, under the names that calls have for them."""
    found = {}
    for label, module in modules.items():
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module.__name__ and support.travels(value):
                found["%s:%s" % (label, value.__qualname__)] = value
    return found


def do(call, modules, classes):
    """Do one call on a version of the program: returns how it ended, as plain JSON.

    ``["returns", message]`` with the result and the arguments as they are afterwards, ``["raises", class name]``,
    ``["opaque", class name]`` where the result cannot be written down, or ``["absent", why]`` where there is nothing to
    call, or an argument cannot be made.
    """
    module, name, message = call
    end = wire.Wire(describe=_describe)
    end.carry_instances(classes)
    try:
        args, kwargs = end.read(message)
        function = modules[module]
        for part in name.split("."):
            function = getattr(function, part)
    except (wire.Malformed, KeyError, AttributeError) as error:
        return ["absent", type(error).__name__]
    try:
        result = _whole(function(*args, **kwargs))
    except Waits:
        return ["absent", "it waits for something"]
    except MemoryError:
        raise
    except BaseException as error:
        return ["raises", type(error).__name__]
    try:
        writer = wire.Wire(describe=_describe)
        writer.carry_instances(classes)
        return ["returns", writer.write((result, args, kwargs))]
    except (TypeError, RecursionError):
        return ["opaque", type(result).__name__]


def _whole(result):
    """Bring a coroutine or an iterator to its end, or as far as anyone would look."""
    if inspect.iscoroutine(result):
        try:
            return asyncio.run(asyncio.wait_for(result, WAIT_SECONDS))
        except asyncio.TimeoutError:
            raise Waits from None
    if isinstance(result, types.GeneratorType) or (
        hasattr(result, "__next__") and type(result).__module__ in ("builtins", "itertools")
    ):
        return list(itertools.islice(result, MOST_ITEMS))
    return result


def _describe(value):
    """Objects that are no values are told by what kind of thing they are."""
    if isinstance(value, BaseException):
        return "opaque", [type(value).__name__, *candidate_objects.exception_parts(value)[0]]
    name = getattr(value, "__qualname__", None)
    return "opaque", [type(value).__name__, name if isinstance(name, str) else None]
