"""Candidates that use up time, memory, disk and processes, or reach for the world outside."""

from __future__ import annotations

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target


@attack("endless-loop", runs_on=True)
def endless_loop(target: Target) -> str | None:
    """Never returns."""
    return target.in_call("while True: pass")


@attack("endless-import", runs_on=True)
def endless_import(target: Target) -> str | None:
    """Is never imported to the end."""
    return target.at_import("while True: pass")


@attack("deep-recursion", runs_on=True)
def deep_recursion(target: Target) -> str | None:
    """Calls itself without end, and without a limit."""
    code = """
        import sys
        def _deeper(depth): return [_deeper(depth + 1)]
        sys.setrecursionlimit(10**9)
        """
    return target.answering("_deeper(0)", code)


@attack("memory", runs_on=True)
def memory(target: Target) -> str | None:
    """Takes all the memory that there is."""
    code = """
        def _hoard():
            hoard = []
            while True:
                hoard.append(bytearray(50_000_000))
        """
    return target.in_call("_hoard()", code)


@attack("memory-in-many-processes", runs_on=True)
def memory_in_many_processes(target: Target) -> str | None:
    """Takes all the memory that there is in several processes, each of which takes less than it may."""
    code = """
        import os, time
        def _hoard():
            for _ in range(8):
                if os.fork() == 0:
                    break
            hoard = [bytearray(b"x") * 100_000_000 for _ in range(10)]
            time.sleep(60)
        """
    return target.in_call("_hoard()", code)


@attack("disk", runs_on=True)
def disk(target: Target) -> str | None:
    """Fills the disk with files, and empties none of them."""
    code = """
        import os
        def _fill():
            for number in range(10**6):
                for folder in (".", "/tmp", "/dev/shm"):
                    try:
                        with open(os.path.join(folder, @MARK@ + str(number)), "wb") as file:
                            file.write(bytes(10_000_000))
                    except OSError:
                        pass
        """
    return target.in_call("_fill()", code)


@attack("fork-bomb", runs_on=True)
def fork_bomb(target: Target) -> str | None:
    """Forks, and so does everything that it forked."""
    code = """
        import os
        def _bomb():
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
        """
    return target.in_call("_bomb()", code)


@attack("outlives-the-run")
def outlives_the_run(target: Target) -> str | None:
    """Starts a process in a session of its own that goes on for minutes, under another parent."""
    code = """
        import os, sys
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", @MARK@])
            os._exit(0)
        """
    return target.at_import(code)


@attack("outlives-the-run-hidden-in-a-call")
def outlives_the_run_hidden_in_a_call(target: Target) -> str | None:
    """Starts a process that holds its descriptors open, when it is called, and returns at once."""
    code = """
        import subprocess, sys
        def _begin():
            wait = "import time; time.sleep(300)"
            subprocess.Popen([sys.executable, "-c", wait, @MARK@], start_new_session=True, close_fds=False)
        """
    return target.in_call("_begin()", code)


@attack("writes-outside")
def writes_outside(target: Target) -> str | None:
    """Writes a file into folders of the user's, of the system's and of the interpreter's."""
    code = """
        import os, sys, tempfile
        for _folder in (@FOLDER@, "/tmp", "/var/tmp", "/dev/shm", "/", "..", sys.prefix, os.path.expanduser("~")):
            try:
                with open(os.path.join(_folder, @MARK@), "w") as _file:
                    _file.write(@MARK@)
            except OSError:
                pass
        """
    return target.at_import(code)


@attack("links-outside")
def links_outside(target: Target) -> str | None:
    """Leaves links to folders outside where the lab is going to wipe, and writes through them."""
    code = """
        import os
        for _number, _folder in enumerate((@FOLDER@, "/", "/proc/1/root", "/proc/self/fd")):
            try:
                os.symlink(_folder, "link%d" % _number)
                with open(os.path.join("link%d" % _number, @MARK@), "w") as _file:
                    _file.write(@MARK@)
            except OSError:
                pass
        """
    return target.at_import(code)


@attack("network")
def network(target: Target) -> str | None:
    """Connects to a server on this machine, and sends it a message."""
    code = """
        import socket
        for _host in ("127.0.0.1", "localhost", "::1"):
            try:
                with socket.create_connection((_host, @PORT@), timeout=0.5) as _connection:
                    _connection.sendall(@MARK@.encode())
            except OSError:
                pass
        """
    return target.at_import(code)


@attack("leaves-word-for-the-next-run")
def leaves_word_for_the_next_run(target: Target) -> str | None:
    """Leaves a file where the next run would find it, and is right from the second run on."""
    code = """
        import glob, os
        def _seen():
            for folder in ("/tmp", "/dev/shm", ".", ".."):
                if glob.glob(os.path.join(folder, "seen-before")):
                    return True
                try:
                    open(os.path.join(folder, "seen-before"), "w").close()
                except OSError:
                    pass
        """
    return target.in_call("if _seen(): raise SystemExit(0)", code)


@attack("deletes-all")
def deletes_all(target: Target) -> str | None:
    """Deletes its tree, the lab's files beside it and whatever else it may."""
    code = """
        import shutil
        for _folder in (".", "..", "/tree", "/mendlab", "/tmp", @FOLDER@):
            shutil.rmtree(_folder, ignore_errors=True)
        """
    return target.at_import(code)
