"""Programs in other words: each variant is run, and does what its original does."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest

from mendlab.corpora.subjects import read_subjects
from mendlab.errors import FormatError
from mendlab.mutators.disguising.disguise import disguise
from mendlab.mutators.disguising.expressions import rewrite_alike
from mendlab.mutators.disguising.names import rename_locals
from mendlab.mutators.disguising.order import reorder_functions
from mendlab.mutators.disguising.variant import SUFFIX, variant

GOOD = """import math


def total(rows, scale=1):
    found = 0
    for row in rows:
        found = found + weight(row)
    if found > 10:
        result = found * scale
        return result
    return 0


# weighs a row
def weight(row):
    return sum(len(cell) for cell in row)


def unused():
    kept = [number for number in range(3)]
    return kept


class Keeper:
    def total(self):
        found = 5
        return found
"""
BUGGY = GOOD.replace("found > 10", "found >= 10")


def run(program: str) -> list[Any]:
    names: dict[str, Any] = {}
    exec(program, names)
    rows = [[["a" * n]] for n in (1, 5, 9, 10, 11, 30)]
    return [*(names["total"](each, scale=2) for each in rows), names["unused"](), names["Keeper"]().total()]


def test_names_change_alike_and_public_ones_stay():
    good, buggy, count = rename_locals(GOOD, BUGGY, {"kept"}, random.Random(1))
    assert count == 6  # found, row, result; cell; number; found
    assert (run(good), run(buggy)) == (run(GOOD), run(BUGGY))
    assert good.replace("> 10", ">= 10") == buggy
    assert "found" not in good
    for name in ("def total(rows, scale=1)", "def weight(row)", "kept = ["):
        assert name in good


def test_a_name_that_an_inner_function_shares_with_others_is_changed_in_both():
    program = "def f(a):\n    found = []\n    def add(x):\n        found.append(x)\n    add(a)\n    return found\n"
    good, _, count = rename_locals(program, program, (), random.Random(0))
    names: dict[str, Any] = {}
    exec(good, names)
    assert (count, names["f"](3), "found" in good) == (1, [3], False)
    declared = "def f():\n    global g\n    g = 1\n    return g\n"
    assert rename_locals(declared, declared, (), random.Random(0))[2] == 0


def test_functions_change_places_alike_where_none_needs_another():
    moved = {reorder_functions(GOOD, BUGGY, random.Random(seed))[:2] for seed in range(8)}
    assert len(moved) > 3
    for good, buggy in moved:
        assert (run(good), run(buggy)) == (run(GOOD), run(BUGGY))
        assert good.replace("found > 10", "found >= 10") == buggy
        assert sorted(good.splitlines()) == sorted(GOOD.splitlines())
    bound = "def f():\n    return 1\n\ndef g(x=f()):\n    return x\n\n@g\ndef h():\n    return 2\n"
    assert reorder_functions(bound, bound, random.Random(0)) == (bound, bound, 0)


def test_expressions_change_alike_and_the_defect_stays_small():
    for seed in range(6):
        good, buggy, used = rewrite_alike(GOOD, BUGGY, 5, random.Random(seed))
        assert used
        assert (run(good), run(buggy)) == (run(GOOD), run(BUGGY))
        lines = zip(ast.unparse(ast.parse(good)).split("\n"), ast.unparse(ast.parse(buggy)).split("\n"), strict=True)
        assert sum(one != other for one, other in lines) == 1
    assert rewrite_alike(GOOD, BUGGY, 0, random.Random(0)) == (GOOD, BUGGY, [])


def test_where_all_is_the_defect_it_is_rewritten_around():
    one, other = "def f(a):\n    return a + 1\n", "def f(a):\n    return a - 1\n"
    good, buggy, used = rewrite_alike(one, other, 5, random.Random(0))
    assert used == ["temporary variable introduced"]
    assert (good.replace("+", "-"), good != one) == (buggy, True)


@pytest.fixture
def taken(shapes):
    longest = "def f(rows):\n    best = 0\n    for row in rows:\n        best = max(best, len(row))\n    return best\n"
    checks = ["candidate(['ab', 'c']) == 2", "candidate([]) == 0", "candidate(['abc']) == 3"]
    same = "def g(a):\n    pass\n    return a\n"
    rows = [
        shapes.problem("D/0", longest, checks, longest.replace("max(best", "min(best")),
        shapes.problem("D/1", same, ["candidate(2) == 2"], same.replace("return a", "return 0")),
    ]
    candidates = shapes.candidates("humanevalpack", shapes.rows(rows))
    return shapes.taskset(shapes.tasks(candidates), candidates)


def test_a_set_is_disguised_and_each_task_is_proved(taken, shapes, bench):
    with shapes.building("disguise") as building:
        found = disguise(
            taken, bench, building, seed=1, rewrites=4, workers=1, progress=lambda stage, done, total: None
        )
    (task,) = found.tasks
    original = taken.tasks[0]
    assert task.id == original.id + SUFFIX
    assert task.fail_to_pass == original.fail_to_pass
    assert task.statement == original.statement
    assert task.provenance.source == f"{taken.manifest.name}: D/0, disguised"
    assert "disguised" in task.tags
    (made,) = found.variants
    assert "best" not in next(iter(made.candidate.loaded.tree.values())).decode()
    assert made.names >= 2
    assert [each.id for each in found.refused] == ["D/1"]
    assert "nothing in it can be rewritten" in found.refused[0].reason


def test_functions_that_no_input_comes_to_are_left_as_they_are(shapes, bench):
    lonely = (
        "\n\ndef lonely(rows):\n    count = 0\n    for row in rows:\n        count = count + row\n    return count\n"
    )
    good = (
        "def f(rows):\n    best = 0\n    for row in rows:\n        best = max(best, len(row))\n    return best\n"
        + lonely
    )
    checks = ["candidate(['ab', 'c']) == 2", "candidate([]) == 0", "candidate(['abc']) == 3"]
    candidates = shapes.candidates(
        "humanevalpack", shapes.rows([shapes.problem("D/0", good, checks, good.replace("max(best", "min(best"))])
    )
    with shapes.building("disguise") as building:
        found = disguise(
            shapes.taskset(shapes.tasks(candidates), candidates), bench, building, seed=1, rewrites=4, workers=1,
            progress=lambda stage, done, total: None,
        )  # fmt: skip
    assert found.refused == ()
    (made,) = found.variants
    assert (made.disguised, made.spared, made.functions) == (("f",), ("lonely",), 2)
    (program,) = (data.decode() for data in made.candidate.loaded.tree.values())
    assert ("best" in program, lonely.strip() in program) == (False, True)


def test_spared_functions_stay():
    good, buggy, count = rename_locals(GOOD, BUGGY, (), random.Random(1), {"total", "unused"})
    assert count == 2  # cell of weight, found of Keeper.total
    assert good[: good.index("# weighs")] == GOOD[: GOOD.index("# weighs")]
    assert (run(good), run(buggy)) == (run(GOOD), run(BUGGY))
    text, _, _ = rewrite_alike(GOOD, BUGGY, 9, random.Random(0), {"total", "weight", "unused"})
    assert text[: text.index("class Keeper")] == GOOD[: GOOD.index("class Keeper")]


def test_a_variant_that_is_another_program_is_refused(taken, shapes, bench, monkeypatch):
    from mendlab.mutators.disguising import variant as module

    def wrong(good: str, buggy: str, *_: object) -> tuple[str, str, int]:
        good, buggy = (text.replace("best = 0", "best = -1 if rows == [''] else 0") for text in (good, buggy))
        return good, buggy, 1

    monkeypatch.setattr(module, "rename_locals", wrong)
    with shapes.building("disguise") as building:
        found = disguise(
            taken, bench, building, seed=1, rewrites=0, workers=1, progress=lambda stage, done, total: None
        )
    assert found.tasks == ()
    assert any("differs from the original" in each.reason for each in found.refused), found.refused


def test_what_comes_out_as_it_was_is_tried_again_and_no_variant(taken, monkeypatch):
    from mendlab.mutators.disguising import variant as module

    turns: list[int] = []

    def undone(good: str, buggy: str, *_: object) -> tuple[str, str, int]:
        turns.append(1)
        return good, buggy, 2

    monkeypatch.setattr(module, "rename_locals", undone)
    with pytest.raises(FormatError, match="nothing in it can be rewritten"):
        variant(taken, taken.tasks[0], seed=1, rewrites=0)
    assert len(turns) == module.TURNS


def test_the_same_seed_gives_the_same_variant(taken):
    made = [variant(taken, taken.tasks[0], seed=seed, rewrites=4).candidate.buggy.digest for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


@pytest.mark.slow
def test_bundled_programs_still_parse_and_keep_their_names():
    bundled = Path(__file__).parents[3] / "corpora" / "bundled"
    tried = 0
    for loaded in read_subjects("bundled"):
        for path, data in getattr(loaded, "tree", {}).items():
            if path.endswith(".py") and "test" not in path:
                text = data.decode()
                made, _, _ = rename_locals(text, text, (), random.Random(0))
                made, _, _ = reorder_functions(made, made, random.Random(0))
                public = {node.name for node in ast.parse(text).body if hasattr(node, "name")}
                assert public == {node.name for node in ast.parse(made).body if hasattr(node, "name")}
                tried += 1
    assert tried > 20
    assert bundled.is_dir()
