"""The review page in Chromium: worked from the keyboard, killed on either side, and asked by other sites."""

from __future__ import annotations

import json
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from mendlab.records import Review
from mendlab.reports.review.decisions import REVIEWS_FILE, standing

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Reviewer:
    """Somebody who works the page by its keys."""

    def __init__(self, driver, url) -> None:
        self.driver, self.url = driver, url
        self.opens()

    def opens(self) -> None:
        self.driver.get("about:blank")
        self.driver.get(self.url)
        self.waits(lambda _: self.driver.execute_script("return document.documentElement.dataset.ready"))

    def waits(self, condition) -> None:
        WebDriverWait(self.driver, 60, 0.05).until(condition)

    def text(self, name) -> str:
        return self.driver.find_element(By.ID, name).text

    def presses(self, keys, progress) -> None:
        self.driver.find_element(By.TAG_NAME, "body").send_keys(keys)
        self.waits(lambda _: self.text("progress") == progress)

    def notes(self, text) -> None:
        self.driver.find_element(By.TAG_NAME, "body").send_keys("n")
        self.driver.switch_to.active_element.send_keys(text, Keys.ESCAPE)

    @property
    def current(self) -> str:
        return self.driver.find_element(By.CSS_SELECTOR, "#queue [aria-current]").text

    @property
    def note(self) -> str:
        return self.driver.find_element(By.ID, "note").get_attribute("value")

    @property
    def console(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]


def lines(on_disk) -> list[Review]:
    path = on_disk.run / REVIEWS_FILE
    return [Review.model_validate_json(line) for line in path.read_text().splitlines()] if path.exists() else []


def decisions(on_disk) -> list[tuple[str | None, str]]:
    return [(review.decision, review.note) for review in lines(on_disk)]


def test_it_is_worked_from_the_keyboard_and_survives_a_reload(chromium, on_disk, serve):
    chromium.get_log("browser")
    page = Reviewer(chromium, serve(on_disk, "--reviewer", "Ann", "--sample", "2").url)
    assert (page.text("progress"), page.text("reviewer")) == ("0 of 5 decided", "Ann")
    assert "divergent" in page.current
    page.notes("keeps empty lists")
    page.presses("a", "1 of 5 decided")
    page.presses("r", "2 of 5 decided")
    page.presses("u", "3 of 5 decided")
    page.presses("z", "2 of 5 decided")
    assert "sampled" not in page.current
    assert decisions(on_disk) == [("accept", "keeps empty lists"), ("reject", ""), ("unsure", ""), (None, "")]
    page.notes("not yet said")
    page.opens()
    assert page.text("progress") == "2 of 5 decided"
    assert page.note == "not yet said"
    page.presses("k", "2 of 5 decided")
    page.presses("k", "2 of 5 decided")
    assert page.note == "keeps empty lists"
    assert page.console == []


def test_a_kill_of_the_server_loses_nothing_that_was_said(chromium, on_disk, serve):
    first = serve(on_disk, "--reviewer", "Ann")
    page = Reviewer(chromium, first.url)
    page.presses("a", "1 of 6 decided")
    first.kill()
    page.driver.find_element(By.TAG_NAME, "body").send_keys("r")
    page.waits(lambda _: "Not saved" in page.text("trouble"))
    assert page.text("progress") == "1 of 6 decided"
    again = serve(on_disk, "--reviewer", "Ann", "--port", first.port)
    page.url = again.url
    page.opens()
    assert page.text("progress") == "2 of 6 decided"
    assert [decision for decision, _ in decisions(on_disk)] == ["accept", "reject"]
    assert again.interrupt() == 0
    assert f"2 of 6 decided, kept in {on_disk.run / REVIEWS_FILE}" in again.errors


def test_a_kill_of_the_browser_loses_nothing_that_was_said(chromium, another_chromium, on_disk, serve):
    url = serve(on_disk, "--reviewer", "Ann").url
    page = Reviewer(another_chromium, url)
    page.presses("a", "1 of 6 decided")
    os.kill(another_chromium.service.process.pid, signal.SIGSTOP)
    for child in children(another_chromium.service.process.pid):
        os.kill(child, signal.SIGKILL)
    os.kill(another_chromium.service.process.pid, signal.SIGCONT)
    page = Reviewer(chromium, url)
    assert page.text("progress") == "1 of 6 decided"


