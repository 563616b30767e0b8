"""Doing many independent things side by side, in a fixed order of results."""

from mendlab.workers.parsing import parse_in_turn
from mendlab.workers.pool import (
    PerKey,
    PerThread,
    Progress,
    end_if_unwanted,
    give_up,
    is_unwanted,
    map_ordered,
    unheard,
)

__all__ = [
    "PerKey",
    "PerThread",
    "Progress",
    "end_if_unwanted",
    "give_up",
    "is_unwanted",
    "map_ordered",
    "parse_in_turn",
    "unheard",
]
