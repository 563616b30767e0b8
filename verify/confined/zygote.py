"""The warm server of a confinement: loads a runner once, then forks a child for every run.

Started as ``python zygote.py FD`` where FD is a connected stream socket to the lab, or with the path of a socket to
connect to. The first message sets it up:
``{"runner": file beside this one, "limits": {...}, "niceness": that of the lab, "scratch": directory, "wiped":
[directory, ...]}``. Then each
``{"type": "configure", "config": {...}}`` has the runner prepare for a subject, and for each ``{"type": "run",
"request": {...}, "limits": {...}}`` it forks; the child calls ``runner.run(state, request, emit, fds)`` in an empty
scratch directory. What it emits goes on to the lab as ``{"type": "event", "data": ...}``, and the run ends with one
``{"type": "done", ...}``; before that, every process but this one is killed and reaped, and all is wiped. A runner
whose ``prepare`` runs nothing of a subject says ``REUSABLE = True``: its server may be configured for another.

Inside the namespaces of bubblewrap this process is number 1: nothing that it started can outlive a run, and nothing in
there can signal or trace it. Works on Python 3.8 to 3.13 with the standard library alone.
"""

import ctypes
import gc
import importlib
import importlib.machinery
import os
import re
import resource
import select
import signal
import socket
import stat
import sys
import time
import traceback
import types

HERE = os.path.dirname(os.path.abspath(__file__))
POLL_SECONDS = 0.05
NICER, LEAST = 5, 19  # so much, and as much as there is
FULL_COLLECTION = (
    100  # so many times a runner is prepared anew, and cycles in what was frozen before are looked for once
)
IGNORED = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM]
IGNORED += [signal.SIGVTALRM, signal.SIGPROF, signal.SIGPIPE, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU]
RESTORED = [int(number) for number in (signal.SIGCHLD, *IGNORED)]
INTERRUPT, BROKEN_PIPE = int(signal.SIGINT), int(signal.SIGPIPE)
DEFAULT, IGNORE = int(signal.SIG_DFL), int(signal.SIG_IGN)
set_signal = importlib.import_module(
    "_signal"
).signal  # the module's own makes members of enumerations of all it is given
LARGEST_EVENT = 32 * 1024 * 1024
FILES = {os.path.splitext(file)[0]: os.path.join(folder, file) for folder, _, files in os.walk(HERE) for file in files}
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36


def load(name):
    """Import the file of that name, here or in a folder beside, under a name that no subject uses."""
    private = "_mendlab_" + name
    if private not in sys.modules:
        loader = importlib.machinery.SourceFileLoader(private, FILES[name])
        module = types.ModuleType(private)
        module.__file__ = loader.path
        sys.modules[private] = module
        loader.exec_module(module)
    return sys.modules[private]


frames = load("frames")


