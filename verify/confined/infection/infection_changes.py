"""Finds the expressions in which a changed source differs from the good one. Python 3.8 to 3.13, standard library only.

A place in a syntax tree is a path: pairs of a field's name and, where that is a list, an index, from the module down.
"""

import ast
import re
import sys
import tokenize
from typing import Any

load = sys.modules["__main__"].load
guarding = load("infection_guards")
first_line, warns = load("statements").first_line, load("compiler_warnings").warns

# Not evaluated where they stand, or not as expressions.
NO_VALUES = {"annotation", "returns", "type_params", "pattern", "patterns", "cls", "type_comment"}
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# What looks at a function's variables from the side: before 3.13 that shares a dict with f_locals.
LOOKS = {"locals", "vars", "eval", "exec", "dir", "f_locals", "_getframe", "currentframe", "stack"}
PATTERN = getattr(ast, "pattern", ())


class Source:
    """A file of the good tree."""

    def __init__(self, data):
        self._lines = data.splitlines(keepends=True)
        self._encoding = tokenize.detect_encoding(iter(self._lines).__next__)[0]
        self.tree = compile(data, "<good>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        self._whole = {}

    def differing(self, first, last, new):
        """Return ``(outside, changed, paths)`` for lines ``first`` to ``last``, from 1, with others in their place.

        ``outside`` is the path of a statement or of what its block belongs to, ``changed`` the statement as it is then,
        ``paths`` those from there of the smallest expressions that differ, or a Guard. None where it is more than that.
        """
        for path, statement, changed in self.statements(first, last, new):
            paths = differing(statement, changed[0], ()) if len(changed) == 1 else None
            if paths is not None:
                return (path, changed[0], paths) if paths else None
            *outside, (name, index) = path
            found = guarding.guards([statement], changed, ((name, index),)) if name in guarding.BLOCKS else None
            return None if found is None else (tuple(outside), None, found)
        return None

    def statements(self, first, last, new):
        """Yield path, statement and the block in its place, for each statement around lines, from the innermost out."""
        low, high = (first, last) if first <= last else (max(1, last), max(1, last))
        for path, statement in reversed(list(around(self.tree, low, high))):
            start, end = first_line(statement), statement.end_lineno
            if not self._stands_alone(path, statement, start, end):
                continue
            lines = [*self._lines[start - 1 : first - 1], *new, *self._lines[max(last, first - 1) : end]]
            if not lines or indentation(lines[0]) != indentation(self._lines[start - 1]):
                continue  # what is moved into another block
            try:
                changed = self._parsed(lines)
            except (SyntaxError, ValueError):
                continue
            if changed:
                yield path, statement, changed

    def _stands_alone(self, path, statement, start, end):
        """Whether the lines of a statement are that statement and no more."""
        if path not in self._whole:
            try:
                parsed = self._parsed(self._lines[start - 1 : end])
            except (SyntaxError, ValueError):
                parsed = []
            self._whole[path] = len(parsed) == 1 and ast.dump(parsed[0]) == ast.dump(statement)
        return self._whole[path]

    def _parsed(self, lines):
        text = b"".join(lines).decode(self._encoding).lstrip("\ufeff")
        if not re.match("[ \t\f]", text):
            return ast.parse(text).body
        block: Any
        (block,) = ast.parse("if 1:\n" + text).body
        return block.body


def around(node, low, high, path=()):
    """Yield path and node of the statements that hold the lines, from the outermost in."""
    for name in BLOCKS:
        children = getattr(node, name, None)
        if not isinstance(children, list):
            continue
        for index, child in enumerate(children):
            inner = (*path, (name, index))
            if not isinstance(child, ast.stmt):
                yield from around(child, low, high, inner)
            elif first_line(child) <= low and high <= child.end_lineno:
                yield inner, child
                yield from around(child, low, high, inner)


def indentation(line):
    return line[: len(line) - len(line.lstrip(b" \t\f"))]


def differing(old, new, path, fits=True):
    """Return the paths of the smallest expressions that differ, or None. ``fits``: any may stand for ``old``."""
    here = [path] if fits and is_read(old) and is_read(new) else None
    if isinstance(old, ast.AugAssign) and isinstance(old.target, ast.Name) and type(old) is type(new):
        if ast.dump(old.target) != ast.dump(new.target):
            return None
        here = [(*path, ("value", None), OPERATOR)]
    if type(old) is not type(new):
        return here
    found = []
    for name in old._fields:
        if name == "kind":
            continue
        pair = getattr(old, name, None), getattr(new, name, None)
        inner = in_field(old, name, pair, path)
        if inner is None and name in guarding.BLOCKS and isinstance(pair[0], list):
            inner = guarding.guards(*pair, (*path, (name, 0)))
        if inner is None or (inner and name in NO_VALUES):
            return here
        found += inner
    return found


def in_field(parent, name, pair, path):
    """Return the paths of what differs in one field, or None."""
    old, new = (value if isinstance(value, list) else [value] for value in pair)
    if isinstance(pair[0], list) is not isinstance(pair[1], list) or len(old) != len(new):
        return None
    found = []
    for index, (one, other) in enumerate(zip(old, new)):
        if isinstance(one, ast.AST) and isinstance(other, ast.AST):
            step = name, index if isinstance(pair[0], list) else None
            inner = differing(one, other, (*path, step), fits_in(parent, name, one))
            if inner is None:
                return None
            found += inner
        elif type(one) is not type(other) or repr(one) != repr(other):
            return None
    return found


OPERATOR = ("operator of an augmented assignment", None)
"""Ends a path to the value of an AugAssign: what differs is the BinOp that it stands for."""
MARKS = {OPERATOR, guarding.TEST, *guarding.BEFORE.values()}


def is_read(node):
    """Whether a node is an expression whose value is read, and that another may take the place of."""
    if not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    if isinstance(node, ast.Tuple):
        return not any(isinstance(part, (ast.Starred, ast.Slice)) for part in node.elts)
    return not isinstance(node, (ast.Starred, ast.Slice, ast.FormattedValue)) and not isinstance(node, PATTERN)


def fits_in(parent, name, node):
    """Whether any expression may stand where ``node`` does."""
    if isinstance(parent, ast.JoinedStr) or name == "format_spec":
        return False
    if name in NO_VALUES or type(parent).__name__.startswith(("Match", "Type")):
        return False
    return not (isinstance(parent, ast.Expr) and guarding.is_text(node))  # it may be a docstring


def follow(node, path):
    """Yield the nodes along a path, ``node`` first; a block, to come before its statements, has no node."""
    yield node
    path = path[:-2] if path and path[-1] in guarding.BEFORE.values() else path
    for name, index in path:
        if (name, index) in MARKS:
            return
        node = getattr(node, name)
        node = node if index is None else node[index]
        yield node


def may_warn(nodes):
    """Whether the compiler may warn of nodes, each the parent of the next: a program may make errors of that."""
    return any(map(warns, nodes)) or any(map(warns, ast.walk(nodes[-1])))


def replaced(node, path, new):
    """Put another node in the place of the one at a path."""
    *_, parent, _ = follow(node, path)
    name, index = path[-1]
    if index is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[index] = new


def binary(statement):
    """Return the BinOp that an augmented assignment to a name stands for."""
    left = ast.copy_location(ast.Name(id=statement.target.id, ctx=ast.Load()), statement.target)
    return ast.copy_location(ast.BinOp(left=left, op=statement.op, right=statement.value), statement.value)


def wants_truth(nodes):
    """Whether of the last of these nodes, each the parent of the next, nothing but its truth counts."""
    *_, parent, node = nodes
    if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return parent.test is node
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    if isinstance(parent, ast.BoolOp):
        return wants_truth(nodes[:-1])
    return type(parent).__name__ == "match_case" and parent.guard is node


class Surroundings:
    """The functions around a place: which variables they have, and whether anything looks at these from the side."""

    def __init__(self):
        self._known = {}

    def of(self, nodes):
        """Return ``(variables, looked_at)``, or None where names are found otherwise than in functions."""
        functions = [node for node in nodes if isinstance(node, (*SCOPES, *guarding.COMPREHENSIONS))]
        scopes = [node for node in nodes if isinstance(node, (*SCOPES, ast.ClassDef))]
        if (
            any(isinstance(node, guarding.COMPREHENSIONS) for node in nodes)
            and scopes
            and isinstance(scopes[-1], ast.ClassDef)
        ):
            return None
        if any(getattr(node, "type_params", None) for node in nodes):
            return None
        variables, looked_at = set(), False
        for function in functions:
            if id(function) not in self._known:
                self._known[id(function)] = bound(function), not LOOKS.isdisjoint(mentioned(function))
            variables |= self._known[id(function)][0]
            looked_at = looked_at or self._known[id(function)][1]
        return frozenset(variables), looked_at


def bound(function):
    """Return every name that is bound anywhere in a function, also in functions inside it."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif not isinstance(node, ast.Attribute):
            names.update(word for word in (getattr(node, "name", None), getattr(node, "rest", None)) if word)
    return names


def mentioned(function):
    """Yield every name and attribute that a function uses."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
