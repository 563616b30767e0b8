"""What a commit is: a bug fix, a feature, a refactoring, work on speed or on the environment; a guess, with reasons.

Every sign is one rule over the facts of a commit, and adds weight to a class. The class with the most weight is the
label, and its share of all classes' exponentials the confidence. How its tests failed before the commit says more than
its words: a test that only misses a name that the commit brings asks for a feature.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mendlab.harvest.shape import Shape
from mendlab.harvest.states.reports import Failure, FailureKind
from mendlab.records import Record


class Label(StrEnum):
    """What a commit is."""

    BUG = "bug"
    FEATURE = "feature"
    REFACTOR = "refactor"
    PERFORMANCE = "performance"
    ENVIRONMENT = "environment"


class Classification(Record):
    """A label, how sure it is (0 to 1), and what speaks for it, the weightiest first."""

    label: Label
    confidence: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a commit: how its fail-to-pass tests failed, its message, its shape, its changelog lines."""

    message: str
    shape: Shape
    failures: Mapping[str, Failure] = field(default_factory=dict)
    changelog: str = ""

    @property
    def words(self) -> str:
        """The message without references to issues: to fix an issue is not to fix a bug."""
        return _REFERENCE.sub("", self.message).strip()

    @property
    def subject(self) -> str:
        """The first line of its words."""
        return self.words.partition("\n")[0]


_REFERENCE: Final = re.compile(
    r"[(\[]?\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|see|ref|issue)s?:?\s+(?:issue\s+)?"
    r"(?:[\w./-]*#\d+|https?://\S+)(?:,\s*#\d+)*[)\]]?",
    re.IGNORECASE,
)
Sign = tuple[Label, float, str]
_Rule = Callable[[Facts], Iterator[Sign]]


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


_BUG: Final = _words(
    r"fix(?:e[sd]|ing)?", r"bug(?:s|fix(?:es)?)?", r"crash\w*", r"wrong(?:ly)?", r"incorrect(?:ly)?", r"regress\w*",
    r"broken?", r"fail(?:s|ed|ing|ure)?", r"error", r"traceback", r"exception", r"infinite loop", r"leak\w*",
    r"correct(?:ly)?", r"handle[sd]?", r"avoid\w*", r"prevent\w*", r"mishandl\w*", r"invalid", r"should(?:n't| not)?",
)  # fmt: skip
_SURE_BUG: Final = _words(r"fix(?:e[sd]|ing)?", r"bug(?:s|fix(?:es)?)?", r"regression", r"crash\w*")
_FEATURE: Final = _words(
    r"add(?:s|ed|ing)?", r"support(?:s|ed|ing)?", r"implement\w*", r"introduc\w*", r"allow\w*", r"new", r"feature",
    r"enhance\w*", r"option(?:al)?", r"extend\w*", r"recogni[sz]e\w*", r"expose\w*", r"enable\w*",
)  # fmt: skip
_OPENS_FEATURE: Final = re.compile(
    r"^(?:\W*\w+[:)]\s*)?(?:feat\b|add(?:s|ed)?\b|support|implement|introduce|allow|new\b|enable)", re.IGNORECASE
)
_REFACTOR: Final = _words(
    r"refactor\w*", r"renam\w*", r"clean\w*", r"simplif\w*", r"mov(?:e[sd]?|ing)", r"reorgani[sz]\w*", r"restructur\w*",
    r"typing", r"type hints?", r"lint\w*", r"style", r"format(?:ting)?", r"deduplicat\w*", r"extract\w*",
    r"moderni[sz]\w*",
)  # fmt: skip
_REORDERS: Final = re.compile(
    r"^(?:\W*\w+[:)]\s*)?(?:refactor|renam|mov(?:e[sd]?|ing)\b|extract|split|reorgani[sz]|restructur|dedup)",
    re.IGNORECASE,
)
_REVERTS: Final = re.compile(r"^(?:revert|back(?:s|ed)? out|undo)", re.IGNORECASE)
_PERFORMANCE: Final = _words(
    r"perf(?:ormance)?", r"speed\w*", r"fast(?:er)?", r"optimi[sz]\w*", r"slow\w*", r"quadratic", r"exponential",
    r"cach(?:e[sd]?|ing)", r"efficien\w*", r"memory usage", r"redos", r"backtracking",
)  # fmt: skip
_ENVIRONMENT: Final = _words(
    r"python ?[23]\.\d+", r"py[23]\d*", r"pypy\w*", r"compat\w*", r"deprecat\w*", r"ci", r"tox", r"nox", r"travis",
    r"windows", r"macos", r"mypy", r"pytest", r"numpy", r"setuptools", r"drop support", r"dependenc\w*", r"bump\w*",
)  # fmt: skip
_TESTS_ALONE: Final = re.compile(
    r"\b(?:fix|repair|update|adjust|adapt)\w*\s+(?:(?:the|failing|broken|unit|some)\s+)*tests?\b", re.IGNORECASE
)
_VERSIONS: Final = re.compile(
    rb"|".join((rb"sys\.version_info", rb"sys\.platform", rb"os\.name", rb"except ImportError"))
)


