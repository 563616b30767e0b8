"""Runner that records the calls which the tests of a function harness make on the reference. See :mod:`zygote`.

Reference and tests are both the task's own, so one process may hold them. Python 3.8 to 3.13, standard library only.
"""

import contextlib
import io
import os
import random
import sys
import types

load = sys.modules["__main__"].load
calls = load("calls")
candidate_run = load("candidate_run")
lines_of = load("lines")

REUSABLE = True


def prepare(config):
    """``config``: ``module`` (path in the tree) and ``groups`` of ``[setup, [code, ...]]``."""
    return config


def run(state, request, emit, fds):
    """``request``: ``source`` and ``files`` as in :mod:`candidate_run`.

    Emits, once all steps are done, the ``calls`` from outside and ``inner`` ones, and the lines of the module that ran:
    ``imported`` and ``tested``.
    """
    random.seed(0)
    path = candidate_run.lay_out(state["module"], request["files"])
    name = os.path.splitext(os.path.basename(state["module"]))[0]
    module = types.ModuleType(name)
    module.__file__ = path
    imported, tested = lines_of.Lines([path]), lines_of.Lines([path])
    with imported:
        candidate_run.load_module(module, request["source"].encode("latin-1"), path, ())
    recorder = calls.Recorder()
    recorder.wrap(vars(module))
    with tested:
        for setup, steps in state["groups"]:
            namespace = {**vars(module), "__name__": "__mendlab_tests__"}
            for code in (setup, *steps):
                with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, "<tests>", "exec", dont_inherit=True), namespace)
    emit(
        {
            "calls": recorder.calls,
            "inner": recorder.inner,
            "modules": recorder.modules,
            "imported": sorted(imported.found[path]),
            "tested": sorted(tested.found[path]),
        }
    )
