"""Forks of a pytest session that is about to import the first file of the tree: see :mod:`fork_server`.

For changes that show only where their file is imported. What comes from elsewhere is imported already, and what the
tree compiles to is kept beside it, so that a fork has little more to do than to execute the tree's own modules and to
collect the tests that are asked for. Python 3.8 to 3.13, pytest 6.2 and later.
"""

import contextlib
import importlib.util
import os
import sys
import typing

load = sys.modules["__main__"].load
before_import = load("before_import")
fork_server = load("fork_server")
source_reads = load("source_reads")

PRIMING_SECONDS = 600.0
EARLIER = 10.0**9  # seconds since the epoch, and before any tree was laid out


class Early(fork_server.ForkServer):  # type: ignore[name-defined,misc]
    """Serves once: in :meth:`serve`, at the first import from the tree that it sees, or when it is told to.

    ``modules`` are the names of those that a session of the good tree imports from elsewhere.
    """

    def __init__(self, fd, files, work, wiped, modules):
        super().__init__(fd, files, work, wiped)
        self._modules = modules
        self._finder = before_import.Finder(work, self.serve)
        self._adopt: "typing.Any" = None
        self._served = False
        self._compiled = work + ".pyc"
        self._reads = source_reads.SourceReads(work)
        self._opened: "frozenset[str]" = frozenset()  # files of the tree that are opened already

    def watch(self, adopt):
        """Be before every finder that is there now. ``adopt(emit, request)`` as for a collected session."""
        self._adopt = adopt
        if not self._served:
            self._finder.enter()

    def serve(self):
        """Answer until the connection ends, then end the process; returns in forks, which go on with the session."""
        self._finder.leave()
        if self._served:
            return
        self._served = True
        before_import.import_quietly(self._modules)
        self.shield()
        self._opened = frozenset(self._reads.opened)
        self._reads.stop()
        sys.pycache_prefix = self._compiled
        if self.fork(PRIMING, {}, []) is None:
            return
        if self.answer_all() is None:
            os._exit(0)

    def collected(self):
        """To be called in forks once their tests are collected: from then on imports are as anywhere else."""
        sys.pycache_prefix = None
        sys.dont_write_bytecode = True

    def take_in(self, changes):
        """Return the files that change, with what they were compiled to; their time need not show that they do."""
        for path in changes:
            if path in self._opened:
                raise fork_server.Refused("%s is imported with pytest's plugins" % path)
        sources = [os.path.join(self.work, path) for path in changes]
        return [(source, importlib.util.cache_from_source(source)) for source in sources]

    def begin(self, request, taken, emit):
        """Let the session go on, in a tree that is changed."""
        for source, compiled in taken:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(compiled)
            os.utime(source, (EARLIER, EARLIER))  # compiled under another name of the file, it is out of date, too
        sys.dont_write_bytecode = False  # what fails to be imported is tried again by the next file of tests
        self._adopt(emit, request)
        return True


PRIMING = {
    "tests": None,
    "stop_at_first": False,
    **dict.fromkeys(("cpu_seconds", "wall_seconds", "idle_cpu_seconds", "idle_wall_seconds"), PRIMING_SECONDS),
}
"""Collect everything and run nothing, for what is compiled meanwhile."""
