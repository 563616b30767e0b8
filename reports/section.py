"""Sections of the HTML report: what one is, and how the report finds them.

A section is one decorated function in a file of ``sections/``. It returns what its template needs, or ``None`` where
it has nothing to say. No list elsewhere changes when one is added.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mendlab.reports.data import Judged, Material, join
from mendlab.reports.summary import Summary, run_labels
from mendlab.workers import Progress, unheard


@dataclass(frozen=True)
class Report:
    """What a section is made from."""

    material: Material
    summary: Summary
    progress: Progress = unheard

    @cached_property
    def judged(self) -> dict[str, tuple[Judged, ...]]:
        """The samples of each run, by its label, in the order of the tasks."""
        runs = zip(run_labels(self.material.runs), self.material.runs, strict=True)
        return {label: join(run, self.material.tasks) for label, run in runs}


Build = Callable[[Report], Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. ``name`` is the function's, and the anchor of the section; lower ``order`` comes first."""

    name: str
    order: int
    title: str
    template: str
    build: Build


_SECTIONS: Final[dict[str, Section]] = {}


def section(*, order: int, title: str, template: str) -> Callable[[Build], Build]:
    """Make a function a section of the report, rendered with a template of ``templates/``."""

    def register(build: Build) -> Build:
        _SECTIONS[build.__name__] = Section(build.__name__, order, title, template, build)
        return build

    return register


def sections() -> tuple[Section, ...]:
    """Return every section of the folder ``sections/``, in the order of the page."""
    package = importlib.import_module("mendlab.reports.sections")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(sorted(_SECTIONS.values(), key=lambda one: (one.order, one.name)))
