"""Which lines of some files run. Python 3.8 to 3.13, standard library only."""

import os
import sys


class Lines:
    """Notes, within a ``with`` block, the lines that run of files given by path; without files nothing is traced."""

    def __init__(self, paths):
        self.found = {path: set() for path in paths}  # type: ignore[var-annotated]
        self._files = {os.path.realpath(path): lines for path, lines in self.found.items()}

    def __enter__(self):
        if self._files:
            sys.settrace(self._call)

    def __exit__(self, *_):
        sys.settrace(None)

    def _call(self, frame, *_):
        found = self._files.get(os.path.realpath(frame.f_code.co_filename))
        if found is None:
            return None
        found.add(frame.f_lineno)

        def line(frame, event, _):
            if event == "line":
                found.add(frame.f_lineno)
            return line

        return line
