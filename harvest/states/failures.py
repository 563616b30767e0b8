"""How a test failed, from its outcome and message: above all whether it only missed a name that the commit brings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.harvest.states.reports import Failure, FailureKind
from mendlab.records import TestOutcome, TestResult

_PLACED: Final = re.compile(r"^(?:[^:\n]+:\d+: )?(?P<type>[A-Za-z_][\w.]*): ?(?P<text>.*)", re.DOTALL)
_MISSING: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"cannot import name ['\"]?(?P<name>\w+)",
        r"No module named ['\"]?(?P<name>[\w.]+)",
        r"name ['\"](?P<name>\w+)['\"] is not defined",
        r"has no attribute ['\"](?P<name>\w+)",
        r"unexpected keyword argument ['\"](?P<name>\w+)",
        r"invalid keyword argument for \w+\(\): ['\"](?P<name>\w+)",
        r"^['\"](?P<name>\w+)['\"] is an invalid keyword",
        r"fixture ['\"](?P<name>\w+)['\"] not found",
    )
)
_ARITY: Final = re.compile(r"(?P<name>\w+)\(\) takes (?:from |exactly |at most |no )?.*arguments?")
_OF_NAMES: Final = frozenset(
    {"ImportError", "ModuleNotFoundError", "NameError", "AttributeError", "TypeError", "FixtureLookupError", "Failed"}
)


@dataclass(frozen=True)
class Names:
    """What a tree's source defines: modules, functions, classes, parameters, attributes and variables, by name."""

    files: Mapping[str, bytes]

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that any file defines."""
        return frozenset(name for path, data in self.files.items() for name in _defined(path, data))

    @cached_property
    def signatures(self) -> Mapping[str, frozenset[str]]:
        """By function, everything that its definitions are written as up to the body."""
        found: dict[str, set[str]] = {}
        for path, data in self.files.items():
            for node in _nodes(path, data):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.setdefault(node.name, set()).add(ast.dump(node.args))
        return {name: frozenset(written) for name, written in found.items()}


def names_of(tree: FileTree, other: FileTree) -> Names:
    """Return what a tree defines in the files in which it differs from another."""
    return Names({path: data for path, data in tree.items() if path.endswith(".py") and other.get(path) != data})


def failure_of(result: TestResult, before: Names, after: Names) -> Failure:
    """Return how a test failed on a tree whose names are ``before``; ``after`` are those of the commit."""
    parsed = _PLACED.match(result.message)
    exception, text = (parsed["type"].rpartition(".")[2], parsed["text"]) if parsed else (None, result.message)
    name = _missing(exception, text, before, after)
    return Failure(
        kind=_kind(result, exception, name),
        outcome=result.outcome,
        exception=exception,
        name=name,
        message=result.message[:1000],
    )


def _kind(result: TestResult, exception: str | None, name: str | None) -> FailureKind:
    match result.outcome:
        case TestOutcome.TIMEOUT:
            return FailureKind.TIMEOUT
        case TestOutcome.CRASH | TestOutcome.OUT_OF_MEMORY:
            return FailureKind.CRASH
    if name is not None:
        return FailureKind.MISSING_NAME
    if result.outcome is TestOutcome.FAILED:
        return FailureKind.ASSERTION
    if result.cpu_seconds is None or exception in ("ImportError", "ModuleNotFoundError"):
        return FailureKind.IMPORT
    return FailureKind.EXCEPTION


def _missing(exception: str | None, text: str, before: Names, after: Names) -> str | None:
    """Return the name that was missing, if the commit brings it and the tree before does not have it."""
    if exception not in _OF_NAMES:
        return None
    for pattern in _MISSING:
        found = pattern.search(text)
        if found is not None:
            last = found["name"].rpartition(".")[2]
            return found["name"] if last in after.defined and last not in before.defined else None
    arity = _ARITY.search(text) if exception == "TypeError" else None
    if arity is not None:
        name = arity["name"] if arity["name"] != "__init__" else "__init__"
        was, now = before.signatures.get(name), after.signatures.get(name)
        return name if now is not None and was != now else None
    return None


def _defined(path: str, data: bytes) -> Iterator[str]:
    parts = path.removesuffix(".py").split("/")
    yield parts[-1] if parts[-1] != "__init__" else (parts[-2] if len(parts) > 1 else "")
    for node in _nodes(path, data):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]
            case ast.Constant(value=str(name)) if name.isidentifier():  # __slots__, setattr, namedtuple's fields
                yield name


def _nodes(path: str, data: bytes) -> Iterable[ast.AST]:
    if not path.endswith(".py"):
        return ()
    try:
        return ast.walk(ast.parse(data))
    except (SyntaxError, ValueError, RecursionError):
        return ()
