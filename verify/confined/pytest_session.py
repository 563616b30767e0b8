"""A pytest session that has collected, and forks for every changed tree. Python 3.8 to 3.13, pytest 6.2 and later.

The process has imported and collected the good tree, and runs none of its tests. For each request on its connection,
``{"changes": {path: base64 text}, "tests": [id, ...], "stop_at_first", "cpu_seconds", "wall_seconds"}``, it forks; the
child takes the changes in (:mod:`code_swap`), runs the tests in the order given, and is gone with all that it started
and wrote. The answer is ``{"unswappable": why}``, or ``{"events": [...], "exit", "signal", "limit", "cpu_seconds"}``.

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
import threading
import time
import traceback

POLL_SECONDS = 0.02


class Server:
    """Answers requests about one tree. ``beside`` has the modules that it needs, ``zygote`` the one that forked it."""

    def __init__(self, fd, files, work, wiped, beside, zygote):
        self._channel = beside["frames"].Frames(socket.socket(fileno=fd))
        self._files = files
        self._work = work
        self._swap = beside["code_swap"]
        self._heads = beside["function_heads"]
        self._watch = beside["tree_watch"]
        self._frames = beside["frames"]
        self._zygote = zygote
        self._wiped = wiped
        self._calls = self._swap.Calls(work)
        self._calls.start()

    def serve(self, session, adopt):
        """Answer until the connection ends. ``adopt(emit, stop)`` makes a fork the one that tells its results."""
        self._calls.stop()
        self._items = {item.nodeid: item for item in session.items}
        self._session = session
        self._image = self._swap.Image(self._work, self._calls.seen, self._heads)
        self._snapshots = [self._watch.Snapshot(directory) for directory in self._wiped]
        self._wakeup = self._zygote.Wakeup()
        self._zygote.shield()
        gc.collect()
        gc.freeze()
        self._channel.send({"collected": list(self._items), "threads": threading.active_count() - 1})
        while True:
            request = self._channel.receive()
            if request is None:
                return
            self._channel.send(self._answer(request, adopt))

    def _answer(self, request, adopt):
        changes = {path: base64.b64decode(content) for path, content in request["changes"].items()}
        swaps = []
        try:
            for path, content in changes.items():
                swaps += self._image.swaps(path, self._files[path][0], content)
        except self._swap.Unswappable as why:
            return {"unswappable": str(why)}
        answer = self._fork(request, changes, swaps, adopt)
        for snapshot in self._snapshots:
            snapshot.restore()
        return answer

    def _fork(self, request, changes, swaps, adopt):
        began = time.monotonic()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            self._run(request, changes, swaps, adopt, writer)
        os.close(writer)
        os.set_blocking(reader, False)
        attended = Attended(pid, reader, self._wakeup, self._frames, self._zygote)
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

    def _run(self, request, changes, swaps, adopt, writer):
        """Never returns."""
        code = 1
        try:
            self._channel.socket.close()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, *self._zygote.IGNORED):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            os.setsid()
            for path, content in changes.items():
                with open(os.path.join(self._work, path), "wb") as file:
                    file.write(content)
            for function, attribute, value in swaps:
                setattr(function, attribute, value)
            pack, write_all = self._frames.pack, self._zygote.write_all
            adopt(lambda data: write_all(writer, pack(data)), request["stop_at_first"])
            items = [self._items[test_id] for test_id in request["tests"]]
            for item, following in zip(items, [*items[1:], None]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._session.shouldstop:
                    break
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)


class Attended:
    """A fork that is watched until it ends or goes past a limit; then all that it started is ended with it."""

    def __init__(self, pid, reader, wakeup, frames, zygote):
        self.events = []
        self.status = 0
        self.cpu = 0.0
        self._pid = pid
        self._reader = reader
        self._wakeup = wakeup
        self._frames = frames
        self._zygote = zygote
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
        event = self._frames.take(self._buffer)
        while event is not None:
            self.events.append(event)
            event = self._frames.take(self._buffer)
        return bool(data)

    def _spent(self):
        """CPU seconds of everything in the namespace but process 1 and this one."""
        tick, me, spent = os.sysconf("SC_CLK_TCK"), os.getpid(), 0
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in (1, me):
                fields = self._zygote.stat_fields(int(name))
                spent += sum(int(value) for value in fields[11:15]) if fields else 0
        return spent / tick + children_cpu() - self._before


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
