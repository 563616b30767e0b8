"""Where the program under test is imported from: the scratch tree, whatever is installed in its interpreter.

The tree's root and ``src/`` come first on the path. A project that is installed there in editable mode points at the
directory it was installed from, which is not the tree under test: the same place inside the tree takes its stead.
Python 3.8 to 3.13, standard library only.
"""

import os
import sys


def installed_places():
    """Return the absolute paths that editable installs put on the import path: of ``.pth`` files, of finders' maps."""
    places = []
    for directory in sys.path:
        if not directory or not os.path.isdir(directory):
            continue
        for name in os.listdir(directory):
            if name.endswith(".pth"):
                with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
                    places += [line.strip() for line in file if os.path.isabs(line.strip())]
    for finder in sys.meta_path:
        mapping = getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", None)
        if isinstance(mapping, dict):
            places += [os.path.dirname(str(place)) for place in mapping.values()]
    return places


def import_roots(files, places):
    """Return the directories of the tree (relative, ``""`` for its root) that imports start from, first to last.

    ``files`` are the paths in the tree, ``places`` those of :func:`installed_places`: the longest end of one that is a
    directory of the tree which holds Python code counts.
    """
    directories = {parent for path in files if path.endswith(".py") for parent in parents(path)}
    roots = ["src"] if "src" in directories else []
    for place in places:
        parts = place.strip("/").split("/")
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        roots += [end for end in ends if end in directories][:1]
    return ["", *dict.fromkeys(root for root in roots if root)]


def parents(path):
    """Yield every directory above a path, without the root."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def use(work, roots, places):
    """Put the roots first on the path of this process and of those it starts; take the installed places off it."""
    front = [os.path.join(work, root) if root else work for root in roots]
    elsewhere = {os.path.realpath(place) for place in places if ends_in(place, roots)}
    sys.path[:] = front + [entry for entry in sys.path if os.path.realpath(entry) not in elsewhere]
    os.environ["PYTHONPATH"] = os.pathsep.join(front)


def ends_in(place, roots):
    return any(place.rstrip("/").endswith("/" + root) for root in roots if root)
