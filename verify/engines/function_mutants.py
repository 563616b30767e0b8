"""The engine for many small changes to one module with function tests: mutant and tests in one fork.

The same answers as :class:`FunctionEngine` gives, at half the cost. What does not come to its end (a hang, a crash) is
run again by that engine, which keeps the two apart and tells which test is to blame.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, SandboxLevel, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.function_engine import FunctionEngine, oracle_config


class FunctionMutantEngine:
    """Runs function tests against small changes of their module. Errors are those of :class:`FunctionEngine`."""

    def __init__(
        self,
        tree: FileTree,
        harness: FunctionHarness,
        *,
        limits: Limits,
        level: SandboxLevel,
        interpreter: Interpreter,
        hash_seed: int = 0,
    ) -> None:
        self._tree = tree
        self._harness = harness
        self._apart = FunctionEngine(
            tree, harness, limits=limits, level=level, interpreter=interpreter, hash_seed=hash_seed
        )
        self._together = WarmProcess(
            "together_run",
            oracle_config(tree, harness, limits, hash_seed),
            interpreter=interpreter,
            level=level,
            limits=limits,
            hash_seed=hash_seed,
        )

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        return self._apart.level

    @property
    def test_ids(self) -> tuple[str, ...]:
        """Every test id of the harness, in order."""
        return self._apart.test_ids

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions = RunOptions()) -> TestRun:  # noqa: B008
        """Run the tests asked for. Raises EngineError."""
        source = changes.get(self._harness.module, self._tree.get(self._harness.module))
        alone = len(self._tree) == 1 and set(changes) <= {self._harness.module}
        if options.fresh or options.shuffle_seed is not None or not alone or source is None:
            return self._apart.run(changes, options)
        asked = self.test_ids if options.tests is None else tuple(options.tests)
        told, done = self._together.run(self._request(source, asked, options))
        events = [event for batch in told for event in batch]
        if not events or not ("end" in events[-1] or "load_error" in events[-1]):
            return self._apart.run(changes, options)
        return _test_run(events, asked, done.cpu_seconds, done.output)

    def close(self) -> None:
        """Hand the processes back."""
        self._together.close()
        self._apart.close()

    def _request(self, source: bytes, asked: tuple[str, ...], options: RunOptions) -> dict[str, Any]:
        wanted = set(asked)
        groups = [
            index
            for index, group in enumerate(self._harness.groups)
            if any(step.test_id in wanted for step in group.steps)
        ]
        return {
            "source": source.decode("latin-1"),
            "groups": groups,
            "tests": list(asked),
            "skip": [],
            "stop": options.stop_at_first,
        }


def _test_run(events: list[dict[str, Any]], asked: tuple[str, ...], cpu_seconds: float, output: str) -> TestRun:
    load_error: str | None = next((event["load_error"] for event in events if "load_error" in event), None)
    results = {
        event["test"]: TestResult(
            test_id=event["test"],
            outcome=TestOutcome(event["outcome"]),
            message=event["message"],
            cpu_seconds=event["cpu"],
        )
        for event in events
        if "test" in event
    }
    outcome = TestOutcome.MISSING if load_error is None else TestOutcome.ERROR
    rest = {test_id: TestResult(test_id=test_id, outcome=outcome, message=load_error or "") for test_id in asked}
    return TestRun(tuple({**rest, **results}[test_id] for test_id in asked), cpu_seconds, load_error, output)
