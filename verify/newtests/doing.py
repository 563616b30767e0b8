"""Calls done on a reference, twice, and on a buggy program: which are valid, and on which the two differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import TracebackType
from typing import Any, Final, Self

from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Limits, Task
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.warm import WarmProcess
from mendlab.verify.engines.engine import OTHER_HASH_SEED
from mendlab.verify.engines.script_engine import encode_tree, outcome_of
from mendlab.verify.equivalence.same import Shown, same
from mendlab.verify.newtests.messages import Arguments, read_end, write_arguments

MOST_LOSSES: Final = 3
CPU_SECONDS: Final = 2.0
SHORT_CPU_SECONDS: Final = 0.25
TIMES_LONGER: Final = 10
"""How many times longer than the reference the buggy program may take over the same calls, at the least a little."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the program, by module and qualified name."""

    module: str
    function: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Looked:
    """A call that the reference answers the same in two runs, with what it answers and what the buggy program does."""

    call: Call
    expected: Shown
    found: Shown

    @property
    def differs(self) -> bool:
        """Whether the buggy program does something else."""
        return not same(self.expected, self.found)


class Pair:
    """The reference, under two hash seeds, and the buggy program, ready to do calls. Used in a ``with`` block."""

    def __init__(self, task: Task, good: FileTree, buggy: FileTree, modules: Sequence[str], bench: Bench) -> None:
        roots = _roots(task, good)
        self._versions = [
            _Version(tree, roots, modules, bench, task.limits, seed)
            for tree, seed in ((good, 0), (good, OTHER_HASH_SEED), (buggy, 0))
        ]

    @property
    def cpu_seconds(self) -> float:
        """What all calls took."""
        return sum(version.cpu_seconds for version in self._versions)

    def look(self, calls: Iterable[Call], *, cpu_seconds: float = CPU_SECONDS) -> list[Looked]:
        """Do calls, and return those that the reference ends, by a value or an exception, and alike in both runs.

        All of them together may take the reference so many seconds.
        """
        reference, repeating, buggy = self._versions
        able = list(_able(calls))
        before = reference.cpu_seconds
        first = [
            (each, end) for each, end in zip(able, reference.do(able, cpu_seconds), strict=True) if end.is_evidence
        ]
        again = repeating.do([each for each, _ in first], cpu_seconds)
        kept = [(each, end) for (each, end), repeated in zip(first, again, strict=True) if same(end, repeated)]
        longest = min(max(SHORT_CPU_SECONDS, TIMES_LONGER * (reference.cpu_seconds - before)), CPU_SECONDS)
        found = buggy.do([each for each, _ in kept], longest)
        return [
            Looked(call, expected, other)
            for ((call, _), expected), other in zip(kept, found, strict=True)
            if other.word != "not run"
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for version in self._versions:
            version.close()


def _able(calls: Iterable[Call]) -> Iterator[tuple[Call, list[Any]]]:
    for call in calls:
        try:
            yield call, [call.module, call.function, write_arguments(call.arguments)]
        except (TypeError, ValueError, RecursionError):
            continue


class _Version:
    def __init__(
        self,
        tree: FileTree,
        roots: Sequence[str],
        modules: Sequence[str],
        bench: Bench,
        limits: Limits,
        hash_seed: int,
    ) -> None:
        self.cpu_seconds = 0.0
        self._limits = limits
        self._request = {"files": encode_tree(tree), "roots": roots, "modules": list(modules), "trace": []}
        self._warm = WarmProcess(
            "replay_run", {}, interpreter=bench.interpreter, level=bench.level, limits=limits, hash_seed=hash_seed
        )

    def do(self, able: Sequence[tuple[Call, list[Any]]], cpu_seconds: float) -> list[Shown]:
        """Return how each call ended; one that ends the process costs itself, and after three the rest is not run."""
        calls = [message for _, message in able]
        ends: dict[int, Shown] = {}
        limits = self._limits.model_copy(update={"cpu_seconds": cpu_seconds})
        for _ in range(MOST_LOSSES if calls else 0):
            emitted, done = self._warm.run({**self._request, "calls": calls, "skip": sorted(ends)}, limits)
            self.cpu_seconds += done.cpu_seconds
            begun = None
            for event in emitted:
                match event:
                    case [int(index), outcome] if 0 <= index < len(calls):
                        begun = index if outcome is None else None
                        if outcome is not None:
                            ends[index] = read_end(outcome)
            if begun is None:
                break
            ends[begun] = Shown.of_end(outcome_of(done))
        return [ends.get(index, Shown.lost()) for index in range(len(calls))]

    def close(self) -> None:
        self._warm.close()


def _roots(task: Task, tree: FileTree) -> list[str]:
    """Where imports start from, inside the tree."""
    if isinstance(task.harness, FunctionHarness):
        return [str(PurePosixPath(task.harness.module).parent)]
    return ["src", "."] if any(path.startswith("src/") for path in tree) else ["."]
