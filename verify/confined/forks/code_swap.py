"""Puts a changed source into a process that has imported the original: functions get their new code in place.

Only what is the same as importing the changed file is done: nothing outside functions may differ, and every function
that differs is alive as it was compiled, has the same signature and has not run yet. Otherwise :class:`Unswappable`
says why, and nothing is changed. Python 3.8 to 3.13, standard library only.
"""

import ast
import gc
import importlib
import os
import sys
import threading
import tokenize
import types

first_line = sys.modules["__main__"].load("statements").first_line

CODE = [
    *("co_name", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_argcount"),
    *("co_posonlyargcount", "co_kwonlyargcount"),
    *(["co_exceptiontable"] if sys.version_info >= (3, 11) else []),
]
LINES = ["co_firstlineno", "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"]
OPTIMIZED = 0x1  # set in the code of functions, not of modules and classes
KINDS = 0x4 | 0x8 | 0x20 | 0x80 | 0x200  # *args, **kwargs, generator, coroutine, asynchronous generator


class Unswappable(Exception):
    """The change shows only where the file is imported with it."""


class Calls:
    """Notes which functions and classes of the files below a directory run while this is on."""

    def __init__(self, directory):
        self._prefix = directory + os.sep
        self.seen = set()

    def start(self):
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def stop(self):
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self._prefix):
            self.seen.add(key(code))


class Image:
    """What a process has imported from below a directory, and which code in it has ``ran`` already (as from Calls)."""

    def __init__(self, directory, ran, heads):
        prefix = directory + os.sep
        self._heads = heads
        self._directory = directory
        self._ran = ran
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        self._loaded = {file for file in files if isinstance(file, str) and file.startswith(prefix)}
        self._functions: "dict[tuple[str, int, str], list[types.FunctionType]]" = {}
        self._sources = {}
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType and thing.__code__.co_filename.startswith(prefix):
                self._functions.setdefault(key(thing.__code__), []).append(thing)

    def swaps(self, path, old, new):
        """Return ``[(function, attribute, value)]``: what makes the process as if it had imported a changed file.

        ``old`` and ``new`` are the bytes of the file, as imported and as they are to be. Raises Unswappable.
        """
        filename = os.path.join(self._directory, path)
        if filename not in self._loaded:
            return []  # whoever imports it finds it changed
        if path not in self._sources:
            self._sources[path] = Source(filename, old, self._heads)
        differing: "list[tuple[types.CodeType, types.CodeType, bool]]" = []
        was, now, headed = self._sources[path].differing(new)
        compare_outside(was, now, differing)
        found = []
        for name, line, head in headed:
            functions = self._functions.get((filename, line, name), ())
            if not functions:
                raise Unswappable("%s is not alive as it was compiled" % name)
            if (filename, line, name) in self._ran:
                raise Unswappable("%s has run already" % name)
            found += [(function, *item) for function in functions for item in head.attributes(function)]
        for before, after, inner in differing:
            functions = [f for f in self._functions.get(key(before), ()) if same(f.__code__, before, lines=True)]
            if not functions and not inner:
                raise Unswappable("%s is not alive as it was compiled" % before.co_name)
            if key(before) in self._ran and not same(before, after, inner=False):
                raise Unswappable("%s has run already" % before.co_name)
            if before.co_freevars != after.co_freevars:
                raise Unswappable("%s closes over other names" % before.co_name)
            if not inner and signature(before) != signature(after):
                raise Unswappable("%s has another signature" % before.co_name)
            found += [(function, "__code__", after) for function in functions]
        return found


