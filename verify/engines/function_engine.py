"""The engine for tests that call a module's names (:class:`mendlab.records.FunctionHarness`).

The candidate's module runs in one confined process and the test program in another, with the reference beside it. Each
run forks a child of both and joins the two by a socket, over which nothing but encoded values pass
(:mod:`mendlab.verify.confined.function.wire`). What a test's outcome is, the test program's process alone tells.

The limits hold for the candidate's process over a whole run. Where it passes one, or dies, the test that was running
takes the blame, and the run goes on behind that test in new processes; after three such losses the tests that
are left share the fate of the last one. Setup and earlier steps of the group are then executed again, lost tests not.
"""

from __future__ import annotations

import ast
import contextlib
import random
import re
import socket
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mendlab.corpora.tree import FileTree
from mendlab.errors import EngineError
from mendlab.records import FunctionHarness, Limits, SandboxLevel, StepGroup, TestOutcome, TestResult
from mendlab.verify.confinement.interpreter import Interpreter
from mendlab.verify.confinement.warm import Done, WarmProcess
from mendlab.verify.engines.conversation import Exchange
from mendlab.verify.engines.engine import RunOptions, TestRun
from mendlab.verify.engines.function_progress import Progress
from mendlab.verify.engines.function_quick import QuickRuns
from mendlab.verify.engines.script_engine import encode_tree

_TREE = "/tree"


class FunctionEngine:
    """Keeps a warm process for candidates and one for the oracle; see :class:`mendlab.verify.engines.engine.Engine`."""

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
        self.interpreter = interpreter
        self._tree = tree
        self._harness = harness
        self._group_of = {
            step.test_id: index
            for index, group in enumerate(harness.groups)
            for step in group.steps
            if step.test_id is not None
        }
        reference = tree.get(harness.module, b"").decode("latin-1")
        support = [_class_sources(group) for group in harness.groups]
        self._brings_classes = any(support)
        self._candidate, good = (
            WarmProcess(
                "candidate_run",
                {
                    "module": harness.module,
                    "seed": hash_seed,
                    "support": support,
                    "imports": _imported(reference),
                    "calls": [],
                },
                interpreter=interpreter,
                level=level,
                limits=limits,
                hash_seed=hash_seed,
                serves=serves,
            )
            for serves in ("candidates", "good programs")
        )
        # Other files of the tree: the reference has them mounted, the candidate gets its own with every request.
        self._directory = tempfile.TemporaryDirectory(prefix="mendlab-tree-") if len(tree) > 1 else None
        mounts, place = {}, None
        if self._directory is not None:
            tree.write(Path(self._directory.name))
            if level is SandboxLevel.CONTAINER:
                Path(self._directory.name).chmod(0o755)  # whoever it runs as must be able to read it
            mounts[_TREE] = Path(self._directory.name)
            place = self._directory.name if level is SandboxLevel.NONE else _TREE
        self._oracle = WarmProcess(
            "oracle_run",
            {**_program(harness, reference, limits), "module": harness.module, "seed": hash_seed, "tree": place},
            interpreter=interpreter,
            level=level,
            limits=_looser(limits),
            mounts=mounts,
            hash_seed=hash_seed,
        )
        self.prepared: object = None
        self._quick = QuickRuns(
            harness, self._candidate, self._oracle, good, limits, self._request(tree), self._together
        )

    @property
    def test_ids(self) -> tuple[str, ...]:
        """Every test id of the harness, in order."""
        return tuple(self._group_of)

    @property
    def level(self) -> SandboxLevel:
        """The confinement that runs really have."""
        return self._candidate.level

    def run(self, changes: Mapping[str, bytes | None], options: RunOptions = RunOptions()) -> TestRun:  # noqa: B008
        """Run the tests asked for. Raises EngineError."""
        if options.fresh:
            self._candidate.start(fresh=True)
            self._oracle.start(fresh=True)
        wanted = self.test_ids if options.tests is None else tuple(options.tests)
        tree = self._tree.replace(changes)
        source = tree.get(self._harness.module)
        if source is None:
            return _nothing_loaded(wanted, f"there is no {self._harness.module}")
        program = Progress(self._order(wanted, options.shuffle_seed), wanted, options)
        is_quick = options.often and not options.fresh
        request = {**self._request(tree), "still": is_quick}
        try:
            asked = program.request()
            told = self._quick.run(request, asked) if is_quick else None
            limits = None if told is None else told.limits
            if told is not None:
                program.add(told.events, told.oracle, told.candidate)
            while program.rest:
                program.add(*self._together(request, program.request(), limits))
                if is_quick and limits is None and program.hangs:
                    limits = self._quick.short(asked)
        except EngineError:
            self._candidate.discard()
            self._oracle.discard()
            raise
        if told is None:
            return program.done()
        return replace(program.done(), alike=told.alike, in_the_same_words=told.agrees)

    def exchange(self, options: RunOptions) -> Exchange | None:
        """Return what tests ask the good program, and what it answers, whatever the order.

        None if a question is no call, or has more in it than numbers, texts, lists, tuples and dicts.

        Raises:
            EngineError: the engine itself failed.
        """
        wanted = self.test_ids if options.tests is None else tuple(options.tests)
        if self._brings_classes or len(self._tree) > 1:
            return None
        return self._quick.exchange(Progress(self._order(wanted, options.shuffle_seed), wanted, options).request())

    def prepare(self, calls: Sequence[Sequence[Any]], for_what: object) -> None:
        """Have calls done after the tests of each tree that passes them as the good one does; see ``TestRun.alike``.

        Each is a call with whether its end on the good tree is simple. Raises EngineError.
        """
        self._quick.prepare(calls)
        self.prepared = for_what

    def close(self) -> None:
        """Hand both processes back."""
        self._candidate.close()
        self._oracle.close()
        if self._directory is not None:
            self._directory.cleanup()

    def _request(self, tree: FileTree) -> dict[str, Any]:
        source = tree.get(self._harness.module, b"").decode("latin-1")
        return {"source": source, "files": encode_tree(tree) if self._directory else None}

    def _together(
        self, candidate: dict[str, Any], oracle: dict[str, Any], limits: Limits | None = None
    ) -> tuple[list[Any], Done, Done]:
        """One child of each, joined; returns what the oracle told, and how both ended."""
        self._candidate.start()
        self._oracle.start()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._candidate.begin(candidate, [theirs.fileno()], limits)
            self._oracle.begin(oracle, [ours.fileno()])
        *batches, oracle_done = self._oracle.events()
        told = [event for batch in batches for event in batch]
        self._candidate.cancel()
        *_, candidate_done = self._candidate.events()
        return told, oracle_done, candidate_done

    def _order(self, asked: tuple[str, ...], shuffle_seed: int | None) -> list[tuple[int, list[str]]]:
        """The groups to run, in order, each with its tests that are asked for."""
        wanted = set(asked)
        groups: dict[int, list[str]] = {}
        for test_id, index in self._group_of.items():
            if test_id in wanted:
                groups.setdefault(index, []).append(test_id)
        order = list(groups.items())
        if shuffle_seed is not None:
            random.Random(shuffle_seed).shuffle(order)
        return order


