"""What commits are, from facts in small."""

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.harvest.classify import Facts, Label, classify
from mendlab.harvest.shape import shape_of
from mendlab.harvest.states.reports import Failure, FailureKind
from mendlab.records import TestOutcome

PLAIN = "def mean(xs):\n    return sum(xs) / len(xs)\n"
GUARDED = "def mean(xs):\n    return sum(xs) / len(xs) if xs else 0.0\n"
MEDIAN = PLAIN + "def median(xs, low=False):\n    return sorted(xs)[len(xs) // 2]\n"


def shape(before, after):
    old, new = (FileTree({"stats.py": text.encode()}) for text in (before, after))
    return shape_of(old, new, ["stats.py"])


def failing(*kinds, name=None):
    names = {FailureKind.MISSING_NAME: name}
    failures = (Failure(kind=kind, outcome=TestOutcome.ERROR, name=names.get(kind)) for kind in kinds)
    return {f"test_{n}": failure for n, failure in enumerate(failures)}


ASSERTION, EXCEPTION, MISSING, TIMEOUT = (
    FailureKind.ASSERTION,
    FailureKind.EXCEPTION,
    FailureKind.MISSING_NAME,
    FailureKind.TIMEOUT,
)


@pytest.mark.parametrize(
    ("message", "change", "failures", "label"),
    [
        ("Fix mean of nothing (#12)", (PLAIN, GUARDED), failing(EXCEPTION), Label.BUG),
        ("mean: empty input", (PLAIN, GUARDED), failing(EXCEPTION), Label.BUG),
        ("Empty sequences", (PLAIN, GUARDED), failing(ASSERTION), Label.BUG),
        ("Allow mean of nothing (fixes #12)", (PLAIN, GUARDED), failing(ASSERTION), Label.FEATURE),
        ("Fix unit tests on Python 3.12", (PLAIN, GUARDED), failing(ASSERTION), Label.ENVIRONMENT),
        ("Fix #12, mean of nothing is wrong", (PLAIN, GUARDED), failing(ASSERTION), Label.BUG),
        ("Add median", (PLAIN, MEDIAN), failing(MISSING, name="median"), Label.FEATURE),
        ("Fix missing median", (PLAIN, MEDIAN), failing(MISSING, MISSING, name="median"), Label.FEATURE),
        ("Rename mean", (PLAIN, PLAIN.replace("mean", "average")), failing(MISSING, name="average"), Label.REFACTOR),
        (
            "Extract a helper of mean",
            (PLAIN, "def total(xs):\n    return sum(xs)\ndef mean(xs):\n    return total(xs) / len(xs)\n"),
            failing(MISSING, name="total"),
            Label.REFACTOR,
        ),
        ('Revert "Add median"', (MEDIAN, PLAIN), failing(ASSERTION), Label.REFACTOR),
        ('Revert "Guard mean", which was wrong', (GUARDED, PLAIN), failing(EXCEPTION), Label.BUG),
        ("Clean up docstrings", (PLAIN, PLAIN.replace(":\n", ':\n    """Mean."""\n', 1)), {}, Label.REFACTOR),
        ("Speed up mean, which was quadratic", (PLAIN, GUARDED), failing(TIMEOUT), Label.PERFORMANCE),
        (
            "Python 3.12 compatibility",
            (PLAIN, "import sys\nif sys.version_info >= (3, 12):\n    pass\n" + PLAIN),
            failing(FailureKind.IMPORT),
            Label.ENVIRONMENT,
        ),
    ],
)
def test_labels(message, change, failures, label):
    found = classify(Facts(message=message, shape=shape(*change), failures=failures))
    assert found.label is label
    assert 0.4 < found.confidence <= 1
    assert found.reasons


def test_the_changelog_has_a_say():
    facts = Facts(message="mean", shape=shape(PLAIN, GUARDED), failures=failing(ASSERTION))
    logged = classify(Facts(message="mean", shape=facts.shape, failures=facts.failures, changelog="* Bug fix: mean"))
    assert logged.label is Label.BUG
    assert logged.confidence > classify(facts).confidence
    assert any("changelog" in reason for reason in logged.reasons)


def test_shape():
    more = MEDIAN.replace("mean(xs)", "mean(xs, start=0)").replace("def mean", "class A:\n    x = 1\ndef mean")
    found = shape(PLAIN, more)
    assert found.new_functions == {"median"}
    assert found.new_classes == {"A"}
    assert found.new_parameters == {"mean(start)"}
    assert (found.gone, found.changed_lines, found.same_code) == (frozenset(), 5, False)
    assert shape(PLAIN, "# mean\n" + PLAIN).same_code
    assert shape(PLAIN, "def average(xs): pass\n").gone == {"mean"}
    assert shape("def _x(): pass\n", "def _y(): pass\n").new_functions == frozenset()
    assert shape("1 = 2", PLAIN).new_functions == {"mean"}
