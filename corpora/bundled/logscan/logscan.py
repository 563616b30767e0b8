"""A command that sums up web server logs: status classes, slowest pages and bursts of errors."""

import argparse
import os
import re
import sys
from collections import Counter, namedtuple
from pathlib import Path

Entry = namedtuple("Entry", "minute method page status millis")

LINE = re.compile(
    r"(?P<h>\d\d):(?P<m>\d\d):\d\d\s+(?P<method>[A-Z]+)\s+(?P<page>\S+)\s+(?P<status>[1-5]\d\d)\s+(?P<millis>\d+)ms$"
)


def parse_line(line):
    """The entry of a line such as ``09:30:12 GET /index 200 41ms``, or None."""
    match = LINE.match(line.strip())
    if match is None:
        return None
    page = match["page"].partition("?")[0]
    if len(page) > 1:
        page = page.rstrip("/")
    minute = int(match["h"]) * 60 + int(match["m"])
    return Entry(minute, match["method"], page, int(match["status"]), int(match["millis"]))


def read_logs(paths):
    """Entries in the order of the files, and how many lines could not be read."""
    entries, bad = [], 0
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if not line.strip() or line.startswith("#"):
                    continue
                entry = parse_line(line)
                if entry is None:
                    bad += 1
                else:
                    entries.append(entry)
    return entries, bad


def percentile(values, percent):
    """The nearest-rank percentile: the smallest value with at least that share at or below it."""
    if not values:
        return None
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(rank, 1) - 1]


def status_classes(entries):
    """Counts by class, as in ``{"2xx": 10, "5xx": 1}``, classes in order."""
    counts = Counter("{}xx".format(entry.status // 100) for entry in entries)
    return dict(sorted(counts.items()))


def slowest(entries, count, percent=95):
    """(page, percentile of its times, requests), the slowest first, then the more frequent, then by name."""
    times = {}
    for entry in entries:
        times.setdefault(entry.page, []).append(entry.millis)
    rows = [(page, percentile(millis, percent), len(millis)) for page, millis in times.items()]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))[:count]


def bursts(entries, threshold):
    """(first minute, last minute, errors) of stretches in which every minute has at least so many 5xx."""
    per_minute = Counter(entry.minute for entry in entries if entry.status >= 500)
    found = []
    for minute in sorted(per_minute):
        errors = per_minute[minute]
        if errors < threshold:
            continue
        if found and found[-1][1] == minute - 1:
            first, _, before = found[-1]
            found[-1] = (first, minute, before + errors)
        else:
            found.append((minute, minute, errors))
    return found


def clock(minute):
    return "{:02}:{:02}".format(*divmod(minute, 60))


def report(entries, bad, top, threshold):
    lines = ["{} requests, {} lines skipped".format(len(entries), bad)]
    for name, count in status_classes(entries).items():
        lines.append("{} {:>6} {:>6.1%}".format(name, count, count / len(entries)))
    for page, millis, count in slowest(entries, top):
        lines.append("{:>6}ms {} ({})".format(millis, page, count))
    for first, last, errors in bursts(entries, threshold):
        lines.append("burst {}-{}: {} errors".format(clock(first), clock(last), errors))
    return lines


def main(argv=None):
    """The exit status: 0, 1 when there was a burst of errors, 2 when nothing could be read."""
    parser = argparse.ArgumentParser(prog="logscan", description="Sums up web server logs.")
    parser.add_argument("paths", nargs="+", help="log files, or folders with *.log")
    parser.add_argument("--top", type=int, default=int(os.environ.get("LOGSCAN_TOP", "3")))
    parser.add_argument("--burst", type=int, default=5)
    options = parser.parse_args(argv)
    files = []
    for name in options.paths:
        path = Path(name)
        files.extend(sorted(path.glob("*.log")) if path.is_dir() else [path])
    try:
        entries, bad = read_logs(files)
    except OSError as error:
        print("logscan: {}: {}".format(error.filename, error.strerror), file=sys.stderr)
        return 2
    if not entries:
        print("logscan: no requests found", file=sys.stderr)
        return 2
    print("\n".join(report(entries, bad, options.top, options.burst)))
    return 1 if bursts(entries, options.burst) else 0
