"""Forks of this process, each watched until nothing of it is left. Python 3.8 to 3.13, standard library only.

A program shares its process with its tests, and here with those of other changes to it: this is for mutants, which
are not out to deceive, and not for judging.
"""

import contextlib
import gc
import os
import select
import signal
import sys
import time
import traceback
import typing

zygote = sys.modules["__main__"]
frames = zygote.load("frames")
tree_watch = zygote.load("tree_watch")

POLL_SECONDS = 0.02


class Forks:
    """Forks a process that has the tree in ``work``. ``wiped`` are the directories in which forks may write."""

    def __init__(self, work, wiped):
        self.work = work
        self._wiped = wiped
        self._wakeup = None
        self._snapshots: "list[typing.Any]" = []
        self._directory = work

    def settle(self):
        """Be ready to fork often: what is there now is what each fork begins with, and what :meth:`undo` restores."""
        rehearse()
        self._directory = os.getcwd()
        self._snapshots = [tree_watch.Snapshot(directory) for directory in self._wiped]
        self.shield()
        gc.collect()
        gc.freeze()

    def shield(self):
        """Hear of forks that end, and of no other signal."""
        if self._wakeup is None:
            self._wakeup = zygote.Wakeup()
            zygote.shield()

    def begin(self, request, taken, emit):
        """Do in the fork what is asked. Returns whether the fork goes on by itself and ends by itself."""
        raise NotImplementedError

    def undo(self):
        """Take back what forks have written."""
        for snapshot in self._snapshots:
            snapshot.restore()

    def fork(self, request, changes, taken):
        """Fork, lay out the changes, and begin; return what came of it, or None in the fork, where that goes on.

        The limits in ``request`` hold for all that the fork starts: ``cpu_seconds``, ``wall_seconds``, and as much of
        both as may pass without an event, ``idle_cpu_seconds`` and ``idle_wall_seconds``.
        """
        began = time.monotonic()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            self._run(request, changes, taken, writer)
            return None
        os.close(writer)
        os.set_blocking(reader, False)
        attended = Attended(pid, reader, self._wakeup, self.kill)
        limit = attended.until(began, request)
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
            self.leave()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, *zygote.IGNORED):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            os.setsid()
            with contextlib.suppress(OSError):
                os.chdir(self._directory)  # it may have been removed, and made anew
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

    def leave(self):
        """Let go of what a fork must not have."""

    def kill(self):
        """Kill all that forks have started: in a namespace of its own, all but process 1 and this one."""
        os.kill(-1, signal.SIGKILL)


class ForksBeside(Forks):
    """Forks of a process that is not alone in its namespace: only what it has started itself is ended."""

    def kill(self):
        """Kill what this process has started, for it is not alone."""
        zygote.kill_others()


def rehearse():
    """Do what a library does once in a process and each fork would do anew."""
    freezegun = sys.modules.get("freezegun")
    if freezegun is not None:  # it looks through all modules
        with contextlib.suppress(Exception):
            with freezegun.freeze_time("2000-01-01"):
                pass


class Attended:
    """A fork that is watched until it ends or goes past a limit; then all that it started is ended with it."""

    def __init__(self, pid, reader, wakeup, kill):
        self.events = []
        self.status = 0
        self.cpu = 0.0
        self._pid = pid
        self._reader = reader
        self._wakeup = wakeup
        self._kill = kill
        self._buffer = bytearray()
        self._before = zygote.children_cpu()

    def until(self, began, limits):
        """Return the limit that it passed, or None if it ended by itself."""
        poll = time.monotonic() + POLL_SECONDS
        readers = [self._reader, self._wakeup]
        told, told_at, told_cpu = 0, began, 0.0
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
                spent = self._spent()
                if len(self.events) > told:
                    told, told_at, told_cpu = len(self.events), now, spent
                if now - began > limits["wall_seconds"] or now - told_at > limits["idle_wall_seconds"]:
                    return "wall"
                if spent > limits["cpu_seconds"] or spent - told_cpu > limits["idle_cpu_seconds"]:
                    return "cpu"

    def finish(self):
        """Kill and reap whatever is left, and read what was told before."""
        status = zygote.kill_all_others(self._pid, self._kill)
        if status is not None:
            self.status = status
        while self._take():
            pass
        self.cpu = zygote.children_cpu() - self._before

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
        """CPU seconds of everything that was started."""
        return zygote.usage_of_others()[0] + zygote.children_cpu() - self._before
