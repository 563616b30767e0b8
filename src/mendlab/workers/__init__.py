"""Doing many independent things side by side, in a fixed order of results."""

from mendlab.workers.pool import PerThread, Progress, map_ordered

__all__ = ["PerThread", "Progress", "map_ordered"]