class Run:
    """One forked child, watched until it ends or goes past a limit."""

    def __init__(self, server, request, fds):
        self.server = server
        self.limits = server.limits
        self.limit = None
        self.status = None
        self.started = time.monotonic()
        self.cpu_before = children_cpu()
        self.events = Pipe()
        self.output = Pipe()
        self.kept = Kept(self.limits["output_bytes"])
        self.buffer = bytearray()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self.child(request, fds)
        self.events.close_writer()
        self.output.close_writer()
        for fd in fds:
            os.close(fd)

    def child(self, request, fds):
        """Never returns."""
        code = 1
        try:
            server = self.server
            server.channel.socket.close()
            signal.set_wakeup_fd(-1)
            for number in RESTORED:
                set_signal(number, DEFAULT)
            set_signal(INTERRUPT, signal.default_int_handler)
            set_signal(BROKEN_PIPE, IGNORE)
            os.setsid()
            come_after_the_watcher(server.niceness)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(self.output.writer, 1)
            os.dup2(self.output.writer, 2)
            os.chdir(server.scratch)
            restrict(self.limits, server.own_namespace)

            def emit(data):
                write_all(self.events.writer, frames.pack(data))

            server.runner.run(server.state, request, emit, fds)
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)

    def watch(self):
        """Pass events on until the child has ended, a limit is passed, or the lab cancels or leaves."""
        poll = time.monotonic() + POLL_SECONDS
        readers = [self.events, self.output, self.server.wakeup, self.server.channel]
        while True:
            timeout = max(0.0, poll - time.monotonic())
            ready, _, _ = select.select(readers, [], [], timeout)
            for reader in ready:
                if reader in (self.events, self.output):
                    if not self.pump(reader):
                        readers.remove(reader)
                elif reader is self.server.wakeup:
                    self.server.wakeup.drain()
                elif not self.server.hear():
                    self.limit = "cancelled"
                    return
                else:
                    self.limits = self.server.limits
            if self.ended():
                return
            if time.monotonic() >= poll:
                poll = time.monotonic() + POLL_SECONDS
                self.limit = self.passed_limit()
                if self.limit:
                    return

    def pump(self, reader):
        data = reader.read()
        if reader is self.output:
            self.kept.add(data)
        else:
            self.buffer += data
            self.forward()
        return bool(data)

    def forward(self):
        try:
            message = frames.take(self.buffer, LARGEST_EVENT)
            while message is not None:
                self.server.channel.send({"type": "event", "data": message})
                message = frames.take(self.buffer, LARGEST_EVENT)
        except frames.BrokenStream:
            self.buffer.clear()
            self.limit = "garbled"

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
        return self.status is not None or self.limit is not None

    def passed_limit(self):
        """Look at every process of the run: the name of the limit that is passed, or None."""
        if time.monotonic() - self.started > self.limits["wall_seconds"]:
            return "wall"
        if len(others()) > self.limits["processes"]:  # the more there are the longer it takes to look at each
            return "processes"
        cpu, memory = usage_of_others()
        if cpu + children_cpu() - self.cpu_before > self.limits["cpu_seconds"]:
            return "cpu"
        if memory > self.limits["memory_bytes"]:
            return "memory"
        return None

    def finish(self):
        """End everything, take what is left in the pipes, and tell the lab."""
        status = kill_all_others(self.pid)
        if self.status is None:
            self.status = status
        for reader in (self.events, self.output):
            os.set_blocking(reader.reader, False)
            while self.pump(reader):
                pass
            os.close(reader.reader)
        if self.limit is None and self.status_signal() in (signal.SIGKILL, signal.SIGXCPU):
            spent = children_cpu() - self.cpu_before
            self.limit = "cpu" if spent >= self.limits["cpu_seconds"] else None
        full = is_full(self.server.wiped[0])
        clean = empty_directories(self.server.wiped, self.server.mounts)
        self.server.channel.send(
            {
                "type": "done",
                "exit": os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else None,
                "signal": self.status_signal(),
                "limit": self.limit,
                "disk_full": full,
                "clean": clean,
                "cpu_seconds": children_cpu() - self.cpu_before,
                "wall_seconds": time.monotonic() - self.started,
                "output": self.kept.text(),
            }
        )

    def status_signal(self):
        return os.WTERMSIG(self.status) if self.status is not None and os.WIFSIGNALED(self.status) else None


class Server:
    """What stays between runs: the channel to the lab, the runner and what it has prepared."""

    def __init__(self, channel):
        self.channel = channel
        setup = channel.receive()
        self.limits = setup["limits"]
        self.niceness = setup["niceness"]
        self.scratch = setup["scratch"]
        self.wiped = setup["wiped"]
        self.mounts = mounts_below(self.wiped)
        self.own_namespace = os.getpid() == 1
        self.wakeup = Wakeup()
        self.runner: types.ModuleType
        self.state = None
        self.configured = 0
        self.doing(lambda: setattr(self, "runner", load(setup["runner"])))
        channel.send({"type": "ready", "reusable": getattr(self.runner, "REUSABLE", False)})

    def serve(self):
        """Answer until the lab goes away."""
        while True:
            message = self.channel.receive()
            if message is None:
                return
            if message["type"] == "configure":
                self.configure(message["config"])
            elif message["type"] == "run":
                self.limits = message["limits"]
                os.makedirs(self.scratch, exist_ok=True)
                run = Run(self, message["request"], self.channel.take_fds())
                run.watch()
                run.finish()

    def configure(self, config):
        """Prepare the runner for the runs to come, in place of what it was prepared for before."""
        self.state = None
        if self.configured % FULL_COLLECTION == 0:
            gc.unfreeze()
        self.configured += 1
        self.doing(lambda: setattr(self, "state", self.runner.prepare(config)))
        gc.collect()
        gc.freeze()
        self.channel.send({"type": "ready"})

    def doing(self, action):
        """Do something that may go wrong: then tell the lab, and end."""
        try:
            action()
        except BaseException:
            traceback.print_exc()
            self.channel.send({"type": "failed", "message": traceback.format_exc().splitlines()[-1]})
            raise

    def hear(self):
        """During a run the lab may give other ``limits``; if it says ``cancel`` or goes away the run is over."""
        if not self.channel.read():
            kill_all_others(None)
            os._exit(0)
        message = self.channel.take()
        while message is not None and message["type"] == "limits":
            self.limits = message["limits"]
            message = self.channel.take()
        return message is None


