"""``pyproject.toml``: the project's own table, dependency groups, and those of poetry, PDM, hatch, flit and uv."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from mendlab.harvest.environment.reading.purposes import doubt_of
from mendlab.harvest.environment.requirements import Source, plain
from mendlab.harvest.environment.said import Said, together

_PLACE = "pyproject.toml"


def read_pyproject(files: Mapping[str, bytes]) -> Said:
    """Return what ``pyproject.toml`` says, or nothing where it is not there or cannot be read."""
    try:
        data = tomllib.loads(files.get(_PLACE, b"").decode())
    except (ValueError, RecursionError):
        return Said()
    tool = _table(data, "tool")
    return together(
        [
            _project(_table(data, "project")),
            _poetry(_table(tool, "poetry")),
            _flit(_table(_table(tool, "flit"), "metadata")),
            Said(sources=(*_groups(data), *_others(tool))),
            Said(roots=_roots(tool), version_files=tuple(_version_files(tool))),
        ]
    )


def _project(project: Mapping[str, Any]) -> Said:
    sources = [Source(f"{_PLACE} dependencies", plain(_texts(project.get("dependencies"))))]
    for name, lines in _table(project, "optional-dependencies").items():
        doubt = doubt_of(name)
        if doubt is not None:
            sources.append(Source(f"{_PLACE} extra {name}", plain(_texts(lines)), doubt))
    points = {group: _strings(entries) for group, entries in _table(project, "entry-points").items()}
    points["console_scripts"] = _strings(project.get("scripts"))
    return Said(
        name=_text(project.get("name")),
        version=_text(project.get("version")),
        requires_python=_text(project.get("requires-python")),
        sources=tuple(sources),
        entry_points={group: entries for group, entries in points.items() if entries},
    )


def _groups(data: Mapping[str, Any]) -> Iterator[Source]:
    """Dependency groups (PEP 735), with those that they include."""
    groups = _table(data, "dependency-groups")
    for name in groups:
        doubt = doubt_of(name)
        if doubt is not None:
            yield Source(f"{_PLACE} group {name}", plain(_group(groups, name, frozenset())), doubt)


def _group(groups: Mapping[str, Any], name: str, above: frozenset[str]) -> Iterator[str]:
    lines = groups.get(name)
    for line in lines if isinstance(lines, list) and name not in above else ():
        if isinstance(line, str):
            yield line
        elif isinstance(line, dict) and isinstance(line.get("include-group"), str):
            yield from _group(groups, line["include-group"], above | {name})


def _poetry(poetry: Mapping[str, Any]) -> Said:
    dependencies = _table(poetry, "dependencies")
    sources = [Source(f"{_PLACE} poetry", tuple(_poetry_lines(dependencies)))]
    groups = {"dev": _table(poetry, "dev-dependencies")}
    groups |= {name: _table(group, "dependencies") for name, group in _table(poetry, "group").items() if group}
    for name, group in groups.items():
        doubt = doubt_of(name)
        if doubt is not None:
            sources.append(Source(f"{_PLACE} poetry group {name}", tuple(_poetry_lines(group)), doubt))
    points = {group: _strings(entries) for group, entries in _table(poetry, "plugins").items()}
    points["console_scripts"] = _strings(poetry.get("scripts"))
    python = _text(dependencies.get("python"))
    return Said(
        name=_text(poetry.get("name")),
        version=_text(poetry.get("version")),
        requires_python=_poetry_version(python) if python else None,
        sources=tuple(sources),
        entry_points={group: entries for group, entries in points.items() if entries},
    )


def _poetry_lines(table: Mapping[str, Any]) -> Iterator[str]:
    for name, wanted in table.items():
        if name.lower() == "python":
            continue
        version, extras, marker = wanted, "", ""
        if isinstance(wanted, list):
            wanted = wanted[-1] if wanted else {}
        if isinstance(wanted, dict):
            version = wanted.get("version", "*")
            extras = f"[{','.join(_texts(wanted.get('extras')))}]" if wanted.get("extras") else ""
            marker = f" ; {wanted['markers']}" if isinstance(wanted.get("markers"), str) else ""
        yield from plain([f"{name}{extras}{_poetry_version(str(version))}{marker}"])


def _poetry_version(text: str) -> str:
    """Return a constraint as of poetry (``^1.2``, ``~1.2``, ``1.2.*``) as a specifier."""
    parts = [_poetry_part(part.strip()) for part in text.split("||")[-1].split(",")]
    return ",".join(part for part in parts if part)


def _poetry_part(part: str) -> str:
    if part in ("", "*"):
        return ""
    sign, numbers = part[0], [int(number) for number in re.findall(r"\d+", part)]
    if sign not in "^~" or part.startswith("~=") or not numbers:
        return part if part[0] in "<>=!~" else f"=={part}"
    fixed = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1) if sign == "^" else 1
    fixed = min(fixed, len(numbers) - 1)
    above = [*numbers[:fixed], numbers[fixed] + 1]
    return f">={part[1:].strip()},<{'.'.join(map(str, above))}"


def _flit(metadata: Mapping[str, Any]) -> Said:
    extras = _table(metadata, "requires-extra")
    sources = [Source(f"{_PLACE} flit", plain(_texts(metadata.get("requires"))))]
    for name, lines in extras.items():
        if (doubt := doubt_of(name)) is not None:
            sources.append(Source(f"{_PLACE} flit extra {name}", plain(_texts(lines)), doubt))
    return Said(
        name=_text(metadata.get("dist-name")) or _text(metadata.get("module")),
        requires_python=_text(metadata.get("requires-python")),
        sources=tuple(sources),
    )


def _others(tool: Mapping[str, Any]) -> Iterator[Source]:
    yield Source(f"{_PLACE} uv", plain(_texts(_table(tool, "uv").get("dev-dependencies"))), 2)
    for name, lines in _table(_table(tool, "pdm"), "dev-dependencies").items():
        yield Source(f"{_PLACE} pdm {name}", plain(_texts(lines)), doubt_of(name) or 3)
    for name, settings in _table(_table(tool, "hatch"), "envs").items():
        doubt = doubt_of(name)
        if doubt is not None and isinstance(settings, dict):
            lines = [*_texts(settings.get("dependencies")), *_texts(settings.get("extra-dependencies"))]
            yield Source(f"{_PLACE} hatch {name}", plain(lines), doubt)


def _roots(tool: Mapping[str, Any]) -> tuple[str, ...]:
    setuptools = _table(tool, "setuptools")
    roots = _texts(_table(_table(setuptools, "packages"), "find").get("where"))
    root = _table(setuptools, "package-dir").get("")
    if isinstance(root, str):
        roots.append(root)
    packages = _table(tool, "poetry").get("packages")
    roots += [each["from"] for each in packages or () if isinstance(each, dict) and isinstance(each.get("from"), str)]
    return tuple(roots)


def _version_files(tool: Mapping[str, Any]) -> Iterator[str]:
    scm, hatch = _table(tool, "setuptools_scm"), _table(_table(_table(tool, "hatch"), "build"), "hooks")
    pdm = _table(_table(tool, "pdm"), "version")
    for value in (scm.get("write_to"), scm.get("version_file"), _table(hatch, "vcs").get("version-file")):
        if isinstance(value, str):
            yield value
    if isinstance(pdm.get("write_to"), str):
        yield pdm["write_to"]


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _strings(value: object) -> dict[str, str]:
    return {k: v for k, v in value.items() if isinstance(v, str)} if isinstance(value, dict) else {}
