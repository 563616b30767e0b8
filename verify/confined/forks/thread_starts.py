"""Notices threads that a tree starts, and those of plugins beside it. Python 3.8 to 3.13, standard library only.

A fork has none of them. Of plugins' own it needs none as long as they only wait in the background.
"""

import sys
import threading
import traceback

inside = sys.modules["__main__"].load("instrumented").inside


class ThreadStarts:
    """Watches threads being started from its making on, until :attr:`stop` is called. ``directory`` has the tree."""

    def __init__(self, directory):
        self._directory = directory
        self._of_others = {id(threading.current_thread())}  # threads started where nothing of the tree was at work
        begin = threading.Thread.start

        def start(thread):
            others = id(threading.current_thread()) in self._of_others and not self._is_ours(sys._getframe())
            (self._of_others.add if others else self._of_others.discard)(id(thread))
            begin(thread)

        threading.Thread.start = start  # type: ignore[method-assign]

        def stop():
            if threading.Thread.start is start:
                threading.Thread.start = begin  # type: ignore[method-assign]

        self.stop = stop

    def lost(self):
        """Count the threads that a fork would miss: all others but daemons of plugins, in which nothing of it runs."""
        stacks = sys._current_frames()
        return sum(
            not (thread.daemon and id(thread) in self._of_others and not self._is_ours(stacks.get(thread.ident or 0)))
            for thread in threading.enumerate()
            if thread is not threading.current_thread()
        )

    def _is_ours(self, frame):
        code = (each.f_code for each, _ in traceback.walk_stack(frame))
        return any(inside(self._directory, each.co_filename) for each in code)
