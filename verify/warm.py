"""The lab's handle on a warm confined process (:mod:`mendlab.verify.confined.zygote`): start it, run things, end it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mendlab.errors import EngineError
from mendlab.records import Limits, SandboxLevel
from mendlab.verify import confined
from mendlab.verify.confined.frames import BrokenStream, Frames
from mendlab.verify.interpreter import Interpreter
from mendlab.verify.sandbox import SCRATCH_ROOT, Confinement, environment

_HERE = Path(confined.__file__).parent
_INSIDE = "/mendlab"
_START_SECONDS = 120.0
_GRACE_SECONDS = 15.0

# A confined process is killed when the thread that started it ends; this thread ends with the program.
_starter = ThreadPoolExecutor(1, thread_name_prefix="mendlab-start")


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended. ``limit`` is the one it passed, if any: cpu, wall, memory, processes, garbled, cancelled."""

    exit_code: int | None
    signal: int | None
    limit: str | None
    disk_full: bool
    cpu_seconds: float
    wall_seconds: float
    output: str


class WarmProcess:
    """A confined server that forks a child for every run. One run at a time; not thread-safe.

    Args:
        runner: the file in ``verify/confined`` that prepares once and runs each request.
        config: what its ``prepare`` gets (JSON).
        mounts: read-only directories, from the place inside to the one outside.
    """

    def __init__(
        self,
        runner: str,
        config: dict[str, Any],
        *,
        interpreter: Interpreter,
        level: SandboxLevel,
        limits: Limits,
        mounts: dict[str, Path] | None = None,
        hash_seed: int = 0,
    ) -> None:
        self.level = level
        self._limits = limits
        self._setup = {"runner": runner, "config": config, "limits": limits.model_dump()}
        self._interpreter = interpreter
        self._mounts = {_INSIDE: _HERE, **(mounts or {})}
        self._hash_seed = hash_seed
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Frames | None = None
        self._own_scratch: Path | None = None
        self._deadline = 0.0

    def start(self) -> None:
        """Start the process and wait until its runner is prepared; called by itself where needed.

        Raises:
            EngineError: it does not start, with what it said.
        """
        if self._process is not None:
            return
        mine, theirs = socket.socketpair()
        confinement = Confinement(self.level, self._limits, self._interpreter.directories, self._mounts)
        argv = [str(self._interpreter.executable), "-s", "-B", self.inside("zygote.py"), str(theirs.fileno())]
        try:
            self._process = _starter.submit(self._spawn, confinement.command(argv), theirs.fileno()).result()
        finally:
            theirs.close()
        self._channel = Frames(mine)
        try:
            mine.settimeout(_START_SECONDS)
            self._channel.send({**self._setup, **self._scratch()})
            answer = self._channel.receive()
        except (OSError, BrokenStream) as error:
            answer = {"type": "failed", "message": str(error)}
        if answer is None or answer["type"] != "ready":
            said = answer["message"] if answer else self._last_words()
            self.close()
            raise EngineError(f"the confined process did not start: {said}", hint="try `mendlab doctor`")

    def inside(self, file: str) -> str:
        """Where a file of ``verify/confined`` lies, as the confined process sees it."""
        return f"{_INSIDE}/{file}" if self.level is SandboxLevel.NAMESPACES else str(_HERE / file)

    def place(self, mount: str) -> str:
        """Where a mount lies, as the confined process sees it."""
        return mount if self.level is SandboxLevel.NAMESPACES else str(self._mounts[mount])

    def begin(self, request: dict[str, Any], fds: Sequence[int] = (), limits: Limits | None = None) -> None:
        """Start a run; its events are then read with :meth:`events`. ``limits`` hold from this run on."""
        self.start()
        limits = limits or self._limits
        self._deadline = time.monotonic() + limits.wall_seconds + _GRACE_SECONDS
        try:
            self._connection().send({"type": "run", "request": request, "limits": limits.model_dump()}, fds)
        except OSError as error:
            self._fail(str(error))

    def events(self) -> Iterator[Any]:
        """Yield what the run emits, as it comes, and last a :class:`Done`.

        Raises:
            EngineError: the confined process went away or fell silent.
        """
        channel = self._connection()
        while True:
            try:
                channel.socket.settimeout(max(0.01, self._deadline - time.monotonic()))
                message = channel.receive()
            except (OSError, BrokenStream) as error:
                self._fail(str(error) or type(error).__name__)
            if message is None:
                self._fail(self._last_words())
            if message["type"] == "done":
                if not message["clean"]:
                    self.close()
                yield Done(
                    message["exit"],
                    message["signal"],
                    message["limit"],
                    message["disk_full"],
                    message["cpu_seconds"],
                    message["wall_seconds"],
                    message["output"],
                )
                return
            yield message["data"]

    def run(self, request: dict[str, Any], limits: Limits | None = None) -> tuple[list[Any], Done]:
        """Do one whole run; returns all that it emitted, and how it ended."""
        self.begin(request, limits=limits)
        *emitted, done = self.events()
        return emitted, done

    def cancel(self) -> None:
        """End the run that is going on; its :class:`Done` still comes."""
        try:
            self._connection().send({"type": "cancel"})
        except OSError as error:
            self._fail(str(error))

    def close(self) -> None:
        """End the process and all that is in it."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stderr is not None:
                self._process.stderr.close()
            self._process = None
        if self._own_scratch is not None:
            shutil.rmtree(self._own_scratch, ignore_errors=True)
            self._own_scratch = None

    def _scratch(self) -> dict[str, Any]:
        if self.level is SandboxLevel.NAMESPACES:
            return {"scratch": f"{SCRATCH_ROOT}/run", "wiped": [SCRATCH_ROOT, "/dev/shm"]}
        self._own_scratch = Path(tempfile.mkdtemp(prefix="mendlab-"))
        return {"scratch": str(self._own_scratch / "run"), "wiped": [str(self._own_scratch)]}

    def _spawn(self, command: list[str], fd: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(fd,),
            env=environment(self._interpreter.executable, self._hash_seed),
            cwd="/",
        )

    def _connection(self) -> Frames:
        if self._channel is None:
            raise EngineError("the confined process is not running")
        return self._channel

    def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return "it ended"
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its channel"
        said = process.stderr.read().decode("utf-8", "replace").strip()
        return said.splitlines()[-1] if said else f"it ended with exit code {process.returncode}"

    def _fail(self, why: str) -> Any:
        self.close()
        raise EngineError(f"the confined process failed: {why}", hint="try `mendlab doctor`")
