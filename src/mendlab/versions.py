"""The versions of what decides a result, as they are written into records."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

from mendlab import __version__


@cache
def tool_versions() -> dict[str, str]:
    """Return the versions of mendlab, of the Python it runs on, and of the packages that shape its output."""
    return {"mendlab": __version__, "python": platform.python_version(), "libcst": version("libcst")}
