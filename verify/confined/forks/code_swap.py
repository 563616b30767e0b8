"""Puts a changed source into a process that has imported the original: functions get their new code in place.

Only what is the same as importing the changed file is done: nothing outside functions may differ, and every function
that differs is alive as it was compiled, has the same signature and has not run yet; the file has been imported, but
not read otherwise. Where not, :class:`Unswappable` says why, and nothing is changed. Python 3.8 to 3.13, standard
library only.
"""

import ast
import contextlib
import gc
import importlib
import os
import sys
import threading
import tokenize
import types
import warnings

load = sys.modules["__main__"].load
first_line = load("statements").first_line
hear_starts = load("processes").hear_starts
inside = load("instrumented").inside

CODE = [
    *("co_name", "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_argcount"),
    *("co_posonlyargcount", "co_kwonlyargcount"),
    *(["co_exceptiontable"] if sys.version_info >= (3, 11) else []),
]
LINES = ["co_firstlineno", "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"]
OPTIMIZED = 0x1  # set in the code of functions, not of modules and classes
BEGUN = {types.GeneratorType: "gi_code", types.CoroutineType: "cr_code", types.AsyncGeneratorType: "ag_code"}
KINDS = 0x4 | 0x8 | 0x20 | 0x80 | 0x200  # *args, **kwargs, generator, coroutine, asynchronous generator


class Unswappable(Exception):
    """The change shows only where the file is imported with it."""


class Watch:
    """Notes what a process does with the code of files below a directory while this is on.

    Attributes:
        touched: keys of functions and classes that run.
        blind: why changes cannot be told from what was noted, or None.
    """

    def __init__(self, directory):
        self._directory = directory
        self._ours = {}  # file name of a code object -> whether it lies in the directory
        self.touched = set()
        self.blind: "str | None" = None
        self._hear_no_more = hear_starts(self._started)
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def stop(self):
        self._hear_no_more()
        if sys.getprofile() != self._note:
            self.blind = "what it ran was hidden by a profiler"
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame, event, argument):
        if event == "call" and self._is_ours(frame.f_code):
            self.touched.add(key(frame.f_code))

    def _is_ours(self, code):
        ours = self._ours.get(code.co_filename)
        if ours is None:
            ours = self._ours[code.co_filename] = inside(self._directory, code.co_filename) is not None
        return ours

    def _started(self, tells):
        if not tells:
            self.blind = "a process was started when its tests were collected"


class Image:
    """What a process has imported from below a directory; ``watch`` and ``reads`` are there since before the first.

    ``heads`` is :mod:`function_heads`, or None where something may look at heads of functions.
    """

    def __init__(self, directory, watch, reads, heads):
        self._directory = directory
        self._heads = heads
        self._opened = frozenset(reads.opened)
        self._read = frozenset(reads.take())
        self._blind = watch.blind
        self._touched = set(watch.touched)
        self._functions: "dict[tuple[str, int, str], list[types.FunctionType]]" = {}
        self._spellings = {}  # path -> the names that its code has for the file
        self._sources = {}
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType:
                if self._is_ours(thing.__code__):
                    self._functions.setdefault(key(thing.__code__), []).append(thing)
            elif type(thing) in BEGUN:
                self._touched.add(key(getattr(thing, BEGUN[type(thing)])))

    def _is_ours(self, code):
        path = inside(self._directory, code.co_filename)
        if path is not None:
            self._spellings.setdefault(path, set()).add(code.co_filename)
        return path is not None

    def swaps(self, path, old, new):
        """Return ``[(function, attribute, value)]``: what makes the process as if it had imported a changed file.

        ``old`` and ``new`` are the bytes of the file, as imported and as they are to be. Raises Unswappable.
        """
        if self._blind is not None:
            raise Unswappable(self._blind)
        if path not in self._opened:
            return []  # whoever imports it finds it changed
        if path in self._read:
            raise Unswappable("its text or code was read when the tests were collected")
        found = []
        for filename in sorted(self._spellings.get(path, {os.path.join(self._directory, path)})):
            if filename not in self._sources:
                self._sources[filename] = source = Source(filename, old, self._heads)
                source.others = [name for name in self._names_of(filename) if not self._are_from(source, *name)]
            found += self._swaps(filename, self._sources[filename], new)
        return found

    def _names_of(self, filename):
        return [(line, name) for file, line, name in self._functions if file == filename]

    def _are_from(self, source, line, name):
        """Whether all functions of that place have code which the source is compiled to."""
        codes = source.codes.get((line, name), ())
        functions = self._functions[source.filename, line, name]
        return all(any(same(f.__code__, code, lines=True) for code in codes) for f in functions)

    def _swaps(self, filename, source, new):
        differing: "list[tuple[types.CodeType, types.CodeType, bool]]" = []
        was, now, headed = source.differing(new)
        compare_outside(was, now, differing)
        if source.others:
            raise Unswappable("%s is alive otherwise than it was compiled" % source.others[0][1])
        found = []
        for name, line, head in headed:
            functions = self._functions.get((filename, line, name), ())
            if not functions:
                raise Unswappable("%s is not alive as it was compiled" % name)
            if (filename, line, name) in self._touched:
                raise Unswappable("%s has run already" % name)
            found += [(function, *item) for function in functions for item in head.attributes(function)]
        for before, after, inner in differing:
            functions = [f for f in self._functions.get(key(before), ()) if same(f.__code__, before, lines=True)]
            if not functions and not inner:
                raise Unswappable("%s is not alive as it was compiled" % before.co_name)
            if key(before) in self._touched and not same(before, after, inner=False):
                raise Unswappable("%s has run already" % before.co_name)
            if inner and not functions:
                continue  # it is made anew by each call of the function that it is in
            if first_text(before) != first_text(after):
                raise Unswappable("%s may have another docstring" % before.co_name)
            if before.co_freevars != after.co_freevars:
                raise Unswappable("%s closes over other names" % before.co_name)
            if not inner and signature(before) != signature(after):
                raise Unswappable("%s has another signature" % before.co_name)
            found += [(function, "__code__", after) for function in functions]
        return found