def classify(facts: Facts) -> Classification:
    """Return what a commit is, as far as the facts tell."""
    weights = dict.fromkeys(Label, 0.0)
    signs = [sign for rule in _RULES for sign in rule(facts)]
    for label, weight, _ in signs:
        weights[label] += weight
    best = max(weights, key=lambda label: weights[label])
    total = sum(math.exp(weight) for weight in weights.values())
    reasons = sorted((sign for sign in signs if sign[0] is best), key=lambda sign: -sign[1])
    return Classification(
        label=best,
        confidence=round(math.exp(weights[best]) / total, 3),
        reasons=tuple(dict.fromkeys(reason for _, _, reason in reasons)),
    )


def _failing(facts: Facts) -> Iterator[Sign]:
    kinds = [failure.kind for failure in facts.failures.values()]
    if not kinds:
        yield Label.REFACTOR, 1.0, "no test tells it from its parent"
        return
    missing = kinds.count(FailureKind.MISSING_NAME) / len(kinds)
    if missing == 1.0:
        names = sorted({str(failure.name) for failure in facts.failures.values()})
        renamed = [name for name in names if facts.shape.renamed_to(name.rpartition(".")[2])]
        if len(renamed) == len(names) or _REORDERS.search(facts.subject):
            yield (
                Label.REFACTOR,
                4.5,
                f"its tests fail for want of names in the place of others: {', '.join(names[:5])}",
            )
        else:
            yield Label.FEATURE, 5.0, f"its tests fail only for want of names that it brings: {', '.join(names[:5])}"
    elif missing:
        yield Label.FEATURE, 2.5 * missing, "some of its tests fail for want of names that it brings"
    for kind, weight, why in (
        (FailureKind.ASSERTION, 1.2, "an assertion fails before it"),
        (FailureKind.EXCEPTION, 1.8, "an exception is raised before it"),
        (FailureKind.CRASH, 2.5, "the process dies before it"),
        (FailureKind.TIMEOUT, 1.0, "a test does not end before it"),
    ):
        if kind in kinds:
            yield Label.BUG, weight, why
    if FailureKind.TIMEOUT in kinds:
        yield Label.PERFORMANCE, 1.5, "a test does not end before it"
    if FailureKind.IMPORT in kinds and not missing:
        yield Label.ENVIRONMENT, 1.5, "something cannot be imported before it"


def _saying(facts: Facts) -> Iterator[Sign]:
    for label, pattern, in_subject, in_body in (
        (Label.BUG, _BUG, 1.2, 0.5),
        (Label.BUG, _SURE_BUG, 0.8, 0.3),
        (Label.FEATURE, _FEATURE, 0.8, 0.2),
        (Label.REFACTOR, _REFACTOR, 1.2, 0.2),
        (Label.PERFORMANCE, _PERFORMANCE, 2.2, 0.6),
        (Label.ENVIRONMENT, _ENVIRONMENT, 1.2, 0.3),
    ):
        found = pattern.search(facts.subject)
        if found is not None:
            yield label, in_subject, f"its subject says {found[0]!r}"
        elif (found := pattern.search(facts.words)) is not None:
            yield label, in_body, f"its message says {found[0]!r}"
    if _OPENS_FEATURE.search(facts.subject):
        yield Label.FEATURE, 2.6, "its subject opens as that of a feature"
    if _TESTS_ALONE.search(facts.subject):
        yield Label.ENVIRONMENT, 3.2, "its subject speaks of the tests"


def _shaped(facts: Facts) -> Iterator[Sign]:
    shape = facts.shape
    brought = [*shape.new_functions, *shape.new_classes]
    if brought:
        yield Label.FEATURE, min(1.5, 0.7 * len(brought)), f"it brings {', '.join(sorted(brought)[:5])}"
    if shape.new_parameters:
        yield Label.FEATURE, 0.8, f"it brings parameters: {', '.join(sorted(shape.new_parameters)[:5])}"
    if not brought and not shape.new_parameters and 0 < shape.changed_lines <= 30:
        yield Label.BUG, 0.8, "it is small and brings no public name"
    if shape.changed_lines > 200:
        yield Label.REFACTOR, 1.0, f"it changes {shape.changed_lines} lines"
    if shape.same_code:
        yield Label.REFACTOR, 4.0, "its syntax trees are the same but for docstrings"
    if any(_VERSIONS.search(line) for line in shape.added_lines):
        yield Label.ENVIRONMENT, 1.2, "it asks for versions or platforms"


def _reverting(facts: Facts) -> Iterator[Sign]:
    """What takes a feature back mends nothing; what takes another commit back may."""
    if not _REVERTS.search(facts.subject):
        return
    if facts.shape.gone or _FEATURE.search(facts.subject):
        yield Label.REFACTOR, 4.0, "it takes a feature back"
    else:
        yield Label.REFACTOR, 1.0, "it takes a commit back"


def _logged(facts: Facts) -> Iterator[Sign]:
    if not facts.changelog:
        return
    for label, pattern in ((Label.BUG, _SURE_BUG), (Label.FEATURE, _FEATURE), (Label.PERFORMANCE, _PERFORMANCE)):
        found = pattern.search(facts.changelog)
        if found is not None:
            yield label, 0.8, f"its changelog says {found[0]!r}"


_RULES: Final[tuple[_Rule, ...]] = (_failing, _saying, _shaped, _reverting, _logged)
