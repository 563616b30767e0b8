"""A history made of the source distributions of a package, for where no repository can be had."""

from mendlab.harvest.releases.history import release_history

__all__ = ["release_history"]
