"""Runner for the oracle of a function harness: the test program, which alone holds what is expected. See :mod:`zygote`.

It runs beside the reference module; the names that the candidate supplies are proxies for the candidate's, reached over
a socket (:mod:`peer`). It emits lists of events: ``{"test", "outcome", "message", "cpu"}`` for each test asked for,
``{"load_error"}`` where the candidate's module cannot be imported, ``{"loaded": true}`` where it can, ``{"lost": how}``
where the candidate went away, and at the end ``{"end": true}``. Python 3.8 to 3.13, standard library only.
"""

import os
import re
import signal
import socket
import sys
import time
import types

load = sys.modules["__main__"].load
peer = load("peer")
oracle_objects = load("oracle_objects")
steps = load("oracle_steps")
support = load("support")

REUSABLE = True


class Group:
    """One group of the harness, compiled."""

    def __init__(self, index, told):
        self.setup = steps.compile_setup(told["setup"])
        self.steps = [(steps.compile_step(code, "<test>"), test) for code, test in told["steps"]]
        self.index = index
        self.support = support.compile_all([told["support"]])[0]


def prepare(config):
    """``config``: ``module``, ``reference`` (latin-1 text), ``entry_points`` or None, ``groups``, ``seed``, ``tree``,
    ``imports`` (names of modules) and ``import_seconds`` (the CPU time that importing the reference may take).
    """
    source = config["reference"].encode("latin-1")
    texts = [text for group in config["groups"] for text in (group["setup"], *[code for code, _ in group["steps"]])]
    support.preload(config["imports"])
    name = os.path.splitext(os.path.basename(config["module"]))[0]
    return {
        **config,
        "name": name,
        "code": compiled(source, name + ".py"),
        "used": set(re.findall(r"[^\W\d]\w*", "\n".join(texts))),
        "groups": [Group(index, group) for index, group in enumerate(config["groups"])],
    }


def compiled(source, name):
    """Return the code of a module, or the error in it."""
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error


def take_reference(state):
    """Execute the reference module, and see which of its names the candidate supplies; returns what went wrong."""
    if state["tree"]:
        sys.path.insert(0, os.path.dirname(os.path.join(state["tree"], state["module"])))
    error, state["reference"] = load_reference(state["name"], state["code"], state["import_seconds"])
    state["supplied"] = state["entry_points"]
    if state["supplied"] is None:
        state["supplied"] = sorted(state["used"].intersection(own_names(state["reference"])))
    return error


