"""The lab's side of many changed trees in forks of one pytest session, the fast path of detection.

It has collected the good tree (:mod:`mendlab.verify.confined.forks.pytest_session`), or is about to import it
(:mod:`mendlab.verify.confined.forks.pytest_early`). What it cannot hold it says.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import Limits, PytestHarness, SandboxLevel
from mendlab.verify.confined.frames import BrokenStream, Frames
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import Done, WarmProcess
from mendlab.verify.engines.engine import TestRun
from mendlab.verify.engines.pytest_engine import whole_run
from mendlab.verify.engines.pytest_events import RunRecord
from mendlab.verify.engines.script_engine import encode_changes, encode_tree

_WITHOUT_END: Final = 10.0**6
_GRACE_SECONDS: Final = 15.0
_LIMITS: Final = ("cpu_seconds", "wall_seconds", "idle_cpu_seconds", "idle_wall_seconds")


class Unsuitable(Exception):
    """The session cannot hold a change, or a suite: the reason."""


class PytestSession:
    """One session to fork. Not thread-safe. Namespaces are needed: they are how what a fork leaves behind is ended.

    ``own_seconds`` is the CPU time that the session itself has taken, without its forks.

    Args:
        after: a session of the same tree that has collected. This one forks where it is about to import the tree,
            having imported what that one imported from elsewhere; without it, where it has collected.

    Raises:
        Unsuitable: the suite cannot be collected, or keeps threads that a fork would lose.
    """

    def __init__(
        self,
        tree: FileTree,
        harness: PytestHarness,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
        hash_seed: int = 0,
        after: PytestSession | None = None,
    ) -> None:
        if level is not SandboxLevel.NAMESPACES:
            raise Unsuitable("there are no namespaces")
        self._limits = limits
        self._nonce = secrets.token_hex(16)
        self.own_seconds = 0.0
        config = {"files": encode_tree(tree), "arguments": list(harness.arguments)}
        self._warm = WarmProcess(
            "pytest_run", config, interpreter=interpreter, level=level, limits=limits, hash_seed=hash_seed
        )
        mine, theirs = socket.socketpair()
        self._channel = Frames(mine)
        request: dict[str, Any] = {
            "changes": {},
            "mode": "session",
            "stop_at_first": False,
            "shuffle_seed": None,
            "tests": None,
        }
        if after is not None:
            request |= {"mode": "early", "modules": after.modules}
        endless = limits.model_copy(update={"cpu_seconds": _WITHOUT_END, "wall_seconds": _WITHOUT_END})
        with theirs:
            self._warm.begin(
                {**request, "nonce": self._nonce, "altered": after.altered if after is not None else []},
                fds=[theirs.fileno()],
                limits=endless,
            )
        answer = self._receive(limits.wall_seconds)
        if answer is None or answer.get("threads"):
            self.close()
            raise Unsuitable("its tests are not collected" if answer is None else "it keeps threads")
        self.modules: list[str] = answer.get("modules", [])
        self.altered: list[str] = answer.get("altered", [])
        self.groups: dict[str, str] = answer.get("groups", {})  # of tests that share fixtures
        self.tests: frozenset[str] = frozenset(answer.get("tests", ()))  # that are collected; of an early one none are
        self.ended = False

    def run(
        self,
        changes: Mapping[str, bytes],
        tests: Sequence[str],
        *,
        stop_at_first: bool,
        limits: Limits,
        idle: tuple[float, float] | None = None,
    ) -> TestRun:
        """Run tests in the order given, on the good tree with files changed; those that it did not come to are missing.

        ``idle`` are the CPU and wall seconds in which something must be heard of; as ``limits`` if None.

        Raises:
            Unsuitable: the change shows only where its file is imported anew, or the run ended the session.
        """
        request = {"changes": encode_changes(changes), "tests": list(tests), "stop_at_first": stop_at_first}
        try:
            whole = limits.cpu_seconds, limits.wall_seconds
            self._channel.send({**request, **dict(zip(_LIMITS, (*whole, *(idle or whole)), strict=True))})
        except OSError as error:
            self.ended = True
            raise Unsuitable(f"the session has ended: {error}") from None
        answer = self._receive(limits.wall_seconds + _GRACE_SECONDS)
        if answer is None:
            self.ended = True
            raise Unsuitable("the run ended the session")
        if "unswappable" in answer:
            raise Unsuitable(answer["unswappable"])
        record = RunRecord(self._nonce, frozenset(tests))
        for event in answer["events"]:
            record.hear(event)
        if answer["exit"] == 0 and record.current is None:
            record.code = 0
        done = Done(answer["exit"], answer["signal"], answer["limit"], False, answer["cpu_seconds"], 0.0, "")
        return whole_run(tests, record, done)

    def close(self) -> None:
        """End the session."""
        self._channel.close()
        try:
            self._warm.cancel()
            for _ in self._warm.events(_GRACE_SECONDS):
                pass
        except EngineError:
            return
        self._warm.close()

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        self._channel.socket.settimeout(seconds)
        try:
            answer = self._channel.receive()
        except (OSError, BrokenStream):
            return None
        if answer is None:
            return None
        self.own_seconds = answer["own_seconds"]
        return dict(answer)
