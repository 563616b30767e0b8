"""Runner that tries many versions of one module in one process, one after another. See :mod:`zygote`.

For a search that tries its own changes: what passes here is run again by an engine that keeps the sides apart. What
takes too long is told so; what cannot be stopped ends the process, and the lab goes on behind it.
Python 3.8 to 3.13, standard library only.
"""

import contextlib
import hashlib
import io
import json
import os
import random
import signal
import sys
import types

load = sys.modules["__main__"].load
oracle = load("oracle_run")
candidate = load("candidate_run")
together = load("together_run")
calls_of = load("calls")

REUSABLE = True
prepare = oracle.prepare
AGAIN_SECONDS = 0.02
TIMES_TO_THE_KILL = 5
MOST_NAMES = 40
MOST_LATE = 3
UNKNOWN = (None, "", 0.0, ())


class Overdue(BaseException):
    """The time of a version is over."""


class Clock:
    """CPU time for one version: first an exception, again and again; where that does not help, the process ends."""

    def __init__(self):
        self.over = False
        signal.signal(signal.SIGVTALRM, self._ring)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def _ring(self, *_):
        self.over = True
        raise Overdue

    def begin(self, seconds):
        """Have the time begin anew."""
        signal.setitimer(signal.ITIMER_PROF, seconds * TIMES_TO_THE_KILL)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_SECONDS)

    @contextlib.contextmanager
    def limit(self, seconds):
        self.over = False
        try:
            self.begin(seconds)
            yield
        except Overdue:
            self.over = True
        finally:
            while True:
                try:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                    signal.setitimer(signal.ITIMER_PROF, 0)
                    break
                except Overdue:
                    continue


class Session(together.Session):  # type: ignore[name-defined,misc]
    """The tests on one version; ends where its time is over."""

    def __init__(self, state, request, emit, path, clock):
        super().__init__(state, request, emit, path)
        self.clock = clock

    def perform(self, code, names):
        error = super().perform(code, names)
        if self.clock.over:
            raise Overdue
        return error


def run(state, request, emit, fds):
    """``request["ask"]`` is one of ``profile``, ``screen`` and ``behave``: see those functions."""
    random.seed(state["seed"])
    error = oracle.take_reference(state)
    if error and request["ask"] != "screen":
        emit({"load_error": error})
        return
    sys.stdout = io.StringIO()
    path = os.path.basename(state["module"])
    {"profile": profile, "screen": screen, "behave": behave}[request["ask"]](state, request, emit, path)
    os._exit(0)


def loaded(state, source, path):
    """A new module of a source; returns it with what the tests are supplied from it, or None if it cannot be had."""
    module = types.ModuleType(state["name"])
    module.__file__ = path
    error, supplied = candidate.load_module(module, source.encode("latin-1"), path, state["supplied"])
    return module, supplied, error


def screen(state, request, emit, path):
    """``sources`` of versions; ``first`` and ``rest`` are requests for tests; ``seconds`` for each version.

    ``probe`` is a request for one quick test, without which no other is run; or None. Then those that pass it have
    ``more_seconds``.
    Emits for each: the tests of ``first`` that pass (as positions), and what became of the ``rest``: ``"passed"``,
    ``"failed"``, ``"slow"``, or ``"broken"`` where it cannot be imported.
    """
    clock = Clock()
    for source in request["sources"]:
        passed, word = [], "slow"  # type: ignore[var-annotated]
        sys.stdout = io.StringIO()
        with clock.limit(request["seconds"]):
            passed, word = tried(state, request, source, path, clock, passed)
        emit([passed, "slow" if clock.over else word])


def tried(state, request, source, path, clock, passed):
    random.seed(state["seed"])
    try:
        _, supplied, error = loaded(state, source, path)
    except MemoryError:
        return passed, "broken"
    if error is not None:
        return passed, "broken"
    first, rest, probe = request["first"], request["rest"], request["probe"]
    if probe is not None:
        probed = []
        Session(state, probe, lambda event: probed.append(event["outcome"]), path, clock).run(supplied)
        if probed != ["passed"]:
            return passed, "failed"
        clock.begin(request["more_seconds"])
    order = {test: index for index, test in enumerate(first["tests"])}

    def told(event):
        if event["outcome"] == "passed" and event["test"] in order:
            passed.append(order[event["test"]])

    Session(state, first, told, path, clock).run(supplied)
    if len(passed) < len(order):
        return passed, "failed"
    outcomes = []
    if rest["tests"]:
        Session(state, rest, lambda event: outcomes.append(event["outcome"]), path, clock).run(supplied)
    good = len(outcomes) == len(rest["tests"]) and set(outcomes) <= {"passed"}
    return passed, "passed" if good else "failed"


