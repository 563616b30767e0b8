"""Code that is about a program rather than of it: logging, types and what a module says of itself."""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

_LOG_METHODS: Final = frozenset((
    "debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "trace", "success",
    "setLevel", "isEnabledFor", "getEffectiveLevel", "addHandler", "removeHandler", "addFilter",
))  # fmt: skip
_LOGGER: Final = re.compile(r"(?i)(?<!cata)(?<!dia)log(?:ger|ging)?$")
_LOGGER_MAKER: Final = re.compile(r"(?i)logger$")
_TYPE_MAKERS: Final = frozenset(("TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypeAliasType", "ForwardRef"))
_TYPE_CHECKS: Final = frozenset(("cast", "assert_never", "assert_type", "reveal_type"))
_TYPING: Final = frozenset(("typing", "typing_extensions", "t", "te", "tp"))
_METADATA: Final = frozenset((
    "__all__", "__version__", "__version_info__", "__author__", "__slots__", "__match_args__", "__doc__", "VERSION",
    "TYPE_CHECKING",
))  # fmt: skip
_DUNDER: Final = re.compile(r"__\w+__")
_VERSION: Final = re.compile(r"(?i)_?version")
_VERSION_TEXT: Final = re.compile(r"""[bru]*(["']+)v?\d+(?:\.\w+)+\1""", re.IGNORECASE)


def last_name(node: cst.CSTNode) -> str:
    """The last name of a name, an attribute, or either with a subscript or called; empty if it is something else."""
    match node:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
        case cst.Subscript(value=inner) | cst.Call(func=inner):
            return last_name(inner)
    return ""


def is_logging(call: cst.Call) -> bool:
    """Whether a call writes to a log or sets one up: a logger's method, any function of ``logging``."""
    func = call.func
    if not isinstance(func, cst.Attribute):
        return False
    method, owner = func.attr.value, func.value
    if isinstance(owner, cst.Name) and owner.value == "logging":
        return True
    return method in _LOG_METHODS and (_is_logger(owner) or (isinstance(owner, cst.Name) and owner.value == "warnings"))


def _is_logger(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        bound = isinstance(node.func, cst.Attribute) and _is_logger(node.func.value)
        return bound or bool(_LOGGER_MAKER.search(last_name(node.func)))
    return isinstance(node, cst.Name | cst.Attribute) and bool(_LOGGER.search(last_name(node)))


def is_typing(call: cst.Call) -> bool:
    """Whether a call makes a type for checkers or tells them one; of other modules no ``cast`` is meant."""
    match call.func:
        case cst.Name(value=name):
            return name in _TYPE_MAKERS or name in _TYPE_CHECKS
        case cst.Attribute(value=cst.Name(value=module), attr=cst.Name(value=name)):
            return name in _TYPE_MAKERS or (name in _TYPE_CHECKS and module in _TYPING)
    return False


def is_declaration(value: cst.BaseExpression) -> bool:
    """Whether an assigned value is a logger or a type for checkers."""
    if not isinstance(value, cst.Call):
        return False
    makes_type = is_typing(value) and last_name(value) in _TYPE_MAKERS
    return makes_type or bool(_LOGGER_MAKER.search(last_name(value)))


def is_metadata(target: cst.BaseExpression, value: cst.BaseExpression | None, of_module: bool) -> bool:
    """Whether what an assignment binds is metadata.

    Those are a few names of a class or module, any ``__x__`` of a module, and a version whose value looks like one.
    """
    match target:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return any(is_metadata(element.value, None, of_module) for element in elements)
        case cst.Subscript(value=inner):
            return is_metadata(inner, None, of_module)
        case cst.Name(value=name):
            if name in _METADATA or (of_module and _DUNDER.fullmatch(name)):
                return True
            text = value.value if isinstance(value, cst.SimpleString) else ""
            return bool(_VERSION.fullmatch(name) and _VERSION_TEXT.fullmatch(text))
    return False


def mentions(test: cst.CSTNode, *names: str) -> bool:
    """Whether all of the names, or texts in quotes, stand somewhere in an expression."""
    found = set()
    waiting = [test]
    while waiting:
        node = waiting.pop()
        if isinstance(node, cst.Name):
            found.add(node.value)
        elif isinstance(node, cst.SimpleString):
            found.add(node.value.strip("\"'"))
        waiting += node.children
    return found.issuperset(names)


def runtime_truth(test: cst.BaseExpression) -> bool | None:
    """What a condition is when a program runs, where ``TYPE_CHECKING`` is false; ``None`` if that does not tell."""
    match test:
        case cst.Name() | cst.Attribute() if last_name(test) == "TYPE_CHECKING":
            return False
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            truth = runtime_truth(inner)
            return None if truth is None else not truth
        case cst.BooleanOperation(left=left, operator=op, right=right):
            ends = isinstance(op, cst.Or)
            both = (runtime_truth(left), runtime_truth(right))
            if ends in both:
                return ends
            return None if None in both else not ends
    return None
