"""What can be said of live values without running code of the program: reads, equality, truth. Python 3.8 to 3.13.

Everything here raises :class:`Unknown` rather than call what a program may have defined. Standard library only.
"""

import datetime
import math
import types

MOST_ITEMS = 256
MOST_TEXT = 10_000  # characters, bits
NOTHING = object()
TYPE_DICT = type.__dict__["__dict__"].__get__
TYPE_MRO = type.__dict__["__mro__"].__get__
READS_CLASS = type.__dict__["__getattribute__"]

NUMBERS = frozenset((int, float, bool, complex))
TEXTS = frozenset((str, bytes))
TIMES = frozenset((datetime.timedelta, datetime.date, datetime.time, datetime.datetime))
SCALARS = NUMBERS | TEXTS | {type(None), type(Ellipsis), range} | TIMES
FILLED = frozenset((list, dict, set, tuple, frozenset))
# Compared and hashed by identity, and always true.
ATOMS = frozenset((types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type))
EQUAL_BY_VALUE = (NUMBERS | TEXTS | TIMES | {tuple, frozenset, range}) - {bool}


class Unknown(Exception):
    """It cannot be told without running code of the program."""


def exact(value):
    """Return a value's type; None where a metaclass may have a say in comparing that with others."""
    cls = type(value)
    return cls if type(cls) is type else None


def find(cls, name):
    """Return what the classes that ``cls`` inherits from have under a name, or NOTHING."""
    for base in TYPE_MRO(cls):
        found = TYPE_DICT(base).get(name, NOTHING)
        if found is not NOTHING:
            return found
    return NOTHING


def reads_plainly(cls):
    """Whether reading an attribute of an instance begins with no code of the program."""
    return id(find(cls, "__getattribute__")) in READERS


# Of types that read attributes as object does, by the address of what does it.
READERS = {
    id(find(cls, "__getattribute__"))
    for cls in (object, types.ModuleType, BaseException, *SCALARS, *FILLED, types.FunctionType)
}


def attribute(owner, name):
    """Return ``owner.name``, read without a call of anything but Python's own."""
    cls = type(owner)
    if name.startswith("__"):
        raise Unknown
    if issubclass(cls, type):
        return class_attribute(owner, cls, name)
    if not reads_plainly(cls):
        raise Unknown
    found = find(cls, name)
    if found is not NOTHING:
        kind = type(found)
        if kind is types.MemberDescriptorType or (kind is types.GetSetDescriptorType and exact(owner) in SCALARS):
            return found.__get__(owner, cls)
        if find(kind, "__set__") is not NOTHING or find(kind, "__delete__") is not NOTHING:
            raise Unknown
    held = instance_dict(owner, cls).get(name, NOTHING)
    if held is not NOTHING:
        return held
    if found is NOTHING or not is_plain(found):
        raise Unknown
    return found


def instance_dict(owner, cls):
    """Return the exact dict that holds an instance's attributes; an empty one where it has none."""
    descriptor = find(cls, "__dict__")
    if descriptor is NOTHING:
        return {}
    if type(descriptor) not in (types.GetSetDescriptorType, types.MemberDescriptorType):
        raise Unknown
    held = descriptor.__get__(owner, cls)
    if type(held) is not dict:
        raise Unknown
    return held


def class_attribute(owner, meta, name):
    """Return an attribute of a class, where its metaclass has no say in it."""
    if find(meta, "__getattribute__") is not READS_CLASS or find(meta, name) is not NOTHING:
        raise Unknown
    found = find(owner, name)
    if found is NOTHING or not (type(found) is types.FunctionType or is_plain(found)):
        raise Unknown
    return found


def is_plain(value):
    """Whether a value found in a class is what reading it gives: it is no descriptor."""
    return find(type(value), "__get__") is NOTHING


def is_instance(value, wanted):
    """Return ``isinstance(value, wanted)`` for a common class or a tuple of such."""
    if type(wanted) is tuple:
        return any(is_instance(value, one) for one in wanted)
    cls = type(value)
    if not issubclass(type(wanted), type) or find(type(wanted), "__instancecheck__") is not IS_INSTANCE:
        raise Unknown
    if not reads_plainly(cls) or find(cls, "__class__") is not ITS_CLASS:
        raise Unknown
    return any(base is wanted for base in TYPE_MRO(cls))


IS_INSTANCE = type.__dict__["__instancecheck__"]
ITS_CLASS = object.__dict__["__class__"]


def is_safe(value, atoms=True, depth=4):
    """Whether a value, with all in it, is of exact types of Python's own whose operators have no effect.

    ``atoms``: functions, modules and classes may be among it; as text these have addresses.
    """
    cls = exact(value)
    if cls in SCALARS:
        return cls not in TIMES or getattr(value, "tzinfo", None) is None
    if cls not in FILLED:
        return atoms and cls in ATOMS
    if depth == 0 or len(value) > MOST_ITEMS:
        return False
    if cls is dict and not all(is_safe(item, atoms, depth - 1) for item in value.values()):
        return False
    return all(is_safe(item, atoms, depth - 1) for item in value)


def need_safe(*values, atoms=True):
    """Raise Unknown unless every value is safe, and short enough to be computed with."""
    for value in values:
        cls = exact(value)
        if not is_safe(value, atoms):
            raise Unknown
        if (cls in TEXTS and len(value) > MOST_TEXT) or (cls is int and value.bit_length() > MOST_TEXT):
            raise Unknown


def need_keys(container, key):
    """Raise Unknown unless looking a key up in a dict or a set runs no ``__eq__`` or ``__hash__`` of the program."""
    need_safe(key)
    if len(container) > MOST_ITEMS or not all(map(is_safe, container)):
        raise Unknown


def truth(value):
    """Return ``bool(value)``."""
    cls = exact(value)
    if cls in SCALARS or cls in FILLED:
        return bool(value)
    if find(type(value), "__bool__") is NOTHING and find(type(value), "__len__") is NOTHING:
        return True
    raise Unknown


def identical(one, other):
    """Return ``one is other``, where that does not hang on which of two equal values is taken."""
    cls = exact(one)
    if cls in EQUAL_BY_VALUE and type(other) is cls:
        raise Unknown
    return one is other


def same(one, other):
    """Whether two values are interchangeable: one object, or equal ones of the same exact immutable type.

    1, True and 1.0 differ, and so do 0.0 and -0.0, two NaN, and two frozensets (their order may).
    """
    if one is other:
        return True
    cls = exact(one)
    if cls is not type(other):
        return False
    if cls is float:
        return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
    if cls is complex:
        return same(one.real, other.real) and same(one.imag, other.imag)
    if cls is tuple:
        return len(one) == len(other) <= MOST_ITEMS and all(map(same, one, other))
    if cls is range:
        return (one.start, one.stop, one.step) == (other.start, other.stop, other.step)
    if cls in TIMES:
        return is_safe(one) and is_safe(other) and one == other and getattr(one, "fold", 0) == getattr(other, "fold", 0)
    return cls in SCALARS and one == other
