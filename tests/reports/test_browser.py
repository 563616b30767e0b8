"""The page in Chromium: its script runs without an error, it asks for nothing, and it fits on a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mendlab.records import Outcome
from mendlab.reports.data import Material
from mendlab.reports.html import render_html
from mendlab.reports.summary import summarise

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on PATH; install it: apt-get install chromium"),
]

# Holds the report in a frame as wide as a phone, works it as a reader would, and writes what it saw.
HARNESS = """<!doctype html><meta charset="utf-8"><pre id="seen"></pre>
<iframe id="frame" srcdoc="%s" style="width:%dpx;height:700px;border:0"></iframe><script>
const frame = document.getElementById("frame");
frame.onload = () => {
  const page = frame.contentDocument, root = page.documentElement, seen = {};
  const shown = () => [...page.querySelectorAll(".task")].filter((task) => task.getClientRects().length).length;
  const set = (id, value) => {
    page.getElementById(id).value = value;
    page.getElementById(id).dispatchEvent(new frame.contentWindow.Event("input", {bubbles: true}));
    return [shown(), page.getElementById("filter-count").value];
  };
  seen.title = page.title;
  seen.styled = getComputedStyle(page.querySelector(".skip")).position === "absolute";
  seen.filter = page.getElementById("filter").getClientRects().length > 0;
  seen.all = shown();
  seen.text = set("filter-text", %s);
  seen.nothing = set("filter-text", "no such text anywhere");
  set("filter-text", "");
  seen.outcome = set("filter-outcome", "divergent");
  seen.back = set("filter-outcome", "");
  page.querySelectorAll("details").forEach((one) => { one.open = true; });
  seen.overflow = root.scrollWidth - root.clientWidth;
  document.getElementById("seen").textContent = JSON.stringify(seen);
};
</script>"""


def browse(path, profile, *options):
    """Open a file, let its scripts run, and return its document and what the console said."""
    command = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"),
        *("--disable-component-update", f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0", *options),
        *("--virtual-time-budget=5000", "--dump-dom", path.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def work(material, tmp_path, *, width, text):
    page = html.escape(render_html(material, summarise(material)))
    (tmp_path / "harness.html").write_text(HARNESS % (page, width, json.dumps(text)), encoding="utf-8")
    document, console = browse(tmp_path / "harness.html", tmp_path / "profile")
    (seen,) = re.findall(r'<pre id="seen">(.*?)</pre>', document, re.DOTALL)
    return json.loads(html.unescape(seen)), console


def test_the_console_would_tell_of_errors_and_of_what_the_policy_stops(tmp_path):
    (tmp_path / "bad.html").write_text(
        "<meta http-equiv=Content-Security-Policy content=\"img-src 'none'\"><img src=http://127.0.0.1:9/x>"
        "<script>nobody.knows()</script>"
    )
    _, console = browse(tmp_path / "bad.html", tmp_path / "profile")
    assert any("nobody is not defined" in line for line in console)
    assert any("Content Security Policy" in line for line in console)


@pytest.mark.parametrize("width", [340, 1200])
def test_the_page_works_and_fits(demo, tmp_path, width):
    seen, console = work(demo, tmp_path, width=width, text="CLAMP relax_comparison")
    assert console == []
    assert seen["styled"]
    assert seen["filter"]
    assert (seen["all"], seen["nothing"]) == (60, [0, "0 of 60 tasks"])
    assert seen["text"] == [10, "10 of 60 tasks"]
    assert seen["outcome"][0] == sum(
        any(v.outcome == "divergent" and v.task_id == task.id for run in demo.runs for v in run.verdicts)
        for task in demo.tasks
    )
    assert seen["back"] == [60, "60 tasks"]
    assert seen["overflow"] == 0


def test_hostile_text_does_nothing(hostile, tmp_path):
    seen, console = work(hostile, tmp_path, width=340, text="timeout onerror")
    assert console == []
    assert seen["text"][0] >= 1
    assert seen["outcome"] == [1, "1 of 21 tasks"]
    assert seen["overflow"] == 0
    assert "</script><script>alert(1)" in seen["title"]


def test_nothing_is_asked_of_the_network(tmp_path, make):
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
        browse(tmp_path / "control.html", tmp_path / "profile")
        control, asked[:] = sorted(asked), []
        tasks = (make.task(0, statement=tempting, id=tempting),)
        material = Material((make.run(tempting, tempting, tasks, [Outcome.EXACT]),), tasks)
        (tmp_path / "report.html").write_text(render_html(material, summarise(material)), encoding="utf-8")
        browse(tmp_path / "report.html", tmp_path / "profile")
        server.shutdown()
    assert control[:1] == ["/image"]
    assert asked == []
