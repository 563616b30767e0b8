"""Which formats of subjects there are, and how a specification chooses one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.formats import import_all
from mendlab.errors import InputError

Found = Iterator[LoadedSubject | Refusal]
Reader = Callable[[str | None], Found]
Recogniser = Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class SubjectFormat:
    """A format: its name, one line on it, whether a path is of it, and its reader.

    The reader gets what stands behind ``name:`` in a specification, or ``None`` if nothing does.
    """

    name: str
    summary: str
    recognises: Recogniser
    read: Reader


_formats: dict[str, SubjectFormat] = {}


def subject_format(name: str, *, recognises: Recogniser) -> Callable[[Reader], Reader]:
    """Register a reader under a name. The first line of its docstring is the summary."""

    def register(read: Reader) -> Reader:
        _formats[name] = SubjectFormat(name, (read.__doc__ or "").partition("\n")[0], recognises, read)
        return read

    return register


@cache
def subject_formats() -> Mapping[str, SubjectFormat]:
    """Return every format by its name: those of the modules in this folder."""
    import_all(__package__ or "")
    return dict(sorted(_formats.items()))


def read_subjects(spec: str) -> Found:
    """Yield the subjects that a specification names, and a refusal for each thing in it that cannot be one.

    A specification is ``FORMAT``, ``FORMAT:PATH``, ``bundled:SLUG``, or a path whose format is told by what is there.

    Raises:
        InputError, FormatError, SubjectError: nothing can be read from it at all.
    """
    name, colon, argument = spec.partition(":")
    chosen = subject_formats().get(name)
    if chosen is None:
        chosen, argument = _recognised(Path(spec)), spec
    elif not colon:
        argument = ""
    return _without_repeats(chosen.read(argument or None))


def path_argument(name: str, argument: str | None) -> Path:
    """Return the path that a reader was given.

    Raises:
        InputError: none was given, or nothing is there.
    """
    if argument is None:
        raise InputError(f"{name} needs a path", hint=f"write {name}:PATH")
    return existing(Path(argument))


def existing(path: Path) -> Path:
    """Return a path if there is something at it, else raise an InputError."""
    if not path.exists():
        raise InputError("there is no such file or directory", where=path, hint="check the path")
    return path


def _recognised(path: Path) -> SubjectFormat:
    existing(path)
    for each in subject_formats().values():
        if each.recognises(path):
            return each
    known = ", ".join(subject_formats())
    hint = f"give a project directory, a .py file, a .jsonl or .jsonl.gz of a known format, or FORMAT:PATH ({known})"
    raise InputError("is no kind of subject that is known", where=path, hint=hint)


def _without_repeats(found: Found) -> Found:
    seen: set[str] = set()
    for item in found:
        if isinstance(item, LoadedSubject):
            if item.subject.id in seen:
                yield Refusal(item.subject.id, f"{item.subject.id}: there is a subject of this id already")
                continue
            seen.add(item.subject.id)
        yield item
