"""Calls of a program's functions: recorded while its tests run, and done again on another version of the program.

A call is kept as values (:mod:`wire`), with instances of the program's own classes by their attributes, receivers
among them, as they are before the call. What a test asks of the program is kept apart from what the program asks of
itself. Python 3.8 to 3.13, standard library only.
"""

import functools
import importlib.machinery
import itertools
import json
import os
import signal
import sys
import types

load = sys.modules["__main__"].load
wire = load("wire")
support = load("support")
own_values = load("own_values")
plain_wire = load("plain_wire")

MOST_OF_ONE = 60
MOST_IN_ALL = 600
MOST_ITEMS = 2000
MOST_TRIES = 400
LARGEST = 100_000
LONGEST_SAID = 500
WAIT_SECONDS = 0.5
_MADE_BY_DATACLASS = ("__init__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__")


class Waits(Exception):
    """A coroutine does not come to its end by itself."""


class Drained:
    """The items of an iterator that was brought to its end."""

    def __init__(self, items):
        self.items = items


class TooLong(BaseException):
    """A call took more CPU time than it may."""


class Recorder:
    """Wraps functions and methods of modules: ``calls`` come from outside, ``inner`` ones from the program itself."""

    def __init__(self):
        self.calls = []
        self.inner = []
        self._seen = set()
        self._counts = {}
        self._tries = {}
        self._inside = False
        self._classes = {}
        self._namespaces = {}

    @property
    def modules(self):
        return list(self._namespaces)

    def wrap(self, namespace):
        """Wrap whatever a module defines; ``namespace`` is its globals, once it has been executed."""
        module = namespace.get("__name__")
        self._namespaces[module] = types.SimpleNamespace(**namespace)
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
            if name.startswith("__") and name not in _own_dunders(cls):
                continue
            place = "%s.%s" % (cls.__qualname__, name)
            if isinstance(value, types.FunctionType):
                setattr(cls, name, self._wrapped(value, module, place))
            elif isinstance(value, staticmethod):
                setattr(cls, name, staticmethod(self._wrapped(value.__func__, module, place)))
            elif isinstance(value, classmethod):
                setattr(cls, name, classmethod(self._wrapped(value.__func__, module, place, bound=True)))
            elif type(value) is property and isinstance(value.fget, types.FunctionType):
                setattr(cls, name, value.getter(self._wrapped(value.fget, module, place)))

    def _wrapped(self, function, module, name, bound=False):
        @functools.wraps(function)
        def call(*args, **kwargs):
            inside, self._inside = self._inside, True
            try:
                self._keep(self.inner if inside else self.calls, module, name, args[1:] if bound else args, kwargs)
                self._inside = True
                return function(*args, **kwargs)
            finally:
                self._inside = inside

        return call

    def _keep(self, calls, module, name, args, kwargs):
        place = (calls is self.inner, module, name)
        self._tries[place] = self._tries.get(place, 0) + 1
        full = self._counts.get(place, 0) >= MOST_OF_ONE or len(calls) >= MOST_IN_ALL
        if full or self._tries[place] > MOST_TRIES:
            return
        try:
            writer = wire.Wire(describe=self._describe)
            writer.carry_instances(self._classes)
            message = writer.write((args, kwargs))
            text = json.dumps(message)
        except (TypeError, ValueError, RecursionError):
            return
        if len(text) > LARGEST or (place, text) in self._seen:
            return
        self._seen.add((place, text))
        self._counts[place] = self._counts.get(place, 0) + 1
        calls.append([module, name, message])

    def _describe(self, value):
        told = own_values.describe(value, self._namespaces)
        if told is None:
            raise TypeError("a %s cannot travel" % type(value).__name__)
        return told


