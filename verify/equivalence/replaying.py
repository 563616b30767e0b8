"""Calls done again on one version of a program, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.script_engine import encode_tree, outcome_of
from mendlab.verify.equivalence.recording import Call
from mendlab.verify.equivalence.same import Shown, read_outcome

CANDIDATES: Final = "candidates"
REFERENCES: Final = "references"
MOST_LOSSES: Final = 3
TOGETHER: Final = 64
PATIENCE: Final = 3
"""After so many fresh calls that take too long the rest of them is not done."""
FRESH_SECONDS: Final = 0.5
"""CPU time of a fresh call."""
EXTRA_SECONDS: Final = 4.0
"""CPU time of all fresh calls together, more than what the tests may take."""

Function = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Replayed:
    """How each call ended, in order, the CPU seconds, and the lines of traced files that calls ran, by function."""

    outcomes: list[Shown]
    cpu_seconds: float
    lines: dict[Function, dict[str, list[int]]] = field(default_factory=dict)


def replay(
    task: Task,
    tree: FileTree,
    modules: Sequence[str],
    calls: Sequence[Call],
    bench: Bench,
    *,
    fresh_from: int | None = None,
    fresh_seconds: float = FRESH_SECONDS,
    patience: int = PATIENCE,
    hash_seed: int = 0,
    trace: Sequence[str] = (),
    beside: Sequence[Shown] = (),
    serves: str = CANDIDATES,
) -> Replayed:
    """Do calls on one version; a call that ends the process costs itself. Those from ``fresh_from`` on must be quick.

    Under another hash seed, chance and the identity of texts are others as well.

    ``trace`` has files of a version that is to be trusted. ``beside``: how the calls end elsewhere; an end that is told
    in the same words is that one itself. ``serves``: whose
    version it is, for no process has candidates and references.

    Raises EngineError.
    """
    outcomes: dict[int, Shown] = {}
    lines: dict[Function, dict[str, list[int]]] = {}
    limits = task.limits.model_copy(
        update={
            "cpu_seconds": task.limits.cpu_seconds + EXTRA_SECONDS,
            "wall_seconds": task.limits.wall_seconds + 6 * EXTRA_SECONDS,
        }
    )
    request: dict[str, Any] = {
        "files": encode_tree(tree),
        "roots": _roots(task, tree),
        "modules": list(modules),
        "calls": list(calls),
        "fresh_from": len(calls) if fresh_from is None else fresh_from,
        "seconds": task.limits.cpu_seconds,
        "fresh_seconds": fresh_seconds,
        "patience": patience,
        "together": TOGETHER,
        "trace": list(trace),
        "otherwise": hash_seed != 0,
    }
    cpu_seconds, losses = 0.0, 0
    warm = WarmProcess(
        "replay_run",
        {},
        interpreter=bench.interpreter,
        level=bench.level,
        limits=limits,
        hash_seed=hash_seed,
        serves=serves,
    )
    with closing(warm):
        while losses < MOST_LOSSES:
            emitted, done = warm.run({**request, "skip": sorted(outcomes)})
            cpu_seconds += done.cpu_seconds
            ended = False
            begun = None
            for message in emitted:
                if isinstance(message, dict):
                    ended = True
                    if trace:
                        lines = {(module, name): found for module, name, found in message["lines"]}
                    continue
                for index, outcome in _events(message, len(calls)):
                    begun = index if outcome is None else None
                    if outcome is not None:
                        outcomes[index] = read_outcome(outcome, beside[index] if beside else None)
            if ended:
                break
            if request["together"] > 1:
                request["together"] = 1
                continue
            losses += 1
            if begun is not None:
                outcomes[begun] = Shown.of_end(outcome_of(done))
    return Replayed([outcomes.get(index, Shown.lost()) for index in range(len(calls))], cpu_seconds, lines)


def _events(message: Any, count: int) -> list[tuple[int, Any]]:
    """Those of the events that are what they should be: the candidate could send anything."""
    events = message if isinstance(message, list) else []
    if len(events) == 2 and type(events[0]) is int:
        events = [events]
    return [
        (event[0], event[1])
        for event in events
        if isinstance(event, list) and len(event) == 2 and type(event[0]) is int and 0 <= event[0] < count
    ]


def _roots(task: Task, tree: FileTree) -> list[str]:
    """Where imports start from, inside the tree."""
    if isinstance(task.harness, FunctionHarness):
        return [str(PurePosixPath(task.harness.module).parent)]
    return ["src", "."] if any(path.startswith("src/") for path in tree) else ["."]
