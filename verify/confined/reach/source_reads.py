"""Notices which Python files of a directory are opened, and which of them otherwise than to be imported.

Who reads the source of a program depends on all of it: ``inspect.getsource``, ``ast.parse`` of a file, ``exec`` of its
text; so does who takes the code object of one of its functions in hand. What pytest reads, and doctest, shows where
something stands and goes into no outcome. Python 3.8 to 3.13, standard library only.
"""

import linecache
import os
import sys
import types

load = sys.modules["__main__"].load
inside = load("instrumented").inside
hear = load("audit_hook").hear

STANDARD = os.path.dirname(os.path.realpath(os.__file__)) + os.sep
PYTEST = "%s_pytest%s" % (os.sep, os.sep)
OURS = os.path.dirname(os.path.dirname(os.path.abspath(sys._getframe().f_code.co_filename))) + os.sep
THIRD_PARTY = os.path.join(STANDARD, "site-packages", "")


class SourceReads:
    """Watches from its making on until :attr:`stop` is called.

    Attributes:
        opened: the paths of all files that were opened to be read, for whatever.
        deaf: may be set while what happens is not the program's doing.
    """

    def __init__(self, directory):
        self._directory = directory
        self._read = set()
        self._asking = False
        self._looks = {}  # file name of code that asks for code -> whether it only looks at it
        self.opened = set()
        self.deaf = False
        self.stop = hear({"open": self._open, "object.__getattr__": self._getattr})

    def take(self):
        """Return the files that were read since the last time; lines of them that are kept will be read anew."""
        read, self._read = self._read, set()
        for name in [name for name in linecache.cache if inside(self._directory, name) is not None]:
            linecache.cache.pop(name, None)
        return read

    def _open(self, arguments):
        name, _, flags = arguments
        if self.deaf or isinstance(name, int) or (flags or 0) & os.O_WRONLY:
            return
        name = os.fsdecode(name)
        if not name.endswith(".py"):
            return
        path = inside(self._directory, name)
        if path is not None:
            self.opened.add(path)
            if not shows(sys._getframe(2)):
                self._read.add(path)

    def _getattr(self, arguments):
        """Note that somebody has the code of a function: pytest, the standard library and the lab only look at it."""
        function, name = arguments
        if name != "__code__" or self._asking or type(function) is not types.FunctionType:
            return
        asker = sys._getframe(2).f_code.co_filename
        looks = self._looks.get(asker)
        if looks is None:
            looks = self._looks[asker] = is_standard(asker) or PYTEST in asker or OURS in asker
        if looks:
            return
        self._asking = True
        try:
            path = inside(self._directory, function.__code__.co_filename)
        finally:
            self._asking = False
        if path is not None:
            self._read.add(path)


def shows(frame):
    """Whether a file is opened to be imported, or by what looks for places in it to show."""
    if frame.f_code.co_name == "get_data" and frame.f_back.f_code.co_name == "get_code":
        return True
    while frame is not None and is_standard(frame.f_code.co_filename):
        if frame.f_code.co_name == "find" and frame.f_code.co_filename.endswith("doctest.py"):
            return True
        frame = frame.f_back
    return frame is None or PYTEST in frame.f_code.co_filename


def is_standard(filename):
    return filename.startswith("<frozen ") or (filename.startswith(STANDARD) and not filename.startswith(THIRD_PARTY))
