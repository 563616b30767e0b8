"""Python source with its syntax tree: parsed with one clear error, and statements as the text they were written in."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mendlab.errors import InputError

MOST_NESTED: Final = 200
"""Levels of a syntax tree. What reads trees and writes them calls itself for each, and Python allows 1,000 calls."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class PythonSource:
    """A parsed source. ``lines`` keep their ends and are those that Python counts; a byte order mark is in none."""

    path: str
    lines: tuple[str, ...]
    tree: ast.Module

    def column(self, line: int, byte_column: int) -> int:
        """Return the column in characters of a column in UTF-8 bytes, as the syntax tree has them."""
        return len(self.lines[line - 1].encode()[:byte_column].decode())

    def stands_alone(self, node: ast.stmt) -> bool:
        """Whether a statement shares its lines with nothing but a comment."""
        head, tail = self._around(node)
        return not head.strip() and (not tail.strip() or tail.lstrip().startswith("#"))

    def statement(self, node: ast.stmt) -> str:
        """Return a statement as it is written, comments inside it and behind it included, moved to column 0.

        Where moving the text would change what it means, the statement is written anew from its syntax tree.
        """
        first, last = first_line(node), end_line(node)
        head, tail = self._around(node)
        text = "".join(self._dedented(node, first, last, len(head)))
        text = text.rstrip("\r\n") if self.stands_alone(node) else text[: len(text) - len(tail)]
        return text if _same(text, node) else ast.unparse(node)

    def _around(self, node: ast.stmt) -> tuple[str, str]:
        first, last = first_line(node), end_line(node)
        head = self.lines[first - 1][: self.column(node.lineno, node.col_offset)]
        tail = self.lines[last - 1][self.column(last, node.end_col_offset or 0) :]
        return head, tail

    def _dedented(self, node: ast.stmt, first: int, last: int, width: int) -> Iterable[str]:
        inside = _lines_inside_strings(node)
        yield self.lines[first - 1][width:]
        for number in range(first + 1, last + 1):
            line = self.lines[number - 1]
            margin = 0 if number in inside else min(width, len(line) - len(line.lstrip(" \t")))
            yield line[margin:]


def parse_python(path: str, source: bytes | str) -> PythonSource:
    """Parse a source; bytes are decoded as Python does (PEP 263).

    Raises:
        InputError: it is not Python that this interpreter reads, or not text, or its tree has more than
            :data:`MOST_NESTED` levels; ``where`` has the line.
    """
    text = (source if isinstance(source, str) else _decoded(path, source)).removeprefix(_BOM)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        raise InputError(f"not valid Python: {error.msg}", where=f"{path}:{error.lineno or 1}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"not valid Python: {error or 'nested too deeply'}", where=f"{path}:1") from error
    check_nesting(path, tree)
    return PythonSource(path, tuple(_LINE.findall(text)), tree)


def tree_if_any(source: bytes) -> ast.Module | None:
    """Return the syntax tree of a source, without a warning; ``None`` if it is not Python to this interpreter."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def check_nesting(path: str, tree: ast.Module, most: int = MOST_NESTED) -> None:
    """Raise an InputError if a tree has more levels than ``most``; ``where`` has the line of the first below."""
    level: list[ast.AST] = [tree]
    for _ in range(most):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        line = min((node.lineno for node in level if isinstance(node, ast.stmt | ast.expr)), default=1)
        raise InputError("is nested too deeply", where=f"{path}:{line}", hint="leave this file out")


def indented(text: str, margin: str = "    ") -> str:
    """Return statements with a margin before each line that does not begin inside a string; blank lines stay.

    Raises:
        InputError: the text is not Python.
    """
    source = parse_python("code", text)
    inside = {line for node in source.tree.body for line in _lines_inside_strings(node)}
    return "".join(
        margin + line if line.strip() and number not in inside else line
        for number, line in enumerate(source.lines, start=1)
    )


def first_line(node: ast.stmt | ast.ExceptHandler) -> int:
    """Return the line where a statement begins, its decorators included."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        return node.decorator_list[0].lineno
    return node.lineno


def end_line(node: ast.stmt | ast.ExceptHandler) -> int:
    """Return the line where a statement ends."""
    return node.lineno if node.end_lineno is None else node.end_lineno


def _decoded(path: str, data: bytes) -> str:
    """The text of a source, which the parser alone would not check: it passes over what is in comments."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        unknown = None
    except SyntaxError as error:  # an encoding that is unknown, or UTF-8 that breaks in the first two lines
        encoding, unknown = "utf-8", error
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"not valid Python: not {encoding}", where=f"{path}:{line}") from error
    except (LookupError, UnicodeError) as error:  # codecs of bytes, and those that refuse all or say no place
        raise InputError(f"not valid Python: {encoding} is no encoding of text", where=f"{path}:1") from error
    if unknown:
        raise InputError(f"not valid Python: {unknown.msg}", where=f"{path}:1") from unknown
    return text


def _same(text: str, node: ast.stmt) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text)) == ast.dump(ast.Module([node], []))
    except SyntaxError:
        return False


def _lines_inside_strings(node: ast.stmt) -> set[int]:
    """The lines that begin inside a string, where leading blanks are part of it."""
    strings = (
        each
        for each in ast.walk(node)
        if isinstance(each, ast.JoinedStr) or (isinstance(each, ast.Constant) and isinstance(each.value, str | bytes))
    )
    return {line for each in strings for line in range(each.lineno + 1, (each.end_lineno or each.lineno) + 1)}
