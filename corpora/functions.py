"""The functions of a source file: what they are called and where they stand."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable, Iterator, Mapping

from mendlab.corpora.python_source import PythonSource, end_line, first_line, parse_python
from mendlab.errors import InputError
from mendlab.records import FunctionInfo, Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of(path: str, data: bytes) -> tuple[FunctionInfo, ...]:
    """Return the functions of a file in order of position, methods and inner functions included, lambdas not.

    A span goes from the first decorator to the end of the body. Names are as ``__qualname__`` has them.

    Raises:
        InputError: the file is not Python, or not text, or nested too deeply; ``where`` is ``path:line``.
    """
    source = parse_python(path, data)
    byte_order_mark = 1 if data.startswith(b"\xef\xbb\xbf") else 0
    return tuple(
        FunctionInfo(qualified_name=name, file=path, span=_span(source, node, byte_order_mark))
        for name, node in named_functions(source.tree)
    )


def functions_in(tree: Mapping[str, bytes], paths: Iterable[str]) -> tuple[FunctionInfo, ...]:
    """Return the functions of those files of a tree that are there and that parse."""
    found: list[FunctionInfo] = []
    for path in paths:
        with contextlib.suppress(InputError, KeyError):
            found.extend(functions_of(path, tree[path]))
    return tuple(found)


def named_functions(tree: ast.Module) -> Iterator[tuple[str, FunctionNode]]:
    """Yield every function of a module with its qualified name, in order of position, however deep it stands."""
    for name, node in named_scopes(tree):
        if not isinstance(node, ast.ClassDef):
            yield name, node


def named_scopes(tree: ast.Module) -> Iterator[tuple[str, FunctionNode | ast.ClassDef]]:
    """Yield every function and every class of a module with its qualified name, in order of position."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name, node
            prefix = f"{prefix}{node.name}." + ("" if isinstance(node, ast.ClassDef) else "<locals>.")
        waiting += [(child, prefix) for child in reversed(list(ast.iter_child_nodes(node)))]


def _span(source: PythonSource, node: FunctionNode, byte_order_mark: int) -> Span:
    """Columns count the characters of the decoded text, in which a byte order mark is the first one."""
    start, end = first_line(node), end_line(node)
    return Span(
        start_line=start,
        start_column=source.column(node.lineno, node.col_offset) + (byte_order_mark if start == 1 else 0),
        end_line=end,
        end_column=source.column(end, node.end_col_offset or 0) + (byte_order_mark if end == 1 else 0),
    )