def _nothing_loaded(asked: tuple[str, ...], message: str) -> TestRun:
    results = [TestResult(test_id=test, outcome=TestOutcome.ERROR, message=message) for test in asked]
    return TestRun(tuple(results), 0.0, message)


def _looser(limits: Limits) -> Limits:
    """The oracle's own limits: it waits for the candidate, and holds the values of both."""
    return limits.model_copy(
        update={
            "cpu_seconds": limits.cpu_seconds + 2,
            "wall_seconds": limits.wall_seconds + 10,
            "memory_bytes": 2 * limits.memory_bytes,
        }
    )


def oracle_config(tree: FileTree, harness: FunctionHarness, limits: Limits, hash_seed: int) -> dict[str, Any]:
    """Return what the runner of the test program prepares, for a tree of one module."""
    reference = tree.get(harness.module, b"").decode("latin-1")
    return {**_program(harness, reference, limits), "module": harness.module, "seed": hash_seed, "tree": None}


def _program(harness: FunctionHarness, reference: str, limits: Limits) -> dict[str, Any]:
    """The oracle's part: reference, tests, and what the candidate supplies."""
    groups = [
        {
            "setup": group.setup,
            "steps": [[step.code, step.test_id] for step in group.steps],
            "support": _class_sources(group),
        }
        for group in harness.groups
    ]
    tests = [text for group in harness.groups for text in (group.setup, *(step.code for step in group.steps))]
    return {
        "reference": reference,
        "entry_points": None if harness.entry_points is None else list(harness.entry_points),
        "groups": groups,
        "imports": _imported("\n".join((reference, *tests))),
        "import_seconds": limits.cpu_seconds,
    }


def _imported(source: str) -> list[str]:
    """Every word in the import statements of a program, the names of modules among them."""
    lines = re.findall(r"^[ \t]*(?:from|import)[ \t]+(.*)", source, re.MULTILINE)
    return sorted({name for line in lines for name in re.findall(r"\w+", line)})


def _class_sources(group: StepGroup) -> list[str]:
    """The imports and class definitions of a group, each a source text of its own, for both sides to execute."""
    found = []
    for text in (group.setup, *(step.code for step in group.steps if step.test_id is None)):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            found += [
                _whole_source(text, statement)
                for statement in ast.parse(text).body
                if isinstance(statement, ast.ClassDef | ast.Import | ast.ImportFrom)
            ]
    has_classes = any(not source.startswith(("import", "from")) for source in found)
    return found if has_classes else []


def _whole_source(text: str, statement: ast.stmt) -> str:
    """The statement's own text, with its decorators."""
    if isinstance(statement, ast.ClassDef) and statement.decorator_list:
        lines = text.splitlines(keepends=True)
        return "".join(lines[statement.decorator_list[0].lineno - 1 : statement.end_lineno])
    return ast.get_source_segment(text, statement) or ""
