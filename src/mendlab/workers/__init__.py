"""Doing many independent things side by side, in a fixed order of results."""

from mendlab.workers.parsing import parse_in_turn
from mendlab.workers.pool import (
    PerKey,
    PerThread,
    Progress,
    Unwanted,
    is_unwanted,
    map_ordered,
    stop_if_unwanted,
    unheard,
)

__all__ = [
    "PerKey",
    "PerThread",
    "Progress",
    "Unwanted",
    "is_unwanted",
    "map_ordered",
    "parse_in_turn",
    "stop_if_unwanted",
    "unheard",
]
