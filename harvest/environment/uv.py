"""Running uv: no configuration but the user's environment, no Python that is fetched, no code of a package run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from uv import find_uv_bin

from mendlab.errors import EngineError, OutputError
from mendlab.harvest.environment.shared import ELSEWHERE, caching, default_cache
from mendlab.workers import end_if_unwanted, give_up

_SECONDS: Final = 600.0
_ALWAYS: Final = ("--no-config", "--no-python-downloads", "--color=never", "--no-progress", "--quiet")
_UNWRITTEN: Final = re.compile(r"os error (?:13|28|30|122)|No space left|Read-only file system|Permission denied")
_INTERRUPTED: Final = (-signal.SIGINT, -signal.SIGTERM, 128 + signal.SIGINT, 128 + signal.SIGTERM)
_LEFT_OUT: Final = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "UV_PYTHON", "UV_EXCLUDE_NEWER", "UV_PROJECT")


class UvError(Exception):
    """uv refuses; its reason in its own words."""


def run_uv(arguments: Sequence[str], stdin: str = "") -> str:
    """Return what a uv command prints. It runs in an empty folder, so that no file of a project steers it.

    Raises:
        UvError: it fails.
        OutputError: it, or we, cannot write.
        EngineError: it cannot be run, or does not end.
        KeyboardInterrupt: the user's Ctrl-C reached it before us, or nobody waits for it any more: no failure of what
            it was asked.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    command = [find_uv_bin(), *arguments, *_ALWAYS]
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=_nowhere(), env=kept
        ) as process:
            let_go = end_if_unwanted(process.kill)
            try:
                out, errors = process.communicate(stdin, timeout=_SECONDS)
            finally:
                let_go()
                process.kill()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"uv does not run: {error}", hint="pip install --force-reinstall uv") from error
    give_up()
    if process.returncode in _INTERRUPTED:
        raise KeyboardInterrupt
    if process.returncode and _UNWRITTEN.search(errors):
        said = " ".join(errors.split())
        raise OutputError(f"uv cannot write: {said}", hint=f"{ELSEWHERE}; uv's own files are moved by UV_CACHE_DIR")
    if process.returncode:
        raise UvError(errors.strip() or f"exit code {process.returncode}")
    return out


def _nowhere() -> Path:
    """An empty folder that stays, so that no kill leaves one behind."""
    place = default_cache() / "nothing"
    with caching(place):
        place.mkdir(parents=True, exist_ok=True)
    return place
