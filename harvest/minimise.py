"""The least of a fix that still mends: delta debugging (Zeller and Hildebrandt 2002, ddmin) over its changed blocks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import split_lines
from mendlab.harvest.states.running import Runner
from mendlab.records import Record

MOST_RUNS: Final = 150


class Minimal(Record):
    """How far a fix could be reduced: its changed blocks, those that are left, and the runs of tests that it took.

    ``complete`` says that no single block that is left can go.
    """

    blocks: int
    kept: int
    runs: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A change of a file: lines ``start`` to ``stop`` (from 0, end exclusive) give way to others.

    ``whole`` has a content for the file as a whole, None for none: where it is not text, comes new or goes.
    """

    path: str
    start: int = 0
    stop: int = 0
    lines: tuple[str, ...] = ()
    whole: tuple[bytes | None] | None = None


class _Spent(Exception):
    """No more runs."""


def minimise(
    buggy: FileTree,
    fix: FileTree,
    *,
    fail_to_pass: Sequence[str],
    pass_to_pass: Sequence[str],
    runner: Runner,
    most_runs: int = MOST_RUNS,
) -> tuple[FileTree, Minimal]:
    """Return ``buggy`` with the least of ``fix`` under which all the tests pass, and how it came about.

    Every candidate runs in the order of cost: what must be mended, then what must not regress, up to the first that
    does not pass. If the fix itself does not hold, it is returned as it is.

    Raises:
        EngineError: the lab itself fails.
    """
    blocks = changed_blocks(buggy, fix)
    trial = _Trial(buggy, fail_to_pass, pass_to_pass, runner, most_runs)
    complete = True
    kept: Sequence[Block] = blocks
    if len(blocks) > 1:
        try:
            code = [block for block in blocks if block.path.endswith(".py")]
            kept = code if len(code) < len(blocks) and trial.holds(code) else blocks
            kept = ddmin(kept, trial.holds)
        except _Spent:
            kept, complete = trial.least or blocks, False
    told = Minimal(blocks=len(blocks), kept=len(kept), runs=trial.runs, complete=complete)
    return (fix if len(kept) == len(blocks) else with_blocks(buggy, kept)), told


@dataclass(slots=True)
class _Trial:
    buggy: FileTree
    fail_to_pass: Sequence[str]
    pass_to_pass: Sequence[str]
    runner: Runner
    most_runs: int
    runs: int = 0
    least: Sequence[Block] = ()

    def holds(self, blocks: Sequence[Block]) -> bool:
        tree = with_blocks(self.buggy, blocks)
        if not _parses(tree, blocks):
            return False
        if self.runs >= self.most_runs:
            raise _Spent
        self.runs += 1
        held = self.runner.passes(tree, self.fail_to_pass) and self.runner.passes(tree, self.pass_to_pass)
        if held:
            self.least = blocks
        return held


def ddmin(items: Sequence[Block], holds: Callable[[Sequence[Block]], bool]) -> Sequence[Block]:
    """Return a part of items for which ``holds`` is true, of which no single item can be left out; in their order."""
    parts = 2
    while len(items) >= 2:
        size = -(-len(items) // parts)
        chunks = [items[at : at + size] for at in range(0, len(items), size)]
        subset = next((chunk for chunk in chunks if parts > 1 and len(chunks) > 1 and holds(chunk)), None)
        if subset is not None:
            items, parts = subset, 2
            continue
        rests = ([item for other in chunks if other is not chunk for item in other] for chunk in chunks)
        rest = next((rest for rest in rests if len(chunks) > 2 and holds(rest)), None)
        if rest is not None:
            items, parts = rest, max(parts - 1, 2)
        elif size == 1:
            break
        else:
            parts = min(len(items), 2 * parts)
    return items


def changed_blocks(before: FileTree, after: FileTree) -> list[Block]:
    """Return what turns one tree into another, in as small pieces as lines allow, in order of path and line."""
    return [block for path in sorted(before.changed(after)) for block in _of_file(path, before, after)]


def with_blocks(tree: FileTree, blocks: Sequence[Block]) -> FileTree:
    """Return a tree with some of its :func:`changed_blocks` applied."""
    changes: dict[str, bytes | None] = {}
    for path in dict.fromkeys(block.path for block in blocks):
        own = [block for block in blocks if block.path == path]
        whole = own[0].whole
        changes[path] = whole[0] if whole is not None else _spliced(path, tree[path], own)
    return tree.replace(changes)


def _of_file(path: str, before: FileTree, after: FileTree) -> list[Block]:
    old, new = before.get(path), after.get(path)
    if old is None or new is None:
        return [Block(path, whole=(new,))]
    was, now = split_lines(decode(path, old).text), split_lines(decode(path, new).text)
    matcher = SequenceMatcher(None, was, now, autojunk=False)
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    blocks = [Block(path, i1, i2, tuple(now[j1:j2])) for _, i1, i2, j1, j2 in codes]
    return blocks if blocks and _spliced(path, old, blocks) == new else [Block(path, whole=(new,))]


def _spliced(path: str, data: bytes, blocks: Sequence[Block]) -> bytes:
    old = decode(path, data)
    lines = split_lines(old.text)
    for block in reversed(blocks):
        lines[block.start : block.stop] = block.lines
    try:
        return "".join(lines).encode(old.encoding)
    except UnicodeEncodeError:
        return "".join(lines).encode()


def _parses(tree: FileTree, blocks: Sequence[Block]) -> bool:
    try:
        for path in {block.path for block in blocks if block.path.endswith(".py") and block.path in tree}:
            ast.parse(tree[path])
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
