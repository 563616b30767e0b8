"""Between the candidate's handles and the test program's objects: what arrives is checked before it becomes an object.

Python 3.8 to 3.13, standard library only.
"""

import collections
import enum
import keyword
import sys
import types
from typing import Any, Dict, List

load = sys.modules["__main__"].load
values = load("wire_values")
oracle_remote = load("oracle_remote")
Malformed = values.Malformed
Remote, RemoteMeta = oracle_remote.Remote, oracle_remote.RemoteMeta

MOST_OBJECTS = 1000000
new_namedtuple = collections.namedtuple  # by its name: the type checker wants literals


class Objects:
    """The candidate's classes and objects by handle, and what of the test program is lent to the candidate."""

    def __init__(self, reference_defines) -> None:
        self.peer: Any = None
        self.quiet = False
        self.reference_defines = reference_defines
        self.classes: Dict[str, type] = {}
        self._remotes: Dict[int, Any] = {}
        self._by_builtin: Dict[type, type] = {}
        self._namedtuples: Dict[Any, type] = {}
        self._lent: List[Any] = []
        self._own_names: Dict[type, str] = {}

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
        if isinstance(value, type):
            return self._describe_class(value)
        if issubclass(cls, Remote):
            return "mine", [object.__getattribute__(value, "_mendlab_handle")]
        if isinstance(value, BaseException):
            return "exception", self._exception(value)
        if isinstance(value, enum.Enum) and (cls in self.classes.values() or cls in self._own_names):
            return "member", [cls, value.name]
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            return "namedtuple", [cls.__name__, cls._fields, tuple(cls._field_defaults.values()), *value]
        if callable(value):
            return _library_name(value) or ("function", [self._lend(value)])
        if hasattr(cls, "__next__"):
            return "iterator", [self._lend(value)]
        raise TypeError("a %s of the test program cannot be handed to the candidate" % cls.__name__)

    def _describe_class(self, cls):
        if vars(cls).get("_mendlab_class_handle", -1) >= 0:
            return "mine", [vars(cls)["_mendlab_class_handle"]]
        name = cls.__name__
        if self.classes.get(name) is cls:
            return "test class", [name]
        if cls in self._own_names:
            return "own name", [self._own_names[cls]]
        return _library_name(cls) or ("function", [self._lend(cls)])

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
        if tag == "coroutine":
            return self._coroutine(*parts)
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

    async def _coroutine(self, handle):
        return self.ask("await", handle)

    def _lend(self, value):
        self._lent.append(value)
        return len(self._lent) - 1

    def _exception(self, error):
        cls = type(error)
        cls = next(base for base in cls.__mro__ if self._is_known(base))
        args = error.args if all(values.is_inline(arg) for arg in error.args) else (str(error),)
        return [cls, args, {}, None]

    def _is_known(self, cls):
        """Whether the candidate knows a class of exceptions as well."""
        return values.name_of(cls) or cls in self.classes.values() or "_mendlab_class_handle" in vars(cls)

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
        """The class for the candidate's objects of a class that both sides know, as ``map``."""
        if cls not in self._by_builtin:
            defined = oracle_remote.defined_by(cls)
            self._by_builtin[cls] = oracle_remote.remote_class(self, -1, cls.__name__, (), defined, None, cls)
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
            if errors:
                known = exception_class(handle, name, errors)
            else:
                known = oracle_remote.remote_class(self, handle, name, bases, defined, base)
            self._remotes[handle] = known
        if not isinstance(known, type):
            raise Malformed("an object is no class")
        return known

    def _make_exception(self, cls, args, attributes, text):
        if not (isinstance(cls, type) and issubclass(cls, BaseException) and type(args) is tuple):
            raise Malformed("no exception")
        try:
            error = cls(*args) if cls not in self.classes.values() else cls.__new__(cls, *args)
        except TypeError:
            error = cls.__new__(cls)
        error.args = args
        if cls is AssertionError:
            error.__dict__["_mendlab_of_candidate"] = True
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
            known = self._namedtuples[name, fields] = new_namedtuple(name, fields, defaults=defaults)
        return known


def _library_name(value):
    """Tag and parts of what the candidate can import itself, so that its calls of it do not come back; or None."""
    if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) or value.__module__ is None:
        return None
    found = sys.modules.get(value.__module__)
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return ("library", [value.__module__, value.__qualname__]) if found is value else None


def exception_class(handle, name, bases):
    """Return a class that stands for an exception class of the candidate's: a local one, so that ``except`` works."""
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


def _exception_text(self):
    text = self._mendlab_text
    return BaseException.__str__(self) if text is None else text
