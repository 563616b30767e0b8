"""What installing a project would have left behind, made up from what it declares, to be laid into its tree.

Its own code is never installed. What looks it up by its distribution finds a ``.dist-info`` folder where imports
start, and a file that its build would write the version to is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mendlab.harvest.environment.said import Said

_ASKS: Final = re.compile(rb"importlib[._]metadata|pkg_resources|entry_points")
_VERSION: Final = re.compile(rb"^__version__\s*(?::[^=\n]+)?=\s*['\"]([^'\"\n]+)['\"]", re.MULTILINE)
_PUBLIC: Final = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc|\.dev|\.post)\d+)*(?:\+[\w.]+)?")
_NAME: Final = re.compile(r"\w[\w.-]*")
_UNKNOWN: Final = "0.0.0"


def made_up(said: Said, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files to add to a tree; none that it has itself."""
    version = _version(said, files)
    added = {path: _version_file(version) for path in said.version_files if _is_plain(path)}
    asks = any(path.endswith(".py") and _ASKS.search(data) for path, data in files.items())
    if said.name and _NAME.fullmatch(said.name) and (asks or "pytest11" in said.entry_points):
        added.update(_dist_info(said, said.name, version, root_of(said, files)))
    return {path: data for path, data in added.items() if path not in files}


def root_of(said: Said, files: Mapping[str, bytes]) -> str:
    """Return the folder that imports start from, with a slash at its end, or nothing for the root of the tree."""
    for root in (*said.roots, "src"):
        folder = root.strip("./") + "/"
        if folder != "/" and any(path.startswith(folder) and path.endswith(".py") for path in files):
            return folder
    return ""


def _is_plain(path: str) -> bool:
    """Whether a path is of a Python file in the tree."""
    return path.endswith(".py") and not path.startswith("/") and not {"..", ".", ""} & set(path.split("/"))


def _version(said: Said, files: Mapping[str, bytes]) -> str:
    if said.version and _PUBLIC.fullmatch(said.version):
        return said.version
    shallow = sorted((path for path in files if path.endswith(".py")), key=lambda path: (path.count("/"), path))
    for path in shallow:
        found = _VERSION.search(files[path]) if "test" not in path else None
        if found is not None and _PUBLIC.fullmatch(found[1].decode("ascii", "replace")):
            return found[1].decode()
    return _UNKNOWN


def _version_file(version: str) -> bytes:
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    return (
        f"__version__ = version = {version!r}\n__version_tuple__ = version_tuple = {numbers!r}\n"
        "__commit_id__ = commit_id = None\n"
    ).encode()


def _dist_info(said: Said, name: str, version: str, root: str) -> dict[str, bytes]:
    folder = f"{root}{re.sub(r'[-_.]+', '_', name)}-{version}.dist-info"
    needs = [line for source in said.sources if not source.doubt for line in source.requirements]
    head = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"]
    head += [f"Requires-Python: {said.requires_python.strip()}\n"] if said.requires_python else []
    points = "".join(
        f"[{group}]\n" + "".join(f"{key} = {target}\n" for key, target in entries.items()) + "\n"
        for group, entries in said.entry_points.items()
    )
    return {
        f"{folder}/METADATA": "".join([*head, *(f"Requires-Dist: {line}\n" for line in needs)]).encode(),
        f"{folder}/entry_points.txt": points.encode(),
        f"{folder}/INSTALLER": b"mendlab\n",
    }
