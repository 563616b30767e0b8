"""Plots: what matplotlib draws comes out as markup that the page's policy allows, in the page's colours."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mendlab.records import Difficulty, Outcome
from mendlab.reports.costs import Total
from mendlab.reports.data import Material, join
from mendlab.reports.difficulty_view import agreement, observed, score_bins
from mendlab.reports.html import render_html
from mendlab.reports.plots.calibration import calibration_plot
from mendlab.reports.plots.colours import Colour
from mendlab.reports.plots.cost import cost_plot, cost_points
from mendlab.reports.plots.figure import draw
from mendlab.reports.statistics import Estimate
from mendlab.reports.summary import summarise


def estimate(value):
    return Estimate(value, value - 0.1, value + 0.1, "wilson", 10, 10)


def test_a_plot_has_no_style_no_script_and_ids_of_its_own(hostile_text):
    def paint(axes):
        axes.plot([0, 1], [0, 1], color=Colour.ACCENT)
        axes.set_xlabel(r"$\frac{a}{b}$ <script>")

    first, second = (ElementTree.fromstring(draw(name, hostile_text, paint)) for name in ("one", "two"))
    ids = [{each.get("id") for each in plot.iter() if each.get("id")} for plot in (first, second)]
    assert ids[0]
    assert ids[0].isdisjoint(ids[1])
    assert {each.tag for each in first.iter()} <= {"svg", "g", "defs", "path", "use", "clipPath", "rect", "text"}
    assert not [each for each in first.iter() if "style" in each.attrib]
    assert "stroke-accent" in {each.get("class") for each in first.iter()}
    assert r"$\frac{a}{b}$ <script>" in {each.text for each in first.iter("text")}
    assert (first.get("role"), "\\u202e" in first.get("aria-label")) == ("img", True)


def test_costs_have_their_front():
    runs = [
        ("cheap", Total(1.0, 10, 10), estimate(0.3)),
        ("worse", Total(4.0, 10, 10), estimate(0.2)),
        ("best", Total(90.0, 10, 10), estimate(0.6)),
        ("unknown", Total(None, 0, 10), estimate(0.9)),
    ]
    points = cost_points(runs)
    assert [(one.number, one.label, one.cost, one.efficient) for one in points] == [
        (1, "cheap", 0.1, True),
        (2, "worse", 0.4, False),
        (3, "best", 9.0, True),
    ]
    assert cost_plot(points, "dollars", "d").count("<text") > 8


@pytest.fixture
def graded(make):
    """Forty tasks; the harder half is mended by nobody."""
    tasks = tuple(
        make.task(number, difficulty=Difficulty(grade="easy" if number < 20 else "hard", score=number / 40))
        for number in range(40)
    )
    run = make.run("r", "x", tasks, [Outcome.EXACT] * 20 + [Outcome.NEW_TEST_FAILED] * 20)
    return run, tasks


def test_difficulty_is_held_to_what_was_mended(graded):
    judged = join(*graded)
    points = observed(judged)
    assert [score for _, score, _ in points] == sorted(score for _, score, _ in points)
    found = agreement(points)
    assert found.tasks == 40
    assert found.correlation == pytest.approx(0.8666, abs=1e-3)
    assert 0.5 < found.low < found.correlation < found.high < 1
    bins = score_bins(judged, points)
    assert [one.solved.value for one in bins] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert sum(one.solved.tasks for one in bins) == 40
    assert "<svg" in calibration_plot([(x, y) for _, x, y in points], bins, "d")
    assert agreement(points[:20]).correlation is None


def test_the_report_shows_difficulty_and_contamination_where_there_are_any(graded, make):
    run, tasks = graded
    page = render_html(Material((run,), tasks), summarise(Material((run,), tasks)))
    assert '<h2 id="difficulty-title">' in page
    assert "#grade=hard" in page
    assert "fail is <b>0.87</b>" in page
    assert '<h2 id="contamination-title">' not in page
