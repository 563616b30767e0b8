"""Runner that does calls on one version of a program, and tells how each ended. See :mod:`zygote`.

Python 3.8 to 3.13, standard library only.
"""

import contextlib
import functools
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
UNBOUNDED = 1e6
OTHER_SEEDS = (1, 2, 3, 4, 5, 6)


def prepare(config):
    """Nothing is known before a request comes."""
    return config


def run(state, request, emit, fds):
    """``request``: ``files`` (the whole tree), ``roots`` and ``modules`` to import, ``calls``, those to ``skip``, and
    the files to ``trace``. Calls from ``fresh_from`` on (none, if not given) may each take so many ``fresh_seconds``,
    and the rest is left once ``patience`` of them took longer; others may take ``seconds``. Their texts are objects
    of their own, unless calls are done ``otherwise``: then all texts are the objects that literals are, and a call that
    asks for random numbers is done under several seeds, and is ``absent`` if it does not end alike under all.

    Emits ``[index, null]`` when it begins a call, and ``[index, how it ended]``; or, where several are told of
    ``together``, lists of the latter alone. Last a mapping: if asked, with the ``lines`` that the calls of each
    function ran, ``[[module, function, {file: lines}], ...]``.
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
    fresh_from, patience = request.get("fresh_from", len(request["calls"])), request.get("patience", 1)
    otherwise = request.get("otherwise", False)
    together, skip = request.get("together", 1), set(request["skip"])
    told, traced = [], {}  # type: ignore[var-annotated]
    for index, call in enumerate(request["calls"]):
        is_fresh = index >= fresh_from
        if index in skip or (is_fresh and patience <= 0):
            continue
        if together == 1:
            emit([index, None])
        lines = traced.setdefault((call[0], call[1]), lines_of.Lines(request["trace"]))
        seconds = request["fresh_seconds"] if is_fresh else request.get("seconds", UNBOUNDED)
        perform = candidate_run.call if otherwise or not is_fresh else as_it_is
        with lines:
            ending = under_seeds(
                OTHER_SEEDS if otherwise else (0,),
                functools.partial(calls.do, call, modules, classes, seconds, printed, perform),
            )
        patience -= is_fresh and ending[0] == "timeout"
        told.append([index, ending])
        if len(told) >= together:
            emit(told if together > 1 else told[0])
            told = []
    if told:
        emit(told)
    lines = [[*place, {path: sorted(run) for path, run in found.found.items()}] for place, found in traced.items()]
    emit({"lines": lines} if request["trace"] else {})


def under_seeds(seeds, do):
    """How a call ends under the first of some seeds of :mod:`random`, if it ends so under all."""
    random.seed(seeds[0])
    before = random.getstate() if len(seeds) > 1 else None
    ending = do()
    if before is not None and random.getstate() != before:
        for seed in seeds[1:]:
            random.seed(seed)
            if do() != ending:
                return ["absent", "chance"]
    return ending


def as_it_is(function, args, kwargs):
    return function(*args, **kwargs)
