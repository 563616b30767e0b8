"""The small programs that travel with mendlab."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mendlab.corpora.bundled_programs import STYLES_FILE, BundledProgram, bundled_program, bundled_programs
from mendlab.corpora.directories import read_directory
from mendlab.corpora.subjects.project import project_subject
from mendlab.corpora.subjects.registry import Found, subject_format
from mendlab.records import Provenance


def _never(path: Path) -> bool:
    """A bundled program is chosen by its name; its directory, given as a path, is a project like any other."""
    return False


@subject_format("bundled", recognises=_never)
def read_bundled(argument: str | None) -> Found:
    """The programs that travel with mendlab: all of them, or one by its name."""
    programs = bundled_programs() if argument is None else (bundled_program(argument),)
    for program in programs:
        yield from _subject(program)


def _subject(program: BundledProgram) -> Found:
    content = read_directory(program.path, use_git=False)
    content = replace(content, tree=content.tree.replace({STYLES_FILE: None}))
    provenance = Provenance(source="mendlab", licence="MIT")
    return project_subject(f"bundled/{program.slug}", program.path, content, provenance, program.summary)
