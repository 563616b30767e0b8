"""Copies of syntax-tree nodes."""

from __future__ import annotations

from typing import Any


def copied(node: Any, changes: dict[str, object]) -> Any:
    """A node with some fields changed, and nothing remembered of it."""
    new = node.__class__.__new__(node.__class__)
    here = new.__dict__
    here.update(node.__dict__)
    here.pop("_number", None)
    here.pop("_normal", None)
    here.update(changes)
    return new
