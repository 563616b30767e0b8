"""Functions that are nearly the same: MinHash (Broder 1997) over shingles of their normalised syntax trees.

Normalised: no docstrings and annotations, names that the function binds are all one, constants are only of a type. What
it calls and which attributes it uses stays. A shingle is five nodes in a row, in the order of the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mendlab.corpora.contamination.records import NEAR_DUPLICATE, Check, Marked
from mendlab.corpora.contamination.texts import Source, sources
from mendlab.corpora.split_tests import bound_names
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.text import storable_name
from mendlab.errors import MendlabError
from mendlab.records import ContaminationMark

SHINGLE: Final = 5
PERMUTATIONS: Final = 128
SIMILAR: Final = 0.8
FEWEST_SHINGLES: Final = 12
"""Smaller functions have too little in them to be told apart."""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """Two functions, each with the task that it is of, and the estimated Jaccard similarity of their shingles."""

    task: str
    other: str
    similarity: float


def near_duplicates(taskset: TaskSet, others: Sequence[TaskSet]) -> tuple[list[Check], list[Marked]]:
    """Return the checks and the marks of tasks whose functions are nearly those of other sets.

    Pairs of different programs within the set are told in the facts of a check of its own, and mark nothing.
    """
    mine = _hashed(taskset)
    pairs = [pair for pair in _pairs(mine, mine) if _program(taskset, pair.task) < _program(taskset, pair.other)]
    small = len({task.id for task in taskset.tasks} - {task for task, _ in mine})
    within = Check(
        method=NEAR_DUPLICATE, corpus="the set itself", unknown=small,
        facts={"pairs": [[pair.task, pair.other, pair.similarity] for pair in pairs]},
    )  # fmt: skip
    checks, marks = [within], []
    for other in others:
        name = storable_name(other.path)
        best: dict[str, NearDuplicate] = {}
        for pair in _pairs(mine, _hashed(other)):
            if pair.task not in best or pair.similarity > best[pair.task].similarity:
                best[pair.task] = pair
        for task, pair in best.items():
            mark = ContaminationMark(method=NEAR_DUPLICATE, corpus=name, strength=pair.similarity)
            marks.append(Marked(task=task, mark=mark, place=pair.other))
        checks.append(Check(method=NEAR_DUPLICATE, corpus=name, unknown=small, facts={"tasks": len(other.tasks)}))
    return checks, marks


def shingles(source: str) -> frozenset[str]:
    """Return the shingles of a piece of Python; none where it cannot be parsed."""
    try:
        nodes = list(_normalised(_parsed(source)))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    return frozenset(" ".join(nodes[at : at + SHINGLE]) for at in range(len(nodes) - SHINGLE + 1))


def _hashed(taskset: TaskSet) -> dict[tuple[str, str], Any]:
    """The MinHash of each function that is large enough, by its task and text."""
    from datasketch import MinHash

    found: dict[tuple[str, str], Any] = {}
    known: dict[Source, Any] = {}
    for task in taskset.tasks:
        for source in _sources(taskset, task.id):
            if source not in known:
                parts = shingles(source.text)
                hashed = MinHash(num_perm=PERMUTATIONS)
                hashed.update_batch([part.encode() for part in parts])
                known[source] = hashed if len(parts) >= FEWEST_SHINGLES else None
            if known[source] is not None:
                found[task.id, source.text] = known[source]
    return found


def _sources(taskset: TaskSet, task_id: str) -> list[Source]:
    try:
        return sources(taskset, taskset.task(task_id))
    except MendlabError:
        return []


def _pairs(mine: Mapping[tuple[str, str], Any], others: Mapping[tuple[str, str], Any]) -> Iterator[NearDuplicate]:
    from datasketch import MinHashLSH

    index = MinHashLSH(threshold=SIMILAR, num_perm=PERMUTATIONS)
    for key, hashed in others.items():
        index.insert(key, hashed)
    for key, hashed in mine.items():
        for other in sorted(index.query(hashed)):
            similarity = round(float(hashed.jaccard(others[other])), 4)
            if similarity >= SIMILAR and (others is not mine or other != key):
                yield NearDuplicate(key[0], other[0], similarity)


def _program(taskset: TaskSet, task_id: str) -> str:
    return taskset.task(task_id).subject


def _parsed(source: str) -> ast.Module:
    """The tree of a piece of source; an ``if`` around it takes the indentation of a method, and is left out again."""
    if source[:1] not in (" ", "\t"):
        return ast.parse(source)
    around = ast.parse(f"if True:\n{source}").body[0]
    assert isinstance(around, ast.If)
    return ast.Module(around.body, [])


def _normalised(tree: ast.Module) -> Iterator[str]:
    bound = bound_names(tree.body) | {
        name for node in ast.walk(tree) for name in (*_bound_in(node),)
    }  # fmt: skip
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield _label(node, bound)
        skipped = {"annotation", "returns", "type_comment", "ctx", "decorator_list"}
        children = [
            child
            for name, value in ast.iter_fields(node) if name not in skipped
            for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)
        ]  # fmt: skip
        waiting += reversed(children)


def _bound_in(node: ast.AST) -> frozenset[str]:
    match node:
        case ast.FunctionDef(args=arguments, body=body) | ast.AsyncFunctionDef(args=arguments, body=body):
            return bound_names(body) | {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)}
        case ast.comprehension(target=target):
            return bound_names([target])
    return frozenset()


def _label(node: ast.AST, bound: frozenset[str] | set[str]) -> str:
    match node:
        case ast.Name(id=name):
            return "Name" if name in bound else f"Name:{name}"
        case ast.Attribute(attr=name):
            return f"Attribute:{name}"
        case ast.Constant(value=value):
            return f"Constant:{type(value).__name__}"
    return type(node).__name__
