"""Where the program under test is imported from: the scratch tree, whatever is installed in its interpreter.

The tree's root and ``src/`` come first on the path. A project that is installed there in editable mode points at the
directory it was installed from, which is not the tree under test: the same place inside the tree takes its stead. What
the good tree has is never imported from elsewhere: a candidate that removes a module does not get an installed one.
Python 3.8 to 3.13, standard library only.
"""

import importlib.machinery
import importlib.util
import os
import sys
import sysconfig


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


def installed_names(files, roots):
    """Return the top-level modules of the tree that this interpreter could import from elsewhere as well."""
    names = set()
    for path in files:
        for root in roots:
            inside = path[len(root) + 1 :] if root and path.startswith(root + "/") else path
            if inside.endswith(".py"):
                names.add(inside.partition("/")[0].partition(".py")[0])
    return {name for name in names if name.isidentifier() and is_installed(name)}


def is_installed(name):
    """Whether a module is there that is neither a namespace nor of the standard library."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return False
    if spec is None or not spec.has_location or spec.origin is None:
        return False
    standard = os.path.realpath(sysconfig.get_path("stdlib")) + os.sep
    return "-packages" in spec.origin or not os.path.realpath(spec.origin).startswith(standard)


class InTheTree:
    """A finder that finds the named modules anywhere but where the interpreter has its own."""

    def __init__(self, names, elsewhere):
        self._names = names
        self._elsewhere = elsewhere

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in self._names:
            return None
        places = [entry for entry in sys.path if entry not in self._elsewhere]
        spec = importlib.machinery.PathFinder.find_spec(name, places)
        if spec is None:
            raise ModuleNotFoundError("No module named %r in the tree" % name, name=name)
        return spec


def use(work, roots, names):
    """Put the roots first on the path of this process and of those it starts; import ``names`` from the tree alone.

    Some of them pytest or a plugin may have imported already, as its own dependency; what it holds, it keeps.
    """
    front = [os.path.join(work, root) if root else work for root in roots]
    if names:
        sys.meta_path.insert(0, InTheTree(names, frozenset(sys.path)))
        for name in [name for name in sys.modules if name.partition(".")[0] in names]:
            del sys.modules[name]
    sys.path[:0] = front
    os.environ["PYTHONPATH"] = os.pathsep.join(front)
