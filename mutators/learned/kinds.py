"""What type of bug a template makes, by what its two sides are made of."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from mendlab.mutators.registry.taxonomy import BugType

_PIECE: Final = re.compile(r"\$[A-Z]\d*|[^\W\d]\w*|\d[\w.]*|'[^'\n]*'|\"[^\"\n]*\"|[^\w\s]+")
_WORDS: Final = frozenset({"and", "or", "not", "is", "in"})
_CALLED: Final = re.compile(r"([^\W\d]\w*)\(")


def bug_type_of(sound: str, buggy: str) -> BugType:
    """Return HumanEvalFix's type: logic that is gone or too much, or else what was misused."""
    one, other = Counter(_PIECE.findall(sound)), Counter(_PIECE.findall(buggy))
    gone, brought = one - other, other - one
    if all(each in _WORDS or not re.search(r"[\w$]", each) for each in (*gone, *brought)):
        return "operator misuse"
    if gone.total() > brought.total() + 1 or (gone and not brought):
        return "missing logic"
    if brought.total() > gone.total() + 1 or (brought and not gone):
        return "excess logic"
    if {*gone, *brought} & {*_CALLED.findall(sound), *_CALLED.findall(buggy)}:
        return "function misuse"
    return "variable misuse" if any(each.startswith("$") for each in (*gone, *brought)) else "value misuse"
