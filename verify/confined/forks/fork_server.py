"""A process that forks for every changed tree, and watches each fork until nothing of it is left. Python 3.8 to 3.13.

For each request on its connection, ``{"changes": {path: base64 text}, "tests": [id, ...], "stop_at_first",
"cpu_seconds", "wall_seconds"}``, it forks; the child takes the changes in, runs the tests in the order given, and is
gone with all that it started and wrote. The answer is ``{"unswappable": why}``, or ``{"events": [...], "exit",
"signal", "limit", "cpu_seconds"}``. Where a fork begins and how it takes changes in, the classes made of this one say.

A program shares its process with its tests, and here with those of other changes to it: this is for mutants, which
are not out to deceive, and not for judging.
"""

import base64
import gc
import os
import resource
import select
import signal
import socket
import sys
import threading
import time
import traceback

zygote = sys.modules["__main__"]
frames = zygote.load("frames")
tree_watch = zygote.load("tree_watch")

POLL_SECONDS = 0.02


class Refused(Exception):
    """A request that forks of this process cannot hold: why."""


class ForkServer:
    """Answers requests, which come from a descriptor, about one tree of ``files``, laid out in ``work``.

    ``wiped`` are the directories in which forks may write.
    """

    def __init__(self, fd, files, work, wiped):
        self.files = files
        self.work = work
        self._channel = frames.Frames(socket.socket(fileno=fd))
        self._wiped = wiped
        self._wakeup = None

    def answer_all(self, **told):
        """Say that forks may be asked for, and answer until the connection ends.

        Returns None then; in a fork that goes on, its request.
        """
        self._snapshots = [tree_watch.Snapshot(directory) for directory in self._wiped]
        self.shield()
        gc.collect()
        gc.freeze()
        self._channel.send({**told, "threads": threading.active_count() - 1})
        while True:
            request = self._channel.receive()
            if request is None:
                return None
            answer = self._answer(request)
            if answer is None:
                return request
            self._channel.send(answer)

    def shield(self):
        """Hear of forks that end, and of no other signal."""
        if self._wakeup is None:
            self._wakeup = zygote.Wakeup()
            zygote.shield()

    def take_in(self, changes):
        """Return what a fork has to do about changed files, or raise :class:`Refused`. For classes made of this one."""
        raise NotImplementedError

    def begin(self, request, taken, emit):
        """Do in the fork what is asked. Returns whether the fork goes on by itself and ends by itself."""
        raise NotImplementedError

    def _answer(self, request):
        """Return the answer; None in a fork that goes on."""
        changes = {path: base64.b64decode(content) for path, content in request["changes"].items()}
        try:
            taken = self.take_in(changes)
        except Refused as why:
            return {"unswappable": str(why)}
        answer = self.fork(request, changes, taken)
        if answer is not None:
            for snapshot in self._snapshots:
                snapshot.restore()
        return answer

    def fork(self, request, changes, taken):
        """Fork, and return the answer; None in the fork, where that goes on."""
        began = time.monotonic()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            self._run(request, changes, taken, writer)
            return None
        os.close(writer)
        os.set_blocking(reader, False)
        attended = Attended(pid, reader, self._wakeup)
        limit = attended.until(began + request["wall_seconds"], request["cpu_seconds"])
        attended.finish()
        os.close(reader)
        return {
            "events": attended.events,
            "exit": os.WEXITSTATUS(attended.status) if os.WIFEXITED(attended.status) else None,
            "signal": os.WTERMSIG(attended.status) if os.WIFSIGNALED(attended.status) else None,
            "limit": limit,
            "cpu_seconds": attended.cpu,
        }

    def _run(self, request, changes, taken, writer):
        """Returns only where the fork goes on."""
        code, goes_on = 1, False
        try:
            self._channel.socket.close()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, *zygote.IGNORED):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            os.setsid()
            for path, content in changes.items():
                with open(os.path.join(self.work, path), "wb") as file:
                    file.write(content)
            pack, write_all = frames.pack, zygote.write_all
            goes_on = self.begin(request, taken, lambda data: write_all(writer, pack(data)))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            if not goes_on:
                os._exit(code)


class Attended:
    """A fork that is watched until it ends or goes past a limit; then all that it started is ended with it."""

    def __init__(self, pid, reader, wakeup):
        self.events = []
        self.status = 0
        self.cpu = 0.0
        self._pid = pid
        self._reader = reader
        self._wakeup = wakeup
        self._buffer = bytearray()
        self._before = children_cpu()

    def until(self, deadline, cpu_seconds):
        """Return the limit that it passed, or None if it ended by itself."""
        poll = time.monotonic() + POLL_SECONDS
        readers = [self._reader, self._wakeup]
        while True:
            ready, _, _ = select.select(readers, [], [], max(0.0, poll - time.monotonic()))
            if self._wakeup in ready:
                self._wakeup.drain()
            if self._reader in ready and not self._take():
                readers.remove(self._reader)
            if self._ended():
                return None
            now = time.monotonic()
            if now >= poll:
                poll = now + POLL_SECONDS
                if now > deadline:
                    return "wall"
                if self._spent() > cpu_seconds:
                    return "cpu"

    def finish(self):
        """Kill and reap whatever is left, and read what was told before."""
        while True:
            try:
                os.kill(-1, signal.SIGKILL)  # in this namespace: all but process 1 and this one
            except ProcessLookupError:
                pass
            try:
                pid, status, _ = os.wait4(-1, 0)
            except ChildProcessError:
                break
            if pid == self._pid:
                self.status = status
        while self._take():
            pass
        self.cpu = children_cpu() - self._before

    def _ended(self):
        pid, status, _ = os.wait4(self._pid, os.WNOHANG)
        if pid:
            self.status = status
        return bool(pid)

    def _take(self):
        try:
            data = os.read(self._reader, 1 << 18)
        except BlockingIOError:
            return False
        self._buffer += data
        event = frames.take(self._buffer)
        while event is not None:
            self.events.append(event)
            event = frames.take(self._buffer)
        return bool(data)

    def _spent(self):
        """CPU seconds of everything in the namespace but process 1 and this one."""
        tick, me, spent = os.sysconf("SC_CLK_TCK"), os.getpid(), 0
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in (1, me):
                fields = zygote.stat_fields(int(name))
                spent += sum(int(value) for value in fields[11:15]) if fields else 0
        return spent / tick + children_cpu() - self._before


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
