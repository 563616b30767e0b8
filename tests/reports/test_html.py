"""The page as text: well-formed, whole, and nothing of a stranger's in it is markup."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from mendlab.records import Outcome, Review
from mendlab.reports import sections as sections_package
from mendlab.reports.data import Material, RunData
from mendlab.reports.html import render_html
from mendlab.reports.packing import unpack
from mendlab.reports.section import sections
from mendlab.reports.summary import summarise
from mendlab.reports.text import visible

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Page(HTMLParser):
    """Everything a test asks of a page: elements in order, ids, text, and whether all that opens is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]


def rows_of(html: str) -> list[dict]:
    """What the page's script lists the tasks by."""
    (index,) = re.findall(r'<script [^>]*id="task-index">(.*?)</script>', html)
    return unpack(index)


def whole(html: str) -> str:
    """The page with everything in it that its script shows on demand."""
    packed = re.findall(r'<script [^>]*class="block">(.*?)</script>', html)
    rows = [row["row"] for row in rows_of(html)] if packed else []
    return html + "\n".join([*rows, *(fragment for block in packed for fragment in unpack(block))])


def page_of(material) -> Page:
    return Page(whole(render_html(material, summarise(material))))


@pytest.fixture(scope="module")
def demo_page(demo):
    return page_of(demo)


@pytest.fixture(scope="module")
def hostile_page(hostile):
    return page_of(hostile)


def test_every_element_is_closed_in_order(demo_page, hostile_page):
    assert (demo_page.open, hostile_page.open) == ([], [])


def test_strangers_text_is_never_markup(hostile_page, hostile_text):
    tags = Counter(tag for tag, _ in hostile_page.elements)
    assert (tags["style"], tags["img"]) == (1, 0)
    assert sum(attrs.get("type") != "application/octet-stream" for attrs in hostile_page.all("script")) == 1
    for _, attrs in hostile_page.elements:
        assert not [name for name in attrs if name.startswith("on")]
    assert (
        "<img src=http://127.0.0.1:9/x onerror=alert(2)>\"'{{ 7*7 }} \\x1b[31m\\u202eевил\\x00 \\ud800"
        in hostile_page.text
    )
    assert not re.search("[\x00\x1b\u202e\ud800]", hostile_page.text)


def test_the_page_asks_for_nothing(demo, hostile):
    for material in (demo, hostile):
        page = page_of(material)
        for _, attrs in page.elements:
            assert not attrs.keys() & {"src", "srcset", "data", "action", "poster", "style", "xlink:href"}
            assert (attrs.get("href") or "#").startswith("#"), attrs
        (style,) = re.findall(r"<style>(.*?)</style>", render_html(material, summarise(material)), re.DOTALL)
        assert "url(" not in style
        assert "@import" not in style


def test_the_policy_forbids_all_but_the_pages_own_style_and_script(demo_page):
    (policy,) = [attrs["content"] for attrs in demo_page.all("meta") if "http-equiv" in attrs]
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; "
        r"base-uri 'none'; form-action 'none'",
        policy,
    )


def test_ids_are_unique_and_every_link_leads_somewhere(demo, demo_page):
    ids = Counter(attrs["id"] for _, attrs in demo_page.elements if "id" in attrs)
    assert set(ids.values()) == {1}
    anchors = {attrs["href"][1:] for attrs in demo_page.all("a")}
    assert {anchor for anchor in anchors if "=" not in anchor} <= ids.keys()
    assert {f"task={task.id}" for task in demo.tasks} <= anchors
    labels = {attrs["aria-labelledby"] for _, attrs in demo_page.elements if "aria-labelledby" in attrs}
    assert labels <= ids.keys()


def test_tables_and_graphics_speak_to_those_who_do_not_see(demo_page):
    assert len(demo_page.all("caption")) == len(demo_page.all("table")) > 5
    assert all("scope" in attrs for attrs in demo_page.all("th"))
    for attrs in demo_page.all("svg"):
        assert attrs.get("aria-hidden") == "true" or (attrs["role"] == "img" and attrs["aria-label"])
    landmarks = Counter(tag for tag, _ in demo_page.elements)
    assert (landmarks["main"], landmarks["header"], landmarks["h1"], landmarks["nav"]) == (1, 1, 1, 1)
    assert demo_page.all("html") == [{"lang": "en"}]


