"""Lays out the tree that a run works on: the good tree, with the changes of the request over it.

The good tree comes through the channel and stays in this process's memory: were it mounted, a candidate could read the
code that it is to restore. Python 3.8 to 3.13, standard library only.
"""

import base64
import os


def unpack(files):
    """``{path: [base64 text, executable]}`` as it comes from the lab; returns ``{path: (bytes, mode)}``."""
    return {
        path: (base64.b64decode(content), 0o755 if executable else 0o644)
        for path, (content, executable) in files.items()
    }


def lay_out(files, target, changes):
    """Write ``files`` (see :func:`unpack`) below ``target``, which must not exist, with ``changes`` laid over them.

    A change is ``{path: base64 text}``, or ``{path: null}`` to remove the file.
    """
    tree = dict(files)
    for path, content in changes.items():
        if content is None:
            tree.pop(path, None)
        else:
            tree[path] = (base64.b64decode(content), tree[path][1] if path in tree else 0o644)
    os.makedirs(target)
    made = {""}
    for path, (content, mode) in tree.items():
        parent = path.rpartition("/")[0]
        if parent not in made:
            os.makedirs(os.path.join(target, parent), exist_ok=True)
            made.add(parent)
        file = os.open(os.path.join(target, path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(file, "wb") as writer:
            writer.write(content)
