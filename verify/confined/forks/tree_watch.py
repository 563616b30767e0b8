"""Keeps a directory as it was: what a run has left in it is undone. Python 3.8 to 3.13, standard library only."""

import os
import shutil
import stat


class Snapshot:
    """A directory with all below it, as it is now; small enough to be held in memory."""

    def __init__(self, directory):
        self._directory = directory
        self._entries = {}
        self._contents = {}
        for path, status in walk(directory):
            self._entries[path] = mark(status)
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    self._contents[path] = file.read()
            elif stat.S_ISLNK(status.st_mode):
                self._contents[path] = os.readlink(path)

    def restore(self):
        """Undo every change since. Raises OSError where it cannot be."""
        missing = dict(self._entries)
        for path, status in list(walk(self._directory)):
            if missing.pop(path, None) == mark(status):
                continue
            if path not in self._entries:
                remove(path, status)
            elif not (stat.S_ISDIR(status.st_mode) and stat.S_ISDIR(self._entries[path][0])):
                remove(path, status)
                missing[path] = self._entries[path]
            elif status.st_mode != self._entries[path][0]:
                os.chmod(path, stat.S_IMODE(self._entries[path][0]))
        for path in sorted(missing):
            self._make(path)

    def _make(self, path):
        mode = self._entries[path][0]
        if stat.S_ISDIR(mode):
            os.makedirs(path, exist_ok=True)
        elif stat.S_ISLNK(mode):
            os.symlink(self._contents[path], path)
        else:
            with open(path, "wb") as file:
                file.write(self._contents[path])
        if not stat.S_ISLNK(mode):
            os.chmod(path, stat.S_IMODE(mode))
        self._entries[path] = mark(os.lstat(path))


def walk(directory):
    """Yield path and status of everything below, what holds something before what it holds."""
    with os.scandir(directory) as entries:
        found = [(entry.path, entry.stat(follow_symlinks=False)) for entry in entries]
    for path, status in found:
        yield path, status
        if stat.S_ISDIR(status.st_mode) and os.path.lexists(path):
            if status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
                os.chmod(path, stat.S_IRWXU)
            yield from walk(path)


def mark(status):
    """What changes when a file does; of a directory, the mode alone."""
    if stat.S_ISDIR(status.st_mode):
        return (status.st_mode,)
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_nlink)


def remove(path, status):
    if not os.path.lexists(path):
        return  # it went with what held it
    if stat.S_ISDIR(status.st_mode):
        shutil.rmtree(path)
    else:
        os.unlink(path)