def test_the_page_says_the_results(demo_page):
    for said in (
        "single_turn coder-32b mended 34 of 59 tasks correctly (58%, 95% interval 43–71%)",
        "reference baseline",
        "168 candidates, of which 60 tasks came",
        "dropped: equal code",
        "ZeroDivisionError('division by zero')",
        "patches unittest.mock",
        "mendlab verify sets/bundled --patches patches  # the patch saved as patches/mean-000.diff",
        "mendlab repair sets/bundled --strategy search --samples 1 --seed 7 --out run-again",
        "mendlab-canary 5f0e1c52",
        "10 s CPU, 60 s wall, 2,048 MiB memory",
        "namespaces",
    ):
        assert said in demo_page.text


def test_every_task_and_every_attempt_is_there(demo, demo_page):
    rows = rows_of(render_html(demo, summarise(demo)))
    assert [row["id"] for row in rows] == [task.id for task in demo.tasks]
    assert Counter(attrs.get("class") for attrs in demo_page.all("details"))["attempt"] == 240
    assert all(task.id in demo_page.text for task in demo.tasks)


def test_tasks_carry_what_they_are_filtered_by(hostile, hostile_page, hostile_text):
    rows = rows_of(render_html(hostile, summarise(hostile)))
    assert [row["outcomes"] for row in rows] == [[[outcome.value]] for outcome in Outcome]
    assert {(row["family"], *row["tag"]) for row in rows} == {(visible(hostile_text),) * 2}
    offered = {attrs["value"] for attrs in hostile_page.all("option")}
    assert offered == {"", visible(hostile_text), *(outcome.value for outcome in Outcome)}


def test_long_lines_are_cut_with_a_count(hostile_page):
    assert "… (19,601 more characters)" in hostile_page.text
    assert "… (9,600 more characters)" in hostile_page.text


def test_the_page_keeps_a_modest_size(demo):
    assert len(render_html(demo, summarise(demo)).encode()) < 1_000_000


def test_a_persons_decision_stands_beside_the_machines(make):
    task = make.task(0)
    run = make.run("r", "x", [task], [Outcome.DIVERGENT])
    at = "2026-01-02T10:00:00+00:00"
    review = Review(task_id=task.id, sample=0, decision="accept", reviewer="Ann", at=at, note="as good")
    run = RunData(run.config, run.attempts, run.verdicts, reviews=[review])
    text = page_of(Material((run,), (task,))).text
    assert "Reviewed by Ann at 2026-01-02T10:00:00+00:00: accept (as good)" in text
    assert "divergent" in text


@pytest.mark.parametrize(
    ("tasks", "outcomes", "said"),
    [
        (0, [], "No run was given; the task set has 0 tasks"),
        (1, [], "x has no judged attempts yet"),
        (1, [Outcome.EXACT], "x mended 1 of 1 task correctly (100%"),
        (3, [Outcome.INFRA_ERROR], "x cannot be scored: 3 infra errors"),
    ],
)
def test_small_and_broken_runs_have_a_page(make, tasks, outcomes, said):
    every = tuple(make.task(number) for number in range(tasks))
    runs = (make.run("r", "x", every if outcomes else (), outcomes),) if tasks else ()
    page = page_of(Material(runs, every))
    assert said in page.text
    assert page.open == []


def test_attempts_that_wait_for_their_verdict_are_shown(make):
    task = make.task(0)
    run = make.run("r", "x", [task], [Outcome.EXACT])
    page = page_of(Material((RunData(run.config, run.attempts, []),), (task,)))
    assert "not judged" in page.text
    assert "The patch, as it was given" in page.text


def test_a_section_is_one_decorated_function_in_one_file(tmp_path, monkeypatch):
    names = [
        *("results", "funnel", "outcomes", "review", "heat_map", "groups", "difficulty", "contamination"),
        *("costs", "injection", "manifest", "tasks"),
    ]
    assert [one.name for one in sections()] == names
    (tmp_path / "foreword.py").write_text(
        "from mendlab.reports.section import section\n"
        "@section(order=1, title='Foreword', template='results.html.j2')\n"
        "def foreword(report):\n"
        "    return None\n"
    )
    monkeypatch.setattr("mendlab.reports.section._SECTIONS", {one.name: one for one in sections()})
    monkeypatch.setattr("mendlab.reports.sections.__path__", [*sections_package.__path__, str(tmp_path)])
    assert [one.name for one in sections()] == ["foreword", *names]
