"""What one place of a tree, or all of them together, say of the distribution that the tree is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mendlab.harvest.environment.requirements import Source


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a distribution; what is not said is None or empty.

    ``roots`` are the folders that imports start from, ``version_files`` those that a build would write.
    """

    name: str | None = None
    version: str | None = None
    requires_python: str | None = None
    sources: tuple[Source, ...] = ()
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    version_files: tuple[str, ...] = ()
    builds_extensions: bool = False


def together(parts: Iterable[Said]) -> Said:
    """Put together what several places say: of what can be said but once, the first that says it counts."""
    parts = list(parts)
    points: dict[str, Mapping[str, str]] = {}
    for part in parts:
        for group, entries in part.entry_points.items():
            points[group] = {**entries, **points.get(group, {})}
    return Said(
        name=next((part.name for part in parts if part.name), None),
        version=next((part.version for part in parts if part.version), None),
        requires_python=next((part.requires_python for part in parts if part.requires_python), None),
        sources=tuple(source for part in parts for source in part.sources if source.requirements),
        entry_points=points,
        roots=tuple(dict.fromkeys(root for part in parts for root in part.roots)),
        version_files=tuple(dict.fromkeys(file for part in parts for file in part.version_files)),
        builds_extensions=any(part.builds_extensions for part in parts),
    )