class Watch:
    """Has a recorder wrap every module that is imported from some files, before anyone else gets to see it.

    Whoever else finds modules is asked first: pytest reads files that it was given by name in its own way.
    """

    def __init__(self, recorder, files):
        self.recorder = recorder
        self.files = files

    def pytest_load_initial_conftests(self):
        """Be asked first again: pytest has put a finder of its own before this one."""
        sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        spec = None
        for finder in sys.meta_path:
            if finder is not self and spec is None and hasattr(finder, "find_spec"):
                spec = finder.find_spec(name, path, target)
        if spec is None or spec.loader is None or os.path.realpath(spec.origin or "") not in self.files:
            return None
        spec.loader = Wrapping(spec.loader, self.recorder)  # type: ignore[assignment]
        return spec


class Wrapping:
    """The loader of one module, which has its functions wrapped once they are there."""

    def __init__(self, loader, recorder):
        self._loader = loader
        self._recorder = recorder

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        self._recorder.wrap(vars(module))


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


def do(call, modules, classes, seconds, printed, perform):
    """Do one call on a version of the program, in so many seconds of CPU time: how it ended, as plain JSON.

    ``["returns", message, text]`` with the result, the arguments as they are afterwards and what was printed,
    ``["raises", class name, what it says, names of its bases]``, ``["opaque", class name]`` where the result cannot be
    written down, ``["timeout", ""]``, or ``["absent", why]`` where there is nothing to call, or an argument cannot be
    made. ``printed`` returns what was printed since it was last asked, ``perform`` calls a function with arguments and
    keywords.
    """
    module, name, message = call
    try:
        args, kwargs = read(message, modules, classes)
        function = found(modules[module], name)
    except (wire.Malformed, KeyError, AttributeError) as error:
        return ["absent", type(error).__name__]
    printed()
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            result = whole(perform(function, args, kwargs))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except Waits:
        return ["absent", "it waits for something"]
    except MemoryError:
        raise
    except TooLong:
        return ["timeout", ""]
    except BaseException as error:
        return ["raises", type(error).__name__, _said(error), [base.__name__ for base in type(error).__mro__[1:]]]
    try:
        return ["returns", write((result, args, kwargs), modules, classes), printed()]
    except (TypeError, RecursionError):
        return ["opaque", type(result).__name__]


def _said(error):
    try:
        return str(error)[:LONGEST_SAID]
    except Exception:
        return ""


def read(message, modules, classes):
    try:
        return plain_wire.read(message)
    except plain_wire.NotPlain:
        end = wire.Wire(make=lambda tag, parts: own_values.make(tag, parts, modules))
        end.carry_instances(classes)
        return end.read(message)


def write(value, modules, classes):
    try:
        return plain_wire.write(value)
    except plain_wire.NotPlain:
        end = wire.Wire(describe=lambda value: _describe(value, modules))
        end.carry_instances(classes)
        return end.write(value)


def found(module, name):
    """What a name of a call stands for. A property is read; its receiver comes first as a method's does."""
    owner = module
    *outer, last = name.split(".")
    for part in outer:
        owner = getattr(owner, part)
    if isinstance(owner, type):
        for base in owner.__mro__:
            if isinstance(vars(base).get(last), property):
                return vars(base)[last].fget
    return getattr(owner, last)


def watch_time():
    """Have calls end that take more time than they may."""
    signal.signal(signal.SIGPROF, _stop)


def _stop(*_):
    raise TooLong


def whole(result):
    """Bring a coroutine or an iterator to its end, or as far as anyone would look."""
    if type(result) is types.CoroutineType:
        asyncio = importlib.import_module("asyncio")
        try:
            return asyncio.run(asyncio.wait_for(result, WAIT_SECONDS))
        except asyncio.TimeoutError:
            raise Waits from None
    if isinstance(result, types.GeneratorType) or (
        hasattr(result, "__next__") and type(result).__module__ in ("builtins", "itertools")
    ):
        return Drained(list(itertools.islice(result, MOST_ITEMS)))
    return result


def _describe(value, modules):
    """Values of the program's own by name; exceptions by type; what else is none by what kind of thing it is."""
    if isinstance(value, BaseException):
        return "error", [type(value).__name__]
    if type(value) is Drained:
        return "iterator", value.items
    told = own_values.describe(value, modules)
    if told is not None:
        return told
    name = getattr(value, "__qualname__", None)
    return "opaque", [type(value).__name__, name if isinstance(name, str) else None]
