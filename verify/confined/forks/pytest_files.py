"""Each test file of a session by itself, and each of its tests by itself, for what they run of the tree.

A fork that has imported nothing of the tree yet collects one file: what that runs, the file's tests depend on, and no
others. Each test then runs in a fork of that fork, where no other test has filled a cache, imported a module or set up
a fixture for it. Python 3.8 to 3.13, pytest 6.2 and later.
"""

import os
import sys
import time
import typing

zygote = sys.modules["__main__"]
forks, before_import = zygote.load("forks"), zygote.load("before_import")

TEST = dict.fromkeys(("cpu_seconds", "wall_seconds", "idle_cpu_seconds", "idle_wall_seconds"), 60.0)
FILE = {
    **dict.fromkeys(("cpu_seconds", "wall_seconds"), 10.0**6),
    **dict.fromkeys(("idle_cpu_seconds", "idle_wall_seconds"), 120.0),
}
TOLD = ("file", "alone")
EVERYTHING = ""
REST = "*"


class Files(forks.ForksBeside):  # type: ignore[name-defined,misc]
    """Runs ``tests`` for a ``tracer``, which is deaf to what is done here; the session itself goes on untouched.

    When collecting files by themselves has taken ``seconds`` of CPU time, those that are left are collected together.
    """

    def __init__(self, work, wiped, tests, tracer, seconds):
        super().__init__(work, wiped)
        self._tracer = tracer
        self._seconds = seconds
        self._finder = before_import.Finder(work, self.serve)
        self._served = False
        self._file = None  # of this process, EVERYTHING in the one that finds out what is imported, or REST
        self._common: "dict[str, list[int]]" = {}
        self._tests: "dict[str, typing.Any]" = {EVERYTHING: None}
        for test_id in tests:
            self._tests.setdefault(test_id.partition("::")[0], []).append(test_id)

    def watch(self, adopt, emit):
        """Fork at the first import from the tree. ``adopt(emit, request)`` makes a fork the one that tells."""
        self._adopt, self._emit = adopt, emit
        if not self._served:
            self._finder.enter()

    def serve(self):
        """Do all of it, in a process that is gone when it is done. Returns in the forks for files, too."""
        self._finder.leave()
        if self._served:
            return
        self._served = True
        self._tracer.deaf = True
        pid = os.fork()
        if pid:
            os.waitpid(pid, 0)
            self._tracer.deaf = False
            return
        goes_on = False
        try:
            goes_on = self._fork_all()
        finally:
            if not goes_on:
                os._exit(0)

    def _fork_all(self):
        """Fork for everything, and then for each file. Returns whether this is such a fork."""
        self.settle()
        waiting = list(self._tests)
        while waiting:
            answer = self.fork(FILE, {}, waiting.pop(0))
            if answer is None:
                return True
            self.undo()
            for event in answer["events"]:
                if event["event"] == "imported":
                    before_import.import_quietly(event["modules"])
                    self._tracer.compile_ahead(event["files"])
                    self.settle()
                elif event["event"] in TOLD:
                    self._emit(event)
                    self._seconds -= event.get("collecting", 0.0)
            if self._seconds < 0 and len(waiting) > 1:
                self._tests[REST] = [test_id for file in waiting for test_id in self._tests[file]]
                waiting = [REST]
        return False

    def run(self, items, tell):
        """Called where tests are collected: in a fork for a file, tell of it, run each test by itself, and end."""
        if self._file is None:
            return
        self._tell = tell
        try:
            if self._file == EVERYTHING:
                modules, files = before_import.from_elsewhere(self.work), before_import.from_inside(self.work)
                tell("imported", modules=modules, files=files)
            else:
                self._common = self._tracer.common()
                if self._file != REST:
                    tell("file", id=self._file, lines=self._common, collecting=time.process_time())
                self._run_each(items)
        finally:
            os._exit(0)

    def _run_each(self, items):
        self._tracer.deaf = True
        emit = self._emit
        self.settle()
        for item in items:
            for event in self.fork(TEST, {}, item)["events"]:
                if event["event"] in ("result", "file"):
                    emit({**event, "event": "alone" if event["event"] == "result" else "file"})
            self.undo()

    def begin(self, request, taken, emit):
        self._tracer.deaf = False
        self._emit = emit
        if self._file is not None:
            self._adopt(emit, {"stop_at_first": False, "tests": None})
            taken.config.hook.pytest_runtest_protocol(item=taken, nextitem=None)
            common = self._tracer.before_tests()
            if self._file != REST and common != self._common:  # a conftest file runs more before the test begins
                self._tell("file", id=self._file, lines=common)
            return False
        self._file = taken
        self._wakeup = None  # that is the one of the process above
        self._adopt(emit, {"stop_at_first": False, "tests": self._tests[taken]})
        return True
