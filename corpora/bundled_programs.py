"""The small programs that travel with mendlab, each a Python project with its own pytest suite.

A program is a folder of ``bundled/``: its main module or package has the folder's name (at the top or
under ``src/``), and ``program.toml`` names the styles of code it stands for. Adding a folder adds a program.
"""

from __future__ import annotations

import ast
import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mendlab.errors import FormatError, InputError

BUNDLED = Path(__file__).parent / "bundled"
STYLES_FILE = "program.toml"


@dataclass(frozen=True)
class BundledProgram:
    """One program.

    Attributes:
        slug: the folder's and the main module's name.
        path: the project folder; ``python -m pytest`` in it runs the suite.
        summary: the first line of the main module's docstring.
        styles: what kinds of code it stands for, such as ``recursion`` or ``async``.
    """

    slug: str
    path: Path
    summary: str
    styles: tuple[str, ...]

    @property
    def sources(self) -> tuple[Path, ...]:
        """The program's own Python files, tests and their conftest left out, in order."""
        files = (path for path in self.path.rglob("*.py") if "tests" not in path.relative_to(self.path).parts)
        return tuple(sorted(files))


@cache
def bundled_programs() -> tuple[BundledProgram, ...]:
    """Every bundled program, by slug. Raises FormatError where a program's files are not as they should be."""
    return tuple(_read_program(path.parent) for path in sorted(BUNDLED.glob(f"*/{STYLES_FILE}")))


def bundled_program(slug: str) -> BundledProgram:
    """The program of that name. Raises InputError, with the nearest names, where there is none."""
    programs = {program.slug: program for program in bundled_programs()}
    if slug in programs:
        return programs[slug]
    near = difflib.get_close_matches(slug, programs, n=3)
    raise InputError(f"no bundled program {slug!r}", hint=f"choose one of: {', '.join(near or sorted(programs))}")


def _read_program(folder: Path) -> BundledProgram:
    styles_file = folder / STYLES_FILE
    try:
        styles = tomllib.loads(styles_file.read_text(encoding="utf-8"))["styles"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise FormatError(f"not a program's styles: {error}", where=styles_file) from error
    docstring = ast.get_docstring(ast.parse(_main_module(folder).read_text(encoding="utf-8"))) or ""
    return BundledProgram(folder.name, folder, docstring.partition("\n")[0], tuple(styles))


def _main_module(folder: Path) -> Path:
    places = (f"{folder.name}.py", f"{folder.name}/__init__.py", f"src/{folder.name}/__init__.py")
    for place in places:
        if (folder / place).is_file():
            return folder / place
    raise FormatError("the program has no main module", where=folder, hint=f"add {places[0]}")
