"""Runner that does recorded calls on one version of a program, and tells how each ended. See :mod:`zygote`.

Python 3.8 to 3.13, standard library only.
"""

import contextlib
import importlib
import os
import random
import sys

load = sys.modules["__main__"].load
calls = load("calls")
candidate_run = load("candidate_run")
lines_of = load("lines")
scratch_tree = load("scratch_tree")

REUSABLE = True


def prepare(config):
    """Nothing is known before a request comes."""
    return config


def run(state, request, emit, fds):
    """``request``: ``files`` (the whole tree), ``roots`` and ``modules`` to import, ``calls``, those to ``skip``,
    and the files to ``trace``. Emits ``[index, null]`` when it begins a call, ``[index, how it ended]``, and last, if
    asked, the ``lines`` that the calls ran.
    """
    work = os.path.join(os.getcwd(), "tree")
    scratch_tree.lay_out(scratch_tree.unpack(request["files"]), work, {})
    os.chdir(work)
    sys.path[:0] = [os.path.join(work, root) for root in request["roots"]]
    modules = {}
    for name in request["modules"]:
        with contextlib.suppress(Exception):
            modules[name] = importlib.import_module(name)
    classes = calls.classes_of(modules)
    for name in [name for name in sys.modules if name.startswith("_mendlab_")]:
        del sys.modules[name]
    lines = lines_of.Lines(request["trace"])
    for index, call in enumerate(request["calls"]):
        if index in request["skip"]:
            continue
        emit([index, None])
        random.seed(index)
        with lines:
            ending = calls.do(call, modules, classes)
        emit([index, ending])
    if request["trace"]:
        emit({"lines": {path: sorted(found) for path, found in lines.found.items()}})
