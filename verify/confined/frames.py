"""Messages over a stream socket: a length, then JSON; file descriptors may ride along.

Both sides use this file: the lab, and what runs confined (on Python 3.8 to 3.13, standard library only).
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from typing import Any, Sequence

HEADER = struct.Struct("!I")
_ENCODER = json.JSONEncoder(separators=(",", ":"))
LARGEST = 256 * 1024 * 1024
_FDS_AT_MOST = 4


class BrokenStream(Exception):
    """The other side sent what is no message."""


def pack(message: Any) -> bytes:
    """Return the bytes of one message (anything that JSON holds)."""
    body = _ENCODER.encode(message).encode()
    return HEADER.pack(len(body)) + body


class Frames:
    """One end of a connection. ``take`` parses what has arrived; ``receive`` waits for a whole message."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._buffer = bytearray()
        self._fds: list[int] = []

    def fileno(self) -> int:
        return self.socket.fileno()

    def send(self, message: Any, fds: Sequence[int] = ()) -> None:
        """Send one message, with file descriptors if there are any. Raises OSError when the other side is gone."""
        data = pack(message)
        if fds:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
            data = data[self.socket.sendmsg([data], rights) :]
        self.socket.sendall(data)

    def read(self) -> bool:
        """Read what is there (waits for at least one byte). Returns False at the end of the stream."""
        try:
            data, ancillary, _, _ = self.socket.recvmsg(1 << 16, socket.CMSG_SPACE(_FDS_AT_MOST * 4))
        except ConnectionError:
            return False
        for level, kind, payload in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                received = array.array("i")
                received.frombytes(payload[: len(payload) - len(payload) % received.itemsize])
                self._fds.extend(received)
        self._buffer += data
        return bool(data)

    def take(self) -> Any:
        """Return the next whole message that has arrived, or None. Raises BrokenStream."""
        return take(self._buffer)

    def take_fds(self) -> list[int]:
        """Return the file descriptors received so far, and forget them."""
        fds, self._fds = self._fds, []
        return fds

    def receive(self) -> Any:
        """Wait for a message. Returns None at the end of the stream; raises BrokenStream, or TimeoutError."""
        while True:
            message = self.take()
            if message is not None:
                return message
            if not self.read():
                return None

    def close(self) -> None:
        for fd in self.take_fds():
            os.close(fd)
        self.socket.close()


def take(buffer: bytearray, largest: int = LARGEST) -> Any:
    """Cut the first whole message off ``buffer`` and return it; None if there is none yet. Raises BrokenStream."""
    if len(buffer) < HEADER.size:
        return None
    (length,) = HEADER.unpack_from(buffer)
    if length > largest:
        raise BrokenStream("a message of %d bytes" % length)
    end = HEADER.size + length
    if len(buffer) < end:
        return None
    body = bytes(buffer[HEADER.size : end])
    del buffer[:end]
    try:
        message = json.loads(body)
        return _storable(message) if b"\\ud" in body or b"\\uD" in body else message
    except (ValueError, RecursionError, MemoryError) as error:
        raise BrokenStream(str(error)) from None


def _storable(message: Any) -> Any:
    """The message with lone surrogates, which no record can hold, as question marks."""
    if isinstance(message, str):
        return message.encode("utf-8", "replace").decode()
    if isinstance(message, list):
        return [_storable(item) for item in message]
    if isinstance(message, dict):
        return {_storable(key): _storable(value) for key, value in message.items()}
    return message
