"""Operators, functions and methods of Python's own that have no effect, and take no time worth the name.

Each is called with values that :mod:`infection_values` takes to be safe, or raises ``Unknown``. Python 3.8 to 3.13,
standard library only.
"""

import builtins
import datetime
import math
import operator
import re
import sys
import types
from typing import Any

values = sys.modules["__main__"].load("infection_values")
Unknown, exact, need_safe = values.Unknown, values.exact, values.need_safe
MOST_TEXT, MOST_ITEMS = values.MOST_TEXT, values.MOST_ITEMS

WIDE = re.compile(r"\d{4}|\*")  # in a format: a field of a thousand characters or more, or of a width yet to come
NOT_FLAT = re.compile(r"\d{4}|\{[^}]*[{.\[]")  # in the text of str.format: also attributes, items and nested fields
CODECS = {"utf-8", "utf8", "UTF-8", "ascii", "latin-1", "strict", "ignore", "replace"}

SIZED = values.FILLED | values.TEXTS | {range}
BINARY: "dict[str, Any]" = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "BitAnd": operator.and_,
}
CONVERSIONS: "dict[str, Any]" = {"s": str, "r": repr, "a": ascii}
COMPARED: "dict[str, Any]" = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def bits(value):
    return value.bit_length() if isinstance(value, int) else 0


def binary(name, left, right):
    """Return the value of a binary operator."""
    need_safe(left, right)
    kinds = exact(left), exact(right)
    numbers = kinds[0] in values.NUMBERS and kinds[1] in values.NUMBERS
    if name == "Pow" and not (numbers and bits(left) * abs(right if isinstance(right, int) else 1) <= MOST_TEXT):
        raise Unknown
    if name == "LShift" and not (numbers and isinstance(right, int) and bits(left) + right <= MOST_TEXT):
        raise Unknown
    if name == "Mod" and not numbers and (kinds[0] is not str or WIDE.search(left)):
        raise Unknown
    if name == "Mod" and kinds[0] is str:
        need_safe(right, atoms=False)
    if name == "Mult" and not numbers:
        for one, other in ((left, right), (right, left)):
            if hasattr(one, "__len__") and not (isinstance(other, int) and len(one) * other <= MOST_TEXT):
                raise Unknown
    if dict in kinds:
        raise Unknown
    return BINARY[name](left, right)


def unary(name, value):
    """Return the value of a sign or of ``~``."""
    need_safe(value)
    if name == "Invert" and exact(value) is int:
        return ~value
    if name in ("USub", "UAdd"):
        return -value if name == "USub" else +value
    raise Unknown  # ~True warns


def compared(name, left, right):
    """Return the value of a comparison."""
    if name in ("Is", "IsNot"):
        return values.identical(left, right) is (name == "Is")
    if name in ("In", "NotIn"):
        return contains(right, left) is (name == "In")
    need_safe(left, right)
    return COMPARED[name](left, right)


def contains(container, item):
    """Return ``item in container``."""
    cls = exact(container)
    if cls in (dict, set, frozenset):
        values.need_keys(container, item)
    elif cls in (list, tuple, str, bytes):
        need_safe(container, item)
    elif cls is not range or exact(item) not in (int, bool):
        raise Unknown
    return item in container


def item(container, index):
    """Return ``container[index]``."""
    cls = exact(container)
    if cls is dict:
        values.need_keys(container, index)
    elif cls not in (list, tuple, str, bytes, range):
        raise Unknown
    elif type(index) is slice:
        need_safe(index.start, index.stop, index.step)
    elif exact(index) not in (int, bool):
        raise Unknown
    return container[index]


def formatted(value, conversion, spec):
    """Return the text of a replacement field of an f-string. ``conversion`` is a character's number, or -1."""
    need_safe(value, atoms=False)
    if WIDE.search(spec):
        raise Unknown
    if conversion != -1:
        value = CONVERSIONS[chr(conversion)](value)
    return format(value, spec)


def length(value):
    if exact(value) not in SIZED:
        raise Unknown
    return len(value)


