"""Runner for the candidate of a function harness: its module, with its objects for the oracle. See :mod:`zygote`.

Whatever happens in here, it reaches the oracle as values only: this process decides nothing.
Python 3.8 to 3.13, standard library only.
"""

import importlib
import os
import random
import resource
import signal
import socket
import sys
import types

load = sys.modules["__main__"].load
peer = load("peer")
candidate_objects = load("candidate_objects")
candidate_output = load("candidate_output")
endings = load("endings")
support = load("support")

set_signal = sys.modules["__main__"].set_signal
PROF, ALRM = int(signal.SIGPROF), int(signal.SIGALRM)
ITIMER_PROF, ITIMER_REAL = int(signal.ITIMER_PROF), int(signal.ITIMER_REAL)

REUSABLE = True
OWN_FRAMES = 12
QUIET_CPU_SECONDS, QUIET_SECONDS = 0.015, 1.0


def prepare(config):
    """``config``: ``module`` (path in the tree), ``seed``, ``support``, ``imports`` and ``calls``.

    ``support`` has the class definitions of each group's setup, ``imports`` what the good program imports, ``calls``
    what is to be done once the tests are over (:mod:`endings`). What a run needs is made here, as far as it can be: a
    forked child pays for every page that it touches.
    """
    support.preload(config["imports"])
    objects = candidate_objects.Objects()
    state = {**config, "classes": support.compile_all(config["support"]), "objects": objects}
    operations = Operations(state, objects).table()
    objects.peer = peer.Peer(None, operations, objects.describe, objects.make)
    state["stdout"], objects.peer.printed = candidate_output.capture()
    objects.module = types.ModuleType(os.path.splitext(os.path.basename(config["module"]))[0])
    state["calls"] = endings.ready(config["calls"])
    operations["calls"] = lambda seconds: endings.told(
        state["calls"], {objects.module.__name__: objects.module}, seconds, objects.peer.printed
    )
    return state


def run(state, request, emit, fds):
    """``request``: ``source`` (the module's bytes as latin-1 text), ``files`` (the tree, if it has more), whether
    the oracle's messages may come ``together``, and whether it ends once the program is seen to stand ``still``.
    """
    leave_nothing_open_but(fds[0])
    objects = state["objects"]
    objects.peer.connect(socket.socket(fileno=fds[0]), request.get("together", False))
    random.seed(state["seed"])
    path = lay_out(state["module"], request["files"])
    objects.module.__file__ = path
    source = request["source"].encode("latin-1")
    objects.peer.operations["load"] = lambda names: load_module(objects.module, source, path, names)
    sys.stdout = state["stdout"]
    sys.setrecursionlimit(sys.getrecursionlimit() + OWN_FRAMES)
    if objects.peer.together or request.get("still"):
        tell_when_slow(objects.peer, vars(objects.module) if request.get("still") else None)
    try:
        objects.peer.serve()
    except peer.Lost as lost:
        if lost.how != peer.ENDED:
            print("mendlab:", lost.how, file=sys.__stderr__)


def tell_when_slow(connection, namespace):
    """Send what was held back, and hold nothing back any more, once some time is over: the run may not end well.

    Where the program's ``namespace`` is given, see whether it stands still, then and each time that it has taken twice
    as long.
    """
    wait = QUIET_CPU_SECONDS

    def tell(number, frame):
        nonlocal wait
        if connection.held is not None:
            connection.flush()
            connection.channel.send([])
        if namespace is not None and number == PROF:
            wait *= 2
            signal.setitimer(ITIMER_PROF, wait)
            load("standstill").watch(frame, namespace, end_still)

    set_signal(PROF, tell)
    set_signal(ALRM, tell)
    signal.setitimer(ITIMER_PROF, QUIET_CPU_SECONDS)
    signal.setitimer(ITIMER_REAL, QUIET_SECONDS)


def end_still(line):
    """End a program that comes back to a line with all as it was: as if it had used up all of its time."""
    print("it comes back to line %d with all as it was, and never ends" % line, file=sys.__stderr__, flush=True)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGXCPU)


def leave_nothing_open_but(fd):
    """Close what belongs to the server of the confinement: its pipes are not for the candidate to write to."""
    os.closerange(3, fd)
    os.closerange(fd + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def lay_out(module, files):
    """Lay out the tree if there is more than the module; returns the module's file name, as tracebacks show it."""
    if not files:
        return os.path.basename(module)
    scratch_tree = load("scratch_tree")
    work = os.path.join(os.getcwd(), "tree")
    scratch_tree.lay_out(scratch_tree.unpack(files), work, {})
    os.chdir(work)
    path = os.path.join(work, module)
    sys.path.insert(0, os.path.dirname(path))
    return path


def load_module(module, source, path, names):
    """Execute the module. Returns ``(None, {name: value})`` for those of the names that it has, or ``(error, {})``."""
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except MemoryError:
        raise
    except BaseException as error:
        return import_error(error, path), {}
    found = {name: vars(module)[name] for name in names if name in vars(module)}
    return None, {name: value for name, value in found.items() if not isinstance(value, types.ModuleType)}


def import_error(error, path):
    """One line: which exception, what it says, and the last line of the module that was being executed."""
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:
        text = ""
    place = "%s:%s: " % (os.path.basename(path), line) if line else ""
    return "%s%s: %s" % (place, type(error).__name__, text)


def call(function, args, kwargs):
    return function(*map(as_literal, args), **{name: as_literal(value) for name, value in kwargs.items()})


def as_literal(value):
    """Return an argument; a text of letters and digits as the object that a literal of it is, for Python interns it."""
    if type(value) is str and value.isascii() and value.replace("_", "a").isalnum():
        return sys.intern(value)
    return value


class Operations:
    """What the oracle may ask for."""

    def __init__(self, state, objects):
        self.state = state
        self.objects = objects

    def table(self):
        return {
            "group": self.group,
            "call": call,
            "special": lambda value, name, *args: getattr(type(value), name)(value, *args),
            "getattr": getattr,
            "setattr": setattr,
            "delattr": delattr,
            "plain": candidate_objects.plain,
            "copy": lambda value: importlib.import_module("copy").copy(value),
            "deepcopy": lambda value: importlib.import_module("copy").deepcopy(value),
            "await": self.objects.wait_for,
        }

    def group(self, index, own):
        """Begin a group of steps: its classes are those that travel by value from now on.

        ``own`` names classes of the reference module: here the candidate's of the same name. Returns the names.
        """
        objects = self.objects
        known = dict(vars(objects.module))
        objects.classes = support.define(self.state["classes"][index], known)
        travelling = {name: cls for name, cls in objects.classes.items() if support.travels(cls)}
        for name in own:
            cls = getattr(objects.module, name, None)
            if isinstance(cls, type) and support.travels(cls):
                travelling.setdefault(name, cls)
        objects.peer.wire.carry_instances(travelling)
        return list(travelling)
