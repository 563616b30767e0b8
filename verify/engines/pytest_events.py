"""Reads what the plugin of :mod:`mendlab.verify.confined.pytest_run.pytest_run_plugin` tells of one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mendlab.records import TestOutcome, TestResult

Lines = dict[str, Sequence[int]]


@dataclass(slots=True)
class Uncollected:
    """A file, class or directory that gave no tests."""

    node_id: str
    outcome: TestOutcome
    message: str

    def covers(self, test_id: str) -> bool:
        """Whether the test would have come from here."""
        place = self.node_id.removesuffix("/__init__.py")
        return place in ("", ".") or test_id == place or test_id.startswith((f"{place}::", f"{place}/"))


@dataclass(slots=True)
class RunRecord:
    """All that counts of a run's events. Only tests in ``asked`` are heard (all if it is None).

    ``current`` is what had begun and not ended: a test id or a file. ``lines`` has what each test ran when traced, in
    its turn or by itself, and under ``""`` what every test depends on; ``files`` what collecting a file by itself
    runs; ``alone`` has the outcomes of tests by themselves. ``collecting_seconds`` is the CPU time of the process when
    the tests were collected.
    """

    nonce: str
    asked: frozenset[str] | None
    results: dict[str, TestResult] = field(default_factory=dict)
    uncollected: list[Uncollected] = field(default_factory=list)
    collected: list[str] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    lines: dict[str, Lines] = field(default_factory=dict)
    files: dict[str, Lines] = field(default_factory=dict)
    alone: dict[str, TestOutcome] = field(default_factory=dict)
    current: str | None = None
    broken: str | None = None
    code: int | None = None
    collecting_seconds: float | None = None
    recorded: dict[str, Any] = field(default_factory=dict)

    def hear(self, event: Any) -> None:
        """Take in one event; what is not of this run, or not in its form, is not heard."""
        if isinstance(event, dict) and event.get("nonce") == self.nonce:
            if "calls" in event:
                self.recorded = event
            handler = getattr(self, f"_on_{event.get('event')}", None)
            if handler is not None:
                handler(event)

    def _on_start(self, event: dict[str, Any]) -> None:
        self.current = str(event.get("id"))

    def _on_collected(self, event: dict[str, Any]) -> None:
        self.current = None
        self.collected += [_text(test_id) for test_id in event.get("ids", ())]
        self.altered += [_text(name) for name in event.get("altered", ())]
        cpu = event.get("cpu")
        self.collecting_seconds = float(cpu) if isinstance(cpu, int | float) else None
        if "lines" in event:
            self.lines[""] = event["lines"]

    def _on_uncollected(self, event: dict[str, Any]) -> None:
        self.current = None
        outcome = TestOutcome.SKIPPED if event.get("outcome") == "skipped" else TestOutcome.ERROR
        self.uncollected.append(Uncollected(_text(event.get("id")), outcome, _text(event.get("message"))))

    def _on_result(self, event: dict[str, Any]) -> None:
        self.current = None
        test_id = _text(event.get("id"))
        if self.asked is not None and test_id not in self.asked:
            return
        outcome = _outcome(event.get("outcome"))
        cpu = event.get("cpu")
        before = self.results.get(test_id)
        if before is None or before.outcome is TestOutcome.PASSED:  # of two tests with one id, the worse counts
            seconds = float(cpu) if isinstance(cpu, int | float) else None
            message = _text(event.get("message"))
            self.results[test_id] = TestResult(test_id=test_id, outcome=outcome, message=message, cpu_seconds=seconds)
        _add_lines(self.lines, event)

    def _on_alone(self, event: dict[str, Any]) -> None:
        self.alone[_text(event.get("id"))] = _outcome(event.get("outcome"))
        _add_lines(self.lines, event)

    def _on_file(self, event: dict[str, Any]) -> None:
        _add_lines(self.files, event)

    def _on_broken(self, event: dict[str, Any]) -> None:
        self.broken = self.broken or _text(event.get("message"))

    def _on_end(self, event: dict[str, Any]) -> None:
        code = event.get("code")
        self.code = code if isinstance(code, int) else None
        if "lines" in event:
            self.lines[""] = event["lines"]


def _add_lines(lines: dict[str, Lines], event: dict[str, Any]) -> None:
    if "lines" in event:
        known = lines.setdefault(_text(event.get("id")), {})
        for path, numbers in event["lines"].items():
            known[path] = sorted({*known.get(path, ()), *numbers})


def _text(value: Any) -> str:
    """As text that any encoding holds: test messages may have lone surrogates."""
    return str(value).encode("utf-8", "replace").decode()


def _outcome(value: Any) -> TestOutcome:
    try:
        return TestOutcome(value)
    except ValueError:
        return TestOutcome.ERROR