class Source:
    """A file as it was imported, cut into its top-level statements, so that no more than needed is compiled."""

    def __init__(self, filename, data, heads):
        self._filename = filename
        self._heads = heads
        self._lines = data.splitlines(keepends=True)
        self._encoding = tokenize.detect_encoding(iter(self._lines).__next__)[0]
        tree = ast.parse(data, filename)
        self._flags = future_flags(tree)
        self._imports = list(imports(tree))
        self._statements = [(first_line(node), node.end_lineno) for node in tree.body]
        self._codes = {}

    def differing(self, data):
        """Return module code, before and after, of the statements that differ, and the heads that do.

        In the code after, those heads of functions are as before (:mod:`function_heads`). Raises Unswappable.
        """
        lines = data.splitlines(keepends=True)
        head = common(self._lines, lines)
        tail = common(self._lines[head:][::-1], lines[head:][::-1])
        low, high = head + 1, len(self._lines) - tail  # the lines that differ, from 1
        if high < low:  # lines are added: after the one before
            low = high = max(1, head)
        met = [place for place in self._statements if place[0] <= high and low <= place[1]]
        if not met or low < met[0][0] or high > met[-1][1]:
            raise Unswappable("the change goes beyond statements")
        first, last = met[0][0], met[-1][1]
        if (first, last) not in self._codes:
            tree = self._parsed(self._lines[first - 1 : last], first)
            self._codes[first, last] = tree, self._compiled(tree)
        before, code = self._codes[first, last]
        after = self._parsed(lines[first - 1 : last + len(lines) - len(self._lines)], first)
        headed = self._heads.take(before, after, self._flags)
        return code, self._compiled(after), headed

    def _parsed(self, lines, first):
        text = "\n" * (first - 1) + b"".join(lines).decode(self._encoding)
        try:
            return compile(text, self._filename, "exec", self._flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise Unswappable("its statement does not compile alone: %s" % error) from None

    def _compiled(self, tree):
        whole = ast.Module([*self._imports, *tree.body], [])  # the names that a module imports are treated otherwise
        try:
            return compile(whole, self._filename, "exec", self._flags, dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise Unswappable("its statement does not compile alone: %s" % error) from None


def future_flags(tree):
    """Return the compiler's flags for the ``from __future__`` imports of a module."""
    flags = 0
    for node in tree.body:
        if type(node).__name__ == "ImportFrom" and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(importlib.import_module("__future__"), alias.name).compiler_flag
    return flags


def imports(node):
    """Yield every import of a module that is in no function and no class, but those from ``__future__``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            if getattr(child, "module", None) != "__future__":
                yield child
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.expr)):
            yield from imports(child)


def common(left, right):
    """Return how many items two lists begin with alike."""
    count = 0
    for one, other in zip(left, right):
        if one != other:
            break
        count += 1
    return count


def compare_outside(before, after, differing):
    """Compare code of modules and classes; append ``(before, after, whether inside another)`` of unequal functions."""
    inner = nested(before), nested(after)
    if len(inner[0]) != len(inner[1]) or not same(before, after, inner=False):
        raise Unswappable("more than the code of functions differs")
    for one, other in zip(*inner):
        if not one.co_flags & OPTIMIZED:
            compare_outside(one, other, differing)
        elif one.co_name != other.co_name:
            raise Unswappable("more than the code of functions differs")
        else:
            compare_functions(one, other, differing, False)


def compare_functions(before, after, differing, inner):
    if not same(before, after, lines=True):
        differing.append((before, after, inner))
        for one, other in zip(nested(before), nested(after)):
            if one.co_name == other.co_name:
                compare_functions(one, other, differing, True)


def nested(code):
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def key(code):
    return code.co_filename, code.co_firstlineno, code.co_name


def signature(code):
    """What decorators ask for: the parameters and the kind of function."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x4) + bool(code.co_flags & 0x8)
    return code.co_varnames[:count], code.co_argcount, code.co_posonlyargcount, code.co_flags & KINDS


def same(one, other, lines=False, inner=True):
    """Whether two codes are equal: with their ``lines``, with the code ``inner`` to them."""
    if one is other:
        return True
    if any(getattr(one, name) != getattr(other, name) for name in (CODE + LINES if lines else CODE)):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    for left, right in zip(one.co_consts, other.co_consts):
        if isinstance(left, types.CodeType) and isinstance(right, types.CodeType):
            if inner and not same(left, right, lines):
                return False
        elif type(left) is not type(right) or repr(left) != repr(right):
            return False
    return True
