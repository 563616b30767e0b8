"""Differential equivalence: candidate and reference do the same calls, each in its own process, and are compared here.

The calls are those that the task's tests make (visible and held-out), recorded on the reference, and fresh ones near
them. What the reference does not repeat is no evidence and is left out, and so is a fresh input on which it fails.
Equality is that of plain values, floats within a relative 1e-9; what is no plain value is compared by its class and
attributes. It is a bounded claim: "the same on so many inputs".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import PurePosixPath
from typing import Any, Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import Differential, FunctionHarness, Task, Witness
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.coverage import COMMON, Coverage
from mendlab.verify.engines.engine import OTHER_HASH_SEED
from mendlab.verify.engines.script_engine import encode_tree, outcome_of
from mendlab.verify.equivalence.recording import Call, Recorded, record_calls
from mendlab.verify.equivalence.same import Shown, read_outcome, same, show

MOST_LOSSES: Final = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of a comparison (``None``: there was nothing to compare on), and the CPU seconds it took."""

    differential: Differential | None
    cpu_seconds: float


def compare(task: Task, good: FileTree, patched: FileTree, bench: Bench) -> Compared:
    """Do the calls of the task's tests on the reference and on the patched tree.

    Raises:
        EngineError: the lab itself fails.
    """
    recorded = record_calls(task, good, bench)
    if not recorded.calls:
        return Compared(None, recorded.cpu_seconds)
    own = len(recorded.calls)
    recorded = replace(recorded, calls=[*recorded.calls, *recorded.variants])
    first = replay(task, good, recorded, bench, trace=sorted(good.changed(patched).keys() & good.keys()))
    again = replay(task, good, recorded, bench, hash_seed=OTHER_HASH_SEED)
    kept = [
        (call, expected)
        for at, (call, expected, repeated) in enumerate(
            zip(recorded.calls, first.outcomes, again.outcomes, strict=True)
        )
        if (expected.is_evidence if at < own else expected.word == "returns") and same(expected, repeated)
    ]
    if not kept or (good != patched and not reached(good, patched, first.lines)):
        return Compared(None, recorded.cpu_seconds + first.cpu_seconds + again.cpu_seconds)
    theirs = replay(task, patched, replace(recorded, calls=[call for call, _ in kept]), bench)
    cpu_seconds = recorded.cpu_seconds + first.cpu_seconds + again.cpu_seconds + theirs.cpu_seconds
    for (call, expected), found in zip(kept, theirs.outcomes, strict=True):
        if not same(expected, found):
            witness = Witness(call=show_call(call), reference=expected.text, candidate=found.text)
            return Compared(Differential(inputs=len(kept), witness=witness), cpu_seconds)
    return Compared(Differential(inputs=len(kept)), cpu_seconds)


@dataclass(frozen=True, slots=True)
class Replayed:
    """How each call ended, in order, and the CPU seconds that it took."""

    outcomes: list[Shown]
    cpu_seconds: float
    lines: dict[str, list[int]] = field(default_factory=dict)


def reached(good: FileTree, patched: FileTree, lines: Mapping[str, Sequence[int]]) -> bool:
    """Whether calls that ran these lines of the good tree come to where the patched one differs.

    Where they do not, that both did the same says nothing of the patch.
    """
    coverage = Coverage.of({COMMON: {}, "calls": lines}, exclude=())
    for path, data in good.changed(patched).items():
        if path not in good or not path.endswith(".py"):
            continue
        old, new = decode(path, good[path]).text, "" if data is None else decode(path, data).text
        matcher = SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
        for tag, start, stop, _, _ in matcher.get_opcodes():
            if tag != "equal" and coverage.reaching(path, old, max(start, 1), max(stop, start, 1)):
                return True
    return False


def replay(
    task: Task,
    tree: FileTree,
    recorded: Recorded,
    bench: Bench,
    *,
    hash_seed: int = 0,
    trace: Sequence[str] = (),
) -> Replayed:
    """Do the recorded calls on one version; a call that ends the process costs itself. Raises EngineError."""
    outcomes: dict[int, Shown] = {}
    lines: dict[str, list[int]] = {}
    request = {
        "files": encode_tree(tree),
        "roots": _roots(task, tree),
        "modules": recorded.modules,
        "calls": recorded.calls,
        "trace": list(trace),
    }
    cpu_seconds = 0.0
    warm = WarmProcess(
        "replay_run", {}, interpreter=bench.interpreter, level=bench.level, limits=task.limits, hash_seed=hash_seed
    )
    with closing(warm):
        for _ in range(MOST_LOSSES):
            emitted, done = warm.run({**request, "skip": sorted(outcomes)})
            cpu_seconds += done.cpu_seconds
            lines = next((told["lines"] for told in emitted if isinstance(told, dict)), lines)
            begun = None
            for index, outcome in _events(emitted, len(recorded.calls)):
                begun = index if outcome is None else None
                if outcome is not None:
                    outcomes[index] = read_outcome(outcome)
            if begun is None:
                break
            outcomes[begun] = Shown.of_end(outcome_of(done))
    return Replayed([outcomes.get(index, Shown.lost()) for index in range(len(recorded.calls))], cpu_seconds, lines)


def _events(emitted: Sequence[Any], count: int) -> list[tuple[int, Any]]:
    """Those of the events that are what they should be: the candidate could send anything."""
    return [
        (event[0], event[1])
        for event in emitted
        if isinstance(event, list) and len(event) == 2 and type(event[0]) is int and 0 <= event[0] < count
    ]


def _roots(task: Task, tree: FileTree) -> list[str]:
    """Where imports start from, inside the tree."""
    if isinstance(task.harness, FunctionHarness):
        return [str(PurePosixPath(task.harness.module).parent)]
    return ["src", "."] if any(path.startswith("src/") for path in tree) else ["."]


def show_call(call: Call) -> str:
    """Return a recorded call as source text."""
    module, name, message = call
    shown = read_outcome(["returns", message])
    args, kwargs = shown.value if isinstance(shown.value, tuple) and len(shown.value) == 2 else ((), {})
    parts = [show(arg) for arg in args] + [f"{key}={show(value)}" for key, value in kwargs.items()]
    return f"{module}.{name}({', '.join(parts)})"
