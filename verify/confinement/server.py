"""A confined process that serves (:mod:`mendlab.verify.confined.zygote`), and the pool of those that nobody is using.

Starting Python, and what a runner imports, costs far more than a run. A server runs nothing of a subject itself, only
its forked children do, and those are gone with all they wrote when a run is over: so the next engine may use it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mendlab.errors import EngineError
from mendlab.records import Limits, SandboxLevel
from mendlab.verify import confined
from mendlab.verify.confined.frames import BrokenStream, Frames
from mendlab.verify.confinement.container import CHANNEL, SOCKET
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.sandbox import SCRATCH_ROOT, Confinement, environment
from mendlab.workers import give_up

HERE: Final = Path(confined.__file__).parent
INSIDE: Final = "/mendlab"
START_SECONDS: Final = 120.0
IDLE_AT_MOST: Final = 3
AHEAD: Final = 10
"""So much less nice than the lab is who watches runs, where the lab may say so: as root, for whom the kernel limits no
number of processes. Among a thousand that fork, it would have its turn three times a second otherwise."""

# A confined process is killed when the thread that started it ends; this thread ends with the program.
_starter = ThreadPoolExecutor(1, thread_name_prefix="mendlab-start")


class Server:
    """One confined process with its runner loaded. ``reusable`` says whether it runs nothing of a subject itself.

    Raises:
        EngineError: it does not start, with what it said.
    """

    def __init__(
        self,
        runner: str,
        interpreter: Interpreter,
        level: SandboxLevel,
        limits: Limits,
        mounts: Mapping[str, Path],
        hash_seed: int,
    ) -> None:
        self._own_scratch: Path | None = None
        self._prepared: dict[str, Any] | None = None
        zygote = str(HERE / "zygote.py") if level is SandboxLevel.NONE else f"{INSIDE}/zygote.py"
        argv = [str(interpreter.executable), "-s", "-B", zygote]
        env = environment(interpreter.executable, hash_seed)
        confinement = Confinement(level, limits, interpreter.directories, {INSIDE: HERE, **mounts})
        if level is SandboxLevel.CONTAINER:
            self._process, mine = _start_container(confinement, argv, env)
        else:
            mine, theirs = socket.socketpair()
            with theirs:
                command = confinement.command([*argv, str(theirs.fileno())])
                self._process = _starter.submit(_spawn, command, [theirs.fileno()], env, os.nice(0)).result()
        self.channel = Frames(mine)
        setup = {"runner": runner, "limits": limits.model_dump(), "niceness": os.nice(0), **self._scratch(level)}
        answer = self.ask(setup)
        self.reusable: bool = answer["reusable"]

    def configure(self, config: dict[str, Any]) -> None:
        """Have the runner prepared for a subject, if it is not. Raises EngineError as :meth:`ask` does."""
        if self._prepared != config:
            self.ask({"type": "configure", "config": config})
            self._prepared = config

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message of the setting up and wait until it is done.

        Raises:
            EngineError: it fails; the process is then ended.
            KeyboardInterrupt: it was ended before, as nobody waits for it any more.
        """
        try:
            self.channel.socket.settimeout(START_SECONDS)
            self.channel.send(message)
            answer = self.channel.receive()
        except (OSError, BrokenStream) as error:
            answer = {"type": "failed", "message": str(error)}
        if answer is None or answer["type"] != "ready":
            said = answer["message"] if answer else self.last_words()
            self.stop()
            give_up()
            raise EngineError(f"the confined process did not start: {said}", hint="try `mendlab doctor`")
        return dict(answer)

    def stop(self) -> None:
        """End the process and all that is in it."""
        self.channel.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if self._own_scratch is not None:
            shutil.rmtree(self._own_scratch, ignore_errors=True)

    def hang_up(self) -> None:
        """Have the process end, and all that is in it, from another thread; who waits for it finds it gone."""
        self.reusable = False
        with contextlib.suppress(OSError):
            self.channel.socket.shutdown(socket.SHUT_RDWR)

    def last_words(self) -> str:
        """What it said as it ended."""
        if self._process.stderr is None:
            return "it ended"
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its channel"
        said = self._process.stderr.read().decode("utf-8", "replace").strip()
        return said.splitlines()[-1] if said else f"it ended with exit code {self._process.returncode}"

    def _scratch(self, level: SandboxLevel) -> dict[str, Any]:
        if level is not SandboxLevel.NONE:
            return {"scratch": f"{SCRATCH_ROOT}/run", "wiped": [SCRATCH_ROOT, "/dev/shm"]}
        self._own_scratch = Path(tempfile.mkdtemp(prefix="mendlab-"))
        return {"scratch": str(self._own_scratch / "run"), "wiped": [str(self._own_scratch)]}


def _start_container(
    confinement: Confinement, argv: list[str], env: Mapping[str, str]
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a process in a container, and return it with the connection that it makes.

    Raises:
        EngineError: it does not connect.
    """
    with tempfile.TemporaryDirectory(prefix="mendlab-channel-") as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/{SOCKET}")
        for place, mode in ((folder, 0o711), (f"{folder}/{SOCKET}", 0o666)):  # where the lab is root, it is not
            Path(place).chmod(mode)
        listener.listen(1)
        reachable = replace(confinement, mounts={**confinement.mounts, CHANNEL: Path(folder)})
        command = reachable.command([*argv, f"{CHANNEL}/{SOCKET}"], env)
        process = _starter.submit(_spawn, command, (), os.environ, os.nice(0)).result()
        deadline = time.monotonic() + START_SECONDS
        listener.settimeout(0.2)
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                return process, listener.accept()[0]
        process.kill()
        said = process.communicate()[1].decode("utf-8", "replace").strip()
        raise EngineError(f"the container did not start: {said or 'it did not connect'}", hint="try `mendlab doctor`")


def _spawn(command: list[str], fds: Sequence[int], env: Mapping[str, str], niceness: int) -> subprocess.Popen[bytes]:
    """Start a process from the thread that is there for it alone, which becomes less nice than that."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(-20, niceness - AHEAD))
    return subprocess.Popen(  # in a group of its own: Ctrl-C is for us, and would look like a failure of the start
        command,
        process_group=0,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=fds,
        env=env,
        cwd="/",
    )


class Pool:
    """Servers that nobody is using, a few of each kind; they end with the program."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[Hashable, list[Server]] = defaultdict(list)
        atexit.register(self.stop)

    def take(self, kind: Hashable) -> Server | None:
        """Return an idle server of a kind, if there is one."""
        with self._lock:
            return self._idle[kind].pop() if self._idle[kind] else None

    def give(self, kind: Hashable, server: Server) -> None:
        """Keep a server for the next who asks, or end it where that is not wanted."""
        if server.reusable:
            with self._lock:
                if len(self._idle[kind]) < IDLE_AT_MOST:
                    self._idle[kind].append(server)
                    return
        server.stop()

    def stop(self) -> None:
        """End every idle server."""
        with self._lock:
            servers = [server for idle in self._idle.values() for server in idle]
            self._idle.clear()
        for server in servers:
            with contextlib.suppress(OSError):
                server.stop()


POOL: Final = Pool()
