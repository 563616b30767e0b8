"""A buggy file as templates see it: its syntax tree with offsets, and what is known at each place of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Final, final

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Types = Mapping[str, Mapping[str, tuple[str, ...]]]

_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ATOMS: Final = (
    ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.JoinedStr,
    *_COMPREHENSIONS,
)  # fmt: skip


@final
class Source:
    """One file. ``types`` are those that names had while the tests ran, by ``function:first line``.

    ``words`` are texts that tell of what is wanted, as the statement of the problem.

    Raises:
        SyntaxError, ValueError, RecursionError: the text does not parse.
    """

    def __init__(self, path: str, text: str, encoding: str, types: Types, words: str) -> None:
        self.path = path
        self.text = text
        self.encoding = encoding
        self.words = words
        self._types = types
        self.mark = 1 if text.startswith("\ufeff") else 0
        self.tree = ast.parse(text[self.mark :])
        self._lines = self._rows()
        self._starts = [0, *accumulate(map(len, self._lines))]
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = []
        self._index()

    def _rows(self) -> list[str]:
        """Lines as the tokenizer counts them: a form feed ends none."""
        rows: list[str] = []
        for row in self.text.splitlines(keepends=True):
            if rows and not rows[-1].endswith(("\n", "\r")):
                rows[-1] += row
            else:
                rows.append(row)
        return rows

    def _index(self) -> None:
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            node = waiting.pop()
            self.nodes.append(node)
            if isinstance(node, ast.JoinedStr):
                continue
            children = list(ast.iter_child_nodes(node))
            for child in children:
                self.parents[child] = node
            waiting.extend(reversed(children))

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a line (from 1) and a column (from 0, in UTF-8 bytes)."""
        row = self._lines[line - 1] if line <= len(self._lines) else ""
        mark = self.mark if line == 1 else 0
        if not row.isascii():
            column = len(row[mark:].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
        return self._starts[line - 1] + mark + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return the offsets between which a node lies, without brackets around it."""
        assert isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword)
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column)

    def code(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def operand(self, node: ast.AST) -> str:
        """Return the text of an expression, in brackets unless it is one that needs none anywhere."""
        code = self.code(node)
        return code if isinstance(node, _ATOMS) else f"({code})"

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes around a node, from within."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Return the statement that a node is part of."""
        return next((each for each in (node, *self.ancestors(node)) if isinstance(each, ast.stmt)), None)

    def function(self, node: ast.AST) -> FunctionNode | None:
        """Return the innermost function around a node."""
        return next((each for each in self.ancestors(node) if isinstance(each, FunctionNode)), None)

    def qualified_name(self, node: ast.AST) -> str | None:
        """Return the name of the function around a node, with those of the classes and functions around it."""
        names: list[str] = []
        for each in self.ancestors(node):
            if isinstance(each, FunctionNode):
                names = [each.name, *(["<locals>"] if names else []), *names]
            elif isinstance(each, ast.ClassDef):
                names = [each.name, *names]
        return ".".join(names) or None

    @cached_property
    def expressions(self) -> list[ast.expr]:
        """Every expression that is read, in order; no annotations, decorators, docstrings, and parts of f-strings."""
        return [
            node
            for node in self.nodes
            if isinstance(node, ast.expr)
            and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            and not isinstance(node, ast.Slice | ast.Starred)
            and self._is_code(node)
        ]

    def _is_code(self, node: ast.expr) -> bool:
        child: ast.AST = node
        for each in self.ancestors(node):
            match each:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    if child in each.decorator_list or child is getattr(each, "returns", None):
                        return False
                case ast.arg():
                    return False
                case ast.AnnAssign() if child is each.annotation:
                    return False
                case ast.Expr() if isinstance(child, ast.Constant):
                    return False
            if isinstance(each, ast.stmt):
                return not isinstance(each, ast.Import | ast.ImportFrom)
            child = each
        return False

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """Every statement within a function or a class's function, in order, docstrings apart."""
        return [
            node
            for node in self.nodes
            if isinstance(node, ast.stmt)
            and self.function(node) is not None
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the statements that stand beside one, with it."""
        for _, value in ast.iter_fields(self.parents[statement]):
            if isinstance(value, list) and statement in value:
                return value
        return [statement]

    def stands_alone(self, statement: ast.stmt) -> bool:
        """Whether nothing else is on the lines of a statement."""
        start, end = self.span(statement)
        before = self.text[self._starts[statement.lineno - 1] : start]
        rest = self.text[end : self._starts[statement.end_lineno or statement.lineno]].strip()
        return before.strip(" \t\ufeff") == "" and (rest == "" or rest.startswith("#"))

    def whole_lines(self, first: ast.stmt, last: ast.stmt) -> tuple[int, int]:
        """Return the offsets of the lines from one statement to another."""
        decorators = getattr(first, "decorator_list", [])
        begin = min([first.lineno, *(each.lineno for each in decorators)])
        return self._starts[begin - 1], self._starts[last.end_lineno or last.lineno]

    def indentation(self, statement: ast.stmt) -> str:
        """Return what stands before a statement in its line."""
        start, _ = self.span(statement)
        return self.text[self._starts[statement.lineno - 1] : start]

    @cached_property
    def line_end(self) -> str:
        """The line end of the file."""
        return "\r\n" if "\r\n" in self.text else "\n"

    def variables(self, node: ast.AST) -> list[str]:
        """Return the local names that may be read at a node: parameters and what is bound around it, nearest first."""
        found: dict[str, None] = {}
        for each in self.ancestors(node):
            if isinstance(each, _COMPREHENSIONS):
                for generator in each.generators:
                    found.update(dict.fromkeys(_bound(generator.target)))
            elif isinstance(each, ast.Lambda):
                found.update(dict.fromkeys(_parameters(each.args)))
            elif isinstance(each, FunctionNode):
                found.update(dict.fromkeys(self._locals(each)))
        return [name for name in found if name not in ("self", "cls", "_")]

    def _locals(self, function: FunctionNode) -> list[str]:
        if function not in self._locals_of:
            names = _parameters(function.args)
            for statement in function.body:
                names += _bound(statement)
            self._locals_of[function] = list(dict.fromkeys(names))
        return self._locals_of[function]

    @cached_property
    def _locals_of(self) -> dict[FunctionNode, list[str]]:
        return {}

    @cached_property
    def functions(self) -> dict[str, FunctionNode]:
        """The functions of the file by their plain names."""
        return {node.name: node for node in self.nodes if isinstance(node, FunctionNode)}

    def kinds(self, node: ast.AST, name: str) -> frozenset[str]:
        """Return the names of the types that a variable at a node was seen to have; empty if it was not seen."""
        for each in (*self.ancestors(node),):
            if isinstance(each, FunctionNode):
                first = min([each.lineno, *(one.lineno for one in each.decorator_list)])
                seen = self._types.get(f"{each.name}:{first}", {}).get(name)
                if seen:
                    return frozenset(seen)
        return frozenset()

    def kind(self, node: ast.expr) -> str | None:
        """Return the name of the type that an expression is likely to have, or None."""
        match node:
            case ast.Name(id=name):
                kinds = self.kinds(node, name) - {"NoneType"}
                return next(iter(kinds)) if len(kinds) == 1 else None
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.BoolOp(values=[first, *_]) | ast.UnaryOp(operand=first):
                return self.kind(first)
            case ast.BinOp(left=left, right=right):
                return "float" if isinstance(node.op, ast.Div) else self.kind(left) or self.kind(right)
            case ast.Call(func=ast.Name(id=name)):
                return _RESULTS.get(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                return _METHOD_RESULTS.get(name)
            case ast.JoinedStr():
                return "str"
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.kind(value)
            case ast.Subscript(value=value):
                return "str" if self.kind(value) == "str" else None
            case ast.List() | ast.ListComp():
                return "list"
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.Set() | ast.SetComp():
                return "set"
            case ast.Tuple():
                return "tuple"
        return None


_RESULTS: Final = {
    "len": "int", "ord": "int", "int": "int", "str": "str", "chr": "str", "bin": "str", "hex": "str", "repr": "str",
    "float": "float", "bool": "bool", "any": "bool", "all": "bool", "isinstance": "bool", "list": "list",
    "sorted": "list", "set": "set", "dict": "dict", "tuple": "tuple", "range": "range",
}  # fmt: skip
_METHOD_RESULTS: Final = {
    "lower": "str", "upper": "str", "strip": "str", "join": "str", "replace": "str", "format": "str", "title": "str",
    "split": "list", "count": "int", "index": "int", "find": "int", "isdigit": "bool", "isalpha": "bool",
    "startswith": "bool", "endswith": "bool", "isupper": "bool", "islower": "bool", "copy": None,
}  # fmt: skip


def _parameters(arguments: ast.arguments) -> list[str]:
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    return [each.arg for each in every if each is not None]


def _bound(node: ast.AST) -> list[str]:
    """The names that are bound within a node, not those within functions and classes in it."""
    names: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, FunctionNode | ast.ClassDef):
            names.append(each.name)
            continue
        if isinstance(each, (ast.Lambda, *_COMPREHENSIONS)):
            continue
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names.append(each.id)
        waiting.extend(ast.iter_child_nodes(each))
    return names
