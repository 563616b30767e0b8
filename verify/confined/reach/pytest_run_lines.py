"""Records which statements of the tree each test runs, by their first lines. Python 3.8 to 3.13.

Modules that are imported have probes (:mod:`probes`). Of a file that runs without, as those do that pytest loads
itself, the line :data:`UNSEEN` is recorded. What runs before the first test, every test depends on: it is kept apart,
as common. What a process that is started runs is not seen: the test gets the path :data:`EVERYWHERE` too. One that
reads a source gets the line :data:`UNSEEN` of it. Standard library only.
"""

import sys
import types

load = sys.modules["__main__"].load
instrumented = load("instrumented")
probes = load("probes")
source_reads = load("source_reads")
hear = load("audit_hook").hear
hear_starts = load("processes").hear_starts

EVERYWHERE = "*"
UNSEEN = 0
RUNS = ("exec", "function.__new__")


class Tracer:
    """Records from its making on: first the common lines; from the first :meth:`switch` on those of each test."""

    def __init__(self, work):
        self._work = work
        self._paths = {}  # file name of a code object -> path in the tree, or None
        self._marks = []
        self._common: "dict[str, set[int]]" = {}
        self._lines = self._common
        self._reads = source_reads.SourceReads(work)
        hear_starts(self._started)
        hear(dict.fromkeys(RUNS, self._runs))
        self.compile_ahead = instrumented.install(work, self._probe)

    @property
    def deaf(self):
        """Whether processes are started, and files read, that are not the tests' doing."""
        return self._reads.deaf

    @deaf.setter
    def deaf(self, deaf):
        self._reads.deaf = deaf

    def common(self):
        """Return ``{path: sorted lines}`` that every test depends on."""
        self._turn_to(self._lines)
        return in_order(self._common)

    def before_tests(self):
        """Return what :meth:`common` would return if no test had run."""
        return in_order(self._common)

    def switch(self):
        """Return ``{path: sorted lines}`` of the test that ends here, and begin the record of the next."""
        taken = self._turn_to({})
        return {} if taken is self._common else in_order(taken)

    def _turn_to(self, lines):
        """Bring in what has run since the last time, and record in ``lines`` from here on. Return where it was before.

        Another thread may run on meanwhile: what it marks now counts before or after, but is not lost.
        """
        before, self._lines = self._lines, lines
        for path in self._reads.take():
            before.setdefault(path, set()).add(UNSEEN)
        for marks in self._marks:
            place = marks.find(1)
            if place < 0:
                continue
            found = before.setdefault(marks.path, set())
            while place >= 0:
                marks[place] = 0
                found.update(marks.lines[place])
                place = marks.find(1, place + 1)
        return before

    def _probe(self, path, tree):
        prober = probes.Prober(path)
        prober.add(tree)
        self._marks.append(prober.marks)
        return tree

    def _started(self, tells):
        if not self.deaf and not (tells and self._lines is self._common):  # what tests ask for is theirs to know
            self._lines.setdefault(EVERYWHERE, set()).add(1)

    def _runs(self, arguments):
        code = arguments[0]
        if isinstance(code, types.CodeType) and not probes.is_probed(code):
            path = self._path(code.co_filename)
            if path is not None:
                for lines in (self._common, self._lines):
                    lines.setdefault(path, set()).add(UNSEEN)

    def _path(self, filename):
        if filename not in self._paths:
            self._paths[filename] = instrumented.inside(self._work, filename)
        return self._paths[filename]


def in_order(lines):
    return {path: sorted(lines[path]) for path in sorted(lines)}
