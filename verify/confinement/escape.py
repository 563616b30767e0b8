"""Tries to break out of the confinement, as ``mendlab doctor`` does: what must not work is really attempted."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mendlab.records import Limits, SandboxLevel
from mendlab.verify.confinement.interpreter import find_interpreter
from mendlab.verify.confinement.sandbox import Confinement, environment

_ATTEMPTS = r"""
import json, os, socket, sys
secret, port, outside_pid, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]

def attempt(action):
    try:
        return bool(action())
    except BaseException:
        return False

def connect():
    socket.create_connection(("127.0.0.1", port), timeout=2).close()
    return True

def environment():
    outside = attempt(lambda: b"MENDLAB_DOCTOR_SECRET" in open("/proc/%d/environ" % outside_pid, "rb").read())
    return outside or any(name in os.environ for name in names)

def write(path):
    open(path, "a").close()
    return True

def mount():
    return __import__("ctypes").CDLL(None).mount(b"t", b"/tmp", b"tmpfs", 0, None) == 0

def signal_outside():
    os.kill(outside_pid, 0)
    return True

print(json.dumps({
    "read a file of the user": attempt(lambda: open(secret).read()),
    "see the user's environment": attempt(environment),
    "reach the network": attempt(connect),
    "see other processes": attempt(signal_outside),
    "write outside its directory": any(attempt(lambda p=p: write(p)) for p in ("/usr/x", "/x", sys.executable)),
    "become root": attempt(lambda: os.getuid() == 0 or os.setuid(0) is None),
    "mount a file system": attempt(mount),
}))
"""


@dataclass(frozen=True, slots=True)
class Escapes:
    """What untrusted code could do at a level: all ``False`` is right. ``problem`` says why it did not even run."""

    level: SandboxLevel
    succeeded: dict[str, bool]
    problem: str | None = None


def try_to_escape(level: SandboxLevel) -> Escapes:
    """Start a process at ``level`` that tries to read, write, connect and signal where it must not."""
    interpreter = find_interpreter()
    with tempfile.TemporaryDirectory(prefix="mendlab-doctor-") as directory, _listening() as port:
        secret = Path(directory) / "secret"
        secret.write_text("secret")
        given = environment(interpreter.executable, 0)
        foreign = sorted(os.environ.keys() - given.keys() - {"PWD", "HOSTNAME"})  # which are set inside
        kept = {**os.environ, "MENDLAB_DOCTOR_SECRET": "1"}
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=kept) as outside:
            arguments = [str(secret), str(port), str(outside.pid), *foreign]
            script = [str(interpreter.executable), "-s", "-c", _ATTEMPTS, *arguments]
            command = Confinement(level, Limits(), interpreter.directories).command(script, given)
            done = subprocess.run(command, capture_output=True, timeout=60, env=given, check=False)
            outside.kill()
    try:
        return Escapes(level, json.loads(done.stdout))
    except ValueError:
        return Escapes(level, {}, done.stderr.decode("utf-8", "replace").strip() or "it printed nothing")


@contextmanager
def _listening() -> Iterator[int]:
    """Yield the port of a server on loopback that accepts anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        yield server.getsockname()[1]


def _accept(server: socket.socket) -> None:
    try:
        while True:
            server.accept()[0].close()
    except OSError:
        return
