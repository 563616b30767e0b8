"""Adds probes to a module: each statement, before it runs, stores 1 at its place of an array. Python 3.8 to 3.13.

Names, frames, docstrings and line numbers stay as they are. Standard library only; see :mod:`instrumented`.
"""

import ast
import sys

load = sys.modules["__main__"].load
embed = load("instrumented").embed
first_line = load("statements").first_line

READ_AS_TEXT = ("annotation", "returns")
WAITS = (ast.Yield, ast.YieldFrom, ast.Await)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Index = ast.Index if sys.version_info < (3, 9) else lambda value: value


class Marks(bytearray):
    """What has run of a file: 1 at the places of statements. ``lines`` has the lines that each place stands for.

    A constant of code objects, which may be hashed, pickled and compared.
    """

    __slots__ = ("lines", "path")
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__
    __ne__ = object.__ne__

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.lines = []

    def __reduce_ex__(self, protocol):
        return bytearray, (bytes(self),)

    def place(self, lines):
        """Return a new place that stands for some lines."""
        self.append(0)
        self.lines.append(lines)
        return len(self) - 1


class Prober:
    """Adds the probes of one file, whose array is ``marks``."""

    def __init__(self, path):
        self.marks = Marks(path)
        self._store = self.marks.__setitem__
        self._blocks = []  # (node, field, lines of the statements around in the same frame) still to be done

    def add(self, tree):
        """Change a module in place."""
        self._blocks.append((tree, "body", ()))
        while self._blocks:
            node, field, around = self._blocks.pop()
            opens = field == "body" and isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS))
            setattr(node, field, self._probed(getattr(node, field), around, opens))

    def _probed(self, statements, around, opens):
        """Return a block with its probes: after the statements that must come first in it, before all others."""
        done, late = [], []
        for number, statement in enumerate(statements):
            opens = opens and comes_first(statement, number)
            line = first_line(statement)
            # What runs of a generator that another test began shows that it comes by the heads around, too.
            lines = (line, *around)
            probe = self._statement(self.marks.place(lines), line, statement.col_offset)
            if opens:
                late.append(probe)
                done.append(statement)
                continue
            done += [*late, probe, statement]
            late = []
            if self._look_into(statement, line, () if isinstance(statement, FUNCTIONS) else lines):
                done.append(self._statement(self.marks.place(lines), line, statement.col_offset))
        return done + late

    def _look_into(self, statement, line, lines):
        """Note the blocks of a statement, and probe the code in it that may run later. Return whether it may wait."""
        waits, simple, nodes = False, True, [statement]
        while nodes:
            node = nodes.pop()
            if isinstance(node, ast.Lambda):
                node.body = ast.copy_location(ast.BoolOp(ast.Or(), [self._call(line, node.body), node.body]), node.body)
            elif isinstance(node, ast.GeneratorExp):
                call = self._call(line, node.elt)
                node.generators[0].ifs.insert(0, ast.copy_location(ast.UnaryOp(ast.Not(), call), call))
            waits = waits or isinstance(node, WAITS) or getattr(node, "is_async", 0) == 1
            for field, value in ast.iter_fields(node):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    simple = False
                    self._blocks.append((node, field, lines))
                elif field not in READ_AS_TEXT:
                    nodes += [n for n in (value if isinstance(value, list) else [value]) if isinstance(n, ast.AST)]
        return waits and simple

    def _statement(self, place, line, column):
        where = {"lineno": line, "col_offset": column, "end_lineno": line, "end_col_offset": column}
        array, index, one = embed(self.marks), ast.Constant(place, None, **where), ast.Constant(1, None, **where)
        for name, value in where.items():
            setattr(array, name, value)
        target = ast.Subscript(array, Index(index), ast.Store(), **where)
        return ast.Assign([target], one, None, **where)

    def _call(self, line, like):
        """Return an expression that does the same; its value is None."""
        arguments: "list[ast.expr]" = [ast.Constant(self.marks.place((line,)), None), ast.Constant(1, None)]
        call = ast.Call(embed(self._store), arguments, [])
        for node in (call, call.func, *arguments):
            ast.copy_location(node, like)
        return call


def comes_first(statement, number):
    """Whether a statement of a body that nothing else precedes is its docstring, or an import from ``__future__``."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__" and not statement.level
    value = getattr(statement, "value", None)
    return number == 0 and isinstance(statement, ast.Expr) and isinstance(getattr(value, "value", None), str)


def is_probed(code):
    """Whether probes are in a code object of statements, or in that of a lambda."""
    return any(isinstance(getattr(constant, "__self__", constant), Marks) for constant in code.co_consts)
