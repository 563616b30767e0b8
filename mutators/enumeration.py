"""The entry point: every mutant of a source, in order of position."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import libcst as cst

from mendlab.errors import InputError
from mendlab.mutators.context import Context
from mendlab.mutators.context.protected import Protected
from mendlab.mutators.context.tree import Tree, parse
from mendlab.mutators.edits import Edit, fit, merge, minimal, normalise
from mendlab.mutators.mutant import Mutant, SourceText
from mendlab.mutators.registry import Operator, select
from mendlab.mutators.validity import DUPLICATE, UNCHANGED, Checker

MOST_CHANGES: Final = 20_000
"""An operator that yields more for one node is taken to go on for ever."""
Near = Callable[[int, int], bool]
_Found = tuple[int, int, int, Operator, cst.CSTNode, tuple[Edit, ...], int]


def enumerate_mutants(
    source: str,
    *,
    operators: Iterable[str] | None = None,
    path: str = "<string>",
    left_out: Counter[str] | None = None,
    distinct: bool = False,
) -> Iterator[Mutant]:
    """Every mutant of a source text: complete, deterministic, in order of position.

    Each compiles, leaves every character outside its span alone, and is another program than the source: by its syntax
    tree (docstrings apart), and as far as the rules of :mod:`mendlab.mutators.equivalents` tell. Where changes make
    equal trees, the first in order of position, family and name has it.

    Args:
        source: the whole text of a module, as decoded, line ends and byte order mark included.
        operators: names of operators and of families to use; ``None`` for all.
        path: what ids and diffs call the file; relative, with forward slashes.
        left_out: counts the changes that make no mutant by the words of :meth:`Checker.refusal`; what lies in a
            protected place is not counted.
        distinct: whether of mutants that a rule proves to do the same only the first is kept.

    Raises:
        InputError: the text does not parse, or a name is unknown: raised by this call. The iterator raises it if the
            text does not compile under this version of Python, or an operator is broken.
    """
    chosen = select(operators)
    return _enumerate(parse(source, path), chosen, path, Counter() if left_out is None else left_out, distinct)


def enumerate_by_function(
    source: str, *, operators: Iterable[str] | None = None, path: str = "<string>"
) -> dict[str | None, Callable[[], list[Mutant]]]:
    """What :func:`enumerate_mutants` yields with ``distinct``, apart for each function or class that encloses changes.

    Under each name is what gives its mutants, in order; checking the changes is most of the work, and is done then. No
    change in one function makes the program that a change in another makes, so each can be checked by itself.

    Raises:
        InputError: as :func:`enumerate_mutants` and its iterator.
    """
    tree = parse(source, path)
    base = SourceText.of(path, source)
    changes: dict[str | None, list[Mutant]] = {}
    for mutant in _propose(tree, base, select(operators), Counter()):
        changes.setdefault(mutant.function, []).append(mutant)

    def checked(function: str | None) -> list[Mutant]:
        checker = Checker(base, distinct=True)
        return [mutant for mutant in changes[function] if checker.refusal(mutant.edits) is None]

    return {function: partial(checked, function) for function in changes}


@dataclass(frozen=True, slots=True)
class Proposals:
    """Changes of one source that are still to be checked, for those who will not get to all of them.

    ``is_mutant`` says of one whether it is a mutant beside those that it said so of before. Checking a change costs
    several times what proposing it does.
    """

    changes: list[Mutant]
    is_mutant: Callable[[Mutant], bool]


def propose_mutants(source: str, *, path: str = "<string>", near: Near | None = None) -> Proposals:
    """What :func:`enumerate_mutants` looks at, in its order, unchecked but for equal texts.

    ``near`` tells of the first and last line of a node, from 1, whether changes of it are wanted; by default all are.

    Raises:
        InputError: as :func:`enumerate_mutants` and its iterator.
    """
    tree = parse(source, path)
    base = SourceText.of(path, source)
    checker = Checker(base, distinct=True)
    changes = list(_propose(tree, base, select(None), Counter(), near))
    return Proposals(changes, lambda mutant: checker.refusal(mutant.edits) is None)


def _enumerate(
    tree: Tree, chosen: tuple[Operator, ...], path: str, left_out: Counter[str], distinct: bool
) -> Iterator[Mutant]:
    base = SourceText.of(path, tree.source)
    checker = Checker(base, distinct=distinct)
    for mutant in _propose(tree, base, chosen, left_out):
        why = checker.refusal(mutant.edits)
        if why is None:
            yield mutant
        else:
            left_out[why] += 1


def _propose(
    tree: Tree, base: SourceText, chosen: tuple[Operator, ...], left_out: Counter[str], near: Near | None = None
) -> Iterator[Mutant]:
    context, protected, names = Context(tree), Protected(tree), _Names(tree)
    seen: set[Edit] = set()
    for _, _, _, operator, node, edits, rank in _find(tree, context, protected, chosen, base.path, near):
        if any(protected.forbids(edit.start, edit.end) for edit in edits):
            continue
        why = _refusal(tree.source, edits, seen)
        if why is None:
            yield Mutant(operator.name, operator.family, names.at(node, edits[0].start), edits, rank, base)
        else:
            left_out[why] += 1


def _refusal(source: str, edits: tuple[Edit, ...], seen: set[Edit]) -> str | None:
    """Why a change makes no mutant, as far as the text tells."""
    key = minimal(source, merge(source, edits))
    if key.start == key.end and not key.text:
        return UNCHANGED
    if key in seen:
        return DUPLICATE
    seen.add(key)
    return None


def _find(
    tree: Tree,
    context: Context,
    protected: Protected,
    chosen: tuple[Operator, ...],
    path: str,
    near: Near | None = None,
) -> list[_Found]:
    found: list[_Found] = []
    starts = [0, *(at + 1 for at, character in enumerate(tree.source) if character == "\n")] if near else []
    table: dict[type[cst.CSTNode], tuple[Operator, ...]] = {}
    for node in tree.nodes:
        kind = type(node)
        if kind not in table:
            table[kind] = tuple(op for op in chosen if issubclass(kind, op.node_types))
        start, end = tree.inner[node]
        if not table[kind] or protected.holds(start, end):
            continue
        if near is not None and not near(bisect_right(starts, start), bisect_right(starts, end)):
            continue
        for operator in table[kind]:
            for rank, edits in enumerate(_changes(operator, node, context, path)):
                found.append((edits[0].start, edits[-1].end, len(found), operator, node, edits, rank))
    found.sort(key=lambda item: item[:3])
    return found


def _changes(operator: Operator, node: cst.CSTNode, context: Context, path: str) -> Iterator[tuple[Edit, ...]]:
    """The changes that an operator makes to a node.

    Raises:
        InputError: the operator fails, does not stop, or yields edits that overlap or lie outside the source.
    """
    made = 0
    try:
        for change in operator.transform(node, context):
            edits = normalise(change)
            made += 1
            if made > MOST_CHANGES:
                raise ValueError(f"more than {MOST_CHANGES} changes of one node")
            if not fit(edits, len(context.source)):
                raise ValueError(f"edits that overlap or lie outside the source: {edits}")
            yield edits
    except Exception as error:
        line = context.source.count("\n", 0, context.start(node)) + 1
        raise InputError(
            f"operator {operator.name} of {operator.origin} fails: {type(error).__name__}: {error}",
            where=f"{path}:{line}",
            hint="mend the operator, or leave it out with --operators",
        ) from error


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
