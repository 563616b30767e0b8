"""The world outside the confinement, with tripwires: what an attack leaves there shows that it got out."""

from __future__ import annotations

import contextlib
import secrets
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PREFIX: Final = "mendlab-attack-"
_CANARY: Final = "canary"
_PATIENCE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Outside:
    """A folder of the user's, a port that is listened on, and a mark for whatever an attack leaves anywhere.

    An attack is to name a file after the mark, to send it, or to have it among the arguments of a process.
    """

    folder: Path
    port: int
    heard: list[bytes] = field(default_factory=list)
    mark: str = field(default_factory=lambda: PREFIX + secrets.token_hex(8))

    @property
    def words(self) -> dict[str, object]:
        """What stands for what in an attack's code."""
        return {"@MARK@": self.mark, "@FOLDER@": str(self.folder), "@PORT@": self.port}

    def marked_anew(self) -> Outside:
        """Return the same place with another mark, for the next attack."""
        return Outside(self.folder, self.port, self.heard)

    def traces(self) -> tuple[str, ...]:
        """Return what of this mark is found outside, a few words each; nothing is right."""
        found = [f"left {path}" for place in self._places() for path in _named(place, self.mark)]
        found += [f"left process {pid}" for pid in _running(self.mark)]
        if not (self.folder / _CANARY).exists():
            found.append(f"emptied {self.folder}")
        if any(self.mark.encode() in data for data in list(self.heard)):
            found.append("reached the network")
        return tuple(found)

    def _places(self) -> list[Path]:
        places = {self.folder, Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/var/tmp"), Path.home(), Path.cwd()}
        return sorted({*places, Path(sys.prefix)})


@contextmanager
def open_outside() -> Iterator[Outside]:
    """Yield a place with a folder of its own and a server on loopback that listens."""
    heard: list[bytes] = []
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder, socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_listen, args=(server, heard), daemon=True).start()
        (Path(folder) / _CANARY).touch()
        yield Outside(Path(folder), server.getsockname()[1], heard)


def _listen(server: socket.socket, heard: list[bytes]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection, contextlib.suppress(OSError):
            connection.settimeout(_PATIENCE_SECONDS)
            heard.append(connection.recv(1024))


def _named(place: Path, mark: str) -> list[Path]:
    try:
        return [path for path in place.iterdir() if mark in path.name]
    except OSError:
        return []


def _running(mark: str) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                if mark.encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
    return found
