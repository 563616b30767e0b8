"""A source in which each way out of a branch has a statement of its own, so that lines that run tell branches.

As coverage.py has it, a branch is a way out of an ``if``, a loop or a ``match``: into its body, or past it. Where there
is no statement for the second, one is put in that does nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mendlab.corpora.functions import named_functions
from mendlab.corpora.python_source import first_line
from mendlab.records import FunctionCoverage, MissedBranch


@dataclass(frozen=True, slots=True)
class Way:
    """One way out of a branch: where the branch stands, what is then the case, and the line that then runs."""

    line: int
    when: str
    runs: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The changed source; by function its statements, ``(line, line that then runs)``, and its ways out of branches."""

    source: str
    statements: dict[str, list[tuple[int, int]]]
    ways: dict[str, list[Way]]

    def coverage(self, path: str, function: str, ran: Collection[int]) -> FunctionCoverage:
        """Return what of a function runs, given the lines of the changed source that do."""
        lines = self.statements[function]
        ways = self.ways[function]
        begun = {line for line, runs in lines if runs in ran}
        return FunctionCoverage(
            file=path,
            function=function,
            lines=len({line for line, _ in lines}),
            missed_lines=tuple(sorted({line for line, _ in lines} - begun)),
            branches=len(ways),
            missed_branches=tuple(MissedBranch(line=way.line, when=way.when) for way in ways if way.runs not in ran),
        )


def spread(source: str) -> Spread:
    """Return a source changed so. Raises SyntaxError, ValueError, RecursionError where it cannot be read."""
    tree = ast.parse(source)
    for node in list(ast.walk(tree)):
        _open(node)
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    written = ast.parse(text)
    new_line = {
        id(node): first_line(twin)
        for node, twin in zip(ast.walk(tree), ast.walk(written), strict=True)
        if isinstance(node, ast.stmt) and isinstance(twin, ast.stmt)
    }
    statements: dict[str, list[tuple[int, int]]] = {}
    ways: dict[str, list[Way]] = {}
    for name, function in named_functions(tree):
        if "<locals>" not in name:
            inside = [node for child in function.body for node in ast.walk(child)]
            statements[name] = [
                (node.lineno, new_line[id(node)])
                for node in inside
                if isinstance(node, ast.stmt) and not _is_ours(node) and not _runs_nothing(node)
            ]
            ways[name] = [Way(line, when, new_line[id(to)]) for node in inside for line, when, to in _ways(node)]
    return Spread(text, statements, ways)


def _ways(node: ast.AST) -> Iterator[tuple[int, str, ast.stmt]]:
    """Yield the ways out of a branch: its line, when it is taken, and the statement that is run first then."""
    if isinstance(node, ast.If):
        yield node.lineno, "true", node.body[0]
        yield node.lineno, "false", node.orelse[0]
    elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
        if not _is_endless(node):
            yield node.lineno, "entered", node.body[0]
            yield node.lineno, "run to its end", node.orelse[0]
    elif isinstance(node, ast.Match):
        for case in node.cases:
            ours = _is_ours(case.body[0])
            yield (node.lineno if ours else case.pattern.lineno), "no case" if ours else "this case", case.body[0]


def _open(node: ast.AST) -> None:
    """Put a statement where a branch has none."""
    if isinstance(node, ast.If | ast.For | ast.AsyncFor | ast.While) and not node.orelse and not _is_endless(node):
        node.orelse = [_nothing()]
    if isinstance(node, ast.Match) and not _takes_all(node.cases[-1]):
        node.cases.append(ast.match_case(ast.MatchAs(), None, [_nothing()]))


def _nothing() -> ast.stmt:
    """Return a statement without effect that no compiler leaves out."""
    return ast.Expr(ast.List([], ast.Load()), lineno=0, col_offset=0)


def _is_ours(node: ast.stmt) -> bool:
    return node.lineno == 0


def _runs_nothing(node: ast.stmt) -> bool:
    """Whether a statement leaves no code that could be seen to run."""
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _is_endless(node: ast.AST) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)


def _takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
