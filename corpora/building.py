"""The work of making a task set, kept beside it while it goes on, so that a kill costs nothing that was found out.

``OUT.building/`` holds ``build.json`` (what decides the outcome), ``baselines.jsonl``, ``covered.jsonl`` and
``examined.jsonl``. The task set is written from these when all is known, and the folder is then removed.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType
from typing import Self

from mendlab.corpora.durable import replace_file, writing
from mendlab.corpora.journal import Journal, dump_line, parse_record
from mendlab.corpora.layout import MANIFEST
from mendlab.errors import FormatError, InputError, OutputError
from mendlab.records import Baseline, BuildConfig, Covered, Detection, Examined, Manifest

CONFIG = "build.json"


def built(out: Path, config: BuildConfig) -> Manifest | None:
    """Return the manifest of the task set at ``out`` if it was made with just these settings."""
    try:
        manifest = parse_record((out / MANIFEST).read_bytes(), Manifest, str(out / MANIFEST))
    except (OSError, FormatError):
        return None
    return manifest if manifest.build == config else None


def finished(out: Path, config: BuildConfig) -> Manifest | None:
    """Return the manifest of the task set at ``out`` if it is what these settings make, and nothing is left to do."""
    return None if begun_beside(out).exists() else built(out, config)


def begun_beside(out: Path) -> Path:
    """Return the folder of the work that makes a task set at ``out``."""
    if out.name in ("", ".."):
        raise OutputError("is no name for a new folder", where=out, hint="name one that is not there yet")
    return out.with_name(f"{out.name}.building")


class Building:
    """What is known so far of a task set that is being made at ``out``; used in a ``with`` block.

    Raises:
        OutputError: ``out`` is there already or cannot be written.
        InputError: it was begun with other settings.
    """

    def __init__(self, out: Path, config: BuildConfig) -> None:
        self.out = out
        self.directory = begun_beside(out)
        there = out.is_file() or (out.is_dir() and any(out.iterdir()))
        if there and not (self.directory.exists() and built(out, config)):
            raise OutputError("something is there already", where=out, hint="name another folder, or remove it first")
        begin(self.directory, config)
        self._baselines = Journal(self.directory / "baselines.jsonl", Baseline)
        self._covered = Journal(self.directory / "covered.jsonl", Covered)
        self._examined = Journal(self.directory / "examined.jsonl", Examined)
        self.baselines = {baseline.subject: baseline for baseline in self._baselines.read()}
        self.covered = {covered.subject: covered for covered in self._covered.read()}
        self.detections = {examined.candidate: examined.detection for examined in self._examined.read()}

    def add_baseline(self, baseline: Baseline) -> None:
        """Keep a subject's baseline; it is on the disk when this returns."""
        self._baselines.append(baseline)
        self.baselines[baseline.subject] = baseline

    def add_covered(self, covered: Covered) -> None:
        """Keep what a subject's tests run; it is on the disk when this returns."""
        self._covered.append(covered)
        self.covered[covered.subject] = covered

    def add_detection(self, candidate: str, detection: Detection) -> None:
        """Keep what detection said of a candidate; it is on the disk when this returns."""
        self._examined.append(Examined(candidate=candidate, detection=detection))
        self.detections[candidate] = detection

    def finish(self) -> None:
        """Remove the folder, once the task set is written."""
        self.close()
        with writing(self.directory):
            shutil.rmtree(self.directory)

    def close(self) -> None:
        """Close the files; what is there can be resumed."""
        self._baselines.close()
        self._covered.close()
        self._examined.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def begin_in_place(out: Path, config: BuildConfig) -> None:
    """Do as :func:`begin` does in a folder that its user has named, and in which nothing else may be.

    Raises:
        InputError: it was begun with other settings.
        OutputError: something else is there, or it cannot be written.
    """
    if out.is_file() or (out.is_dir() and any(out.iterdir()) and not (out / CONFIG).exists()):
        raise OutputError("something is there already", where=out, hint="name another folder, or remove it first")
    begin(out, config)


def begin(directory: Path, config: BuildConfig) -> None:
    """Write down what decides the outcome of work that is kept in ``directory``, or see that it is the same as before.

    Raises:
        InputError: it was begun with other settings.
        OutputError: it cannot be written.
    """
    path = directory / CONFIG
    if not path.exists():
        replace_file(path, dump_line(config))
        return
    begun = parse_record(path.read_bytes(), BuildConfig, str(path))
    names = begun.parameters.keys() | config.parameters.keys()
    differing = sorted(n for n in names if begun.parameters.get(n) != config.parameters.get(n))
    if begun.command != config.command or differing or begun.tools != config.tools:
        what = ", ".join(differing) or ("the command" if begun.command != config.command else "the tools' versions")
        raise InputError(
            f"was begun with other settings: {what}",
            where=directory,
            hint="run it with the same settings to resume, or remove that folder to start again",
        )
