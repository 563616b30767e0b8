"""Which formats can be exported, from what, and their options."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.formats import check_options, import_all, options_of, summary_of
from mendlab.errors import InputError

Source = Literal["task set", "run", "score folder"]


@dataclass(frozen=True, slots=True)
class Exported:
    """How many ``items`` were written, what was left out with the reasons, and what the format does not carry.

    ``lost`` counts, for each thing that reading the export back does not give again, the items that lose it; ``None``
    where the format has no reader here.
    """

    items: int
    left_out: tuple[Refusal, ...] = ()
    lost: Mapping[str, int] | None = None
    notes: tuple[str, ...] = ()


Exporter = Callable[..., Exported]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: its name, one line on it, what it is made from, its writer, and the packages that this needs."""

    name: str
    summary: str
    source: Source
    write: Exporter
    needs: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The writer's keyword-only parameters; each takes a string."""
        return options_of(self.write)

    def export(self, source: Path, out: Path, **options: str) -> Exported:
        """Write what is at ``source`` to ``out``.

        Raises:
            InputError: there is no such source or option, a package is missing, or nothing can be expressed.
            OutputError: it cannot be written, or something else is there.
        """
        check_options(self.name, self.options, options)
        missing = [package for package in self.needs if importlib.util.find_spec(package) is None]
        if missing:
            hint = "pip install 'mendlab[exports]'"
            raise InputError(f"{self.name} needs the package {missing[0]}, which is not installed", hint=hint)
        return self.write(source, out, **options)


_formats: dict[str, ExportFormat] = {}


def exporter(name: str, source: Source, *, needs: tuple[str, ...] = ()) -> Callable[[Exporter], Exporter]:
    """Register a writer ``(source, out, *, option=None, ...)``. Its docstring's first line is the summary."""

    def register(write: Exporter) -> Exporter:
        _formats[name] = ExportFormat(name, summary_of(write), source, write, needs)
        return write

    return register


@cache
def export_formats(*packages: str) -> Mapping[str, ExportFormat]:
    """Return every format by its name: those of the modules in this folder, and in the packages named."""
    for package in (__package__ or "", *packages):
        import_all(package)
    return dict(sorted(_formats.items()))
