"""Runs a command, as a script of its own: ``measured.py REPORT SECONDS COMMAND...``.

When the time is up it is told to end, and soon killed. Its wall time, its exit code and the CPU seconds of everything
it started, also of what outlives it and of what is killed, go to REPORT as JSON. Linux: orphans come to this process,
which waits for all of them.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_SET_CHILD_SUBREAPER: Final = 36
_SET_PDEATHSIG: Final = 1
_GRACE_SECONDS: Final = 10.0


def main(report: str, seconds: str, *command: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: (end_everything(), os._exit(1)))
    prctl = ctypes.CDLL(None).prctl
    prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)  # where the benchmark is killed, so is the tool
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    stopped = False
    try:
        process.wait(float(seconds))
    except subprocess.TimeoutExpired:
        stopped = True
        process.terminate()  # some write down then what they have decided
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_SECONDS)
    wall = time.monotonic() - start
    end_everything()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {
        "wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "exit": process.returncode, "stopped": stopped,
    }  # fmt: skip
    Path(report).write_text(json.dumps(found))


def end_everything() -> None:
    """Kill and reap every descendant."""
    while True:
        for pid in _children():
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return [int(pid) for pid in text.split()]


if __name__ == "__main__":
    main(*sys.argv[1:])
