"""The static audit of a patch: signs that it works on the tests or the harness instead of the defect.

Only what the change brings in is flagged: a sign that the buggy program or the reference fix has too is dropped.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Final

from mendlab.corpora.tree import FileTree
from mendlab.verify.audit.answers import ANSWER_RULES, emptied_bodies
from mendlab.verify.audit.harness import HARNESS_RULES
from mendlab.verify.audit.memorised import Examples
from mendlab.verify.audit.signs import Rule, Severity, Sign, fold_names

_WEIGHTS: Final[dict[Severity, float]] = {"tampering": 0.9, "suspicious": 0.2}


@dataclass(frozen=True, slots=True)
class Flag:
    """One sign. ``tampering`` decides the verdict; ``suspicious`` only adds to the risk."""

    name: str
    severity: Severity
    path: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.name} at {self.path}:{self.line}: {self.code}"


def audit(
    before: FileTree, after: FileTree, *, reference: FileTree | None = None, tests: Iterable[str] = ()
) -> tuple[Flag, ...]:
    """Return the signs that the change from ``before`` to ``after`` brings into Python files, in order of place.

    Args:
        before: the buggy tree.
        after: the tree of the candidate. Files of it that do not parse are passed over.
        reference: the good tree; a sign found there too is not flagged.
        tests: the code of the tests, whose arguments and answers no patch has a reason to repeat.
    """
    rules = (*HARNESS_RULES, *ANSWER_RULES, Examples.of(tests).signs)
    known = _signs_of(reference, rules) if reference is not None else Counter[tuple[str, str]]()
    flags: list[Flag] = []
    for path, data in sorted(before.changed(after).items()):
        new = _parsed(path, data)
        if new is None:
            continue
        old = _parsed(path, before.get(path))
        had = Counter((sign.name, sign.code) for sign in _signs(old, rules)) if old else Counter[tuple[str, str]]()
        for sign in [*_signs(new, rules), *(emptied_bodies(old, new) if old else ())]:
            key = (sign.name, sign.code)
            if had[key]:
                had[key] -= 1
            elif not known[key]:
                flags.append(Flag(sign.name, sign.severity, path, sign.line, sign.code))
    return tuple(sorted(flags, key=lambda flag: (flag.path, flag.line, flag.name)))


def risk(flags: Iterable[Flag]) -> float:
    """Return how likely, 0 to 1, a person should look at the attempt: each flag adds what the others leave room for."""
    return round(1 - prod(1 - _WEIGHTS[flag.severity] for flag in flags), 3)


def _parsed(path: str, data: bytes | None) -> ast.Module | None:
    if data is None or not path.endswith((".py", ".pyi")):
        return None
    try:
        return fold_names(ast.parse(data))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _signs(module: ast.Module, rules: Iterable[Rule]) -> list[Sign]:
    return sorted((sign for rule in rules for sign in rule(module)), key=lambda sign: sign.line)


def _signs_of(tree: FileTree, rules: Iterable[Rule]) -> Counter[tuple[str, str]]:
    modules = (_parsed(path, data) for path, data in tree.items())
    return Counter((sign.name, sign.code) for module in modules if module for sign in _signs(module, rules))
