"""How much a commit looks like a bug fix, from its message, its paths and its size, with the reasons.

A score orders and never excludes: half of the real fixes of a repository carry no word that says so. The weights are
judgements, none is learned; each sign counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mendlab.harvest.paths import is_python
from mendlab.harvest.records import Commit, Part, Reference, Score

_FIX: Final = re.compile(
    r"\b(?:bug ?fix|fix(?:e[sd]|ing)?|bugs?|hotfix|repair(?:s|ed)?|mend(?:s|ed)?|correct(?:s|ed|ly)?)\b", re.IGNORECASE
)
_FAULT: Final = re.compile(
    r"\b(?:crash\w*|regress\w*|wrong(?:ly)?|incorrect\w*|broken?|breaks?|fail(?:s|ed|ure|ing)?|error|exception|traceback"
    r"|leak\w*|race|deadlock|hang(?:s|ing)?|off[- ]by[- ]one|infinite|overflow|corrupt\w*|mis\w+ed"
    r"|unexpected\w*|invalid"
    r"|\w+Error|no longer|doesn't|don't|did not|does not|should(?:n't| not)?|handle|avoid|prevent|ensure|edge case)\b",
    re.IGNORECASE,
)
_NOT_A_FIX: Final = re.compile(
    r"\b(?:typos?|docs?|docstrings?|spelling|comments?|lint\w*|flake8|black|isort|ruff|mypy|type hints?|typing"
    r"|annotat\w+|format(?:ting)?|whitespace|refactor\w*|clean[- ]?up|renam\w+|mov(?:e|ed|ing)|bump|releas(?:e|ing)"
    r"|version|changelog|merge branch|deprecat\w+|drop support|py(?:thon )?2|pyupgrade|style|coverage|ci|travis"
    r"|pre-commit|perf(?:ormance)?|speed ?up)\b",
    re.IGNORECASE,
)
_FEATURE: Final = re.compile(
    r"\b(?:add(?:s|ed)?|implement\w*|introduc\w+|support(?:s|ed)?|new|feature|feat|allow\w*|enhanc\w+)\b", re.IGNORECASE
)
_REVERT: Final = re.compile(r"\A(?:revert|back out)\b", re.IGNORECASE)

_WORDS_FOR: Final = frozenset({"the subject says fix", "the body says fix", "the message names a fault"})
_WORDS_AGAINST: Final = frozenset({"the subject names upkeep", "the subject names a feature", "it takes a commit back"})


def score(commit: Commit, references: tuple[Reference, ...], source: Part, tests: Part) -> Score:
    """Return the score of a commit; a reason is a sign found, with what it adds or takes away."""
    reasons = dict(_signs(commit, references, source, tests))
    return Score(value=round(sum(reasons.values()), 3), reasons=reasons)


def is_called_a_fix(found: Score) -> bool:
    """Whether a commit's message calls it a fix or names a fault, and not upkeep, a feature or a step back."""
    return not _WORDS_FOR.isdisjoint(found.reasons) and _WORDS_AGAINST.isdisjoint(found.reasons)


def _signs(commit: Commit, references: tuple[Reference, ...], source: Part, tests: Part) -> Iterator[tuple[str, float]]:
    subject = _title(commit)
    if _FIX.search(subject):
        yield "the subject says fix", 2.0
    elif _FIX.search(commit.body):
        yield "the body says fix", 1.0
    if _FAULT.search(commit.message):
        yield "the message names a fault", 1.0
    if _NOT_A_FIX.search(subject):
        yield "the subject names upkeep", -1.5
    if _FEATURE.search(subject):
        yield "the subject names a feature", -1.0
    if _REVERT.search(subject):
        yield "it takes a commit back", -1.0
    if any(each.kind == "issue" for each in references):
        yield "it names an issue", 1.0
    elif references:
        yield "it names a number", 0.5
    if any(is_python(path) for path in tests.paths):
        yield "it changes tests", 2.0
        if tests.added > tests.removed:
            yield "it adds to tests", 0.5
    modules = sum(is_python(path) for path in source.paths)
    changed = source.added + source.removed
    if modules == 1:
        yield "one module of source", 1.0
    elif modules > 4:
        yield "many modules of source", -1.5
    if changed <= 20:
        yield "a small change of source", 1.0
    elif changed > 200:
        yield "a large change of source", -1.5


def _title(commit: Commit) -> str:
    """The subject, or for a pull request what it is called."""
    return commit.body.partition("\n")[0] if commit.is_merge and commit.body else commit.subject
