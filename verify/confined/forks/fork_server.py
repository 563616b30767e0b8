"""A process that forks for every changed tree. Python 3.8 to 3.13.

For each request on its connection, ``{"changes": {path: base64 text}, "tests": [id, ...], "stop_at_first"}`` and the
limits of :meth:`forks.Forks.fork`, it forks; the child takes the changes in, runs the tests in the order given, and is
gone with all that it started and wrote. The answer is ``{"unswappable": why}``, or ``{"events": [...], "exit",
"signal", "limit", "cpu_seconds"}``, each with ``own_seconds``, the CPU time of this process so far. Where a fork begins
and how it takes changes in, the classes made of this one say.
"""

import base64
import socket
import sys
import time

load = sys.modules["__main__"].load
forks, frames = load("forks"), load("frames")
thread_starts = load("thread_starts")


class Refused(Exception):
    """A request that forks of this process cannot hold: why."""


class ForkServer(forks.Forks):  # type: ignore[name-defined,misc]
    """Answers requests, which come from a descriptor, about one tree of ``files``, laid out in ``work``."""

    def __init__(self, fd, files, work, wiped):
        super().__init__(work, wiped)
        self.files = files
        self._channel = frames.Frames(socket.socket(fileno=fd))
        self._threads = thread_starts.ThreadStarts(work)

    def answer_all(self, **told):
        """Say that forks may be asked for, and answer until the connection ends.

        Returns None then; in a fork that goes on, its request.
        """
        self._threads.stop()
        self.settle()
        own_seconds = time.process_time
        self._channel.send({**told, "threads": self._threads.lost(), "own_seconds": own_seconds()})
        while True:
            request = self._channel.receive()
            if request is None:
                return None
            answer = self._answer(request)
            if answer is None:
                return request
            self._channel.send({**answer, "own_seconds": own_seconds()})

    def take_in(self, changes):
        """Return what a fork has to do about changed files, or raise :class:`Refused`. For classes made of this one."""
        raise NotImplementedError

    def leave(self):
        self._channel.socket.close()

    def _answer(self, request):
        """Return the answer; None in a fork that goes on."""
        changes = {path: base64.b64decode(content) for path, content in request["changes"].items()}
        try:
            taken = self.take_in(changes)
        except Refused as why:
            return {"unswappable": str(why)}
        answer = self.fork(request, changes, taken)
        if answer is not None:
            self.undo()
        return answer
