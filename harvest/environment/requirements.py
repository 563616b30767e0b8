"""Requirements as a hostile repository may write them: names, versions and markers are kept, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

_COMMENT = re.compile(r"(^|\s)#.*$")
_OPTION = re.compile(r"\s--?[a-zA-Z][\w-]*([= ]\S+)?")


@dataclass(frozen=True, slots=True)
class Source:
    """What one place asks for. ``doubt`` is 0 where it must hold; the higher, the sooner it is given up."""

    place: str
    requirements: tuple[str, ...]
    doubt: int = 0


def read_requirement(line: str) -> Requirement | None:
    """Return a requirement without its address, or None for what is none: options, paths, addresses of repositories."""
    text = _OPTION.sub("", _COMMENT.sub("", line)).strip().rstrip("\\;,").strip()
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return None
    requirement.url = None
    return requirement


def plain(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the requirements among the lines, each once, as text for a resolver."""
    found = (read_requirement(line) for line in lines)
    return tuple(dict.fromkeys(str(each) for each in found if each is not None))


def name_of(requirement: str) -> str:
    """Return the normalised name of a requirement that :func:`plain` returned."""
    return str(canonicalize_name(Requirement(requirement).name))
