"""The stretches of a source that are never mutated, because nothing or everything would break there.

These are docstrings, annotations, imports, ``__all__`` and version strings, the bodies of ``if TYPE_CHECKING``, logging
calls, and what a ``# mendlab: skip`` or ``# pragma: no mutate`` comment covers: the simple statement or header it
stands on, and the whole body if that is the header of a function or a class; ``# mendlab: skip-file`` covers all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import Final

import libcst as cst

from mendlab.mutators.context.tree import Span, Tree

_CODE: Final = re.compile(r"(?m)^[^#\n]*[^\s;#]")
_PRAGMA: Final = re.compile(r"#\s*(?:mendlab:\s*skip\b(?![\w-])|pragma:\s*no\s+mutate\b)")
_FILE_PRAGMA: Final = re.compile(r"#\s*mendlab:\s*skip-file\b")
_LOG_METHODS: Final = frozenset(("debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log"))
_LOGGERS: Final = frozenset(("log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "warnings"))
_FROZEN_NAMES: Final = frozenset(("__all__", "__version__", "__version_info__", "VERSION", "__author__", "__slots__"))
_Suite = cst.IndentedBlock | cst.SimpleStatementSuite


class Protected:
    """The protected stretches of one tree."""

    def __init__(self, tree: Tree) -> None:
        self._source = tree.source
        self._soft = _merged(_soft_spans(tree))
        self._hard = _merged(chain(_pragma_spans(tree), _type_checking_spans(tree)))

    def forbids(self, start: int, end: int) -> bool:
        """Whether an edit of ``source[start:end]`` may not be made.

        An edit may contain a protected stretch with other code (a deleted block with its logging), unless a pragma
        or ``if TYPE_CHECKING`` protects it, but it may not lie in one, cut it, or be of nothing else.
        """
        if start == end:
            return any(low < start < high for low, high in _met(self._soft, start, end)) or any(
                low <= start <= high for low, high in _met(self._hard, start, end)
            )
        met = [(low, high) for low, high in _met(self._soft, start, end) if low < end and start < high]
        cut = any(low < start or end < high for low, high in met)
        if cut or any(low < end and start < high for low, high in _met(self._hard, start, end)):
            return True
        return bool(met) and not _CODE.search(self._without(met, start, end))

    def holds(self, start: int, end: int) -> bool:
        """Whether a protected stretch holds ``source[start:end]`` whole."""
        both = _met(self._soft, start, end) + _met(self._hard, start, end)
        return any(low <= start and end <= high for low, high in both)

    def _without(self, spans: list[Span], start: int, end: int) -> str:
        pieces = []
        for low, high in spans:
            pieces.append(self._source[start:low])
            start = high
        return "".join([*pieces, self._source[start:end]])


def _met(spans: tuple[list[int], list[int]], start: int, end: int) -> list[Span]:
    """The spans that the stretch meets or touches."""
    starts, ends = spans
    low, high = bisect_left(ends, start), bisect_right(starts, end)
    return list(zip(starts[low:high], ends[low:high], strict=True))


def _merged(spans: Iterator[Span]) -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(spans):
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def _soft_spans(tree: Tree) -> Iterator[Span]:
    yield from _docstrings(tree, tree.module.body)
    for node in tree.nodes:
        match node:
            case cst.IndentedBlock(body=body) if isinstance(tree.parents[node], cst.FunctionDef | cst.ClassDef):
                yield from _docstrings(tree, body)
            case cst.SimpleStatementSuite(body=[cst.Expr(value=value), *_]) if _is_text(value):
                yield tree.outer[value]
            case cst.Annotation() | cst.TypeAlias() | cst.TypeParameters() | cst.Import() | cst.ImportFrom():
                yield tree.outer[node]
            case cst.Call() if is_logging(node) or _is_type_machinery(node):
                yield tree.outer[node]
            case cst.Assign(targets=targets) if any(_is_frozen_name(t.target) for t in targets):
                yield tree.inner[node]
            case cst.AnnAssign(value=None):
                yield tree.inner[node]
            case cst.AnnAssign(target=target) | cst.AugAssign(target=target) if _is_frozen_name(target):
                yield tree.inner[node]
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=owner))) if _is_frozen_name(owner):
                yield tree.inner[node]


def _type_checking_spans(tree: Tree) -> Iterator[Span]:
    for node in tree.nodes:
        if isinstance(node, cst.If) and _is_type_checking(node.test):
            yield tree.inner[node][0], tree.outer[node.body][1]


def _docstrings(tree: Tree, body: object) -> Iterator[Span]:
    match body:
        case [cst.SimpleStatementLine(body=[cst.Expr(value=value), *_]), *_] if _is_text(value):
            yield tree.outer[value]


def _is_text(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.SimpleString | cst.ConcatenatedString)


def _is_frozen_name(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in _FROZEN_NAMES


def _is_type_checking(test: cst.BaseExpression) -> bool:
    name = test.attr if isinstance(test, cst.Attribute) else test
    return isinstance(name, cst.Name) and name.value == "TYPE_CHECKING"


def _is_type_machinery(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Name) and call.func.value in ("TypeVar", "ParamSpec", "NewType", "cast")


def is_logging(call: cst.Call) -> bool:
    """Whether a call writes to a log."""
    func = call.func
    if not isinstance(func, cst.Attribute) or func.attr.value not in _LOG_METHODS:
        return False
    owner = func.value
    if isinstance(owner, cst.Attribute):
        owner = owner.attr
    if isinstance(owner, cst.Call):
        return isinstance(owner.func, cst.Attribute | cst.Name) and "getLogger" in _last_name(owner.func)
    return isinstance(owner, cst.Name) and owner.value in _LOGGERS


def _last_name(node: cst.Attribute | cst.Name) -> str:
    return node.attr.value if isinstance(node, cst.Attribute) else node.value


def _pragma_spans(tree: Tree) -> Iterator[Span]:
    if any(_FILE_PRAGMA.match(c.value) for c in tree.comments):
        yield 0, len(tree.source)
    offsets = [tree.outer[c][0] for c in tree.comments if _PRAGMA.match(c.value)]
    if not offsets:
        return
    source = tree.source
    for node in tree.nodes:
        if isinstance(node, cst.SimpleStatementLine):
            span = tree.inner[node]
            if _on_lines(source, offsets, span):
                yield span
        elif isinstance(body := getattr(node, "body", None), _Suite) and isinstance(
            node, cst.BaseCompoundStatement | cst.Else | cst.Finally | cst.ExceptHandler | cst.MatchCase
        ):
            header = (tree.inner[node][0], tree.outer[body][0])
            if isinstance(body, cst.SimpleStatementSuite):
                header = (header[0], tree.inner[body][1])
            if _on_lines(source, offsets, header):
                whole = isinstance(node, cst.FunctionDef | cst.ClassDef)
                yield (tree.outer[node][0], tree.inner[node][1]) if whole else header


def _on_lines(source: str, offsets: list[int], span: Span) -> bool:
    end_of_line = source.find("\n", span[1])
    end = len(source) if end_of_line < 0 else end_of_line
    return any(span[0] <= offset <= end for offset in offsets)
