"""Which formats of tasks can be imported, and their options."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.subjects.registry import existing
from mendlab.errors import InputError

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
        parameters = inspect.signature(self.read).parameters.values()
        return tuple(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)


_formats: dict[str, TaskFormat] = {}


def importer(name: str) -> Callable[[Importer], Importer]:
    """Register a reader ``(path, *, option=None, ...)`` under a name. Its docstring's first line is the summary."""

    def register(read: Importer) -> Importer:
        _formats[name] = TaskFormat(name, (read.__doc__ or "").partition("\n")[0], read)
        return read

    return register


@cache
def task_formats() -> Mapping[str, TaskFormat]:
    """Return every format by its name: those of the modules in this folder."""
    package = importlib.import_module(__package__ or "")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_formats.items()))


def read_candidates(format: str, path: Path, **options: str) -> Found:
    """Yield the candidates at a path, and a refusal for each thing there that cannot be one.

    Raises:
        InputError: there is no such format, path or option, or nothing can be read.
        FormatError: the whole of it is not in the format.
    """
    chosen = task_formats().get(format)
    if chosen is None:
        raise InputError(
            f"{format!r} is no format that can be imported", hint=f"choose from {', '.join(task_formats())}"
        )
    unknown = sorted(options.keys() - set(chosen.options))
    if unknown:
        known = ", ".join(chosen.options) or "none"
        raise InputError(f"{format} has no option {unknown[0]!r}", hint=f"its options: {known}")
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
