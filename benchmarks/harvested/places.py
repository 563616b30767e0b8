"""What a repository is called in the tables: its folder, or the one above where it is a bare ``repo``."""

from __future__ import annotations

from pathlib import Path


def name_of(repository: Path) -> str:
    """Return the name, without an owner before a ``+``."""
    folder = repository.parent.name if repository.name == "repo" else repository.name
    return folder.rpartition("+")[2].removesuffix(".git")
