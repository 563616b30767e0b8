"""When two sources are the same program: by syntax tree, or by what the compiler makes of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from types import CodeType
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import DropReason

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_SAY_NOTHING: Final = ("kind", "type_comment")  # u"text", and comments


@lru_cache(maxsize=32)
def normalised_tree(source: str | bytes) -> str | None:
    """Return the syntax tree as text, without docstrings and positions, or None if the source does not parse.

    Bytes are read as Python reads them, whatever encoding they declare.
    """
    tree = parsed(source)
    return None if tree is None else _written(tree)


def syntax_problem(source: bytes) -> str | None:
    """Say by which rule of Python a source is no program, as ``LINE: what``; None if it is one.

    It parses, and keeps the rules that Python looks at when it compiles what it has parsed.
    """
    tree = parsed(source)
    try:
        if tree is None:
            ast.parse(source)
            return None
        with suppress(ValueError, RecursionError, MemoryError):  # of a deep tree: Python reads the text itself
            compile(tree, "<source>", "exec", dont_inherit=True, optimize=0)
    except SyntaxError as error:
        return f"{error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"1: {error or 'nested too deeply'}"
    return None


@lru_cache(maxsize=64)
def fingerprint(source: str) -> object | None:
    """Return what is equal for sources that compile to the same bytecode, or None if it does not compile.

    Trivial compiler equivalence (Papadakis et al., ICSE 2015). Line numbers and docstrings do not count; asserts do.
    """
    tree = parsed(source)
    return None if tree is None else _compiled(tree) or _compiled(source.removeprefix("\ufeff"))


def _compiled(program: ast.Module | str) -> object | None:
    """Return the key of a program's code. Of a deep tree Python makes code only if it has read the text itself."""
    try:
        return _code_key(compile(program, "<source>", "exec", dont_inherit=True, optimize=0))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=32)
def parsed(source: str | bytes) -> ast.Module | None:
    """Return the syntax tree without docstrings, to be looked at alone: it is kept, since several rungs ask for it."""
    try:
        tree = ast.parse(source.removeprefix("\ufeff") if isinstance(source, str) else source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    waiting: list[ast.AST] = [tree]
    for node in waiting:
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _drop_docstring(node)
        for block in _BLOCKS:
            waiting += getattr(node, block, ())
    return tree


def walk(tree: ast.AST) -> list[ast.AST]:
    """Return a node and all that are in it, in the order of :func:`ast.walk`, in half its time."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [each for each in value if isinstance(each, ast.AST)]
    return found


def _drop_docstring(node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str())) as docstring, *rest]:
            node.body = rest or [ast.copy_location(ast.Pass(), docstring)]


def _written(tree: ast.Module) -> str:
    """Write a tree down in prefix order; :func:`ast.dump` fails on deep ones that Python compiles."""
    words: list[str] = []
    waiting: list[object] = [tree]
    while waiting:
        match waiting.pop():
            case ast.AST() as node:
                words.append(type(node).__name__)
                waiting += [getattr(node, name, None) for name in reversed(node._fields) if name not in _SAY_NOTHING]
            case list() as nodes:
                words.append(f"[{len(nodes)}]")
                waiting += reversed(nodes)
            case value:
                words.append(repr(value))
    return " ".join(words)


def _code_key(code: CodeType) -> object:
    constants = tuple(_code_key(c) if isinstance(c, CodeType) else _constant_key(c) for c in code.co_consts)
    return (
        code.co_name,
        code.co_code,
        code.co_exceptiontable,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
    )


def _constant_key(value: object) -> object:
    """Tell 1 from True and 1.0, and 0.0 from -0.0, which compare equal."""
    if isinstance(value, tuple | frozenset):
        items = [_constant_key(item) for item in value]
        return (type(value).__name__, tuple(items) if isinstance(value, tuple) else frozenset(items))
    return (type(value).__name__, repr(value))


class Screen:
    """Turns away changes of one tree that need no run: code that is equal or does not compile."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._originals: dict[str, object] = {}
        self._seen: set[object] = set()

    def refuse(self, changes: Mapping[str, bytes | None]) -> DropReason | None:
        """Return why these changes make no candidate, or None; what was let through once is equal code from then on."""
        keys = {}
        for path, data in changes.items():
            keys[path] = self._key(path, data)
            if keys[path] is None:
                return DropReason.DOES_NOT_COMPILE
        whole = tuple(sorted(keys.items(), key=lambda item: item[0]))
        if whole in self._seen or all(key == self._original(path) for path, key in keys.items()):
            return DropReason.EQUAL_CODE
        self._seen.add(whole)
        return None

    def _original(self, path: str) -> object:
        if path not in self._originals:
            self._originals[path] = self._key(path, self._tree.get(path))
        return self._originals[path]

    @staticmethod
    def _key(path: str, data: bytes | None) -> object | None:
        if data is None or not path.endswith(".py"):
            return ("bytes", data)
        return fingerprint(decode(path, data).text)
