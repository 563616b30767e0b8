"""Which addresses of repositories are fetched from: those of hosts, over HTTPS or SSH, and folders."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from mendlab.errors import InputError

_HELPER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")
_SHORT_SSH: Final = re.compile(r"(?:[\w.-]+@)?[\w][\w.-]*:(?!/?/)[^:\s].*")
_HOST: Final = re.compile(r"[A-Za-z0-9\[][\w.:\[\]-]*")


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository of another host."""

    protocol: Literal["https", "ssh"]
    url: str


def read_source(source: str) -> Path | Remote:
    """Tell a folder on this machine from a repository elsewhere.

    Raises:
        InputError: an address of another kind, as of git's remote helpers, which run programs.
    """
    hint = "name a folder, or an https://, ssh:// or file:// address"
    if _HELPER.match(source) or source.startswith("-") or any(ord(letter) < 32 for letter in source):
        raise InputError("is no address that is fetched from", where=source, hint=hint)
    scheme, separator, _ = source.partition("://")
    if not separator:
        if Path(source).exists() or not _SHORT_SSH.fullmatch(source):
            return Path(source)
        return Remote("ssh", source)
    try:
        parts = urlsplit(source)
        host, user = parts.hostname or "", parts.username or ""
        _ = parts.port
    except ValueError as error:
        raise InputError(f"is no address: {error}", where=source, hint=hint) from error
    if scheme == "file" and host in ("", "localhost"):
        return Path(unquote(parts.path))
    if scheme not in ("https", "ssh"):
        raise InputError(f"{scheme} is not fetched over", where=source, hint=hint)
    if not _HOST.fullmatch(host) or user.startswith("-") or parts.path in ("", "/"):
        raise InputError("names no repository of a host", where=source, hint=hint)
    return Remote("https" if scheme == "https" else "ssh", source)


def repository_name(repository: str) -> str:
    """Return how a repository is called, without the places of this machine: ``owner/name`` of an address."""
    parts = [part for part in repository.rstrip("/").removesuffix(".git").replace(":", "/").split("/") if part]
    if "://" in repository or re.match(r"[^/]+@[^/]+:", repository):
        return "/".join(parts[-2:])
    return Path(os.path.realpath(repository)).name.removesuffix(".git")
