"""Records which lines of the tree each test runs. Python 3.8 to 3.13, standard library only.

What runs before the first test, and in fixtures that tests share, every test depends on: it is kept apart, as common.
On 3.12 and later through ``sys.monitoring``, before through ``sys.settrace`` (in every thread). What a process that a
test starts runs is not seen: such a test gets the path :data:`EVERYWHERE` too.
"""

import os
import sys
import threading
from typing import Any

EVERYWHERE = "*"
STARTS = (
    "subprocess.Popen",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.exec",
    "os.system",
    "pty.spawn",
)
MONITORING: Any = getattr(sys, "monitoring", None)


class Tracer:
    """Records from its making on: first the common lines; from the first :meth:`switch` on those of each test."""

    def __init__(self, work):
        self._prefix = work + os.sep
        self._places = {}  # file name of a code object -> path in the tree, or None
        self._common: "set[tuple[str, int]]" = set()
        self._lines = self._common
        sys.addaudithook(self._audit)
        if MONITORING is not None:
            self._monitor()
        else:
            threading.settrace(self._trace)
            self._again()

    def common(self):
        """Return ``{path: sorted lines}`` that every test depends on."""
        return by_path(self._common)

    def switch(self):
        """Return ``{path: sorted lines}`` of the test that ends here, and begin the record of the next."""
        taken, self._lines = self._lines, set()
        self._again()
        return {} if taken is self._common else by_path(taken)

    def enter_shared(self):
        """Count lines as common until :meth:`leave_shared` gets back what this returns."""
        outer, self._lines = self._lines, self._common
        self._again()
        return outer

    def leave_shared(self, outer):
        self._lines = outer
        self._again()

    def _audit(self, event, arguments):
        if event in STARTS:
            self._lines.add((EVERYWHERE, 1))

    def _again(self):
        """Hear of every line once more; a test that uses the hook itself leaves it empty."""
        if MONITORING is not None:
            MONITORING.restart_events()
        elif sys.gettrace() is None:
            sys.settrace(self._trace)

    def _path(self, filename):
        try:
            return self._places[filename]
        except KeyError:
            inside = filename.startswith(self._prefix)
            path = filename[len(self._prefix) :].replace(os.sep, "/") if inside else None
            self._places[filename] = path
            return path

    def _monitor(self):
        monitoring = MONITORING
        tool = next(number for number in (4, 3, 5, 2, 1) if monitoring.get_tool(number) is None)
        monitoring.use_tool_id(tool, "mendlab")

        def on_line(code, line):
            path = self._path(code.co_filename)
            if path is not None:
                self._lines.add((path, line))
            return monitoring.DISABLE

        monitoring.register_callback(tool, monitoring.events.LINE, on_line)
        monitoring.set_events(tool, monitoring.events.LINE)

    def _trace(self, frame, event, argument):
        path = self._path(frame.f_code.co_filename)
        if path is None:
            return None
        if event == "line":
            self._lines.add((path, frame.f_lineno))
        return self._trace


def by_path(places):
    lines: "dict[str, list[int]]" = {}
    for path, line in sorted(places):
        lines.setdefault(path, []).append(line)
    return lines