class Source:
    """A file as it was imported, cut into its top-level statements, so that no more than needed is compiled.

    ``codes`` has what it was compiled to, by line and name.
    """

    def __init__(self, filename, data, heads):
        self.filename = filename
        self.others: "list[tuple[int, str]]" = []
        self.codes: "dict[tuple[int, str], list[types.CodeType]]" = {}
        self._heads = heads
        self._lines = data.splitlines(keepends=True)
        self._encoding = tokenize.detect_encoding(iter(self._lines).__next__)[0]
        with warnings_are("ignore"):
            tree = ast.parse(data, filename)
            whole = compile(tree, filename, "exec", dont_inherit=True)
        self._flags = future_flags(tree)
        self._imports = list(imports(tree))
        self._statements = [(first_line(node), node.end_lineno) for node in tree.body]
        self._statement_codes = {}
        for code in all_nested(whole):
            self.codes.setdefault((code.co_firstlineno, code.co_name), []).append(code)

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
        if (first, last) not in self._statement_codes:
            tree = self._parsed(self._lines[first - 1 : last], first)
            self._statement_codes[first, last] = tree, self._compiled(tree)
        before, code = self._statement_codes[first, last]
        after = self._parsed(lines[first - 1 : last + len(lines) - len(self._lines)], first)
        headed = [] if self._heads is None else self._heads.take(before, after, self._flags)
        return code, self._compiled(after), headed

    def _parsed(self, lines, first):
        text = "\n" * (first - 1) + b"".join(lines).decode(self._encoding)
        return self._given(text, self._flags | ast.PyCF_ONLY_AST)

    def _compiled(self, tree):
        whole = ast.Module([*self._imports, *tree.body], [])  # the names that a module imports are treated otherwise
        return self._given(whole, self._flags)

    def _given(self, source, flags):
        """Compile what gives no warning: who imports it would hear of that."""
        try:
            with warnings_are("error"):
                return compile(source, self.filename, "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, Warning) as error:
            raise Unswappable("its statement does not compile alone: %s" % error) from None


@contextlib.contextmanager
def warnings_are(action):
    """Treat every warning so, and leave no trace: ``catch_warnings`` would have those given once be given again."""
    filters = warnings.filters
    warnings.filters = [(action, None, Warning, None, 0)]
    try:
        yield
    finally:
        warnings.filters = filters


def all_nested(code):
    """Yield a code object and all that are in it."""
    yield code
    for inner in nested(code):
        yield from all_nested(inner)


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


def first_text(code):
    """Return what is the docstring of a function that has one."""
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None


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
