"""Records which statements of the tree each test runs, by their first lines. Python 3.8 to 3.13.

Modules that are imported have probes (:mod:`probes`). Of a file that runs without, as those do that pytest loads
itself, the line :data:`UNSEEN` is recorded. What runs before the first test, in imports, and in fixtures that tests
share, every test depends on: it is kept apart, as common. What a process that a test starts runs is not seen: such a
test gets the path :data:`EVERYWHERE` too. Standard library only.
"""

import _posixsubprocess
import importlib.machinery
import sys
import types

load = sys.modules["__main__"].load
instrumented = load("instrumented")
probes = load("probes")

EVERYWHERE = "*"
UNSEEN = 0
SPAWN = "mendlab.spawn"
STARTS = (
    SPAWN,
    "subprocess.Popen",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.exec",
    "os.system",
    "pty.spawn",
)
RUNS = ("exec", "function.__new__")


class Tracer:
    """Records from its making on: first the common lines; from the first :meth:`switch` on those of each test."""

    def __init__(self, work):
        self._work = work
        self._paths = {}  # file name of a code object -> path in the tree, or None
        self._marks = []
        self._common: "dict[str, set[int]]" = {}
        self._lines = self._common
        self._imports = []  # one item for each that is going on, in any thread
        announce_spawning()
        sys.addaudithook(self._audit)
        instrumented.install(work, self._probe)
        self._share_imports()

    def common(self):
        """Return ``{path: sorted lines}`` that every test depends on."""
        self._turn_to(self._lines)
        return in_order(self._common)

    def switch(self):
        """Return ``{path: sorted lines}`` of the test that ends here, and begin the record of the next."""
        taken = self._turn_to({})
        return {} if taken is self._common else in_order(taken)

    def enter_shared(self):
        """Count lines as common until :meth:`leave_shared` gets back what this returns."""
        return self._turn_to(self._common)

    def leave_shared(self, outer):
        self._turn_to(outer)

    def _turn_to(self, lines):
        """Bring in what has run since the last time, and record in ``lines`` from here on. Return where it was before.

        Another thread may run on meanwhile: what it marks now counts before or after, but is not lost.
        """
        before, self._lines = self._lines, lines
        into = self._common if self._imports else before
        for marks in self._marks:
            place = marks.find(1)
            if place < 0:
                continue
            found = into.setdefault(marks.path, set())
            while place >= 0:
                marks[place] = 0
                found.update(marks.lines[place])
                place = marks.find(1, place + 1)
        return before

    def _share_imports(self):
        """Count what runs in an import as common: the tests that import the module later find it done."""
        loader = importlib.machinery.SourceFileLoader
        execute = loader.exec_module

        def exec_module(self, module, tracer=self):
            tracer._turn_to(tracer._lines)
            tracer._imports.append(module)
            try:
                execute(self, module)
            finally:
                tracer._turn_to(tracer._lines)
                tracer._imports.pop()

        # A warning at import blames the one who imports: it leaves out frames of this file.
        exec_module.__code__ = exec_module.__code__.replace(co_filename=execute.__code__.co_filename)
        loader.exec_module = exec_module  # type: ignore[method-assign]

    def _probe(self, path, tree):
        prober = probes.Prober(path)
        prober.add(tree)
        self._marks.append(prober.marks)
        return tree

    def _audit(self, event, arguments):
        if event in STARTS:
            self._lines.setdefault(EVERYWHERE, set()).add(1)
        elif event in RUNS and isinstance(arguments[0], types.CodeType) and not probes.is_probed(arguments[0]):
            path = self._path(arguments[0].co_filename)
            if path is not None:
                self._common.setdefault(path, set()).add(UNSEEN)

    def _path(self, filename):
        if filename not in self._paths:
            self._paths[filename] = None if filename.startswith("<") else instrumented.inside(self._work, filename)
        return self._paths[filename]


def announce_spawning():
    """Have the event :data:`SPAWN` raised where multiprocessing spawns a process, which it does without any."""
    begin = _posixsubprocess.fork_exec

    def fork_exec(*args):
        sys.audit(SPAWN)
        return begin(*args)

    _posixsubprocess.fork_exec = fork_exec


def in_order(lines):
    return {path: sorted(lines[path]) for path in sorted(lines)}
