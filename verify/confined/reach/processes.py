"""Notices processes that a program starts and that may run code of the tree. Python 3.8 to 3.13, standard library only.

What such a process runs is not seen. A few programs of the system only tell something, and plugins of pytest ask them
before the first test: the revision, the machine.
"""

import _posixsubprocess
import os
import shutil
import sys

hear = sys.modules["__main__"].load("audit_hook").hear

SPAWN = "mendlab.spawn"
OTHERS = ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "pty.spawn")
TELLING = frozenset({"arch", "file", "getconf", "hostname", "id", "lscpu", "sw_vers", "sysctl", "tty", "uname"})
ASKING = frozenset({"config", "describe", "rev-list", "rev-parse", "show-ref", "symbolic-ref"})  # of git: run no hooks
EDITING = frozenset({"-e", "--edit"})


def hear_starts(handle):
    """Have ``handle(tells)`` called for each process that is started; return what ends this.

    ``tells`` is whether it only tells something that does not depend on the tree, or is none, as there is no such
    program: by the name alone, where that means the same now as it does here.
    """
    tree, path = os.getcwd(), os.environ.get("PATH", "")

    def unaltered(environment):
        if environment is None:
            return os.environ.get("PATH", "") == path
        return b"PATH" not in environment and environment.get("PATH", "") == path

    def tells(command, directory):
        return tells_only(command, path, os.path.abspath(directory), tree)

    def popen(arguments):
        executable, command, directory, environment = arguments
        named = isinstance(command, (list, tuple)) and command and command[0] == executable
        handle(bool(named and unaltered(environment) and tells(command, directory or "")))

    def spawn(arguments):
        (command,) = arguments
        handle(unaltered(None) and tells(command, ""))

    _announce_spawning()
    unknown = dict.fromkeys(OTHERS, lambda arguments: handle(False))
    return hear({**unknown, "subprocess.Popen": popen, SPAWN: spawn})


def tells_only(command, path, directory, tree):
    """Whether a command, as a list of words, is known to run nothing of the ``tree`` and to read nothing of it.

    ``path`` is where programs are looked for, of which a relative part may lead anywhere; ``directory`` is where the
    command runs.
    """
    if not command or not all(isinstance(word, str) for word in command) or os.sep in command[0]:
        return False
    if not all(map(os.path.isabs, path.split(os.pathsep))):
        return False
    program, words = command[0], command[1:]
    if shutil.which(program, path=path) is None:
        return True
    if program == "git":
        return not ASKING.isdisjoint(words[:1]) and EDITING.isdisjoint(words)
    return program in TELLING and not any(is_of(tree, os.path.join(directory, word)) for word in words)


def is_of(tree, file):
    return os.path.lexists(file) and (os.path.realpath(file) + os.sep).startswith(tree + os.sep)


def _announce_spawning():
    """Have the event :data:`SPAWN` raised where multiprocessing spawns a process, which it does without any."""
    begin = _posixsubprocess.fork_exec

    def fork_exec(*args):
        sys.audit(SPAWN, args[0])
        return begin(*args)

    _posixsubprocess.fork_exec = fork_exec
