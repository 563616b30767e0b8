"""Which lines of the good tree a run must come by to notice a change: the statement where the two first differ.

Up to there both do the same. So it is not enough to look at lines of text: a line that is moved out of a loop is run
by tests that never ran it, an added one has no line of its own, and one that binds a name makes it another name all
over its function.
"""

from __future__ import annotations
import __future__

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from mendlab.corpora.python_source import end_line, first_line
from mendlab.corpora.text import decode
from mendlab.verify.confined.compiler_warnings import warns
from mendlab.verify.confined.forks.function_heads import READERS, exchangeable, outer
from mendlab.verify.engines.function_scope import Function, first_run, generates, scope

_LAZY: Final = b"from __future__ import annotations"
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_FILTERS: Final = re.compile(rb"filterwarnings|simplefilter|-W\s*error|PYTHONWARNINGS")
BLOCKS: Final = ("body", "orelse", "finalbody")


def changed_region(
    path: str, old: bytes, new: bytes, *, heads_are_read: bool = True, warnings_fail: bool = True
) -> tuple[int, int] | None:
    """Return first and last line of ``old``, from 1, of the statement at which ``new`` begins to differ.

    Code added at the end of a block counts as the statement before it. None means that it cannot be told. Defaults and
    annotations of a function count as its body, unless something may read them without a call (``heads_are_read``).
    What the compiler may newly warn of shows at import, where warnings may be errors (``warnings_fail``).
    """
    before, after = _lines(path, old), decode(path, new).text.split("\n")
    head, tail = common_ends(before, after)
    low, high = head + 1, len(before) - tail
    added = high < low
    if added:  # between these two
        low, high = head, head + 1
    top = [place for place in _top(path, old) if place[1] >= low and place[0] <= high]
    if not top or top[0][0] > low or (top[-1][1] < high and not added):
        return None
    first, last = top[0][0], top[-1][1]
    was, now = _good(path, old, first, last), _parsed(after[first - 1 : last + len(after) - len(before)])
    if was is None or now is None:
        return None
    flags = 0 if heads_are_read or _LAZY not in old else __future__.annotations.compiler_flag
    differing = Lines(low - first + 1, high - first + 1, added)
    last_now = differing.last + len(after) - len(before)
    if warnings_fail and _warned(now, differing.first, last_now) > _warned(was, differing.first, differing.last):
        return None
    region = None if heads_are_read else _of_heads(was, now, flags, differing)
    region = region or _of_blocks(was, now, differing)
    return None if region is None else (region[0] + first - 1, region[1] + first - 1)


def common_ends(left: Sequence[object], right: Sequence[object]) -> tuple[int, int]:
    """Return how many items two sequences begin with alike, and how many they end with alike, without overlap."""
    limit, head, tail = min(len(left), len(right)), 0, 0
    while head < limit and left[head] == right[head]:
        head += 1
    while tail < limit - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    return head, tail


@lru_cache(maxsize=64)
def _lines(path: str, data: bytes) -> list[str]:
    return decode(path, data).text.split("\n")


@lru_cache(maxsize=256)
def _good(path: str, data: bytes, first: int, last: int) -> list[ast.stmt] | None:
    """The statements in lines of the good tree, to hold mutants against: not to be changed."""
    return _parsed(_lines(path, data)[first - 1 : last])


