"""Lays out the tree that a run works on: a copy of the mounted good tree, with the changes of the request over it.

A change is ``{path: base64 text}``, or ``{path: null}`` to remove the file. Python 3.8 to 3.13, standard library only.
"""

import base64
import os
import shutil


def lay_out(tree, target, changes):
    """Copy ``tree`` to ``target`` (which must not exist), writable, and apply the changes."""
    shutil.copytree(tree, target, symlinks=True, copy_function=copy_plain)
    make_writable(target)
    for path, content in changes.items():
        place = os.path.join(target, *path.split("/"))
        if content is None:
            if os.path.lexists(place):
                os.unlink(place)
            continue
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(base64.b64decode(content))


def copy_plain(source, target):
    """Copy content and the executable bit, not the times or the owner."""
    shutil.copyfile(source, target)
    os.chmod(target, 0o755 if os.access(source, os.X_OK) else 0o644)
    return target


def make_writable(directory):
    for parent, _, _ in os.walk(directory):
        os.chmod(parent, 0o755)
