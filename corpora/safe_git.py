"""Running git so that nothing of a repository, of the user or of the machine is run with it.

All of it stands in the environment, so that it holds for GitPython as well: no configuration but that of the repository
itself, and what there could run a program is overridden. Protocols are those given, whatever a configuration allows;
no command of git here reads a working tree's filters or shows a diff through a program. The repository named is the
one used: git does not look above it.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mendlab.errors import InputError

PATCH_OPTIONS: Final = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
"""For each command that writes a diff."""

_SETTINGS: Final = {
    "core.bigFileThreshold": "16m",  # larger files are neither compared line by line nor packed as deltas
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "ssh -oBatchMode=yes",
    "core.askPass": "",
    "credential.helper": "",
    "log.showSignature": "false",
    "protocol.allow": "never",
    "protocol.ext.allow": "never",
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "safe.directory": "*",
}
_KEPT: Final = frozenset({"GIT_SSL_CAINFO", "GIT_SSL_CAPATH"})  # where a company has certificates of its own
_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def object_id(text: str) -> str:
    """Return the text if it is an object's full name in hexadecimal.

    Raises:
        InputError: it is something else, as an option or a revision would be.
    """
    if not _ID.fullmatch(text):
        raise InputError(f"{text!r} is no object id", hint="give all of its hexadecimal digits")
    return text


def environment(
    repository: Path, *, protocols: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment in which git works safely on a repository; ``settings`` are of git's configuration."""
    values = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    values |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": ":".join(protocols),  # over protocol.*.allow in any configuration
        "GIT_NO_LAZY_FETCH": "1",  # from git 2.39.4; before, it is the protocols that keep it from fetching
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_CEILING_DIRECTORIES": str(repository.resolve().parent),
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C",
    }
    every = {**_SETTINGS, **(settings or {})}
    values["GIT_CONFIG_COUNT"] = str(len(every))
    for number, (name, value) in enumerate(every.items()):
        values |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return values


def git(repository: Path, *arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None) -> bytes:
    """Return what a git command prints, run in the environment above, or in ``environ``.

    Raises:
        InputError: git is not installed, or the command failed.
    """
    with start_git(repository, *arguments, environ=environ) as process:
        out, errors = process.communicate(stdin)
    if process.returncode:
        raise failed(repository, arguments[0], errors)
    return out


def start_git(
    repository: Path,
    *arguments: str,
    stdin: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    environ: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a git command with pipes to and from it.

    Raises:
        InputError: git is not installed.
    """
    command = ["git", "-C", str(repository), *arguments]
    environ = environment(repository) if environ is None else environ
    try:
        return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=environ)
    except FileNotFoundError as error:
        raise InputError("git is not installed", hint="install git") from error


def failed(repository: Path, command: str, errors: bytes) -> InputError:
    """Return the error for a command that failed, with the first line of what it said."""
    said = errors.decode(errors="replace").strip().partition("\n")[0]
    return InputError(f"git {command} failed: {said}", where=repository)
