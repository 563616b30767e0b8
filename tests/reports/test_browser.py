"""The page in Chromium: its script runs without an error, it asks for nothing, and it fits on a phone."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from mendlab.records import Outcome
from mendlab.reports.data import Material
from mendlab.reports.html import render_html
from mendlab.reports.summary import summarise

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Reader:
    """Somebody who reads a report."""

    def __init__(self, driver, path) -> None:
        self.driver, self.path = driver, path

    def opens(self, fragment="", width=1200) -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get("about:blank")
        self.driver.get(self.path.as_uri() + fragment)
        self.waits(lambda _: self.driver.execute_script("return performance.getEntriesByName('ready').length"))

    def waits(self, condition) -> None:
        WebDriverWait(self.driver, 60, 0.05).until(condition)

    def named(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"#filter [name={name}]")

    @property
    def rows(self):
        return self.driver.find_elements(By.CSS_SELECTOR, "#task-list > .task")

    @property
    def count(self) -> str:
        return self.driver.find_element(By.ID, "filter-count").text

    def searches(self, text, expected) -> None:
        box = self.named("text")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.BACKSPACE, text)
        self.waits(lambda _: self.count == expected)

    def chooses(self, name, value, expected) -> None:
        Select(self.named(name)).select_by_value(value)
        self.waits(lambda _: self.count == expected)

    @property
    def overflow(self) -> int:
        root = "document.documentElement"
        return self.driver.execute_script(f"return {root}.scrollWidth - {root}.clientWidth")

    @property
    def console(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def reader(chromium, tmp_path):
    def read(material):
        path = tmp_path / "report.html"
        path.write_text(render_html(material, summarise(material)), encoding="utf-8")
        chromium.get_log("browser")
        return Reader(chromium, path)

    return read


def test_the_console_would_tell_of_errors_and_of_what_the_policy_stops(chromium, tmp_path):
    (tmp_path / "bad.html").write_text(
        "<meta http-equiv=Content-Security-Policy content=\"img-src 'none'\"><img src=http://127.0.0.1:9/x>"
        "<script>nobody.knows()</script>"
    )
    chromium.get((tmp_path / "bad.html").as_uri())
    console = [entry["message"] for entry in chromium.get_log("browser")]
    assert any("nobody is not defined" in line for line in console)
    assert any("Content Security Policy" in line for line in console)


@pytest.mark.parametrize("width", [340, 1200])
def test_the_page_works_and_fits(demo, reader, width):
    page = reader(demo)
    page.opens(width=width)
    assert (len(page.rows), page.count) == (60, "60 tasks")
    page.searches("CLAMP relax_comparison", "10 of 60 tasks")
    page.searches("no such text anywhere", "0 of 60 tasks")
    page.searches("ZeroDivisionError('division by zero')", f"{len(tasks_that_diverge(demo))} of 60 tasks")
    page.searches("", "60 tasks")
    page.chooses("outcome", "divergent", f"{len(tasks_that_diverge(demo))} of 60 tasks")
    page.chooses("run", "search", "6 of 60 tasks")
    page.driver.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.waits(lambda _: all(row.find_elements(By.CLASS_NAME, "attempt") for row in page.rows))
    assert page.overflow == 0
    assert page.console == []


def tasks_that_diverge(material) -> set[str]:
    return {v.task_id for run in material.runs for v in run.verdicts if v.outcome is Outcome.DIVERGENT}


def test_a_link_opens_its_task_and_its_attempt(demo, reader):
    page = reader(demo)
    page.opens("#task=clamp-055&run=search&sample=0")
    (row,) = [row for row in page.rows if row.get_attribute("open")]
    assert "clamp-055" in row.text
    (attempt,) = row.find_elements(By.CSS_SELECTOR, ".attempt[open]")
    assert attempt.find_element(By.TAG_NAME, "summary").text.startswith("search sample 0")
    assert page.driver.switch_to.active_element == attempt.find_element(By.TAG_NAME, "summary")
    page.opens("#family=comparison&run=search&outcome=divergent")
    wanted = {v.task_id for v in demo.runs[2].verdicts if v.outcome is Outcome.DIVERGENT and "clamp" in v.task_id}
    assert page.count == f"{len(wanted)} of 60 tasks"


def test_the_heat_map_and_a_task_can_be_worked_from_the_keyboard(demo, reader):
    page = reader(demo)
    page.opens()
    cell = page.driver.find_element(By.CSS_SELECTOR, ".heat td a")
    cell.send_keys(Keys.ENTER)
    page.waits(lambda _: page.count == "10 of 60 tasks")
    summary = page.rows[0].find_element(By.TAG_NAME, "summary")
    summary.send_keys(Keys.ENTER)
    page.waits(lambda _: page.rows[0].find_elements(By.CLASS_NAME, "diff"))


def test_many_tasks_come_a_hundred_at_a_time(make, reader):
    tasks = tuple(make.task(number) for number in range(250))
    page = reader(Material((make.run("r", "x", tasks, [Outcome.EXACT]),), tasks))
    page.opens()
    assert len(page.rows) == 100
    page.driver.find_element(By.ID, "more").click()
    assert len(page.rows) == 200
    page.opens(f"#task={quote(tasks[230].id)}")
    assert len(page.rows) == 231


def test_hostile_text_does_nothing(hostile, hostile_text, reader):
    page = reader(hostile)
    page.opens(width=375)
    page.chooses("outcome", "divergent", "1 of 21 tasks")
    page.searches("</script><script>alert(1)", "1 of 21 tasks")
    page.driver.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.waits(lambda _: page.rows[0].find_elements(By.CLASS_NAME, "attempt"))
    assert "</script><script>alert(1)" in page.rows[0].text
    assert page.driver.find_elements(By.TAG_NAME, "img") == []
    assert page.overflow == 0
    assert page.console == []


def test_nothing_is_asked_of_the_network(chromium, reader, tmp_path, make):
    asked = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        tempting = f'<img src={base}/image><link rel=stylesheet href={base}/style><script src="{base}/script"></script>'
        (tmp_path / "control.html").write_text(tempting)
        chromium.get((tmp_path / "control.html").as_uri())
        control, asked[:] = sorted(asked), []
        tasks = (make.task(0, statement=tempting, id=tempting),)
        page = reader(Material((make.run(tempting, tempting, tasks, [Outcome.EXACT]),), tasks))
        page.opens(f"#task={quote(tempting)}")
        assert page.rows[0].find_elements(By.CLASS_NAME, "attempt")
        server.shutdown()
    assert control[:1] == ["/image"]
    assert asked == []
