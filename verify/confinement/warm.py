"""An engine's use of a warm confined process: configure it for a subject, ask for runs, hand it back."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from mendlab.errors import EngineError
from mendlab.records import Limits, SandboxLevel
from mendlab.verify.confined.frames import BrokenStream
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.server import POOL, Server
from mendlab.workers import stop_if_unwanted

_GRACE_SECONDS = 15.0


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
        serves: whom it is for; a process that has served one is never used for another.
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
        serves: str = "",
    ) -> None:
        self.level = level
        self._serves = serves
        self._runner = runner
        self._config = config
        self._interpreter = interpreter
        self._limits = limits
        self._mounts = mounts or {}
        self._hash_seed = hash_seed
        self._server: Server | None = None
        self._deadline = 0.0

    def start(self, *, fresh: bool = False) -> None:
        """Have the process ready with its runner prepared; called by itself where needed.

        ``fresh`` makes it a new one, whatever is there.

        Raises:
            EngineError: it does not start, with what it said.
        """
        if fresh:
            self.discard()
        if self._server is not None:
            return
        idle = None if fresh or self._mounts else POOL.take(self._kind)
        server = idle or Server(
            self._runner, self._interpreter, self.level, self._limits, self._mounts, self._hash_seed
        )
        server.configure(self._config)
        self._server = server

    def configure(self, changes: dict[str, Any]) -> None:
        """Change what the runner is prepared with. Raises EngineError."""
        self._config = {**self._config, **changes}
        if self._server is not None:
            self._server.configure(self._config)

    def allow(self, limits: Limits) -> None:
        """Have other limits for the run that is going on."""
        try:
            self._running().channel.send({"type": "limits", "limits": limits.model_dump()})
        except OSError as error:
            self._fail(str(error))

    def begin(self, request: dict[str, Any], fds: Sequence[int] = (), limits: Limits | None = None) -> None:
        """Start a run; its events are then read with :meth:`events`. ``limits`` are for this run alone.

        Raises:
            EngineError: the process does not start, or went away.
            Unwanted: nobody waits for what this thread works on.
        """
        stop_if_unwanted()
        self.start()
        limits = limits or self._limits
        self._deadline = time.monotonic() + limits.wall_seconds + _GRACE_SECONDS
        try:
            self._running().channel.send({"type": "run", "request": request, "limits": limits.model_dump()}, fds)
        except OSError as error:
            self._fail(str(error))

    def events(self, seconds: float | None = None) -> Iterator[Any]:
        """Yield what the run emits, as it comes, and last a :class:`Done`, in ``seconds`` from now if they are given.

        Raises:
            EngineError: the confined process went away or fell silent.
        """
        channel = self._running().channel
        if seconds is not None:
            self._deadline = time.monotonic() + seconds
        while True:
            try:
                channel.socket.settimeout(max(0.01, self._deadline - time.monotonic()))
                message = channel.receive()
            except (OSError, BrokenStream) as error:
                self._fail(str(error) or type(error).__name__)
            if message is None:
                self._fail(self._running().last_words())
            if message["type"] == "done":
                if not message["clean"]:
                    self.discard()
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
            self._running().channel.send({"type": "cancel"})
        except OSError as error:
            self._fail(str(error))

    def close(self) -> None:
        """Hand the process back, once no run is going on."""
        if self._server is not None:
            server, self._server = self._server, None
            if self._mounts:
                server.stop()
            else:
                POOL.give(self._kind, server)

    def discard(self) -> None:
        """End the process, whatever it is doing."""
        if self._server is not None:
            server, self._server = self._server, None
            server.stop()

    @property
    def _kind(self) -> tuple[object, ...]:
        """What two processes must have in common to stand in for one another."""
        disk = self._limits.disk_bytes
        return (self._runner, self._serves, self._interpreter.executable, self.level, self._hash_seed, disk)

    def _running(self) -> Server:
        if self._server is None:
            raise EngineError("the confined process is not running")
        return self._server

    def _fail(self, why: str) -> NoReturn:
        self.discard()
        raise EngineError(f"the confined process failed: {why}", hint="try `mendlab doctor`")
