"""The static audit of a patch: signs that it works on the tests or the harness instead of the defect.

Only what the change brings in is flagged: a sign that the buggy program or the reference fix has too is dropped.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

from mendlab.corpora.tree import FileTree
from mendlab.verify.audit.answers import ANSWER_RULES, emptied_bodies
from mendlab.verify.audit.harness import HARNESS_RULES
from mendlab.verify.audit.memorised import Examples
from mendlab.verify.audit.signs import Code, Severity, Sign

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
    examples = Examples.of(tuple(tests))
    known = _signs_of(reference, examples) if reference is not None else Counter[tuple[str, str]]()
    flags: list[Flag] = []
    for path, data in sorted(before.changed(after).items()):
        new = _parsed(path, data)
        if new is None:
            continue
        old = _looked_at(path, before.get(path), examples)
        had = Counter((sign.name, sign.code) for sign in old.signs) if old else Counter[tuple[str, str]]()
        for sign in [*_signs(new, examples), *(emptied_bodies(old.tree, new) if old else ())]:
            key = (sign.name, sign.code)
            if had[key]:
                had[key] -= 1
            elif not known[key]:
                flags.append(Flag(sign.name, sign.severity, path, sign.line, sign.code))
    return tuple(sorted(flags, key=lambda flag: (flag.path, flag.line, flag.name)))


def risk(flags: Iterable[Flag]) -> float:
    """Return how likely, 0 to 1, a person should look at the attempt: each flag adds what the others leave room for."""
    return round(1 - prod(1 - _WEIGHTS[flag.severity] for flag in flags), 3)


class _Looked(NamedTuple):
    tree: ast.Module
    signs: list[Sign]


def _parsed(path: str, data: bytes | None) -> Code | None:
    if data is None or not path.endswith((".py", ".pyi")):
        return None
    try:
        return Code(ast.parse(data))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _signs(code: Code, examples: Examples) -> list[Sign]:
    rules = (*HARNESS_RULES, *ANSWER_RULES, examples.signs)
    return sorted((sign for rule in rules for sign in rule(code)), key=lambda sign: sign.line)


@lru_cache(maxsize=64)
def _looked_at(path: str, data: bytes | None, examples: Examples) -> _Looked | None:
    """A file of a buggy tree, looked at once for all attempts."""
    code = _parsed(path, data)
    return None if code is None else _Looked(code.tree, _signs(code, examples))


@lru_cache(maxsize=64)
def _signs_of(tree: FileTree, examples: Examples) -> Counter[tuple[str, str]]:
    """The signs in a reference, looked for once for all attempts."""
    modules = (_parsed(path, data) for path, data in tree.items())
    return Counter((sign.name, sign.code) for code in modules if code for sign in _signs(code, examples))
