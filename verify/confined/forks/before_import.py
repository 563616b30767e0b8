"""The moment before a process imports its first file of a tree, and what it may have ready by then.

Python 3.8 to 3.13, standard library only.
"""

import contextlib
import importlib
import importlib.machinery
import os
import sys
import warnings


class Finder:
    """A finder that finds nothing: it calls ``found`` when a module is looked for that lies below a directory."""

    def __init__(self, directory, found):
        self._inside = directory + os.sep
        self._found = found
        self._looking = False

    def enter(self):
        """Be asked before every finder that is there now."""
        self.leave()
        sys.meta_path.insert(0, self)

    def leave(self):
        """Be asked no more."""
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]

    def find_spec(self, name, path=None, target=None):
        if not self._looking:
            self._looking = True
            try:
                spec = importlib.machinery.PathFinder.find_spec(name, path)
            finally:
                self._looking = False
            if spec is not None and str(spec.origin).startswith(self._inside):
                self._found()
        return


def from_elsewhere(directory):
    """Names of the imported modules that come from files outside a directory, in the order of their imports.

    Without those that pytest rewrites: it wants to import them itself.
    """
    return [name for name, file in plainly_imported() if not file.startswith(directory + os.sep)]


def from_inside(directory):
    """Files below a directory that modules were imported from, without those that pytest rewrites."""
    return [file for _, file in plainly_imported() if file.startswith(directory + os.sep)]


def plainly_imported():
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        rewritten = type(getattr(module, "__loader__", None)).__name__ == "AssertionRewritingHook"
        if isinstance(file, str) and not rewritten:
            yield name, file


def import_quietly(names):
    """Import what can be imported; pytest's plugins that it has yet to rewrite it finds by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            if name not in sys.modules:
                with contextlib.suppress(Exception, SystemExit):
                    importlib.import_module(name)
