"""Templates learned from fixes: what is generalised, what is counted, and that they make the bug that was mended."""

from __future__ import annotations

import pytest

from mendlab.mutators import registry
from mendlab.mutators.choosing.shares import weights
from mendlab.mutators.enumeration import enumerate_mutants
from mendlab.mutators.learned.counting import Patterns
from mendlab.mutators.learned.loading import load_templates
from mendlab.mutators.registry import operators


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    """Operators are added for the process; here only for a test."""
    operators()
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


FIXES = {
    "a guard": (
        "def f(x):\n    return x.y\n",
        "def f(x):\n    if x is None:\n        return None\n    return x.y\n",
        ("if $A is None:\n    return None", ""),
    ),
    "a condition": ("if a and b:\n  c()\n", "if a and b and d.e:\n  c()\n", ("$A and $A1 and $A2.$N", "$A and $A1")),
    "an operator": ("x = a.b < c[0]\n", "x = a.b <= c[0]\n", ("$A <= $A1", "$A < $A1")),
    "a bound": ("for i in range(len(x)):\n    pass\n", "for i in range(len(x) - 1):\n    pass\n", ("$A - 1", "$A")),
    "a literal": ("x = y.split(',')\n", "x = y.split()\n", None),
    "a small literal": ("x = y[0]\n", "x = y[1]\n", ("1", "0")),
    "a name that only the bug has": ("x = wrong(y)\n", "x = right(y)\n", None),
    "a builtin": ("x = any(y)\n", "x = all(y)\n", ("all", "any")),
    "a call around": ("x = y\n", "x = list(y)\n", ("list($A)", "$A")),
    "arguments": ("f(b, a)\n", "f(a, b)\n", ("$A($A1, $A2)", "$A($A2, $A1)")),
    "an assignment": ("def f(x):\n    go()\n", "def f(x):\n    x.on = False\n    go()\n", ("$A.$N = False", "")),
    "what only the bug has": ("def f():\n    a()\n    b()\n", "def f():\n    a()\n", None),
}  # fmt: skip


@pytest.mark.parametrize(("buggy", "sound", "expected"), FIXES.values(), ids=FIXES)
def test_a_fix_gives_the_template_that_undoes_it(buggy, sound, expected):
    patterns = Patterns()
    patterns.take("one", "1", buggy.encode(), sound.encode())
    found = [(each.before, each.after) for each in patterns.templates()]
    assert found == ([] if expected is None else [expected])


def test_a_template_makes_the_bug_again(tmp_path):
    before, after, _ = FIXES["a guard"]
    patterns = Patterns()
    patterns.take("one", "1", before.encode(), after.encode())
    (template,) = patterns.templates()
    file = tmp_path / "learned.jsonl"
    file.write_text(template.model_copy(update={"name": "learned-again"}).model_dump_json())
    (operator,) = load_templates(file)
    assert [mutant.source for mutant in enumerate_mutants(after, operators=[operator.name])] == [before]


def test_fixes_are_counted_by_repository_and_the_commonest_comes_first():
    patterns = Patterns()
    rare, common = FIXES["a builtin"], FIXES["an operator"]
    for repository, commit, (before, after, _) in (
        ("one", "1", rare), ("one", "2", common), ("other", "3", common), ("other", "3", common),
    ):  # fmt: skip
        patterns.take(repository, commit, before.encode(), after.encode())
    first, second = patterns.templates()
    assert (first.before, first.count, first.source) == ("$A <= $A1", 2, "one 1, other 1")
    assert (second.count, second.source) == (1, "one 1")
    assert [each.before for each in patterns.templates(least=2)] == ["$A <= $A1"]
    assert [each.before for each in patterns.templates(least_repositories=2)] == ["$A <= $A1"]


def test_what_changes_in_many_places_or_is_no_python_is_passed_over():
    patterns = Patterns()
    many = "".join(f"x{number} = a < b\n\n\ndef f{number}(): pass\n" for number in range(6))
    assert patterns.take("one", "1", many.encode(), many.replace("<", "<=").encode()) == 0
    assert patterns.take("one", "2", b"print 1\n", b"print 2\n") == 0


def test_natural_sampling_draws_by_how_often_a_change_was_seen(tmp_path):
    file = tmp_path / "learned.jsonl"
    file.write_text(
        '{"name": "seen-often", "before": "$A + 7", "after": "$A", "bug_type": "missing logic", "count": 3}\n'
        '{"name": "seen-once", "before": "$A - 7", "after": "$A", "bug_type": "missing logic", "count": 1}\n'
    )
    load_templates(file)
    mutants = list(enumerate_mutants("x = a + 7\ny = b - 7\n", operators=["seen-often", "seen-once"]))
    shares = {mutant.operator: weights(mutants, "natural")[mutant.id] for mutant in mutants}
    assert shares == {"seen-often": pytest.approx(0.75), "seen-once": pytest.approx(0.25)}
    every = list(enumerate_mutants("x = a + 7\ny = b - 7\n"))
    learned = {op.name for op in operators() if op.count is not None}
    given = weights(every, "natural")
    assert 0.4 < sum(given[mutant.id] for mutant in every if mutant.operator in learned) < 0.8
