"""Notices when the functions that run tests and report on them are no longer those that were imported.

A program that rewrites pytest in its own process is thereby caught if it does it plainly; see :mod:`pytest_run_plugin`
for what can't be. Python 3.8 to 3.13, standard library only.
"""

import re
import sys
import types

WATCHED = (
    *("_pytest.runner", "_pytest.reports", "_pytest.python", "_pytest.skipping", "_pytest.main", "_pytest.fixtures"),
    *("_pytest.unittest", "_pytest.doctest", "_pytest.outcomes", "_pytest.nodes", "_pytest.python_api"),
    *("pluggy", "pluggy._callers", "pluggy._execution", "pluggy._caller", "pluggy._hooks", "pluggy._manager"),
    *("pluggy.callers", "pluggy.hooks", "pluggy.manager"),
    *("_mendlab_pytest_run_plugin", "_mendlab_pytest_run_integrity"),
)

# What pytest's own plugin for legacy paths adds to classes for as long as a session lasts; nothing goes by it.
LEGACY = frozenset(("startdir", "fspath"))

# The hooks that run a test and say how it went.
DECIDING = (
    *("pytest_runtestloop", "pytest_runtest_protocol", "pytest_runtest_setup", "pytest_runtest_call"),
    *("pytest_pyfunc_call", "pytest_runtest_teardown", "pytest_runtest_makereport", "pytest_runtest_logreport"),
)

# What a program says that changes pytest, if it does not hide it.
REACHES_IN = re.compile(
    rb"\b_pytest\b|\bpluggy\b|setattr\(\s*['\"]?pytest\b|\bpytest(?:\.\w+)+\s*=[^=]|\bpytest\.(?:Item|Function)\b"
)


def reaches_in(files):
    """Whether one of the files of a tree may change pytest; those of defects are not out to deceive."""
    return any(REACHES_IN.search(data) for path, (data, _) in files.items() if path.endswith(".py"))


def make_watch():
    """Remember the code of every function and method of the watched modules; returns ``altered``.

    ``altered()`` returns the names of those that have other code now, and of what their classes have in addition.
    """
    known = []
    grown = []
    for module in [sys.modules[name] for name in WATCHED if name in sys.modules]:
        for owner in [module, *(value for value in vars(module).values() if own_class(value, module))]:
            prefix = owner.__name__ if owner is module else "%s.%s" % (module.__name__, owner.__name__)
            if owner is not module:
                grown.append((vars(owner), frozenset(vars(owner)) | LEGACY, prefix))
            for name, value in list(vars(owner).items()):
                function = function_of(value)
                if function is not None:
                    known.append((vars(owner), name, value, function, function.__code__, "%s.%s" % (prefix, name)))

    def altered(function_of=function_of):
        other = []
        for names, name, value, function, code, full in known:
            if names.get(name) is not value or function.__code__ is not code:
                now = function_of(names.get(name))
                if now is None or now.__code__ is not code:
                    other.append(full)
        for names, before, prefix in grown:
            if not names.keys() <= before:
                added = [name for name in names if name not in before and hasattr(type(names[name]), "__get__")]
                other += ["%s.%s" % (prefix, name) for name in added]
        return other

    return altered


def watch_hooks(config):
    """Remember who takes part in running a test; returns ``joined``, which returns the names of who does so since."""
    hooks = [getattr(config.hook, name) for name in DECIDING]
    known = {id(impl.function): impl.function for hook in hooks for impl in hook.get_hookimpls()}

    def joined():
        found = [impl.function for hook in hooks for impl in hook.get_hookimpls()]
        others = [function for function in found if id(function) not in known]
        return sorted({"%s.%s" % (function.__module__, function.__qualname__) for function in others})

    return joined


def own_class(value, module):
    return isinstance(value, type) and value.__module__ == module.__name__


def function_of(value):
    """Return a function, that of a static or class method, or a property's getter; None of anything else."""
    value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    return value if isinstance(value, types.FunctionType) else None