def kind(value):
    return type(value)


def get_attribute(owner, name, *default):
    if type(name) is not str:
        raise Unknown
    return values.attribute(owner, name)


def has_attribute(owner, name):
    get_attribute(owner, name)
    return True


def on_data(function, most=99):
    """Return the function for safe values that have no addresses and are not too many."""

    def call(*arguments, **named):
        if len(arguments) > most or "key" in named:
            raise Unknown
        for value in (*arguments, *named.values()):
            need_safe(value, atoms=False)
            if type(value) is range and len(value) > MOST_ITEMS:
                raise Unknown
        return function(*arguments, **named)

    return call


# By what the name really stands for: a program may have given it another meaning.
FUNCTIONS: "dict[Any, Any]" = {
    len: length,
    isinstance: values.is_instance,
    type: kind,
    bool: values.truth,
    getattr: get_attribute,
    hasattr: has_attribute,
    str: on_data(str, 1),
    int: on_data(int, 2),
    float: on_data(float, 1),
    range: on_data(range),
    **{
        getattr(builtins, name): on_data(getattr(builtins, name))
        for name in "abs all any ascii bin chr complex divmod frozenset hex list max min oct ord repr round set sorted"
        " sum tuple".split()
    },
    **{
        getattr(math, name): on_data(getattr(math, name))
        for name in "ceil copysign exp fabs floor fmod gcd isfinite isinf isnan log log10 log2 pow sqrt trunc".split()
    },
    datetime.timedelta: on_data(datetime.timedelta),
    datetime.date: on_data(datetime.date),
}
TEXT_METHODS = frozenset(
    "capitalize casefold center count decode encode endswith find format index isalnum isalpha isascii isdecimal"
    " isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition"
    " removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip"
    " swapcase title upper zfill".split()
)
METHODS = {
    str: TEXT_METHODS,
    bytes: TEXT_METHODS - {"format"},
    int: frozenset(("bit_length",)),
    float: frozenset(("is_integer",)),
    list: frozenset(("index", "count")),
    tuple: frozenset(("index", "count")),
    set: frozenset(("isdisjoint", "issubset", "issuperset", "union", "intersection", "difference")),
    frozenset: frozenset(("isdisjoint", "issubset", "issuperset", "union", "intersection", "difference")),
    dict: frozenset(("get",)),
    datetime.timedelta: frozenset(("total_seconds",)),
    datetime.date: frozenset(("weekday", "isoweekday", "toordinal", "isoformat")),
}
NAMES = frozenset(function.__name__ for function in FUNCTIONS)
"""What may be called by name, or as an attribute of a module."""
METHOD_NAMES = frozenset().union(*METHODS.values())


def called(function, arguments, named):
    """Return what a function gives."""
    if type(function) is not types.BuiltinFunctionType and type(function) is not type:
        raise Unknown
    pure = FUNCTIONS.get(function)
    if pure is None:
        raise Unknown
    return pure(*arguments, **named)


def is_method(owner, name):
    """Whether ``owner.name`` is a method of one of Python's own types that may be called."""
    return name in METHODS.get(exact(owner), ())


def method(owner, name, arguments, named):
    """Return what such a method gives."""
    if type(owner) is dict:
        if named or not 1 <= len(arguments) <= 2:
            raise Unknown
        values.need_keys(owner, arguments[0])
        return owner.get(*arguments)
    given = (*arguments, *named.values())
    need_safe(owner, *given, atoms=False)
    if any(type(value) is range for value in given):
        raise Unknown
    if name in ("encode", "decode") and not CODECS.issuperset(given):
        raise Unknown
    if name in ("center", "ljust", "rjust", "zfill") and not all(value <= MOST_TEXT for value in arguments[:1]):
        raise Unknown
    if name == "replace" and len(owner) * max(map(len, arguments[:2]), default=0) > MOST_TEXT:
        raise Unknown
    if name == "format" and NOT_FLAT.search(owner):
        raise Unknown
    return getattr(owner, name)(*arguments, **named)