@lru_cache(maxsize=64)
def _top(path: str, data: bytes) -> tuple[tuple[int, int], ...]:
    """First and last line of each statement of a module."""
    try:
        tree = ast.parse(decode(path, data).text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(lines_of(statement) for statement in tree.body)


def _parsed(lines: Sequence[str]) -> list[ast.stmt] | None:
    try:
        return ast.parse("\n".join(lines).removeprefix("\ufeff")).body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _of_blocks(before: list[ast.stmt], after: list[ast.stmt], lines: Lines) -> tuple[int, int] | None:
    """Return the lines of the first statement of a block that differs; the one before where there is none any more."""
    pairs = list(zip(before, after, strict=False))
    moved = len(before) != len(after)
    differing = [
        index
        for index, statement in enumerate(before)
        if (moved and lines.come_before(statement)) or (index < len(pairs) and lines.differ(*pairs[index]))
    ]
    if not differing and not moved:
        return None
    if not differing:
        return lines_of(before[-1]) if before else None
    if len(differing) == 1 and not moved:
        return _of_statements(*pairs[differing[0]], lines)
    return lines_of(before[differing[0]])  # no other is run without it


def _of_heads(before: list[ast.stmt], after: list[ast.stmt], flags: int, lines: Lines) -> tuple[int, int] | None:
    """Return the lines of a function's first statement where nothing but its defaults and annotations differ."""
    olds, news = (list(outer(ast.Module(block, []))) for block in (before, after))
    if len(before) != len(after) or len(olds) != len(news):
        return None
    changed = [
        pair for pair in zip(olds, news, strict=True) if lines.may_differ(first_line(pair[0]), _head_end(pair[0]))
    ]
    differing = [pair for pair in changed if _written(_head(pair[0])) != _written(_head(pair[1]))]
    if len(differing) != 1:
        return None
    old, new = differing[0]
    head = new.args, new.returns
    if not exchangeable(old, new, flags) or _defaults(old) != _defaults(new) or old.body[0].lineno <= old.lineno:
        return None
    new.args, new.returns = old.args, old.returns
    alike = all(_same(*pair) for pair in zip(before, after, strict=True))
    new.args, new.returns = head
    return lines_of(first_run(old)) if alike else None


def _head_end(function: ast.FunctionDef) -> int:
    """The last line that its head may have: its body may begin there, too."""
    return first_line(function.body[0])


def _head(function: ast.FunctionDef) -> list[ast.arguments | ast.expr | None]:
    return [function.args, function.returns]


def _defaults(function: ast.FunctionDef) -> tuple[int, list[bool]]:
    """Which parameters may be left out; to change that changes calls that never come to the body."""
    return len(function.args.defaults), [default is None for default in function.args.kw_defaults]


def _warned(block: list[ast.stmt], first: int, last: int) -> int:
    """Count what the compiler may warn of in the statements that hold some of the lines."""
    count, nodes = 0, list[ast.AST](block)
    while nodes:
        node = nodes.pop()
        if not isinstance(node, ast.stmt) or (lines_of(node)[1] >= first and lines_of(node)[0] <= last):
            count += warns(node)
            nodes += ast.iter_child_nodes(node)
    return count


def fails_on_warnings(tree: Mapping[str, bytes]) -> bool:
    """Whether some file of a tree may make errors of warnings."""
    return any(_FILTERS.search(data) for data in tree.values())


def reads_heads(tree: Mapping[str, bytes]) -> bool:
    """Whether some file of a tree may look at the defaults or the annotations of functions."""
    return any(READERS.search(data) for path, data in tree.items() if path.endswith(".py"))


def _of_statements(
    before: ast.stmt | ast.ExceptHandler, after: ast.stmt | ast.ExceptHandler, lines: Lines
) -> tuple[int, int]:
    """Return the lines of the part of a statement that differs: of one block, if all the rest is the same."""
    whole = lines_of(before)
    if type(before) is not type(after):
        return whole
    blocks, others = list[tuple[str, Any, Any]](), list[tuple[str, Any, Any]]()
    for name in before._fields:
        pair = getattr(before, name, None), getattr(after, name, None)
        (blocks if name in BLOCKS and isinstance(pair[0], list) else others).append((name, *pair))
    if any(_written(one) != _written(other) for name, one, other in others if name != "handlers"):
        return whole
    handlers = [(one, other) for name, one, other in others if name == "handlers" and _written(one) != _written(other)]
    differing = [(one, other) for _, one, other in blocks if lines.differ_in(one, other)]
    if len(differing) == 1 and not handlers and differing[0][0]:
        if isinstance(before, _FUNCTIONS) and isinstance(after, _FUNCTIONS) and lines.change_scope(before, after):
            return whole if generates(before) else lines_of(first_run(before))
        return _of_blocks(*differing[0], lines) or whole
    if handlers and not differing and len(handlers[0][0]) == len(handlers[0][1]):
        pairs = [pair for pair in zip(*handlers[0], strict=True) if not _same(*pair)]
        if len(pairs) == 1 and _written(pairs[0][0].type) == _written(pairs[0][1].type):
            return _of_statements(*pairs[0], lines)
    return whole


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the good tree in which two sources differ, from 1; all others are the same in both.

    If lines are ``added``, the two between which they are.
    """

    first: int
    last: int
    added: bool

    def may_differ(self, first: int, last: int) -> bool:
        """Whether any of these lines may differ."""
        return first <= self.last and last >= self.first

    def come_before(self, statement: ast.stmt) -> bool:
        """Whether a statement begins after the first of these lines: where some are added, it is not the same then."""
        return first_line(statement) > self.first if self.added else first_line(statement) >= self.first

    def differ(self, before: ast.stmt, after: ast.stmt) -> bool:
        """Whether a statement may differ from the one in its place."""
        if not self.may_differ(*lines_of(before)):
            return False
        blocks = not self.added and any(getattr(before, name, None) for name in BLOCKS)
        return blocks or not _same(before, after)

    def change_scope(self, before: Function, after: Function) -> bool:
        """Whether functions bind other names: looked for in what may differ first, which is less."""
        if len(before.body) == len(after.body):
            differing = [pair for pair in zip(before.body, after.body, strict=True) if self.differ(*pair)]
            if scope([one for one, _ in differing]) == scope([other for _, other in differing]):
                return False
        return scope(before.body) != scope(after.body)

    def differ_in(self, before: list[ast.stmt], after: list[ast.stmt]) -> bool:
        """Whether a block may differ from the one in its place."""
        return len(before) != len(after) or any(map(self.differ, before, after))


def lines_of(node: ast.stmt | ast.ExceptHandler) -> tuple[int, int]:
    """Return the first line, decorators included, and the last."""
    return first_line(node), end_line(node)


def _same(one: ast.AST, other: ast.AST) -> bool:
    return _written(one) == _written(other)


def _written(value: object) -> object:
    if isinstance(value, list):
        return [_written(item) for item in value]
    return ast.dump(value) if isinstance(value, ast.AST) else value
