"""The order in which people count: ``HumanEval/2`` before ``HumanEval/10``."""

from __future__ import annotations

import re


def natural_key(text: str) -> tuple[tuple[str | int, ...], str]:
    """Return a key that sorts runs of digits by their value; equal only for equal texts."""
    parts = re.split(r"([0-9]+)", text)
    return tuple(int(part) if part.isdecimal() else part for part in parts), text
