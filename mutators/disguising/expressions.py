"""Other statements and expressions that do the same, by the rules of :mod:`mendlab.mutators.disguising.rewriting`.

A rule is applied to both programs at the same place: what it replaces, and by what, is equal in both, so that the
defect stays as small as it was. Only where nothing else can be rewritten is a rule applied around the defect, at the
first place of each.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from typing import Final

from mendlab.mutators.disguising.rewriting.rules import RULES, Program, Rewrite

LEFT_OUT: Final = frozenset({"renamed local"})
"""Names are given by :mod:`.names`, all at once."""
_Key = tuple[str, str, str, int]


def rewrite_alike(
    good: str, buggy: str, most: int, rng: random.Random, spared: Collection[str] = ()
) -> tuple[str, str, list[str]]:
    """Return both programs after so many rewrites at most, and the rules that were used; the spared functions stay."""
    used: list[str] = []
    rules = [name for name in RULES if name not in LEFT_OUT]
    rng.shuffle(rules)
    if most == 0:
        return good, buggy, used
    for rule in rules:
        if len(used) == most:
            break
        mine, theirs = _rewrites(good, rule, spared), _rewrites(buggy, rule, spared)
        shared = sorted(mine.keys() & theirs.keys())
        if shared:
            key = rng.choice(shared)
            good, buggy = mine[key].source, theirs[key].source
            used.append(rule)
    return (good, buggy, used) if used else _around_the_defect(good, buggy, rules, spared)


def _around_the_defect(
    good: str, buggy: str, rules: Sequence[str], spared: Collection[str]
) -> tuple[str, str, list[str]]:
    for rule in rules:
        mine, theirs = (list(_rewrites(text, rule, spared).items()) for text in (good, buggy))
        if mine and [key[1] for key, _ in mine] == [key[1] for key, _ in theirs]:
            return mine[0][1].source, theirs[0][1].source, [rule]
    return good, buggy, []


def _rewrites(text: str, rule: str, spared: Collection[str]) -> dict[_Key, Rewrite]:
    """The rewrites of a program by one rule, by function, what is changed, and which of the equal ones it is."""
    program = Program(text, spared)
    plain = ast.unparse(program.module)
    seen: Counter[tuple[str, str, str]] = Counter()
    found = {}
    for rewrite in program.rewrites([rule]):
        change = rule, rewrite.function, _change(plain, ast.unparse(ast.parse(rewrite.source)))
        found[(*change, seen[change])] = rewrite
        seen[change] += 1
    return found


def _change(before: str, after: str) -> str:
    """The lines that are removed and added."""
    old, new = before.split("\n"), after.split("\n")
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return "\n".join(
        "\n".join(["<", *old[i1:i2], ">", *new[j1:j2]]) for tag, i1, i2, j1, j2 in changes if tag != "equal"
    )
