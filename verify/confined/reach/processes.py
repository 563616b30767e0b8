"""Notices processes that a program starts and that may run code of the tree. Python 3.8 to 3.13, standard library only.

What such a process runs is not seen. Programs of the system that only tell something run nothing of the tree, and
plugins of pytest ask them before the first test: the revision, the machine.
"""

import _posixsubprocess
import os
import shutil
import sys

hear = sys.modules["__main__"].load("audit_hook").hear

SPAWN = "mendlab.spawn"
UNKNOWN = ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "pty.spawn")
TELLING = frozenset({"arch", "file", "getconf", "hostname", "id", "lscpu", "sw_vers", "sysctl", "tty", "uname"})
ASKING = frozenset({"config", "describe", "rev-list", "rev-parse", "show-ref", "symbolic-ref"})  # of git: run no hooks


def hear_starts(handle):
    """Have ``handle()`` called for each process that is started and may run code of the tree; return what ends this."""

    def popen(arguments):
        _, command, _, environment = arguments
        path = (os.environ if environment is None else environment).get("PATH", os.defpath)
        if not tells_only(command, lambda program: shutil.which(program, path=path)):
            handle()

    def spawn(arguments):
        command, places = arguments
        if not tells_only(command, lambda program: any(map(os.path.exists, places))):
            handle()

    _announce_spawning()
    unknown = dict.fromkeys(UNKNOWN, lambda arguments: handle())
    return hear({**unknown, "subprocess.Popen": popen, SPAWN: spawn})


def tells_only(command, exists):
    """Whether a command, as a list of words, runs nothing of the tree: also where there is no such program."""
    if not isinstance(command, (list, tuple)) or not command or not all(isinstance(word, str) for word in command):
        return False
    program, words = command[0], command[1:]
    if os.sep in program:
        return False
    if program == "git":
        return not ASKING.isdisjoint(words[:1])
    return program in TELLING or not exists(program)


def _announce_spawning():
    """Have the event :data:`SPAWN` raised where multiprocessing spawns a process, which it does without any."""
    begin = _posixsubprocess.fork_exec

    def fork_exec(*args):
        sys.audit(SPAWN, args[0], args[1])
        return begin(*args)

    _posixsubprocess.fork_exec = fork_exec
