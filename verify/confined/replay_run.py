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
    lines = Lines(work, request["trace"])
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


class Lines:
    """Which lines of some files run within the ``with`` block; nothing is traced where there are no files."""

    def __init__(self, work, paths):
        self.found = {path: set() for path in paths}  # type: ignore[var-annotated]
        self.files = {os.path.realpath(os.path.join(work, path)): self.found[path] for path in paths}

    def __enter__(self):
        if self.files:
            sys.settrace(self.trace_call)

    def __exit__(self, *_):
        sys.settrace(None)

    def trace_call(self, frame, *_):
        found = self.files.get(os.path.realpath(frame.f_code.co_filename))
        if found is None:
            return None
        found.add(frame.f_lineno)

        def trace_line(frame, event, _):
            if event == "line":
                found.add(frame.f_lineno)
            return trace_line

        return trace_line
