"""A source parsed once: every node in order, with its parent and its place in the text in characters.

LibCST's own position providers copy the tree and walk it once for each provider. Here one pass of its code
generator, whose output is thrown away, gives spans, parents and order together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import libcst as cst
from libcst.metadata.span_provider import SpanProvidingCodegenState

from mendlab.corpora.python_source import parse_python
from mendlab.errors import InputError

_BLANKS: Final = frozenset("\ufeff \t\f")
_INDENTATION: Final = re.compile(r"(?m)^[ \t]+")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed source.

    ``inner`` holds a node's span without the parentheses around it and without the white space it owns, ``outer``
    its span with both. Spans are half-open character offsets into ``source``.
    """

    source: str
    module: cst.Module
    nodes: tuple[cst.CSTNode, ...]
    comments: tuple[cst.Comment, ...]
    parents: dict[cst.CSTNode, cst.CSTNode]
    inner: dict[cst.CSTNode, Span]
    outer: dict[cst.CSTNode, Span]


class _Record:
    """Notes a node's inner span: what the code generator writes while this context is open."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(
        self,
        state: _State,
        node: cst.CSTNode,
        start_node: cst.CSTNode | None,
        end_node: cst.CSTNode | None,
    ) -> None:
        self.state, self.node, self.start_node, self.end_node = state, node, start_node, end_node

    def __enter__(self) -> None:
        self.start = self.state.position

    def __exit__(self, *_: object) -> None:
        inner = self.state.inner
        start = self.start if self.start_node is None else inner[self.start_node][0]
        end = self.state.position if self.end_node is None else inner[self.end_node][1]
        inner[self.node] = (start, end)


@dataclass
class _State(SpanProvidingCodegenState):
    stack: list[tuple[cst.CSTNode, int]] = field(default_factory=list)
    nodes: list[cst.CSTNode] = field(default_factory=list)
    comments: list[cst.Comment] = field(default_factory=list)
    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    inner: dict[cst.CSTNode, Span] = field(default_factory=dict)
    outer: dict[cst.CSTNode, Span] = field(default_factory=dict)

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.add_token(token)

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.position += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        if self.stack:
            self.parents[node] = self.stack[-1][0]
        self.stack.append((node, self.position))
        if isinstance(node, cst.Comment):
            self.comments.append(node)
        elif not isinstance(node, _TRIVIA):
            self.nodes.append(node)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.stack.pop()[1]
        span = (start, self.position)
        self.outer[node] = span
        self.inner.setdefault(node, span)

    def record_syntactic_position(  # type: ignore[override]  # a context manager, cheaper than a generator
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Record:
        return _Record(self, node, start_node, end_node)


_TRIVIA: Final = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Newline,
    cst.LeftParen,
    cst.RightParen,
    cst.Comma,
    cst.Module,
)


def parse(source: str, path: str = "<string>") -> Tree:
    """Parse a source text.

    Raises:
        InputError: the text is not Python, is nested too deeply, or LibCST cannot read it.
    """
    parse_python(path, source)  # first: LibCST's parser has no limit, and overflows the stack of the process
    try:
        module = _module(source)
    except cst.ParserSyntaxError as error:
        raise InputError(
            "Python accepts this file, but the parser that mendlab uses cannot read it",
            where=f"{path}:{error.editor_line}",
            hint="leave it out",
        ) from None
    state = _State(
        default_indent=module.default_indent,
        default_newline=module.default_newline,
        provider=None,  # type: ignore[arg-type]  # spans are kept here, not in a provider
    )
    try:
        module._codegen(state)
    except RecursionError:
        raise InputError("is nested too deeply", where=path, hint="leave this file out") from None
    code = "".join(state.tokens)
    inner, outer = state.inner, state.outer
    if code != source:
        offsets = _align(code, source, path)
        inner = {node: _moved(span, offsets) for node, span in inner.items()}
        outer = {node: _moved(span, offsets) for node, span in outer.items()}
    return Tree(source, module, tuple(state.nodes), tuple(state.comments), state.parents, inner, outer)


def _module(source: str) -> cst.Module:
    """LibCST's tree, if need be of the text with its indentation in blanks: LibCST refuses some mixtures with tabs."""
    try:
        return cst.parse_module(source)
    except cst.ParserSyntaxError:
        expanded = _INDENTATION.sub(lambda found: found[0].expandtabs(), source)
        if expanded == source:
            raise
        return cst.parse_module(expanded)


def _align(code: str, source: str, path: str) -> list[int]:
    """For each offset in LibCST's text the offset in the source.

    They differ in white space only: LibCST forgets a byte order mark, form feeds at the start of a line and blanks
    before some colons, and tabs may have been expanded.
    """
    offsets: list[int] = []
    there = 0
    for character in code:
        if character in _BLANKS:
            offsets.append(there)
            there += source[there : there + 1] in _BLANKS
            continue
        while source[there : there + 1] in _BLANKS and source[there] != character:
            there += 1
        if source[there : there + 1] != character:
            line = source.count("\n", 0, there) + 1
            raise InputError("cannot be read without loss", where=f"{path}:{line}", hint="leave this file out")
        offsets.append(there)
        there += 1
    return [*offsets, len(source)]


def _moved(span: Span, offsets: list[int]) -> Span:
    """The span in the source; it ends after its last character there, not before the one that follows.

    A span may reach beyond LibCST's text: a line end that the file lacks at its end is counted, then taken back.
    """
    start, end = (min(offset, len(offsets) - 1) for offset in span)
    return offsets[start], offsets[end - 1] + 1 if end > start else offsets[start]
