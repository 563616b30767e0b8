"""The candidate's objects as the test program sees them: :class:`Remote`, an object that stays with the candidate.

No object of the candidate's decides a test against plain data:

- ``==`` and ``!=`` between a Remote and anything that is not one never ask the candidate. Unless the object's class
  derives from a builtin type, whose plain value is then compared here, they are unequal.
- Order, arithmetic and ``in`` against anything that is not a Remote ask the candidate only where the reference's class
  of the same name defines that method itself; else the plain value inside is used here, or it is a TypeError.
- All else (calls, attributes, items, iteration, length, truth, text) asks the candidate: that tells it no
  expected value. So does a comparison of two of its own objects.

Python 3.8 to 3.13, standard library only.
"""

import sys
import types

load = sys.modules["__main__"].load
values = load("wire_values")

GUARDED = frozenset(
    "__%s%s__" % (prefix, name)
    for name in "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split()
    for prefix in ("", "r", "i")
) | frozenset("__%s__" % name for name in "lt le gt ge contains".split())
ANSWERED = frozenset(
    "__%s__" % name
    for name in (
        "bool len iter next reversed getitem setitem delitem str repr format bytes int float complex index round trunc"
        " floor ceil abs neg pos invert enter exit hash"
    ).split()
)
KNOWN_CLASSES = {"generator": types.GeneratorType, "function": types.FunctionType, "method": types.MethodType}


class RemoteMeta(type):
    """The class of classes that the candidate defines: what is asked of such a class goes to the candidate."""

    def __new__(mcs, name, bases, space):
        if bases and "_mendlab_objects" not in space:
            raise TypeError(
                "a class of the test program cannot derive from the candidate's class %s" % bases[0].__name__
            )
        return super().__new__(mcs, name, bases, space)

    def __call__(cls, *args, **kwargs):
        return cls._mendlab_ask("call", args, kwargs)

    def __getattr__(cls, name):
        if (name.startswith("__") and name.endswith("__")) or "_mendlab_objects" not in vars(cls):
            raise AttributeError(name)
        return cls._mendlab_ask("getattr", name)

    def __setattr__(cls, name, value):
        cls._mendlab_ask("setattr", name, value)

    def __iter__(cls):
        return iter(cls._mendlab_special("__iter__"))

    def __len__(cls):
        return cls._mendlab_special("__len__")

    def __getitem__(cls, key):
        return cls._mendlab_special("__getitem__", key)

    def __bool__(cls):
        return True

    def _mendlab_ask(cls, operation, *operands):
        return vars(cls)["_mendlab_objects"].ask(operation, cls, *operands)

    def _mendlab_special(cls, name, *operands):
        return cls._mendlab_ask("special", name, *operands)


class Remote(metaclass=RemoteMeta):
    """An object that stays with the candidate. See the module's rules."""

    __slots__ = ("_mendlab_handle",)

    def __getattr__(self, name):
        return _ask(self, "getattr", name)

    def __setattr__(self, name, value):
        _ask(self, "setattr", name, value)

    def __delattr__(self, name):
        _ask(self, "delattr", name)

    def __eq__(self, other):
        cls = type(self)
        if isinstance(other, Remote):
            return _truth(_ask(self, "special", "__eq__", other)) if "__eq__" in cls._mendlab_defined else self is other
        return cls._mendlab_base is not None and _plain(self) == other

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return object.__hash__(self)

    def __copy__(self):
        return _ask(self, "copy")

    def __deepcopy__(self, memo):
        return _ask(self, "deepcopy")

    def __repr__(self):
        return "<%s object of the candidate>" % type(self).__name__


def _ask(remote, operation, *operands):
    return type(remote)._mendlab_objects.ask(operation, remote, *operands)


def _truth(answer):
    return answer if answer is NotImplemented else bool(answer)


def _plain(remote):
    """The plain value inside an object whose class derives from a builtin type, without asking its methods."""
    value = _ask(remote, "plain")
    return value if isinstance(value, type(remote)._mendlab_base) else NotImplemented


def _answered(name):
    def method(self, *args):
        if name in ("__str__", "__repr__") and type(self)._mendlab_objects.quiet:
            return Remote.__repr__(self)
        return _ask(self, "special", name, *args)

    return method


def _call(self, *args, **kwargs):
    return _ask(self, "call", args, kwargs)


def _guarded(name):
    def method(self, *args):
        cls = type(self)
        if all(isinstance(arg, Remote) for arg in args) or cls._mendlab_objects.reference_defines(cls.__name__, name):
            return _ask(self, "special", name, *args)
        if cls._mendlab_base is not None:
            return getattr(_plain(self), name, lambda *_: NotImplemented)(*args)
        if name == "__contains__":
            return any(item is args[0] or item == args[0] for item in self)
        return NotImplemented

    return method


def defined_by(cls):
    """Return the special methods that a class of this process defines, object's own left out."""
    names = ANSWERED | GUARDED | {"__call__", "__eq__"}
    return tuple(n for n in names if hasattr(cls, n) and getattr(cls, n) is not getattr(object, n, None))


def remote_class(objects, handle, name, bases, defined, base, looks_like=None):
    """Return the class for objects of a class of the candidate's.

    Args:
        objects: asks the candidate, and knows the reference (:class:`oracle_objects.Objects`).
        handle: the class's own number, -1 if it has none.
        defined: names of the special methods that it defines; ``-__hash__`` if it has no hash.
        base: the builtin type that it derives from, or None.
        looks_like: the class that ``isinstance`` takes its objects to be of.
    """
    space = {
        "__slots__": (),
        "__module__": "candidate",
        "__doc__": property(lambda self: _ask(self, "getattr", "__doc__")),
        "_mendlab_objects": objects,
        "_mendlab_class_handle": handle,
        "_mendlab_defined": frozenset(defined),
        "_mendlab_base": base if values.name_of(base) else None,
    }
    space.update({method: _answered(method) for method in ANSWERED & space["_mendlab_defined"]})
    space.update({method: _guarded(method) for method in GUARDED & space["_mendlab_defined"]})
    if "__call__" in defined:
        space["__call__"] = _call
    if "-__hash__" in defined:
        space["__hash__"] = None
    elif "__hash__" not in space:
        space["__hash__"] = Remote.__hash__
    looks_like = looks_like or (None if bases else KNOWN_CLASSES.get(name))
    if looks_like is not None:
        space["__class__"] = property(lambda self: looks_like)
    remote_bases = tuple(b for b in bases if isinstance(b, RemoteMeta)) or (Remote,)
    try:
        return RemoteMeta(name, remote_bases, space)
    except TypeError:
        return RemoteMeta(name, (Remote,), space)
