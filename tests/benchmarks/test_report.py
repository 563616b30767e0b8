"""The report's benchmark makes runs like real ones, and its clock runs."""

from __future__ import annotations

import shutil

import pytest
from report import measure
from reported.material import make_material

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.subjects import read_subjects


def test_a_run_is_of_the_size_that_was_asked_for():
    material = make_material(330, 3)
    (run,) = material.runs
    assert (len(material.tasks), len(run.attempts), len(run.verdicts)) == (110, 330, 330)
    assert len({attempt.raw_answer for attempt in run.attempts}) == 330
    good = {loaded.tree.digest: loaded.tree for loaded in read_subjects("humaneval")}
    for task in material.tasks[:5]:
        buggy = apply_diff(good[task.snapshot], task.defect.diff)
        assert apply_diff(buggy, task.reference) == good[task.snapshot]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="there is no chromedriver on PATH")
def test_a_small_page_is_timed():
    measured = measure(attempts=20, samples=2, characters=200, repeats=1)
    assert measured["attempts"] == 20
    assert all(0 < measured[name] < 60 for name in ("ready", "first task", "first search"))
