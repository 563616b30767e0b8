"""Running uv: no configuration but the user's environment, no Python that is fetched, no code of a package run."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Final

from uv import find_uv_bin

from mendlab.errors import EngineError

_SECONDS: Final = 600.0
_ALWAYS: Final = ("--no-config", "--no-python-downloads", "--color=never", "--no-progress", "--quiet")
_LEFT_OUT: Final = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "UV_PYTHON", "UV_EXCLUDE_NEWER", "UV_PROJECT")


class UvError(Exception):
    """uv refuses; its reason in its own words."""


def run_uv(arguments: Sequence[str], stdin: str = "") -> str:
    """Return what a uv command prints. It runs in an empty directory, so that no file of a project steers it.

    Raises:
        UvError: it fails.
        EngineError: it cannot be run, or does not end.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    with tempfile.TemporaryDirectory(prefix="mendlab-uv-") as empty:
        try:
            done = subprocess.run(
                [find_uv_bin(), *arguments, *_ALWAYS],
                input=stdin,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                cwd=empty,
                env=kept,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"uv does not run: {error}", hint="pip install --force-reinstall uv") from error
    if done.returncode:
        raise UvError(done.stderr.strip() or f"exit code {done.returncode}")
    return done.stdout
