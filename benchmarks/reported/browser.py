"""How long Chromium takes to open a page from disk."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

READY = "const mark = performance.getEntriesByName('ready')[0]; return mark ? mark.startTime : null"
OPEN = """
const done = arguments[0], before = performance.now(), row = document.querySelector(".task");
row.open = true;
new MutationObserver(() => done(performance.now() - before)).observe(row.lastElementChild, {childList: true});
"""
SEARCH = """
const [text, done] = arguments, before = performance.now(), list = document.getElementById("task-list");
new MutationObserver(() => done(performance.now() - before)).observe(list, {childList: true});
const box = document.querySelector("#filter [name=text]");
box.value = text;
box.dispatchEvent(new Event("input", {bubbles: true}));
"""


def time_page(path: Path) -> dict[str, float]:
    """Return in seconds when the page was ready, and what opening its first task and its first search take.

    The browser and its profile are new, so that nothing of the page is in a cache.
    """
    with tempfile.TemporaryDirectory() as profile:
        driver = webdriver.Chrome(options=_options(profile), service=Service(_found("chromedriver")))
        try:
            driver.set_script_timeout(60)
            driver.get(path.as_uri())
            ready = WebDriverWait(driver, 60, 0.05).until(lambda _: driver.execute_script(READY))
            opened = driver.execute_async_script(OPEN)
            searched = driver.execute_async_script(SEARCH, "assertionerror")
        finally:
            driver.quit()
    return {"ready": ready / 1000, "first task": opened / 1000, "first search": searched / 1000}


def _options(profile: str) -> webdriver.ChromeOptions:
    options = webdriver.ChromeOptions()
    options.binary_location = _found("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={profile}")
    return options


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        sys.exit(f"{program} is not on PATH; install it: apt-get install chromium chromium-driver")
    return path
