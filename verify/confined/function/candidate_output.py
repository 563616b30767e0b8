"""What the candidate prints: kept, to reach the oracle with the next answer, as text that a test may compare.

Python 3.8 to 3.13, standard library only.
"""

import io
import os
from typing import Any

MOST_BYTES = 1 << 20


class Printed(io.RawIOBase):
    """Passes bytes on to a file descriptor, and keeps the first of them until they are taken."""

    def __init__(self, fd):
        super().__init__()
        self._fd = fd
        self._kept = bytearray()

    def writable(self):
        return True

    def fileno(self):
        return self._fd

    def write(self, data):
        self._kept += bytes(data[: max(0, MOST_BYTES - len(self._kept))])
        view = memoryview(data).cast("B")
        while view:
            view = view[os.write(self._fd, view) :]
        return len(data)

    def take(self):
        """Return the text printed since the last time."""
        text = self._kept.decode("utf-8", "replace")
        self._kept.clear()
        return text


def capture():
    """Return a new standard output, and a function that returns the text printed on it since the last time."""
    printed: Any = Printed(1)
    stream = io.TextIOWrapper(printed, encoding="utf-8", newline="\n")

    def take():
        stream.flush()
        return printed.take()

    return stream, take
