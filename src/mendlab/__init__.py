"""mendlab: a bug-injection and repair lab for Python."""

__version__ = "0.1.0"
