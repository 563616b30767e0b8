"""Has the modules of a directory compiled from a changed syntax tree when they are imported. Python 3.8 to 3.13.

What is added to a tree can hold live objects as constants (:func:`embed`), so that ``embed(array)[17] = 1`` as a
statement touches no name, no global and no frame. Only what ``SourceFileLoader`` compiles is changed: no file that runs
otherwise, and no test file, which pytest loads itself. Nothing is read from or written to bytecode caches.
Standard library only.
"""

import ast
import contextlib
import functools
import importlib.machinery
import itertools
import os
import re
import types
import warnings
from typing import Any

NUMBERS = itertools.count()
MARKERS: "dict[int, Any]" = {}  # id of a thing -> the constant (a frozenset) that stands for it
THINGS: "dict[Any, object]" = {}
# A source text has no frozenset that is called or subscripted: these warnings are of our making.
OURS = ("ignore", re.compile("'frozenset' object is not "), SyntaxWarning, None, 0)


def embed(thing):
    """Return an expression for an object itself; :func:`link` must see the code that it is compiled to.

    It may be called, subscripted, an argument, or the object of an attribute: operators and conditions on it are
    computed by the compiler. Code that holds an unhashable thing can't be hashed. The node has no location yet.
    """
    marker: Any = MARKERS.get(id(thing))
    if marker is None:
        # The compiler merges equal constants, and folds no subscript of a frozenset.
        marker = MARKERS[id(thing)] = frozenset((b"mendlab", next(NUMBERS)))
        THINGS[marker] = thing
    return ast.Constant(value=marker, kind=None)


def link(code):
    """Return a code object with embedded things in place of what stands for them, in nested code as well."""
    constants = tuple(linked(constant) for constant in code.co_consts)
    if all(new is old for new, old in zip(constants, code.co_consts)):
        return code
    return code.replace(co_consts=constants)


def linked(constant):
    if isinstance(constant, types.CodeType):
        return link(constant)
    if type(constant) is frozenset:
        return THINGS.get(constant, constant)
    if type(constant) is tuple:
        inner = tuple(linked(item) for item in constant)
        return constant if all(new is old for new, old in zip(inner, constant)) else inner
    return constant


def build(data, filename, path, transform):
    """Return the linked code of a module whose source is ``data``. Raises what parsing and compiling raise."""
    tree: Any = compile(data, filename, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    changed = transform(path, tree)
    filters = warnings.filters
    warnings.filters = [OURS, *filters]  # catch_warnings would have every warning given once be given again
    try:
        code = compile(tree if changed is None else changed, filename, "exec", dont_inherit=True)
    finally:
        warnings.filters = filters
    return link(code)


def install(directory, transform):
    """From now on, compile what is imported from below ``directory`` as ``transform(path, tree)`` says.

    ``path`` is relative to the directory, with slashes; ``tree`` may be changed in place. Returned is the
    ``ast.Module`` to compile, all of whose nodes have locations, or None where the tree is as it was. Where the changed
    one cannot be compiled, the file is as it is. Loaders that compile by themselves are left alone.

    Returned is what compiles files ahead, given their names: for this process, and those that it forks.
    """
    loader = importlib.machinery.SourceFileLoader
    before, compiles = loader.get_code, loader.source_to_code
    directory = os.path.realpath(directory)
    ready: "dict[tuple[str, bytes], types.CodeType]" = {}

    def get_code(self, fullname):
        filename = self.get_filename(fullname)
        path = inside(directory, filename)
        if path is None or type(self).source_to_code is not compiles:
            return before(self, fullname)
        data = self.get_data(filename)
        if (filename, data) in ready:
            return ready[filename, data]
        try:
            return build(data, filename, path, transform)
        except (SyntaxError, ValueError, RecursionError):
            return self.source_to_code(data, filename)

    def compile_ahead(filenames):
        for filename in filenames:
            path = inside(directory, filename)
            if path is None or not os.path.isfile(filename):
                continue
            with open(filename, "rb") as file, warnings.catch_warnings():
                warnings.simplefilter("error")  # what the compiler warns of, it is to warn of where it is imported
                data = file.read()
                with contextlib.suppress(SyntaxError, ValueError, RecursionError, Warning):
                    ready[filename, data] = build(data, filename, path, transform)

    loader.get_code = get_code  # type: ignore[method-assign]
    return compile_ahead


def inside(directory, filename):
    """Return a file's path below a directory (as ``realpath`` has it) with slashes, or None if it lies elsewhere.

    However the file's name is spelled: through links, with ``..``, relative to the directory that is the current one.
    """
    if filename.startswith("<"):
        return None
    try:
        return inside_whole(directory, os.path.join(os.getcwd(), filename))
    except (OSError, ValueError):
        return None


@functools.lru_cache(maxsize=8192)
def inside_whole(directory, filename):
    prefix, filename = os.path.join(directory, ""), os.path.realpath(filename)
    return filename[len(prefix) :].replace(os.sep, "/") if filename.startswith(prefix) else None
