"""Operators and families as they are named on the command line."""

from __future__ import annotations

from mendlab.mutators.registry import select


def operator_names(text: str | None) -> tuple[str, ...] | None:
    """Return the operators and families of a list with commas, or None where none is given.

    Raises:
        InputError: there is no such operator or family; near names are in the hint.
    """
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    select(names)
    return names