def children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def test_a_phone_shows_the_sides_one_below_the_other(chromium, on_disk, serve):
    page = Reviewer(chromium, serve(on_disk, "--reviewer", "Ann").url)
    wide = [chromium.execute_script(SIDES, kind) for kind in ("left", "right")]
    assert wide[0]["right"] <= wide[1]["left"]
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.opens()
        assert chromium.execute_script("return document.documentElement.scrollWidth") == 390
        over = "return [...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)"
        assert set(chromium.execute_script(over)) == {0}
        left, right = (chromium.execute_script(SIDES, kind) for kind in ("left", "right"))
        assert left["bottom"] <= right["top"] or right["bottom"] <= left["top"]
        assert min(left["width"], right["width"]) > 250
        texts = [row.text for row in chromium.find_elements(By.CSS_SELECTOR, ".sides tr.same")]
        assert any("return sum(values)" in text for text in texts)
        assert all(text.count("sum(values)") <= 1 for text in texts)
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


SIDES = """
const row = [...document.querySelectorAll(".sides tr.changed")].find((one) => !one.querySelector(".none"))
  || document.querySelector(".sides tr.changed");
return row.querySelector("." + arguments[0]).getBoundingClientRect();
"""


def test_two_reviewers_decide_apart(chromium, on_disk, serve):
    for name, key in (("Ann", "a"), ("Bob", "r")):
        page = Reviewer(chromium, serve(on_disk, "--reviewer", name).url)
        assert page.text("progress") == "0 of 6 decided"
        page.presses(key, "1 of 6 decided")
    stands = standing(lines(on_disk))
    assert sorted((name, review.decision) for (name, *_), review in stands.items()) == [
        ("Ann", "accept"),
        ("Bob", "reject"),
    ]


def test_hostile_text_does_nothing(chromium, on_disk, serve):
    chromium.get_log("browser")
    page = Reviewer(chromium, serve(on_disk, "--reviewer", "</script><img src=x onerror=alert(1)>").url)
    for number in range(6):
        page.waits(lambda _, number=number: chromium.execute_script("return item.dataset.number") == str(number))
        chromium.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert "<img src=http://127.0.0.1:9/x onerror=alert(2)>" in page.text("item")
        page.presses("j", "0 of 6 decided")
    assert page.driver.find_elements(By.TAG_NAME, "img") == []
    assert "<img src=x" in page.text("reviewer")
    assert page.console == []


def test_another_site_gets_nothing(chromium, on_disk, serve):
    served = serve(on_disk, "--reviewer", "Ann")
    address, token = served.url.split("/#")
    task = json.dumps({"task": "x", "sample": 0, "decision": "accept", "note": ""})
    attack = f"""<iframe id=framed src="{address}/"></iframe><script>
      const ways = [
        () => fetch("{address}/api/queue", {{headers: {{Authorization: "Bearer {token}"}}}}),
        () => fetch("{address}/api/decisions", {{method: "POST", mode: "no-cors", body: '{task}'}}),
        () => fetch("{address}/", {{mode: "no-cors"}}),
      ];
      Promise.all(ways.map((way) => way().then((r) => r.type + r.status, () => "failed"))).then((all) => {{
        document.title = all.join(" ");
      }});</script>"""

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(attack.encode())

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Evil) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium.get(f"http://127.0.0.1:{server.server_port}/")
        WebDriverWait(chromium, 30, 0.05).until(lambda _: chromium.title.count(" ") == 2)
        seen = chromium.title.split(" ")
        chromium.switch_to.frame("framed")
        framed = chromium.page_source
        chromium.switch_to.default_content()
        server.shutdown()
    assert set(seen) <= {"failed", "opaque0"}
    assert seen[0] == "failed"
    assert "mendlab review" not in framed
    assert lines(on_disk) == []
