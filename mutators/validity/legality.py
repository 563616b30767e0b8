"""What parses but does not compile: jumps, yields, awaits and declarations where they may not stand."""

from __future__ import annotations

import ast
from typing import Any, Final

from mendlab.mutators.validity.pieces import Piece
from mendlab.mutators.validity.program import Program
from mendlab.mutators.validity.trees import copied

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
_DECLARATIONS: Final = (ast.Global, ast.Nonlocal)
_HARMLESS: Final = frozenset((
    ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Pass, ast.Raise, ast.Assert, ast.Delete,
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
))  # fmt: skip
"""Nodes that compile wherever they parse."""
_MAY_HARM: Final = (ast.stmt, ast.expr, ast.pattern, ast.arguments, ast.ExceptHandler, ast.match_case)


def _template(text: str) -> Any:
    return ast.parse(text).body[0]


_EXPRESSION: Final = _template("_(0)")
_LOOP: Final = _template("while _: pass")
_GROUP: Final = _template("try: pass\nexcept* _: pass")
_CLASS: Final = _template("class _: pass")
_FUNCTION: Final = _template("def _(): pass")
_COROUTINE: Final = _template("async def _(): pass")
_PASS: Final = [_template("pass")]


class Legality:
    """Compiles what takes the place of a piece, in a place of the same sort."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entangled: dict[ast.AST, bool] = {}
        futures = [n for n in program.tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        self._end_of_futures = program.span(futures[-1])[1] if futures else 0

    def before_future_import(self, offset: int) -> bool:
        """Whether an offset lies before the end of the last future import, where next to nothing may stand."""
        return offset < self._end_of_futures

    def allows(self, piece: Piece, parts: list[Any], path: list[Any], fresh: list[ast.AST]) -> bool:
        """Whether the parts may stand where the piece does.

        Args:
            piece: the piece that they replace.
            parts: what it becomes.
            path: copies of the nodes around it, up to the module, with the parts in them.
            fresh: the nodes that are new.

        Raises:
            SyntaxError, ValueError, RecursionError, MemoryError: they may not.
        """
        functions = [node for node in path if isinstance(node, _FUNCTIONS)]
        unit = functions[-1] if functions else None
        new_sort = piece.original is not None and type(parts[0]) is not type(piece.original)
        jumps = any(isinstance(node, ast.Break | ast.Continue) for part in parts for node in ast.walk(part))
        if jumps or self._is_entangled(piece, fresh, functions):  # the loop around a jump may be gone
            self._compile([path[-1]] if unit is None else [unit])
            return True
        if not new_sort and all(_harmless(node) for node in fresh):
            return True
        self._compile(self._in_place(piece, _statements(piece, parts, path, whole=new_sort)))
        return True

    def _is_entangled(self, piece: Piece, fresh: list[ast.AST], functions: list[Any]) -> bool:
        """Whether other statements of the function say what may stand here: declarations, yields of a coroutine."""
        kinds = {type(node) for node in fresh}
        if not kinds.isdisjoint(_DECLARATIONS):
            return True
        if ast.Yield in kinds and any(isinstance(f, ast.AsyncFunctionDef) for f in functions):
            return True
        node: ast.AST = piece.original or piece.slot.parent
        scope: ast.AST = self._program.tree
        for ancestor in (node, *self._program.ancestors(node)):
            if isinstance(ancestor, _FUNCTIONS):
                scope = ancestor
        if scope not in self._entangled:
            self._entangled[scope] = _entangled(scope)
        return self._entangled[scope]

    def _in_place(self, piece: Piece, statements: list[Any]) -> list[Any]:
        """Statements in loops, handlers, a function or class as those around the piece."""
        parent, field, _ = piece.slot
        while True:
            if field == "body":
                if isinstance(parent, _LOOPS):
                    statements = [copied(_LOOP, {"body": statements})]
                elif isinstance(parent, ast.ExceptHandler) and self._in_group(parent):
                    handler = copied(_GROUP.handlers[0], {"body": statements})
                    statements = [copied(_GROUP, {"handlers": [handler]})]
                elif isinstance(parent, ast.ClassDef):
                    return [copied(_CLASS, {"body": statements})]
                elif isinstance(parent, ast.FunctionDef):
                    return [copied(_FUNCTION, {"body": statements})]
                elif isinstance(parent, ast.AsyncFunctionDef):
                    return [copied(_COROUTINE, {"body": statements})]
            slot = self._program.slot(parent)
            if slot is None:
                return statements
            parent, field, _ = slot

    def _in_group(self, handler: ast.ExceptHandler) -> bool:
        slot = self._program.slot(handler)
        return slot is not None and isinstance(slot.parent, ast.TryStar)

    @staticmethod
    def _compile(body: list[Any]) -> None:
        tree = body[0] if isinstance(body[0], ast.Module) else ast.Module(body, [])
        compile(tree, "<mutant>", "exec", dont_inherit=True)


def _harmless(node: Any) -> bool:
    kind = type(node)
    if kind is ast.Call:
        return len(node.keywords) < 2
    if kind is ast.Name:
        return bool(node.id != "__debug__")
    if kind is ast.Attribute:
        return bool(node.attr != "__debug__")
    if kind is ast.keyword:
        return bool(node.arg != "__debug__")
    if kind is ast.comprehension:
        return not node.is_async
    return kind in _HARMLESS or not isinstance(node, _MAY_HARM)


def _statements(piece: Piece, parts: list[Any], path: list[Any], *, whole: bool) -> list[Any]:
    """Statements that compile if the parts do; a header with its own suite only if that matters."""
    if piece.kind == "item":
        return [copied(_EXPRESSION, {"value": copied(_EXPRESSION.value, {"args": parts})})]
    if piece.kind != "header":
        return parts or _PASS
    match path[0]:
        case ast.Try() | ast.TryStar() as statement if piece.slot.field == "handlers":
            handlers = [copied(handler, {"body": _PASS}) for handler in statement.handlers]
            return [copied(statement, {"body": _PASS, "orelse": [], "finalbody": [], "handlers": handlers})]
        case ast.Match() as statement:
            cases = [copied(case, {"body": _PASS}) for case in statement.cases]
            return [copied(statement, {"cases": cases})]
    if whole:
        return parts
    return [copied(part, {"body": _PASS, **({"orelse": []} if "orelse" in part._fields else {})}) for part in parts]


def _entangled(scope: ast.AST) -> bool:
    if not isinstance(scope, ast.Module):
        coroutine = any(isinstance(n, ast.AsyncFunctionDef) for n in ast.walk(scope))
        return any(isinstance(n, _DECLARATIONS) or (coroutine and isinstance(n, ast.Yield)) for n in ast.walk(scope))
    waiting: list[ast.AST] = [scope]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DECLARATIONS):
            return True
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case | ast.Module):
            waiting += (child for child in ast.iter_child_nodes(node) if not isinstance(child, _FUNCTIONS))
    return False
