"""Tools that look at the program."""

from __future__ import annotations

import fnmatch
from typing import Annotated, Final

from pydantic import Field

from mendlab.repair.tools.registry import tool
from mendlab.repair.tools.workspace import RefusedError, Workspace

_FILES_SHOWN: Final = 300
_LINES_SHOWN: Final = 400
_FOUND_SHOWN: Final = 60
_LONGEST_LINE: Final = 300


@tool()
def list_files(
    workspace: Workspace,
    pattern: Annotated[str, Field(description="Which files, as *.py or src/*; all if left out.")] = "*",
) -> str:
    """List the files of the program with their number of lines; those that may be changed are marked."""
    paths = [path for path in workspace.tree if fnmatch.fnmatch(path, pattern)]
    editable = frozenset(workspace.problem.editable)
    shown = [
        f"{path} ({_count(workspace, path)} lines{', may be changed' if path in editable else ''})"
        for path in paths[:_FILES_SHOWN]
    ]
    return "\n".join([*shown, *_more(len(paths), _FILES_SHOWN, "files")]) or f"No file is called {pattern!r}."


@tool()
def read_file(
    workspace: Workspace,
    path: Annotated[str, Field(description="The file, as list_files names it.")],
    first_line: Annotated[int, Field(ge=1, description="Where to begin.")] = 1,
    last_line: Annotated[int | None, Field(description="Where to end; 400 lines further if left out.")] = None,
) -> str:
    """Read lines of a file. Each is shown after its number and a tab, which are not part of it."""
    lines = _lines(workspace, workspace.find(path))
    if first_line > len(lines):
        raise RefusedError(f"{path} has {len(lines)} lines.")
    wanted = len(lines) if last_line is None else last_line
    end = min(len(lines), wanted, first_line + _LINES_SHOWN - 1)
    shown = [f"{number}\t{lines[number - 1]}" for number in range(first_line, end + 1)]
    return "\n".join([*shown, *_more(min(wanted, len(lines)) - first_line + 1, _LINES_SHOWN, "lines")])


@tool()
def search(
    workspace: Workspace,
    text: Annotated[str, Field(min_length=1, max_length=500, description="What to look for, letter by letter.")],
    pattern: Annotated[str, Field(description="In which files, as *.py; in all if left out.")] = "*",
) -> str:
    """Find the lines of the program that have a text in them. It is no regular expression."""
    found = [
        f"{path}:{number}: {line[:_LONGEST_LINE]}"
        for path in workspace.tree
        if fnmatch.fnmatch(path, pattern)
        for number, line in enumerate(_lines(workspace, path), start=1)
        if text in line
    ]
    return "\n".join([*found[:_FOUND_SHOWN], *_more(len(found), _FOUND_SHOWN, "lines")]) or "No line has it."


def _lines(workspace: Workspace, path: str) -> list[str]:
    text = workspace.text(path).text.removeprefix("\ufeff")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _count(workspace: Workspace, path: str) -> int:
    return len(_lines(workspace, path))


def _more(count: int, shown: int, what: str) -> list[str]:
    return [f"... and {count - shown} more {what}"] if count > shown else []
