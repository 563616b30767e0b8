"""Runner for mutants of a function harness: the test program with the mutant in one process. See :mod:`zygote`.

Half the work of :mod:`oracle_run`, which keeps the two apart, with the same events at the end. For mutants, which are
not out to deceive; whoever is judged is run apart. Python 3.8 to 3.13, standard library only.
"""

import os
import random
import sys
import types

load = sys.modules["__main__"].load
oracle = load("oracle_run")
candidate = load("candidate_run")
steps = load("oracle_steps")

REUSABLE = True
prepare = oracle.prepare


def run(state, request, emit, fds):
    """``request``: ``source`` (the mutant, latin-1 text), and ``groups``, ``tests`` and ``stop`` as for the oracle."""
    random.seed(state["seed"])
    error = oracle.take_reference(state)
    if error:
        emit([{"load_error": error}])
        return
    path = os.path.basename(state["module"])
    module = types.ModuleType(state["name"])
    module.__file__ = path
    error, supplied = candidate.load_module(module, request["source"].encode("latin-1"), path, state["supplied"])
    if error is not None:
        emit([{"load_error": error}])
        return
    told = [{"loaded": True}]
    session = Session(state, request, told.append, path)
    session.run(supplied)
    emit([*told, {"end": True}])
    os._exit(0)


class Session(oracle.Session):  # type: ignore[name-defined,misc]
    """The run of the test program against a mutant beside it."""

    def __init__(self, state, request, emit, path):
        self.state = state
        self.request = request
        self.emit = emit
        self.path = path
        self.comparison = steps.Comparison()
        self.objects = types.SimpleNamespace(quiet=False)
        self.peer = types.SimpleNamespace(cpu_seconds=0.0, lost=None)

    def begin_group(self, group, names):
        """Nothing travels."""

    def know_classes(self, names):
        """Nothing travels."""

    def perform(self, code, names):
        error = super().perform(code, names)
        if isinstance(error, AssertionError) and self.comes_from_the_mutant(error):
            vars(error)["_mendlab_of_candidate"] = True
        return error

    def comes_from_the_mutant(self, error):
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        return trace is not None and trace.tb_frame.f_code.co_filename == self.path