def load_reference(name, code, seconds):
    """Execute the reference module; returns what went wrong, or None, and its names."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = name + ".py"

    def too_long(*_):
        raise TimeoutError("it takes more than %.0f s of CPU" % seconds)

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        if isinstance(code, BaseException):
            raise code
        exec(code, module.__dict__)
    except BaseException as error:
        return "the reference module cannot be imported: %s: %s" % (type(error).__name__, error), {}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return None, module.__dict__


def own_names(namespace):
    """The functions, classes and plain constants that a module makes itself."""
    for name, value in namespace.items():
        if name.startswith("__") or isinstance(value, types.ModuleType):
            continue
        if not callable(value) or getattr(value, "__module__", None) == namespace["__name__"]:
            yield name


def reference_defines(namespace):
    def defines(class_name, method):
        cls = namespace.get(class_name)
        if not isinstance(cls, type):
            return False
        return any(method in vars(base) for base in cls.__mro__ if base.__module__ == namespace["__name__"])

    return defines


def run(state, request, emit, fds):
    """``request``: ``groups`` (indexes, in order), ``tests`` asked for or None, ``skip`` (not to be run), ``stop``,
    ``careful``: whether each event is sent at once, which costs time, or all at the end; and whether the candidate's
    messages may come ``together``.
    """
    emit = Events(emit, request["careful"])
    if "random" in sys.modules:
        sys.modules["random"].seed(state["seed"])
    connection = socket.socket(fileno=fds[0])
    error = take_reference(state)
    if error:
        emit({"load_error": error})
        emit.flush()
        return
    session = Session(state, request, emit, connection)
    try:
        error, supplied = session.objects.ask("load", state["supplied"])
        if error is not None:
            emit({"load_error": str(error)})
        else:
            emit({"loaded": True})
            session.run(supplied)
            emit({"end": True})
    except peer.Lost as lost:
        emit({"lost": lost.how})
    except MemoryError:
        emit({"lost": "memory"})
    if not session.peer.lost:
        session.peer.flush()
    emit.flush()
    os._exit(0)


class Events:
    """What is to be told, held back until the end unless each is wanted at once."""

    def __init__(self, emit, at_once):
        self._emit = emit
        self._at_once = at_once
        self._held = []

    def __call__(self, event):
        self._held.append(event)
        if self._at_once:
            self.flush()

    def flush(self):
        if self._held:
            self._emit(self._held)
        self._held = []


class Session:
    """The run of the test program against one candidate."""

    def __init__(self, state, request, emit, connection):
        self.state = state
        self.request = request
        self.emit = emit
        self.objects = objects = oracle_objects.Objects(reference_defines(state["reference"]))
        operations = {"call": objects.call, "next": objects.next}
        together = request.get("together", False)
        self.peer = objects.peer = peer.Peer(connection, operations, objects.describe, objects.make, together)
        self.comparison = steps.Comparison()

    def run(self, supplied):
        for index in self.request["groups"]:
            group = self.state["groups"][index]
            last = max((n for n, (_, test) in enumerate(group.steps) if self.asked(test)), default=None)
            if last is not None and not self.run_group(group, last, self.namespace(supplied)):
                return

    def asked(self, test):
        tests = self.request["tests"]
        return test is not None and (tests is None or test in tests)

    def namespace(self, supplied):
        names = dict(self.state["reference"])
        for name in self.state["supplied"]:
            names.pop(name, None)
        names.update(supplied)
        module = sys.modules[self.state["name"]] = types.ModuleType(self.state["name"])
        module.__dict__.update(names)
        return {**names, "__name__": "__mendlab_tests__", steps.COMPARE: self.comparison}

    def begin_group(self, group, names):
        """Agree on the classes whose instances travel by value: the tests' own, and the reference's that they use."""
        reference = self.state["reference"]
        self.own = {
            name: value
            for name, value in reference.items()
            if isinstance(value, type) and value.__module__ == reference["__name__"] and names.get(name) is value
        }
        self.carried = set()
        if group.support or self.own:
            carried = self.objects.ask("group", group.index, list(self.own))
            self.carried = set(carried) if type(carried) is list else set()
        self.know_classes(names)

    def know_classes(self, names):
        """Look which classes the test program has by now."""
        defined = {
            name: value
            for name, value in names.items()
            if isinstance(value, type) and value.__module__ == "__mendlab_tests__"
        }
        self.objects.begin_group(defined, self.own)
        known = {**self.own, **defined}
        self.peer.wire.carry_instances({name: cls for name, cls in known.items() if name in self.carried})

    def run_group(self, group, last, names):
        """Run the steps up to the last one that is asked for. Returns False where the whole run stops here."""
        self.begin_group(group, names)
        broken = None
        for code in group.setup:
            broken = broken or self.perform(code, names)
            self.know_classes(names)
        for code, test in group.steps[: last + 1]:
            if test in self.request["skip"]:
                continue
            started = time.process_time() + self.peer.cpu_seconds
            error = broken or self.perform(code, names)
            if test is None:
                broken = error
                self.know_classes(names)
            elif self.asked(test):
                cpu = time.process_time() + self.peer.cpu_seconds - started
                if self.report(test, error, cpu) != "passed" and self.request["stop"]:
                    return False
        return True

    def perform(self, code, names):
        """Execute a step; returns what it raised, or None. Raises Lost where the candidate went away meanwhile."""
        self.comparison.failed = None
        error = code if isinstance(code, BaseException) else None
        if error is None:
            try:
                exec(code, names)
            except BaseException as raised:
                error = raised
        if self.peer.lost:
            raise peer.Lost(self.peer.lost)
        return error

    def report(self, test, error, cpu):
        outcome = "passed"
        if isinstance(error, MemoryError):
            outcome = "out_of_memory"
        elif isinstance(error, AssertionError) and not getattr(error, "_mendlab_of_candidate", False):
            outcome = "failed"
        elif error is not None:
            outcome = "error"
        self.objects.quiet = True
        message = "" if error is None else steps.explain(error, self.comparison)
        self.objects.quiet = False
        self.emit({"test": test, "outcome": outcome, "message": message, "cpu": round(max(0.0, cpu), 6)})
        return outcome
