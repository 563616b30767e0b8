"""Which formats of tasks can be imported, and their options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.formats import check_options, choose, import_all, options_of, summary_of
from mendlab.corpora.subjects.registry import existing

Found = Iterator[Candidate | Refusal]
Importer = Callable[..., Found]


@dataclass(frozen=True, slots=True)
class TaskFormat:
    """A format: its name, one line on it, its reader, and the names of the options that the reader takes."""

    name: str
    summary: str
    read: Importer

    @property
    def options(self) -> tuple[str, ...]:
        """The reader's keyword-only parameters; each takes a string."""
        return options_of(self.read)


_formats: dict[str, TaskFormat] = {}


def importer(name: str) -> Callable[[Importer], Importer]:
    """Register a reader ``(path, *, option=None, ...)`` under a name. Its docstring's first line is the summary."""

    def register(read: Importer) -> Importer:
        _formats[name] = TaskFormat(name, summary_of(read), read)
        return read

    return register


@cache
def task_formats() -> Mapping[str, TaskFormat]:
    """Return every format by its name: those of the modules in this folder."""
    import_all(__package__ or "")
    return dict(sorted(_formats.items()))


def read_candidates(format: str, path: Path, **options: str) -> Found:
    """Yield the candidates at a path, and a refusal for each thing there that cannot be one.

    Raises:
        InputError: there is no such format, path or option, or nothing can be read.
        FormatError: the whole of it is not in the format.
    """
    chosen = choose(task_formats(), format, "imported")
    check_options(format, chosen.options, options)
    return _without_repeats(chosen.read(existing(path), **options))


def _without_repeats(found: Found) -> Found:
    seen: set[str] = set()
    for item in found:
        if isinstance(item, Candidate):
            if item.id in seen:
                yield Refusal(item.id, f"{item.id}: there is a task of this id already")
                continue
            seen.add(item.id)
        yield item
