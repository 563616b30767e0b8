"""Size of the report, and time until it can be worked with in Chromium, for a run of many attempts.

    python benchmarks/report.py --attempts 10000 --samples 10 --json report.json

Goals: under 10 MB, and under 2 s from the start of navigation to the mark that the page sets when its list, filter and
links work; the median of fresh browsers. Chromium and its driver come from the system. Progress goes to stderr.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import click
from reported.browser import time_page
from reported.material import make_material

from mendlab.reports.html import render_html
from mendlab.reports.summary import summarise

MOST_BYTES = 10_000_000
MOST_SECONDS = 2.0


def measure(attempts: int, samples: int, characters: int, repeats: int) -> dict[str, object]:
    """Return the size of the page in bytes, and times in seconds: of making it, and medians of opening it."""
    material = make_material(attempts, samples, characters=characters)
    print(f"{len(material.tasks)} tasks with {samples} samples each", file=sys.stderr)
    started = time.perf_counter()
    page = render_html(material, summarise(material)).encode()
    made = time.perf_counter() - started
    print(f"made in {made:.1f} s: {len(page):,} bytes", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_bytes(page)
        times = [time_page(path) for _ in range(repeats)]
    return {
        "attempts": len(material.runs[0].attempts),
        "tasks": len(material.tasks),
        "bytes": len(page),
        "made": round(made, 2),
        **{name: round(statistics.median(one[name] for one in times), 3) for name in times[0]},
        "each": times,
    }


@click.command()
@click.option("--attempts", default=10_000, show_default=True)
@click.option("--samples", default=10, show_default=True, help="Attempts on each task.")
@click.option("--characters", default=2_500, show_default=True, help="Mean length of an answer.")
@click.option(
    "--repeats", default=5, show_default=True, help="How often the page is opened, each time by a new browser."
)
@click.option("--json", "json_path", type=click.Path(path_type=Path))
def main(attempts: int, samples: int, characters: int, repeats: int, json_path: Path | None) -> None:
    """Measure, print a table, and leave with 1 where a goal is missed."""
    measured = measure(attempts, samples, characters, repeats)
    for name, value in measured.items():
        if name != "each":
            print(f"{name:14} {value:>12,}")
    if json_path:
        json_path.write_text(json.dumps(measured, indent=1) + "\n")
    missed = [
        name for name, most in (("bytes", MOST_BYTES), ("ready", MOST_SECONDS)) if float(str(measured[name])) >= most
    ]
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
