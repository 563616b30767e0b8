"""What candidate and oracle prepare alike: modules, and the test program's classes, whose instances travel by value.

Python 3.8 to 3.13, standard library only.
"""

import enum
import importlib

# Imported before the first run where a program imports them; what is not loaded keeps a fork cheap.
PRELOADABLE = frozenset(
    "abc array ast bisect cmath collections contextlib copy dataclasses datetime decimal enum fractions functools"
    " hashlib heapq inspect io itertools json math numbers operator queue random re statistics string struct textwrap"
    " time typing unicodedata unittest".split()
)


def preload(names):
    """Import those of the modules that are common and do nothing when imported."""
    for name in PRELOADABLE.intersection(names):
        importlib.import_module(name)


def compile_all(groups):
    """``groups``: for each group the sources of its imports and class definitions, as :func:`define` wants them."""
    return [[compile(source, "<tests>", "exec", dont_inherit=True) for source in sources] for sources in groups]


def define(codes, known):
    """Execute the definitions one by one, on top of names known; returns the classes made, without those that fail."""
    namespace = {**known, "__name__": "__mendlab_tests__"}
    before = dict(namespace)
    for code in codes:
        try:
            exec(code, namespace)
        except Exception:
            continue
    return {
        name: value
        for name, value in namespace.items()
        if isinstance(value, type) and value is not before.get(name) and value.__module__ == "__mendlab_tests__"
    }


def travels(cls):
    """Whether instances can be made without calling anything of theirs and consist of nothing but attributes."""
    if issubclass(cls, (BaseException, enum.Enum)):
        return False
    try:
        object.__new__(cls)
    except TypeError:
        return False
    return True
