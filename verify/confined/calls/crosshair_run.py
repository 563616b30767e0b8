"""Runner that has CrossHair look for arguments on which two versions of a function differ. See :mod:`zygote`.

Both versions are in this process, so it decides nothing: what it finds is an input like any other. Runs under the lab's
own Python, with the package ``crosshair-tool``.
"""

import importlib
import os
import sys

load = sys.modules["__main__"].load
scratch_tree = load("scratch_tree")

REUSABLE = True


def prepare(config):
    """Nothing is known before a request comes."""
    return config


def run(state, request, emit, fds):
    """``request``: ``trees`` (files of both versions), ``roots``, ``module`` and ``function``, the ``annotations`` of
    parameters by name where they have none, and ``seconds``. Emits ``{parameter: source text}`` for each difference.
    """
    here, path = os.getcwd(), list(sys.path)
    versions = []
    for number, files in enumerate(request["trees"]):
        work = os.path.join(here, "version%d" % number)
        scratch_tree.lay_out(scratch_tree.unpack(files), work, {})
        sys.path[:] = [os.path.join(work, root) for root in request["roots"]] + path
        importlib.invalidate_caches()
        before = set(sys.modules)
        versions.append(vars(importlib.import_module(request["module"]))[request["function"]])
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(work):
                del sys.modules[name]
    names = {name: eval(text, vars(importlib.import_module("typing"))) for name, text in request["annotations"].items()}
    for function in versions:
        function.__annotations__ = {**names, **function.__annotations__}
    for difference in differences(versions, request["seconds"]):
        emit(difference)


def differences(versions, seconds):
    diff_behavior = importlib.import_module("crosshair.diff_behavior")
    options = importlib.import_module("crosshair.options")
    information = importlib.import_module("crosshair.fnutil").FunctionInfo
    importlib.import_module("crosshair.core_and_libs")
    chosen = options.DEFAULT_OPTIONS.overlay(per_condition_timeout=seconds, per_path_timeout=max(1.0, seconds / 4))
    found = diff_behavior.diff_behavior(
        *(information.from_fn(function) for function in versions),
        options=chosen,
        exception_equivalence=diff_behavior.ExceptionEquivalenceType.SAME_TYPE,
    )
    return [] if isinstance(found, str) else [difference.args for difference in found]
