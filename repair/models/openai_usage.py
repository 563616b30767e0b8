"""Tokens as OpenAI counts them: those that were read from a cache or written to it are part of what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mendlab.records import Usage
from mendlab.repair.models.failures import count, without


def usage_of_openai(usage: Any, asked: str, answered: str) -> Usage | None:
    """Return the tokens of an answer; ``asked`` and ``answered`` begin the names of its counts, as ``prompt``."""
    if not isinstance(usage, Mapping):
        return None
    read = count(usage, f"{asked}_tokens_details", "cached_tokens")
    write = count(usage, f"{asked}_tokens_details", "cache_write_tokens")
    return Usage(
        uncached_tokens=without(count(usage, f"{asked}_tokens"), read, write),
        cache_read_tokens=read,
        cache_write_tokens=write,
        output_tokens=count(usage, f"{answered}_tokens"),
        reasoning_tokens=count(usage, f"{answered}_tokens_details", "reasoning_tokens"),
    )
