"""Runner that does calls on one version of a program, and tells how each ended. See :mod:`zygote`.

Python 3.8 to 3.13, standard library only.
"""

import contextlib
import importlib
import os
import random
import sys

load = sys.modules["__main__"].load
calls = load("calls")
candidate_output = load("candidate_output")
candidate_run = load("candidate_run")
lines_of = load("lines")
scratch_tree = load("scratch_tree")

REUSABLE = True


def prepare(config):
    """Nothing is known before a request comes."""
    return config


def run(state, request, emit, fds):
    """``request``: ``files`` (the whole tree), ``roots`` and ``modules`` to import, ``calls``, those to ``skip``, the
    ``seconds`` that one may take, before ``fresh_from`` and from there on, how many of these may take too long
    (``patience``), how many are told of ``together``, and the files to ``trace``.

    Emits ``[[index, how it ended], ...]``, where calls are told of one by one ``[[index, null]]`` before each, and
    last a mapping: if asked, with the ``lines`` that the calls of each function ran, ``[[module, function, {file:
    lines}], ...]``.
    """
    work = os.path.join(os.getcwd(), "tree")
    scratch_tree.lay_out(scratch_tree.unpack(request["files"]), work, {})
    os.chdir(work)
    sys.path[:0] = [os.path.join(work, root) for root in request["roots"]]
    sys.stdout, printed = candidate_output.capture()
    modules = {}
    for name in request["modules"]:
        with contextlib.suppress(Exception):
            modules[name] = importlib.import_module(name)
    calls.watch_time()
    classes = calls.classes_of(modules)
    for name in [name for name in sys.modules if name.startswith("_mendlab_")]:
        del sys.modules[name]
    together, patience, skip = request["together"], request["patience"], set(request["skip"])
    told, traced = [], {}  # type: ignore[var-annotated]
    for index, call in enumerate(request["calls"]):
        is_fresh = index >= request["fresh_from"]
        if index in skip or (is_fresh and patience <= 0):
            continue
        if together == 1:
            emit([[index, None]])
        random.seed(index)
        lines = traced.setdefault((call[0], call[1]), lines_of.Lines(request["trace"]))
        with lines:
            ending = calls.do(call, modules, classes, request["seconds"][is_fresh], printed, candidate_run.call)
        patience -= is_fresh and ending[0] == "timeout"
        told.append([index, ending])
        if len(told) >= together:
            emit(told)
            told = []
    emit(told)
    lines = [[*place, {path: sorted(run) for path, run in found.found.items()}] for place, found in traced.items()]
    emit({"lines": lines} if request["trace"] else {})
