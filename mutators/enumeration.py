"""The entry point: every mutant of a source, in order of position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from mendlab.mutators.context import Context
from mendlab.mutators.edits import Edit, merge, minimal, normalise
from mendlab.mutators.mutant import Mutant, SourceText
from mendlab.mutators.protected import Protected
from mendlab.mutators.registry import Operator, select
from mendlab.mutators.tree import Tree, parse
from mendlab.mutators.validity import Checker

_Found = tuple[int, int, int, Operator, cst.CSTNode, tuple[Edit, ...], int]


def enumerate_mutants(
    source: str, *, operators: Iterable[str] | None = None, path: str = "<string>"
) -> Iterator[Mutant]:
    """Every mutant of a source text: complete, deterministic, in order of position.

    Each compiles, has another syntax tree than the source, and leaves every character outside its span alone. Where
    operators make the same text of it, the first in order of position, family and name has it.

    Args:
        source: the whole text of a module, as decoded, line ends and byte order mark included.
        operators: names of operators and of families to use; ``None`` for all.
        path: what ids and diffs call the file; relative, with forward slashes.

    Raises:
        InputError: the text does not parse, or a name is unknown. Raised by this call, not by the iterator.
    """
    chosen = select(operators)
    return _enumerate(parse(source, path), chosen, path)


def _enumerate(tree: Tree, chosen: tuple[Operator, ...], path: str) -> Iterator[Mutant]:
    context = Context(tree)
    base = SourceText.of(path, tree.source)
    protected, checker = Protected(tree), Checker(base)
    names = _Names(tree)
    seen: set[Edit] = set()
    for _, _, _, operator, node, edits, rank in _find(tree, context, protected, chosen):
        if any(protected.forbids(edit.start, edit.end) for edit in edits):
            continue
        key = minimal(tree.source, merge(tree.source, edits))
        if key in seen or (key.start == key.end and not key.text):
            continue
        seen.add(key)
        if checker.refusal(edits) is None:
            yield Mutant(operator.name, operator.family, names.at(node, edits[0].start), edits, rank, base)


def _find(tree: Tree, context: Context, protected: Protected, chosen: tuple[Operator, ...]) -> list[_Found]:
    found: list[_Found] = []
    table: dict[type[cst.CSTNode], tuple[Operator, ...]] = {}
    for node in tree.nodes:
        kind = type(node)
        if kind not in table:
            table[kind] = tuple(op for op in chosen if issubclass(kind, op.node_types))
        if not table[kind] or protected.holds(*tree.inner[node]):
            continue
        for operator in table[kind]:
            for rank, change in enumerate(operator.transform(node, context)):
                edits = normalise(change)
                found.append((edits[0].start, edits[-1].end, len(found), operator, node, edits, rank))
    found.sort(key=lambda item: item[:3])
    return found


class _Names:
    """Qualified names of the functions and classes around nodes, each found once."""

    def __init__(self, tree: Tree) -> None:
        self._parents, self._outer = tree.parents, tree.outer
        self._inside: dict[cst.CSTNode, str | None] = {tree.module: None}

    def at(self, node: cst.CSTNode, offset: int) -> str | None:
        """The name of the nearest function or class around the offset, at which an edit made for the node starts."""
        if isinstance(node, cst.FunctionDef | cst.ClassDef) and self._outer[node.body][0] <= offset:
            return self._inside_of(node)
        return self._inside_of(self._parents[node])

    def _inside_of(self, node: cst.CSTNode) -> str | None:
        if node not in self._inside:
            outside = self._inside_of(self._parents[node])
            kind = type(node)
            if kind is cst.FunctionDef or kind is cst.ClassDef:
                self._inside[node] = self._joined(node, outside)
            else:
                self._inside[node] = outside
        return self._inside[node]

    def _joined(self, node: cst.CSTNode, outside: str | None) -> str:
        assert isinstance(node, cst.FunctionDef | cst.ClassDef)
        name = node.name.value
        if outside is None:
            return name
        holder = self._parents[node]
        while not isinstance(holder, cst.FunctionDef | cst.ClassDef):
            holder = self._parents[holder]
        return f"{outside}{'.<locals>.' if isinstance(holder, cst.FunctionDef) else '.'}{name}"
