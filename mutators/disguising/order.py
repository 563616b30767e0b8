"""Another order of the functions of a module, where none needs another when it is defined."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from itertools import pairwise

from mendlab.corpora.python_source import PythonSource, end_line, first_line, parse_python


def reorder_functions(good: str, buggy: str, rng: random.Random) -> tuple[str, str, int]:
    """Return both programs with neighbouring functions in another order, the same in both, and how many moved."""
    sources = [parse_python("program", text) for text in (good, buggy)]
    runs = [_runs(source) for source in sources]
    if [_names(run) for run in runs[0]] != [_names(run) for run in runs[1]]:
        return good, buggy, 0
    moved = 0
    made = [good, buggy]
    for number in reversed(range(len(runs[0]))):
        order = list(range(len(runs[0][number])))
        rng.shuffle(order)
        moved += sum(at != place for at, place in enumerate(order))
        made = [
            _moved(text, [run[number][at] for at in order], run[number]) for text, run in zip(made, runs, strict=True)
        ]
    return made[0], made[1], moved


def _runs(source: PythonSource) -> list[list[ast.FunctionDef]]:
    """Neighbouring functions of the module, two or more, that can stand in any order."""
    runs: list[list[ast.FunctionDef]] = [[]]
    for node in source.tree.body:
        names = {each.name for each in runs[-1]}
        if isinstance(node, ast.FunctionDef) and _is_free(node) and node.name not in names:
            runs[-1].append(node)
        else:
            runs.append([])
    return [run for run in runs if len(run) > 1 and not _needed(run)]


def _is_free(node: ast.FunctionDef) -> bool:
    """Whether nothing is called when a function is defined."""
    outside = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    return not node.decorator_list and all(isinstance(each, ast.Constant) for each in outside)


def _needed(run: Sequence[ast.FunctionDef]) -> bool:
    """Whether an annotation names one of the functions."""
    names = {node.name for node in run}
    heads = [part for node in run for part in (node.args, node.returns) if part is not None]
    return any(isinstance(each, ast.Name) and each.id in names for head in heads for each in ast.walk(head))


def _names(run: Sequence[ast.FunctionDef]) -> list[str]:
    return [node.name for node in run]


def _moved(text: str, order: Sequence[ast.FunctionDef], run: Sequence[ast.FunctionDef]) -> str:
    """The text with the functions in the place of the run; what stood between two of them stays between two."""
    lines = parse_python("program", text).lines
    pieces = ["".join(lines[first_line(node) - 1 : end_line(node)]) for node in order]
    between = ["".join(lines[end_line(one) : first_line(two) - 1]) for one, two in pairwise(run)]
    pieces = [piece if piece.endswith("\n") else piece + "\n" for piece in pieces]
    inside = "".join(piece + gap for piece, gap in zip(pieces, [*between, ""], strict=True))
    return "".join((*lines[: first_line(run[0]) - 1], inside, *lines[end_line(run[-1]) :]))
