from __future__ import annotations

import ast

import pytest

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.records import Defect, FunctionHarness, Provenance, Step, StepGroup, Task, TestOutcome
from mendlab.reports.difficulty import shape
from mendlab.reports.difficulty.changes import changes, tokens, tokens_changed
from mendlab.reports.difficulty.features import features
from mendlab.reports.difficulty.scoring import WEIGHTS, by_features, weighed

GOOD = """\
def helper(items):
    kept = []
    for item in items:
        if item > 0 and item < 100:
            kept.append(item)
    return kept


def total(items):
    return sum(helper(items))
"""


def make(good, bad, *, before=None, operator="compare_boundary", files=("solution.py",)):
    trees = [FileTree({files[0]: text.encode()}) for text in (good, bad)]
    tests = ("t[0]", "t[1]", "t[2]")
    task = Task(
        id="t", subject="s", snapshot=trees[0].digest, statement="", editable=files,
        defect=Defect(origin="operator", operator=operator, files=files, diff=make_diff(*trees)),
        harness=FunctionHarness(groups=(StepGroup(steps=(Step(code="assert total([1]) == 1", test_id=tests[0]),)),)),
        fail_to_pass=tests[:1], pass_to_pass=tests[1:], before=before or {tests[0]: TestOutcome.FAILED},
        reference=make_diff(*reversed(trees)), provenance=Provenance(source="test"),
    )  # fmt: skip
    return features(task, *trees)


def test_every_feature_is_weighed_and_every_weight_is_a_feature():
    assert set(make(GOOD, GOOD.replace("< 100", "<= 100"))) == set(WEIGHTS)


def test_a_small_change_that_the_search_knows_is_easier_than_a_missing_line():
    small = make(GOOD, GOOD.replace("item < 100", "item <= 100"))
    gone = make(GOOD, GOOD.replace("            kept.append(item)\n", "            pass\n"))
    two = make(GOOD, GOOD.replace("< 100", "<= 100").replace("sum(helper(items))", "sum(helper(items)) + 1"))
    assert small["search_rank"] < 2 < two["search_rank"]
    assert (small["edits"], two["edits"]) == (1, 2)
    assert gone["tokens_added"] > small["tokens_added"]
    assert weighed(small) < weighed(two)
    assert weighed(small) < weighed(gone)
    assert by_features(small).score < by_features(two).score


def test_what_the_file_does_not_have_is_new():
    renamed = make(GOOD, GOOD.replace("kept.append(item)", "kept.insert(item)"))
    assert renamed["tokens_new"] > make(GOOD, GOOD.replace("return kept", "return items"))["tokens_new"] == 0


def test_the_call_graph_tells_how_far_the_defect_is_from_the_test():
    assert make(GOOD, GOOD.replace("sum(helper(items))", "sum(items)"))["call_distance"] == 0
    assert make(GOOD, GOOD.replace("< 100", "<= 100"))["call_distance"] == pytest.approx(1)


def test_errors_show_and_values_hide():
    bad = GOOD.replace("< 100", "<= 100")
    assert make(GOOD, bad)["shows_as_value"] == 1
    assert make(GOOD, bad, before={"t[0]": TestOutcome.ERROR})["shows_as_value"] == 0


def test_missing_logic_is_the_hardest_kind_and_the_unknown_is_in_between():
    bad = GOOD.replace("< 100", "<= 100")
    kinds = [make(GOOD, bad, operator=name)["kind"] for name in ("delete_statement", "", "negate_condition")]
    assert kinds == sorted(kinds, reverse=True)


def test_what_is_no_python_still_has_features():
    found = make("text\n", "other text\n", files=("notes.txt",))
    assert (found["edits"], found["lines"], found["complexity"]) == (1, 0, 0)
    broken = make("def f(:\n", "def f(\n")
    assert broken["lines"] == 0


def test_changes_are_stretches_of_lines():
    trees = [FileTree({"a.py": text.encode(), "b.py": b"x = 1\n"}) for text in ("a\nb\nc\nd\n", "a\nB\nc\nD\nE\n")]
    found = changes(*trees)
    assert [(one.first, one.last, one.old, one.new) for one in found] == [
        (2, 3, ("b",), ("B",)),
        (4, 5, ("d",), ("D", "E")),
    ]


def test_tokens_are_those_of_a_piece_that_need_not_be_whole():
    assert tokens("    if x >= 1:  # why") == ["if", "x", ">=", "1", ":"]
    assert tokens("foo(a,") == ["foo", "(", "a", ","]
    (change,) = changes(*(FileTree({"a.py": text}) for text in (b"y = a + b\n", b"y = a - b * c\n")))
    assert tokens_changed(change) == (["+"], ["-", "*", "c"])


SHAPED = """\
def f(items, limit):
    count = 0
    other = len(items)
    for item in items:
        if item > limit or item < -limit:
            count += 1
    return count
"""


def test_shape():
    name, body = shape.around(ast.parse(SHAPED), 6)
    assert (name, shape.lines(body), shape.nesting(body, 6), shape.nesting(body, 7)) == ("f", 7, 2, 0)
    assert shape.complexity(body) == 1 + 1 + 1 + 1  # for, if, or
    assert shape.around(ast.parse(SHAPED + "\nx = 1\n"), 9)[0] is None


def test_infection_follows_names_and_conditions():
    _, body = shape.around(ast.parse(SHAPED), 6)
    assert shape.infected(body, 3, 4) == pytest.approx(1 / 6)  # `other` goes nowhere
    assert shape.infected(body, 2, 3) == pytest.approx(3 / 6)  # count: its update, and what is returned
    assert shape.infected(body, 5, 6) == pytest.approx(3 / 6)  # the condition: what is under it, and the return
