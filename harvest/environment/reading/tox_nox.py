"""What the tools that run a project's tests install for it: ``tox.ini``, and ``noxfile.py`` read as syntax."""

from __future__ import annotations

import ast
import configparser
import re
from collections.abc import Iterator, Mapping

from mendlab.harvest.environment.reading.purposes import doubt_of
from mendlab.harvest.environment.reading.requirement_files import read_lines
from mendlab.harvest.environment.requirements import Source, plain
from mendlab.harvest.environment.said import Said

_FACTORS = re.compile(r"^\s*[\w{},!.-]+\s*:\s+(?=\S)")
_INCLUDES = re.compile(r"^-r\s*(?:\{toxinidir\}/)?(\S+)")


def read_tox(files: Mapping[str, bytes]) -> Said:
    """Return the ``deps`` of ``[testenv]``. Conditions on factors are dropped: each line may be wanted."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(files.get("tox.ini", b"").decode())
    except (configparser.Error, ValueError):
        return Said()
    lines: list[str] = []
    for line in parser.get("testenv", "deps", fallback="").splitlines():
        wanted = _FACTORS.sub("", line).strip()
        included = _INCLUDES.match(wanted)
        lines += read_lines(included[1], files) if included else [wanted]
    return Said(sources=(Source("tox.ini testenv", plain(lines), 2),))


def read_nox(files: Mapping[str, bytes]) -> Said:
    """Return what sessions named after tests install by literal names and requirements files."""
    try:
        tree = ast.parse(files.get("noxfile.py", b""))
    except (SyntaxError, ValueError, RecursionError):
        return Said()
    sessions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and doubt_of(node.name) == 1]
    return Said(
        sources=tuple(Source(f"noxfile.py {node.name}", plain(_installed(node, files)), 2) for node in sessions)
    )


def _installed(session: ast.FunctionDef, files: Mapping[str, bytes]) -> Iterator[str]:
    for node in ast.walk(session):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "install":
            words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            for before, word in zip(["", *words], words, strict=False):
                if before in ("-r", "--requirement"):
                    yield from read_lines(word, files)
                elif not word.startswith("-") and not word.startswith("."):
                    yield word