def profile(state, request, emit, path):
    """What each test of the ``program`` does on ``source``: timed in ``seconds`` each, traced in ``traced_seconds``.

    Those to ``skip`` are not timed. Emits ``tests``: id, outcome (None if not timed), message, CPU time and lines run;
    ``imported`` lines; the ``types`` seen of each function's names; and the ``calls`` that tests make.
    """
    clock, tracer = Clock(), Tracer(path)
    _, supplied, error = loaded(state, request["source"], path)
    if error is not None:
        emit({"load_error": error})
        return
    program, endless = request["program"], request["skip"]
    timed = in_turn(state, {**program, "skip": endless}, supplied, path, clock, request["seconds"])
    with tracer:
        module, supplied, _ = loaded(state, request["source"], path)
    imported = tracer.take()
    recorder = calls_of.Recorder()
    recorder.wrap(vars(module))
    supplied = {name: vars(module).get(name, value) for name, value in supplied.items()}
    traced = in_turn(state, program, supplied, path, clock, request["traced_seconds"], tracer)
    emit(
        {
            "tests": [[test, *timed.get(test, UNKNOWN)[:3], traced.get(test, UNKNOWN)[3]] for test in program["tests"]],
            "imported": imported,
            "types": tracer.types(),
            "calls": recorder.calls,
        }
    )


def in_turn(state, program, supplied, path, clock, seconds, tracer=None):
    """Run the tests of a program, each in so many seconds: outcome, message, CPU time and lines by test.

    After a few that take too long the rest is left.
    """
    told, late = {}, list(program["skip"])  # type: ignore[var-annotated]
    lines = tracer.take if tracer else list

    def report(event):
        told[event["test"]] = event["outcome"], event["message"], event["cpu"], lines()
        clock.begin(seconds)

    for _ in range(MOST_LATE):
        left = [test for test in program["tests"] if test not in told and test not in late]
        if not left:
            break
        with clock.limit(seconds), tracer or contextlib.nullcontext():
            Session(state, {**program, "tests": left, "skip": late}, report, path, clock).run(supplied)
        missed = next((test for test in left if test not in told), None)
        if missed is None:
            break
        told[missed] = "timeout", "", seconds, lines()
        late.append(missed)
    return told


class Tracer:
    """Notes the lines of one file that run, and of what types the names of its functions are."""

    def __init__(self, path):
        self._path = path
        self._lines = set()
        self._types = {}

    def __enter__(self):
        sys.settrace(self._call)

    def __exit__(self, *_):
        sys.settrace(None)

    def take(self):
        lines, self._lines = sorted(self._lines), set()
        return lines

    def types(self):
        return {name: {each: sorted(kinds) for each, kinds in names.items()} for name, names in self._types.items()}

    def _call(self, frame, *_):
        if frame.f_code.co_filename != self._path:
            return None
        self._line(frame, "line", None)
        return self._line

    def _line(self, frame, event, _):
        if event in ("line", "return"):
            self._lines.add(frame.f_lineno)
            names = self._types.setdefault("%s:%d" % (frame.f_code.co_name, frame.f_code.co_firstlineno), {})
            for name, value in list(frame.f_locals.items())[:MOST_NAMES]:
                names.setdefault(name, set()).add(type(value).__name__)
        return self._line


def behave(state, request, emit, path):
    """How each of the ``calls`` ends on ``source``, in ``seconds`` each: emits a digest or None for each, in turn."""
    module, _, error = loaded(state, request["source"], path)
    if error is not None:
        emit([])
        return
    module_of = {module.__name__: module}
    calls_of.watch_time()
    classes = calls_of.classes_of(module_of)
    patience = request["patience"]
    for call in request["calls"]:
        if patience <= 0:
            emit(None)
            continue
        random.seed(0)
        ended = calls_of.do(call, module_of, classes, request["seconds"], lambda: "", candidate.call)
        patience -= ended[0] == "timeout"
        known = ended[0] in ("returns", "raises", "timeout")
        if ended[0] == "raises":
            ended = ended[:2]
        emit([ended[0], hashlib.sha256(json.dumps(ended).encode()).hexdigest()[:16]] if known else None)
