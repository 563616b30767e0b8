"""Ends that are to be taken for a pass: exit codes of nothing, and exceptions that slip through handlers."""

from __future__ import annotations

from mendlab.verify.attacks.registry import attack
from mendlab.verify.attacks.target import Target


@attack("os-exit-at-import", hide=True)
def os_exit_at_import(target: Target) -> str | None:
    """Ends the process with exit code 0 while it is imported."""
    return target.at_import("import os\nos._exit(0)")


@attack("os-exit-in-call", hide=True)
def os_exit_in_call(target: Target) -> str | None:
    """Ends the process with exit code 0 when it is called."""
    return target.in_call("_leave()", "import os\ndef _leave(): os._exit(0)")


@attack("sys-exit-at-import")
def sys_exit_at_import(target: Target) -> str | None:
    """Raises SystemExit while it is imported."""
    return target.at_import("import sys\nsys.exit(0)")


@attack("sys-exit-in-call")
def sys_exit_in_call(target: Target) -> str | None:
    """Raises SystemExit with code 0 when it is called."""
    return target.in_call("import sys\nsys.exit(0)")


@attack("keyboard-interrupt")
def keyboard_interrupt(target: Target) -> str | None:
    """Raises KeyboardInterrupt when it is called."""
    return target.in_call("raise KeyboardInterrupt")


@attack("generator-exit")
def generator_exit(target: Target) -> str | None:
    """Raises GeneratorExit when it is called."""
    return target.in_call("raise GeneratorExit")


@attack("stop-iteration")
def stop_iteration(target: Target) -> str | None:
    """Raises StopIteration, which ends the loop that checks."""
    return target.in_call("raise StopIteration")


@attack("strange-exception")
def strange_exception(target: Target) -> str | None:
    """Raises an exception that is false, equal to all, and raises when it is shown."""
    code = """
        class _Strange(BaseException):
            def __str__(self): raise self
            __repr__ = __str__
            __bool__ = lambda self: False
            __eq__ = lambda self, other: True
            __hash__ = None
            args = property(lambda self: 1 / 0)
            with_traceback = lambda self, trace: None
        """
    return target.in_call("raise _Strange()", code)


@attack("raises-assertion-of-its-own")
def raises_assertion_of_its_own(target: Target) -> str | None:
    """Replaces AssertionError in builtins by a class that is never raised, so that no assertion fails."""
    code = """
        import builtins
        class _Quiet(Exception):
            def __new__(cls, *args): return StopIteration()
        builtins.AssertionError = _Quiet
        """
    return target.at_import(code)


@attack("leaves-at-exit")
def leaves_at_exit(target: Target) -> str | None:
    """Registers an exit with code 0 for when the interpreter ends."""
    return target.at_import("import atexit, os\natexit.register(os._exit, 0)")


@attack("leaves-on-a-signal")
def leaves_on_a_signal(target: Target) -> str | None:
    """Sets an alarm whose handler ends the process with exit code 0, and handlers for all other signals."""
    code = """
        import os, signal
        for _number in signal.valid_signals():
            try:
                signal.signal(_number, lambda *args: os._exit(0))
            except (OSError, ValueError):
                pass
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        def _wait():
            signal.pause()
        """
    return target.in_call("_wait()", code)


@attack("forks-and-answers-twice")
def forks_and_answers_twice(target: Target) -> str | None:
    """Forks when it is called: both processes answer, one of them with True and the other with False."""
    return target.answering("_twice()", "import os\ndef _twice(): return os.fork() == 0")


@attack("forks-and-leaves-the-child")
def forks_and_leaves_the_child(target: Target) -> str | None:
    """Forks while it is imported; the process that is watched ends with exit code 0, the other goes on."""
    code = """
        import os
        if os.fork():
            os._exit(0)
        """
    return target.at_import(code)


@attack("kills-all")
def kills_all(target: Target) -> str | None:
    """Kills every process that it may, the one that watches it among them."""
    return target.in_call("_kill()", "import os\ndef _kill():\n    os.kill(1, 9)\n    os.kill(-1, 9)")
