from __future__ import annotations

import pytest

from mendlab.records import Outcome, Review
from mendlab.reports.data import Material, RunData, join
from mendlab.reports.html import render_html
from mendlab.reports.review.agreement import cohen_kappa, reviewed
from mendlab.reports.summary import summarise


def pairs(table):
    names = ("accept", "reject", "unsure")
    return [(names[i], names[j]) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]


@pytest.mark.parametrize(
    ("table", "kappa", "low", "high"),
    [
        # statsmodels.stats.inter_rater.cohens_kappa 0.14.
        (((20, 5, 0), (10, 15, 0), (0, 0, 0)), 0.4, 0.151092, 0.648908),
        (((44, 5, 1), (7, 20, 3), (9, 5, 6)), 0.491525, 0.350158, 0.632893),
    ],
)
def test_kappa_and_its_interval_are_those_of_statsmodels(table, kappa, low, high):
    found = cohen_kappa("Ann", "Bob", pairs(table))
    assert (found.kappa, found.low, found.high) == pytest.approx((kappa, low, high), abs=1e-5)


def test_what_has_no_kappa():
    assert cohen_kappa("Ann", "Bob", []).kappa is None
    always = cohen_kappa("Ann", "Bob", [("accept", "accept")] * 5)
    assert (always.agreed, always.kappa) == (1.0, None)
    assert cohen_kappa("Ann", "Bob", pairs(((3, 0, 0), (0, 3, 0), (0, 0, 1)))).kappa == pytest.approx(1.0)


@pytest.fixture
def run(make):
    tasks = tuple(make.task(number) for number in range(4))
    made = make.run("r", "x", tasks, [Outcome.EXACT, Outcome.EXACT, Outcome.DIVERGENT, Outcome.DIVERGENT])
    said = {"Ann": ("accept", "reject", "accept", None), "Bob": ("accept", "accept", "unsure", "reject")}
    reviews = [
        Review(task_id=task.id, sample=0, decision=decision, reviewer=name, at="2026-01-01", note=f"{name}'s")
        for name, decisions in said.items()
        for task, decision in zip(tasks, decisions, strict=True)
    ]
    return RunData(made.config, made.attempts, made.verdicts, reviews=reviews), tasks


def test_people_stand_beside_the_machine(run):
    found = reviewed(join(*run))
    assert found.attempts == 4
    ann, bob = found.reviewers
    assert (ann.correct, ann.not_correct) == (
        {"accept": 1, "reject": 1, "unsure": 0},
        {"accept": 1, "reject": 0, "unsure": 0},
    )
    assert bob.not_correct == {"accept": 0, "reject": 1, "unsure": 1}
    (kappa,) = found.kappas
    assert (kappa.first, kappa.second, kappa.attempts, kappa.agreed) == ("Ann", "Bob", 3, pytest.approx(1 / 3))


def test_the_report_shows_both_and_where_they_disagree(run):
    data, tasks = run
    material = Material((data,), tasks)
    page = render_html(material, summarise(material))
    assert "Ann and Bob both reviewed 3 attempts and agree on 33%" in page
    disagreeing = page.split("Where a person and the machine disagree")[1].split("</ul>")[0]
    assert disagreeing.count("<li>") == 2
    assert "Ann: <b>reject</b>" in disagreeing
    assert "Bob" not in disagreeing


def test_without_reviews_the_report_is_silent(make):
    tasks = (make.task(0),)
    material = Material((make.run("r", "x", tasks, [Outcome.EXACT]),), tasks)
    assert "Review by people" not in render_html(material, summarise(material))
