from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from mendlab.reports.markdown import render_markdown
from mendlab.reports.section import Report
from mendlab.reports.summary import summarise


@pytest.fixture
def markdown():
    return lambda material: render_markdown(Report(material, summarise(material)))


def html(text):
    """As GitHub would render it: tables, and HTML let through."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


def test_it_says_what_matters(demo, markdown):
    text = markdown(demo)
    page = html(text)
    assert "<h3>single_turn coder-32b mended 34 of 59 tasks correctly (58%, 95% interval 43–71%)" in page
    assert page.count("<table>") == 2
    assert "<td><code>reference</code> baseline</td>" in page
    assert "ZeroDivisionError('division by zero')" in page
    assert len(text.encode()) < 60_000  # what a comment may have


def test_nothing_of_a_stranger_is_markup(hostile, markdown):
    page = html(markdown(hostile))
    for begun in ("<script", "<img", "\u202e", "\x1b"):
        assert begun not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page
    assert page.count("<details>") == page.count("</details>") == 2


@pytest.mark.parametrize("name", ["`", "``a`", "a|b", "@someone", "#12 [x](http://e)", "", "a\nb", "\\"])
def test_a_name_is_shown_as_it_is(name, make, markdown):
    from mendlab.records import Outcome
    from mendlab.reports.data import Material

    tasks = (make.task(0),)
    page = html(markdown(Material((make.run("r", name, tasks, [Outcome.EXACT]),), tasks)))
    shown = " ".join(name.split()).replace("&", "&amp;")
    assert f"<td><code>{shown}</code></td>" in page or not shown
    assert "<a " not in page
