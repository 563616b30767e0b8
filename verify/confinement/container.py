"""Confinement by Docker or podman, where a machine has no namespaces for bubblewrap: a container for each warm process.

The container has the machine's own system and interpreter, mounted read-only over an image that supplies nothing but a
root directory: no network, no capabilities, no new privileges, a read-only root, a bounded directory in memory. File
descriptors cannot be handed to it, so the lab listens on a socket in a mounted directory, once. Linux only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from mendlab.records import Limits

ENGINES: Final = ("docker", "podman")
IMAGE_SETTING: Final = "MENDLAB_CONTAINER_IMAGE"
DEFAULT_IMAGE: Final = "debian:stable-slim"
CHANNEL: Final = "/mendlab-channel"
SOCKET: Final = "lab"
_NOBODY: Final = 65534
_MOST_PROCESSES: Final = 512


def engine() -> str | None:
    """Return the path of the container engine, or None if there is none."""
    return next((found for name in ENGINES if (found := shutil.which(name))), None)


def image() -> str:
    """Return the name of the image that containers are made of."""
    return os.environ.get(IMAGE_SETTING, DEFAULT_IMAGE)


def container_command(
    program: str,
    argv: Sequence[str],
    *,
    limits: Limits,
    scratch: str,
    mounts: Mapping[str, Path],
    environment: Mapping[str, str],
) -> list[str]:
    """Return the command line that runs ``argv`` in a new container; ``mounts`` are from the place inside."""
    user = os.getuid() or _NOBODY
    size = f"size={limits.disk_bytes}"
    return [
        *(program, "run", "--rm", "--pull=never", "--network=none", "--hostname=mendlab", f"--user={user}:{user}"),
        *("--cap-drop=ALL", "--security-opt=no-new-privileges", f"--pids-limit={_MOST_PROCESSES}"),
        *("--read-only", f"--tmpfs={scratch}:rw,exec,nosuid,nodev,mode=1777,{size}", f"--shm-size={limits.disk_bytes}"),
        *(f"--volume={outside}:{inside}:ro" for inside, outside in mounts.items()),
        *(f"--env={name}={value}" for name, value in environment.items()),
        *("--workdir=/", "--entrypoint=", image()),
        *argv,
    ]


@cache
def container_problem() -> str | None:
    """Return why no container can be run here, or None: one is really run."""
    program = engine()
    if program is None:
        return f"there is no {' or '.join(ENGINES)}"
    command = container_command(program, ["true"], limits=Limits(), scratch="/tmp", mounts={}, environment={})
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"{program}: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
    return f"{Path(program).name}: {said[0]} (the image is {image()}; {Path(program).name} pull {image()} gets it)"
