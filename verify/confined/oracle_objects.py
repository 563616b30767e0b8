"""How the candidate's objects look to the test program: plain values by value, all others as :class:`Remote`.

No object of the candidate's decides a test against plain data:

- ``==`` and ``!=`` between a Remote and anything that is not one never ask the candidate. Unless the object's class
  derives from a builtin type, whose plain value is then compared here, they are unequal.
- Order, arithmetic and ``in`` against anything that is not a Remote ask the candidate only where the reference's class
  of the same name defines that method itself; else the plain value inside is used here, or it is a TypeError.
- All else (calls, attributes, items, iteration, length, truth, text) asks the candidate: that tells it no expected value.

Python 3.8 to 3.13, standard library only.
"""

import collections
import enum
import keyword
import sys
import types

load = sys.modules["__main__"].load
values = load("wire_values")
Malformed = values.Malformed

MOST_OBJECTS = 1000000
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

    def __call__(cls, *args, **kwargs):
        return cls._mendlab_ask("call", args, kwargs)

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__") or "_mendlab_objects" not in vars(cls):
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


class Objects:
    """The candidate's classes and objects by handle, and what of the test program is lent to the candidate."""

    def __init__(self, reference_defines):
        self.peer = None
        self.quiet = False
        self.reference_defines = reference_defines
        self.classes = {}
        self._remotes = {}
        self._by_builtin = {}
        self._namedtuples = {}
        self._lent = []
        self._own_names = {}

    def begin_group(self, classes, own_names):
        """``classes`` of the test program by name; ``own_names`` of the reference's classes that the candidate has."""
        self.classes = classes
        self._own_names = {cls: name for name, cls in own_names.items()}

    def ask(self, operation, *operands):
        return self.peer.request(operation, *operands)

    # What the candidate may ask of the test program: to call what it was lent, and to go on with an iterator.

    def call(self, handle, args, kwargs):
        return self._lent[handle](*args, **kwargs)

    def next(self, handle):
        return next(self._lent[handle])

    def describe(self, value):
        cls = type(value)
        if isinstance(value, RemoteMeta):
            return "mine", [vars(value)["_mendlab_class_handle"]]
        if issubclass(cls, Remote):
            return "mine", [object.__getattribute__(value, "_mendlab_handle")]
        if isinstance(value, type) and "_mendlab_class_handle" in vars(value):
            return "mine", [vars(value)["_mendlab_class_handle"]]
        if isinstance(value, type):
            if self.classes.get(value.__name__) is value:
                return "test class", [value.__name__]
            if value in self._own_names:
                return "own name", [self._own_names[value]]
        if isinstance(value, BaseException):
            return "exception", self._exception(value)
        if isinstance(value, enum.Enum) and (cls in self.classes.values() or cls in self._own_names):
            return "member", [cls, value.name]
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            return "namedtuple", [cls.__name__, cls._fields, tuple(cls._field_defaults.values()), *value]
        if callable(value):
            return "function", [self._lend(value)]
        if hasattr(cls, "__next__"):
            return "iterator", [self._lend(value)]
        raise TypeError("a %s of the test program cannot be handed to the candidate" % cls.__name__)

    def make(self, tag, parts):
        if tag == "mine":
            (handle,) = parts
            if type(handle) is not int or not 0 <= handle < len(self._lent):
                raise Malformed("nothing was lent under this number")
            return self._lent[handle]
        if tag == "object":
            return self._object(*parts)
        if tag == "class":
            return self._class(*parts)
        if tag == "test class":
            return self.classes[parts[0]]
        if tag == "exception":
            return self._make_exception(*parts)
        if tag == "namedtuple":
            name, fields, defaults, *items = parts
            return self._namedtuple(name, fields, defaults)(*items)
        if tag == "namedtuple class":
            return self._namedtuple(*parts)
        if tag == "member":
            cls, name = parts
            if cls not in self.classes.values() or type(name) is not str:
                raise Malformed("no member")
            return cls[name]
        raise Malformed("no kind of value has the tag %r" % (tag,))

    def _lend(self, value):
        self._lent.append(value)
        return len(self._lent) - 1

    def _exception(self, error):
        cls = type(error)
        while (
            values.name_of(cls) is None
            and cls not in self.classes.values()
            and "_mendlab_class_handle" not in vars(cls)
        ):
            cls = cls.__base__
        args = error.args if all(values.is_inline(arg) for arg in error.args) else (str(error),)
        return [cls, args, {}, None]

    def _object(self, handle, cls):
        if type(handle) is not int or not isinstance(cls, type):
            raise Malformed("no object")
        remote = self._remotes.get(handle)
        if remote is None:
            if len(self._remotes) >= MOST_OBJECTS:
                raise Malformed("too many objects")
            remote = object.__new__(cls if isinstance(cls, RemoteMeta) else self._for_builtin(cls))
            object.__setattr__(remote, "_mendlab_handle", handle)
            self._remotes[handle] = remote
        if not isinstance(remote, Remote):
            raise Malformed("a class is no object of this kind")
        return remote

    def _for_builtin(self, cls):
        """The Remote class for instances of a class that both sides know, as ``map``."""
        if cls not in self._by_builtin:
            defined = {name for name in ANSWERED | GUARDED | {"__call__", "__eq__"} if hasattr(cls, name)}
            defined -= {name for name in defined if getattr(cls, name) is getattr(object, name, None)}
            self._by_builtin[cls] = self._remote_class(-1, cls.__name__, (), tuple(defined), None, cls)
        return self._by_builtin[cls]

    def _class(self, handle, *told):
        if type(handle) is not int or handle < 0:
            raise Malformed("no class")
        known = self._remotes.get(handle)
        if known is None:
            name, bases, defined, base = told
            if not (type(name) is str and type(bases) is tuple and type(defined) is tuple):
                raise Malformed("no class")
            errors = tuple(b for b in bases if isinstance(b, type) and issubclass(b, BaseException))
            make = self._exception_class if errors else self._remote_class
            known = self._remotes[handle] = make(handle, name, errors or bases, defined, base)
        if not isinstance(known, type):
            raise Malformed("an object is no class")
        return known

    def _exception_class(self, handle, name, bases, _defined, _base):
        space = {
            "_mendlab_class_handle": handle,
            "_mendlab_text": None,
            "__str__": _exception_text,
            "__module__": "candidate",
        }
        try:
            return type(name, bases, space)
        except TypeError:
            return type(name, bases[:1], space)

    def _remote_class(self, handle, name, bases, defined, base, looks_like=None):
        space = {
            "__slots__": (),
            "__module__": "candidate",
            "_mendlab_objects": self,
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

    def _make_exception(self, cls, args, attributes, text):
        if not (isinstance(cls, type) and issubclass(cls, BaseException) and type(args) is tuple):
            raise Malformed("no exception")
        try:
            error = cls(*args) if cls not in self.classes.values() else cls.__new__(cls, *args)
        except TypeError:
            error = cls.__new__(cls)
        error.args = args
        if cls is AssertionError:
            error._mendlab_of_candidate = True
        error.__dict__.update({name: value for name, value in attributes.items() if not name.startswith("_")})
        if "_mendlab_class_handle" in vars(cls) and type(text) is str:
            error.__dict__["_mendlab_text"] = text
        return error

    def _namedtuple(self, name, fields, defaults):
        names = (name, *fields) if type(fields) is tuple and type(defaults) is tuple else ()
        if not names or not all(type(n) is str and n.isidentifier() and not keyword.iskeyword(n) for n in names):
            raise Malformed("no namedtuple")
        known = self.classes.get(name) or self._namedtuples.get((name, fields))
        if not (isinstance(known, type) and issubclass(known, tuple) and getattr(known, "_fields", None) == fields):
            known = collections.namedtuple(name, fields, defaults=defaults)
            self._namedtuples[name, fields] = known
        return known


def _exception_text(self):
    text = self._mendlab_text
    return BaseException.__str__(self) if text is None else text