class Pipe:
    """A pipe whose reading end stays here."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_inheritable(self.writer, False)

    def fileno(self):
        return self.reader

    def read(self):
        try:
            return os.read(self.reader, 1 << 16)
        except BlockingIOError:
            return b""

    def close_writer(self):
        os.close(self.writer)


class Wakeup:
    """Becomes readable when a child ends."""

    def __init__(self):
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)

    def fileno(self):
        return self._reader

    def drain(self):
        try:
            os.read(self._reader, 1 << 16)
        except BlockingIOError:
            pass


class Kept:
    """The first and the last part of an output, as many bytes in all as allowed."""

    def __init__(self, limit):
        self._half = max(1, limit // 2)
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, data):
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        extra = len(self._tail) - self._half
        if extra > 0:
            self._dropped += extra
            del self._tail[:extra]

    def text(self):
        gap = b"\n... %d bytes left out ...\n" % self._dropped if self._dropped else b""
        return bytes(self._head + gap + self._tail).decode("utf-8", "replace")


def come_after_the_watcher(niceness):
    """Have this process run when the one that watches it does not: however many it becomes, they are counted soon."""
    os.setpriority(os.PRIO_PROCESS, 0, max(min(niceness + NICER, LEAST), os.nice(0)))
    if niceness + NICER > LEAST:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def restrict(limits, own_namespace):
    """Set the limits that the kernel keeps for a process (the run as a whole is watched from outside)."""
    seconds = int(limits["cpu_seconds"]) + 2
    for name, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NPROC, limits["processes"] if own_namespace else None),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        if value is not None:
            _, hard = resource.getrlimit(name)
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(name, (value, value))


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def others():
    """Process ids of everything this server has started, directly or not."""
    me = os.getpid()
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    if me == 1:
        return [pid for pid in pids if pid != me]
    parents = {}
    for pid in pids:
        fields = stat_fields(pid)
        if fields:
            parents[pid] = int(fields[1])
    found = []
    for pid in parents:
        ancestor = pid
        while ancestor in parents and ancestor != me:
            ancestor = parents[ancestor]
        if ancestor == me and pid != me:
            found.append(pid)
    return found


def stat_fields(pid):
    """The fields of /proc/PID/stat from the state on, or None if the process is gone."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None


def usage_of_others():
    """The CPU seconds that living processes and the children they waited for took, and their resident bytes."""
    tick = os.sysconf("SC_CLK_TCK")
    page = os.sysconf("SC_PAGE_SIZE")
    cpu, memory = 0.0, 0
    for pid in others():
        fields = stat_fields(pid)
        if fields:
            cpu += sum(int(value) for value in fields[11:15]) / tick
            memory += int(fields[21]) * page
    return cpu, memory


def kill_others():
    """Kill every process but this one that it has started, directly or not."""
    if os.getpid() == 1:
        os.kill(-1, signal.SIGKILL)
    else:
        for pid in others():
            os.kill(pid, signal.SIGKILL)


def kill_all_others(wanted, kill=kill_others):
    """Kill and reap every process but this one; returns the wait status of ``wanted`` if it was still there."""
    status_of_wanted = None
    while True:
        try:
            kill()
        except (ProcessLookupError, PermissionError):
            pass
        how = 0  # wait for one; others that have ended meanwhile are taken before anything is killed again
        while True:
            try:
                pid, status = os.waitpid(-1, how)
            except ChildProcessError:
                return status_of_wanted
            if pid == 0:
                break
            if pid == wanted:
                status_of_wanted = status
            how = os.WNOHANG


def is_full(directory):
    """Whether the file system that a directory lies on has no room left."""
    room = os.statvfs(directory)
    return room.f_bavail * room.f_frsize < 4096 or room.f_favail == 0


def mounts_below(directories):
    """Where something is mounted below directories: an interpreter may lie in a temporary folder."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return ()
    escaped = re.compile(r"\\([0-7]{3})")
    places = [escaped.sub(lambda found: chr(int(found.group(1), 8)), line.split(" ")[4]) for line in lines]
    return tuple(place for place in places if place.startswith(tuple(directory + "/" for directory in directories)))


def empty_directories(directories, mounts):
    """Remove all below each directory, whatever its modes, but mounts. Returns whether everything else is gone."""
    try:
        for directory in directories:
            empty(directory, mounts)
    except (OSError, RecursionError):
        return False
    return True


def empty(directory, mounts):
    for entry in os.scandir(directory):
        if entry.path in mounts:
            continue
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, stat.S_IRWXU)
            empty(entry.path, mounts)
            if not any(place.startswith(entry.path + "/") for place in mounts):
                os.rmdir(entry.path)
        else:
            os.unlink(entry.path)


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def shield():
    """Keep what is confined from tracing this process or signalling it, and let orphans come back to it."""
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def connected(where):
    """Return the connection to the lab: a file descriptor by its number, or made to a socket by its path."""
    if where.isdigit():
        return socket.socket(fileno=int(where))
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(where)
    return connection


def main():
    shield()
    sys.path[:] = [entry for entry in sys.path if entry and os.path.abspath(entry) != HERE]
    sys.dont_write_bytecode = True
    channel = frames.Frames(connected(sys.argv[1]))
    os.set_inheritable(channel.fileno(), False)
    try:
        Server(channel).serve()
    except (OSError, frames.BrokenStream):
        pass
    finally:
        kill_all_others(None)


if __name__ == "__main__":
    main()
