"""``setup.cfg``: the declarative metadata of setuptools."""

from __future__ import annotations

import configparser
from collections.abc import Mapping

from mendlab.harvest.environment.reading.purposes import doubt_of
from mendlab.harvest.environment.requirements import Source, plain
from mendlab.harvest.environment.said import Said

_PLACE = "setup.cfg"


def read_setup_cfg(files: Mapping[str, bytes]) -> Said:
    """Return what ``setup.cfg`` says, or nothing where it is not there or cannot be read."""
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(files.get(_PLACE, b"").decode())
    except (configparser.Error, ValueError):
        return Said()

    def lines(section: str, option: str) -> list[str]:
        return parser.get(section, option, fallback="").strip().splitlines()

    def text(section: str, option: str) -> str | None:
        value = parser.get(section, option, fallback="").strip()
        return None if not value or value.startswith(("attr:", "file:")) else value

    sources = [
        Source(f"{_PLACE} install_requires", plain(lines("options", "install_requires"))),
        Source(f"{_PLACE} tests_require", plain(lines("options", "tests_require")), 1),
    ]
    points: dict[str, Mapping[str, str]] = {}
    for section, into in (("options.extras_require", "extra"), ("options.entry_points", "")):
        for name in parser.options(section) if parser.has_section(section) else ():
            if not into:
                points[name] = _entries(lines(section, name))
            elif (doubt := doubt_of(name)) is not None:
                sources.append(Source(f"{_PLACE} extra {name}", plain(lines(section, name)), doubt))
    roots = [line.partition("=")[2].strip() for line in lines("options", "package_dir") if line.strip().startswith("=")]
    roots += lines("options.packages.find", "where")
    return Said(
        name=text("metadata", "name"),
        version=text("metadata", "version"),
        requires_python=text("options", "python_requires"),
        sources=tuple(sources),
        entry_points=points,
        roots=tuple(root.strip() for root in roots if root.strip()),
    )


def _entries(lines: list[str]) -> dict[str, str]:
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name.strip(): target.strip() for name, _, target in pairs}
