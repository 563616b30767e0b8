"""The engine for gates: scripts whose exit code 0 is a pass (:class:`mendlab.records.ScriptHarness`)."""

from __future__ import annotations

import base64
import random
import signal
from collections.abc import Mapping

from mendlab.corpora.tree import FileTree
from mendlab.records import Limits, SandboxLevel, ScriptHarness, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import Done, WarmProcess
from mendlab.verify.engines.engine import RunOptions, TestRun


class ScriptEngine:
    """Runs each gate in a fresh copy of the tree. Scripts carry no state over, so a warm run equals a fresh one."""

    def __init__(
        self,
        tree: FileTree,
        harness: ScriptHarness,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
        hash_seed: int = 0,
    ) -> None:
        self._scripts = harness.scripts
        argv = {"bash": ["/bin/bash"], "python": [str(interpreter.executable), "-B"]}[harness.interpreter]
        self._warm = WarmProcess(
            "script_run",
            {"files": encode_tree(tree), "argv": argv},
            interpreter=interpreter,
            level=level,
            limits=limits,
            hash_seed=hash_seed,
        )

    @property
    def test_ids(self) -> tuple[str, ...]:
        """The names of the gates."""
        return tuple(self._scripts)

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        return self._warm.level

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions = RunOptions()) -> TestRun:  # noqa: B008
        """Run the gates asked for, one after another. Raises EngineError."""
        wanted = list(self._scripts if options.tests is None else options.tests)
        if options.shuffle_seed is not None:
            random.Random(options.shuffle_seed).shuffle(wanted)
        encoded = encode_changes(changes)
        results: dict[str, TestResult] = {}
        output = ""
        for test_id in wanted:
            if options.fresh:
                self._warm.start(fresh=True)
            _, done = self._warm.run({"changes": encoded, "script": self._scripts[test_id]})
            results[test_id] = _result(test_id, done)
            output += done.output
            if options.stop_at_first and results[test_id].outcome is not TestOutcome.PASSED:
                break
        asked = self._scripts if options.tests is None else options.tests
        ordered = tuple(results.get(t, TestResult(test_id=t, outcome=TestOutcome.MISSING)) for t in asked)
        return TestRun(ordered, sum(r.cpu_seconds or 0.0 for r in results.values()), output=output)

    def close(self) -> None:
        """End the confined process."""
        self._warm.close()


def encode_tree(tree: FileTree) -> dict[str, tuple[str, bool]]:
    """Return a tree as the confined side reads it: path to base64 text and whether the file is executable."""
    return {path: (base64.b64encode(data).decode(), path in tree.executable) for path, data in tree.items()}


def encode_changes(changes: Mapping[str, bytes | None]) -> dict[str, str | None]:
    """Return changes to a tree as the confined side reads them: base64 text, or None for a removal."""
    return {path: None if data is None else base64.b64encode(data).decode() for path, data in changes.items()}


def _result(test_id: str, done: Done) -> TestResult:
    outcome = outcome_of(done) or (TestOutcome.PASSED if done.exit_code == 0 else TestOutcome.FAILED)
    message = "" if outcome is TestOutcome.PASSED else ending(done)
    return TestResult(test_id=test_id, outcome=outcome, message=message, cpu_seconds=done.cpu_seconds)


def outcome_of(done: Done) -> TestOutcome | None:
    """Return the outcome that the end of a process decides by itself, or None if it ended of its own accord."""
    if done.limit in ("cpu", "wall"):
        return TestOutcome.TIMEOUT
    if done.limit == "memory":
        return TestOutcome.OUT_OF_MEMORY
    if done.limit is not None or done.signal is not None:
        return TestOutcome.CRASH
    return None


def ending(done: Done) -> str:
    """Say in a few words how a process ended, with the last of its output."""
    how = f"exit code {done.exit_code}"
    if done.limit:
        how = f"past the {done.limit} limit after {done.cpu_seconds:.1f} s of CPU"
    elif done.signal:
        how = "as if out of CPU time" if done.signal == signal.SIGXCPU else f"signal {done.signal}"
    if done.disk_full:
        how += ", disk full"
    tail = done.output.strip()[-1500:]
    return f"{how}\n{tail}" if tail else how
