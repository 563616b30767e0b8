"""Each test of a collected session by itself, in a fork of its own. Python 3.8 to 3.13, pytest 6.2 and later.

What a test runs in its turn depends on those before it: a cache is filled, a module imported, a fixture set up.
"""

import os
import sys

zygote = sys.modules["__main__"]
forks = zygote.load("forks")

LIMITS = dict.fromkeys(("cpu_seconds", "wall_seconds", "idle_cpu_seconds", "idle_wall_seconds"), 60.0)


class Alone(forks.ForksBeside):  # type: ignore[name-defined,misc]
    """Runs tests for a ``tracer``, which is deaf to what is done here.

    ``adopt(emit, request)`` makes a fork the one that tells its results.
    """

    def __init__(self, work, wiped, adopt, tracer):
        super().__init__(work, wiped)
        self._adopt = adopt
        self._tracer = tracer

    def run(self, items, tell):
        """Run each of the tests, and ``tell`` the events that it gave; in a process that is gone when they are done."""
        if not items:
            return
        self._tracer.deaf = True
        pid = os.fork()
        if pid:
            os.waitpid(pid, 0)
            self._tracer.deaf = False
            return
        try:
            self.settle()
            for item in items:
                tell(self.fork(LIMITS, {}, item)["events"])
                self.undo()
        finally:
            os._exit(0)

    def begin(self, request, item, emit):
        self._tracer.deaf = False
        self._adopt(emit, {"stop_at_first": False, "tests": None})
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return False
