from __future__ import annotations

import io
import json

import pytest
from rich.cells import cell_len
from rich.console import Console

from mendlab.errors import InputError
from mendlab.records import Outcome
from mendlab.reports.comparison.compare import compare
from mendlab.reports.comparison.rendering import comparison_json, comparison_markdown, comparison_renderable
from mendlab.reports.comparison.words import p_value, sentences
from mendlab.reports.data import Material, RunData

RIGHT, WRONG, INFRA = Outcome.EXACT, Outcome.NEW_TEST_FAILED, Outcome.INFRA_ERROR


@pytest.fixture
def tasks(make):
    return tuple(make.task(number, subject=f"s{number}", tags=()) for number in range(60))


def of(make, tasks, **outcomes):
    return Material(tuple(make.run(f"r-{name}", name, tasks, some) for name, some in outcomes.items()), tasks)


def test_the_better_one_comes_first(make, tasks):
    found = compare(of(make, tasks, weak=[RIGHT, WRONG, WRONG], strong=[RIGHT, RIGHT, WRONG]))
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.tied) == ("strong", "weak", False)
    assert pair.difference.value == pytest.approx(1 / 3)
    assert pair.difference.test == "mcnemar"
    assert next(sentences(found)).startswith("strong is better than weak by 33 points (+")
    assert found.ties == ()


def test_ties_are_sets_of_neighbours(make, tasks):
    rates = {"a": 20, "b": 18, "c": 16, "d": 2}
    found = compare(of(make, tasks, **{name: [RIGHT] * n + [WRONG] * (20 - n) for name, n in rates.items()}))
    assert found.ties == (("a", "b"), ("b", "c"))
    assert next((pair.first, pair.second) for pair in found.pairs if not pair.tied) == ("a", "c")


def test_p_values_are_corrected_for_all_pairs(make, tasks):
    found = compare(of(make, tasks, a=[RIGHT], b=[RIGHT] * 5 + [WRONG], c=[RIGHT] * 5 + [WRONG]))
    assert [pair.corrected / pair.difference.p_value for pair in found.pairs[:2]] == pytest.approx([3, 3])


def test_bounds_are_shown_and_not_compared(make, tasks):
    found = compare(of(make, tasks, noop=[WRONG], reference=[RIGHT], search=[RIGHT, WRONG], model=[RIGHT]))
    assert {one.label for one in found.contenders if one.baseline} == {"noop", "reference", "search"}
    assert [(pair.first, pair.second) for pair in found.pairs] == [("model", "search")]


def test_runs_repeated_are_one_contender_with_a_range(make, tasks):
    good, bad = (make.run(name, "model", tasks, some) for name, some in (("x", [RIGHT]), ("y", [RIGHT, WRONG])))
    again = RunData(bad.config.model_copy(update={"seed": 8}), bad.attempts, bad.verdicts)
    other = make.run("z", "other", tasks, [WRONG])
    found = compare(Material((good, again, other), tasks))
    (model, _) = found.contenders
    assert (model.runs, model.span, model.rate.value) == (("x", "y"), (0.5, 1.0), 0.75)
    with pytest.raises(InputError, match="runs of one repairer with the same settings"):
        compare(Material((good, again), tasks))


def test_settings_tell_contenders_apart(make, tasks):
    one = make.run("x", "search", tasks, [RIGHT])
    other = RunData(one.config.model_copy(update={"parameters": {"seconds": 5}}), one.attempts, one.verdicts)
    assert len(compare(Material((one, other), tasks)).contenders) == 2


def test_infra_errors_are_left_out_and_counted_as_failures(make, tasks):
    found = compare(of(make, tasks, a=[RIGHT] * 4 + [INFRA], b=[RIGHT, RIGHT, WRONG, RIGHT, RIGHT]))
    (pair,) = found.pairs
    assert (found.compared, found.tasks) == (48, 60)
    assert pair.difference.value == pytest.approx(1 / 4)
    both = next(run for run in found.contenders if run.label == "a")
    assert (both.rate.value, both.failing_infra.value) == (1.0, 0.8)
    assert "12 tasks without a verdict of every run" in " ".join(sentences(found))


def test_nothing_in_common_is_refused(make, tasks):
    halves = [make.run(str(n), f"s{n}", tasks[30 * n : 30 * n + 30], [RIGHT]) for n in range(2)]
    with pytest.raises(InputError, match="no task has a verdict of every run"):
        compare(Material(tuple(halves), tasks))


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_it_is_shown_in_80_columns_as_markdown_and_as_json(name, request, make):
    material = request.getfixturevalue(name)
    other = make.run("o", "other|`x`\n" + "long" * 20, material.tasks, [RIGHT, INFRA])
    found = compare(Material((*material.runs, other), material.tasks, material.manifest))
    text = io.StringIO()
    Console(file=text, width=80).print(comparison_renderable(found))
    assert max(cell_len(line) for line in text.getvalue().splitlines()) <= 80
    assert "\x1b" not in text.getvalue()
    rows = [line for line in comparison_markdown(found).splitlines() if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 2
    assert "<script" not in comparison_markdown(found)
    there = json.loads(json.dumps(comparison_json(found)))
    assert there["pairs"][0]["tied"] in (True, False)
    assert there["contenders"][0]["rate"]["value"] == found.contenders[0].rate.value


def test_p_values_never_read_as_nothing():
    assert [p_value(value) for value in (0.0001, 0.0123, 0.456, 1.0)] == ["<0.001", "0.012", "0.46", "1.00"]
