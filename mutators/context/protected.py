"""The stretches of a source that are never mutated, because nothing or everything would break there.

These are docstrings, annotations, imports, metadata such as ``__all__`` and versions, loggers and logging, types for
checkers, what only ``TYPE_CHECKING`` runs and conditions that ask for it, ``if __name__ == "__main__"``, and what a
``# mendlab: skip`` or ``# pragma: no mutate`` comment covers: the simple statement or header it stands on, and the
whole body if that is the header or a decorator of a function or a class; ``# mendlab: skip-file`` covers all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import Final

import libcst as cst

from mendlab.mutators.context.inactive import (
    is_declaration,
    is_logging,
    is_metadata,
    is_typing,
    last_name,
    mentions,
    runtime_truth,
)
from mendlab.mutators.context.tree import Span, Tree

_CODE: Final = re.compile(r"(?m)^[^#\n]*[^\s;#]")
_PRAGMA: Final = re.compile(r"#\s*(?:mendlab:\s*skip\b(?![\w-])|pragma:\s*no\s+mutate\b)")
_FILE_PRAGMA: Final = re.compile(r"#\s*mendlab:\s*skip-file\b")
_Suite = cst.IndentedBlock | cst.SimpleStatementSuite


class Protected:
    """The protected stretches of one tree."""

    def __init__(self, tree: Tree) -> None:
        self._source = tree.source
        self._soft = _merged(_soft_spans(tree))
        self._hard = _merged(chain(_pragma_spans(tree), _firm_spans(tree)))

    def forbids(self, start: int, end: int) -> bool:
        """Whether an edit of ``source[start:end]`` may not be made.

        An edit may contain a protected stretch with other code (a deleted block with its logging), unless a pragma
        or such a condition protects it, but it may not lie in one, cut it, or be of nothing else.
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
            case cst.Call() if is_logging(node) or is_typing(node):
                yield tree.outer[node]
            case cst.BaseSmallStatement() | cst.NamedExpr() if _is_inactive(tree, node):
                yield tree.inner[node]
            case cst.IfExp(test=test) | cst.Assert(test=test) if mentions(test, "TYPE_CHECKING"):
                yield tree.inner[node]
            case cst.If() if _all_inactive(tree, node):
                yield tree.inner[node]
            case cst.FunctionDef(decorators=decorators):
                if any(last_name(decorator.decorator) == "overload" for decorator in decorators):
                    yield _start(tree, node), tree.inner[node][1]


def _is_inactive(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a simple statement or a walrus is nothing but metadata, logging or types."""
    match node:
        case cst.Expr(value=cst.Call() as call):
            owner = call.func.value if isinstance(call.func, cst.Attribute) else call.func
            return is_logging(call) or is_typing(call) or is_metadata(owner, None, _of_module(tree, node))
        case cst.Assign(targets=targets, value=value):
            of_module = _of_module(tree, node)
            return is_declaration(value) or any(is_metadata(t.target, value, of_module) for t in targets)
        case cst.AnnAssign(target=target, annotation=annotation, value=value):
            if value is None or is_declaration(value) or mentions(annotation, "TypeAlias"):
                return True
            return is_metadata(target, value, _of_module(tree, node))
        case cst.AugAssign(target=target, value=value) | cst.NamedExpr(target=target, value=value):
            return is_metadata(target, value, _of_module(tree, node))
        case cst.Del(target=target):
            return is_metadata(target, None, _of_module(tree, node))
    return False


def _all_inactive(tree: Tree, node: cst.CSTNode | None) -> bool:
    """Whether all the statements of an if and its else do nothing but that."""
    match node:
        case None:
            return True
        case cst.If(body=body, orelse=orelse):
            return _all_inactive(tree, body) and _all_inactive(tree, orelse)
        case cst.Else(body=body):
            return _all_inactive(tree, body)
        case cst.IndentedBlock(body=statements):
            return all(isinstance(s, cst.SimpleStatementLine | cst.If) and _all_inactive(tree, s) for s in statements)
        case cst.SimpleStatementLine(body=parts) | cst.SimpleStatementSuite(body=parts):
            return all(_is_inactive(tree, part) for part in parts)
    return False


def _of_module(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a node stands in no function and no class."""
    while node in tree.parents:
        node = tree.parents[node]
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            return False
    return True


def _firm_spans(tree: Tree) -> Iterator[Span]:
    """What must stay with what is around it: conditions of when code runs, a module's loggers and type variables."""
    for node in tree.nodes:
        match node:
            case cst.If(test=test) if mentions(test, "TYPE_CHECKING"):
                yield from _type_checking_spans(tree, node)
            case cst.If(test=test, body=body) if mentions(test, "__name__", "__main__"):
                start, end = tree.inner[node][0], tree.outer[body][0]
                yield start, (tree.inner[body][1] if _is_one_simple(body) else end)
            case cst.Assign(value=value) if is_declaration(value) and _of_module(tree, node):
                yield tree.inner[node]
            case cst.ClassDef(bases=bases, lpar=cst.LeftParen(), rpar=cst.RightParen()):
                if any(last_name(base.value) == "Protocol" for base in bases):
                    yield tree.outer[bases[0]][0] - 1, tree.outer[bases[-1]][1] + 1


def _type_checking_spans(tree: Tree, node: cst.If) -> Iterator[Span]:
    start, truth = tree.inner[node][0], runtime_truth(node.test)
    yield start, tree.outer[node.body][truth is False]
    if truth and node.orelse is not None:
        yield tree.outer[node.orelse]


def _is_one_simple(body: cst.BaseSuite) -> bool:
    match body:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[_])]) | cst.SimpleStatementSuite(body=[_]):
            return True
    return False


def _docstrings(tree: Tree, body: object) -> Iterator[Span]:
    match body:
        case [cst.SimpleStatementLine(body=[cst.Expr(value=value), *_]), *_] if _is_text(value):
            yield tree.outer[value]


def _is_text(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.SimpleString | cst.ConcatenatedString)


def _start(tree: Tree, node: cst.FunctionDef | cst.ClassDef) -> int:
    """Where a definition starts, with its decorators."""
    first = node.decorators[0] if node.decorators else node
    return tree.inner[first][0]


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
            whole = isinstance(node, cst.FunctionDef | cst.ClassDef)
            start = _start(tree, node) if isinstance(node, cst.FunctionDef | cst.ClassDef) else tree.inner[node][0]
            header = (start, tree.outer[body][0])
            if isinstance(body, cst.SimpleStatementSuite):
                header = (header[0], tree.inner[body][1])
            if _on_lines(source, offsets, header):
                yield (tree.outer[node][0], tree.inner[node][1]) if whole else header


def _on_lines(source: str, offsets: list[int], span: Span) -> bool:
    end_of_line = source.find("\n", span[1])
    end = len(source) if end_of_line < 0 else end_of_line
    return any(span[0] <= offset <= end for offset in offsets)
