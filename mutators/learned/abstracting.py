"""A change of code made general: what both sides have in common, names and literals become metavariables."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Final

from mendlab.mutators.learned.differing import Levels, Pair

_BUILTINS: Final = frozenset(dir(builtins))
_METHODS: Final = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("_")
)
_SMALL: Final = (True, False, None, 0, 1, 2, 0.0, 1.0, "", " ", "\n", b"", Ellipsis)
_REFUSED: Final = (ast.JoinedStr, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Match, ast.Try)
_MOST_NODES: Final = 40
_MARK: Final = "METAVARIABLE_"


def abstracted(levels: Levels) -> tuple[str, str] | None:
    """Return the texts of a template for a difference, sound and buggy; ``None`` where it cannot be one.

    The smallest piece that can stand by itself is taken. ``$A`` stands for an expression that both sides have, ``$N``
    for a name and ``$C`` for a literal. Builtins, the methods of builtin types and small literals stay as they are.
    What only the buggy side has must be of these: else nothing in the sound code tells what to put there.
    """
    for pair in levels:
        found = _abstracted(pair)
        if found is not None:
            return found
    return None


def _abstracted(pair: Pair) -> tuple[str, str] | None:
    nodes = [each for side in (pair.sound, *pair.buggy) for each in ast.walk(side)]
    if len(nodes) > _MOST_NODES or any(isinstance(each, _REFUSED) for each in nodes):
        return None
    naming = _Naming(pair)
    sound = naming.general_text(pair.sound, keep_whole=True)
    if re.fullmatch(rf"{_MARK}\w+", sound):
        return None
    known = set(naming.given)
    buggy = [naming.general_text(each) for each in pair.buggy]
    if set(naming.given) != known:
        return None
    return _numbered(sound, "\n".join(buggy))


class _Naming(ast.NodeTransformer):
    """Puts metavariables into the sides of a pair, the same for the same code."""

    def __init__(self, pair: Pair) -> None:
        self.given: dict[str, str] = {}
        self._whole: ast.AST | None = None
        sides = _expressions((pair.sound,)), _expressions(pair.buggy)
        self._common = sides[0] & sides[1]
        everything = [each for side in (pair.sound, *pair.buggy) for each in ast.walk(side)]
        self._stored = {e.id for e in everything if isinstance(e, ast.Name) and not isinstance(e.ctx, ast.Load)}
        self._names = {each.attr for each in everything if isinstance(each, ast.Attribute)}
        self._names |= {each.arg for each in everything if isinstance(each, ast.keyword) and each.arg}

    def general_text(self, node: ast.AST, *, keep_whole: bool = False) -> str:
        """The text of a side; ``keep_whole``: it does not become a metavariable as a whole."""
        copied = deepcopy(node)
        self._whole = copied if keep_whole else None
        return ast.unparse(ast.fix_missing_locations(self.visit(copied)))

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Constant):
            return node if _is_small(node.value) else self._named("C", repr(node.value))
        if isinstance(node, ast.Name):
            kind = "N" if node.id in self._stored or node.id in self._names else "A"
            return node if node.id in _BUILTINS else self._named(kind, node.id, node.ctx)
        if isinstance(node, ast.expr) and node is not self._whole and _is_common(node, self._common):
            return self._named("A", ast.dump(node))
        general: ast.AST = super().visit(node)
        return general

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr not in _METHODS:
            node.attr = self._named("N", node.attr).id
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg is not None:
            node.arg = self._named("N", node.arg).id
        return self.generic_visit(node)

    def _named(self, kind: str, key: str, ctx: ast.expr_context | None = None) -> ast.Name:
        name = self.given.setdefault(key, f"{_MARK}{kind}{len(self.given)}_")
        return ast.Name(name, ctx or ast.Load())


def _expressions(nodes: Sequence[ast.AST]) -> set[str]:
    return {ast.dump(each) for node in nodes for each in ast.walk(node) if isinstance(each, ast.expr)}


def _is_common(node: ast.expr, common: set[str]) -> bool:
    return not isinstance(node, ast.Starred | ast.Slice) and ast.dump(node) in common


def _is_small(value: object) -> bool:
    return any(type(value) is type(each) and value == each for each in _SMALL)


def _numbered(sound: str, buggy: str) -> tuple[str, str]:
    """Both texts with metavariables numbered in the order of the first: ``$A``, ``$A1``, ``$N``."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    for mark in _marks(sound):
        if mark not in names:
            kind = mark.removeprefix(_MARK)[0]
            names[mark] = f"${kind}{counts[kind] or ''}"
            counts[kind] += 1
    return tuple(re.sub(rf"{_MARK}\w+?_", lambda found: names[found[0]], text) for text in (sound, buggy))  # type: ignore[return-value]


def _marks(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(rf"{_MARK}\w+?_", text))
