"""Requirements files: ``requirements*.txt`` at the root, in a folder of that name, and beside the tests."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from mendlab.harvest.environment.reading.purposes import doubt_of
from mendlab.harvest.environment.requirements import Source, plain
from mendlab.harvest.environment.said import Said

_NAMED = re.compile(
    r"(?:requirements?/|(?:tests?|testing)/)?(?:[\w.-]*requirements?[\w.-]*|[\w-]+)\.(?:txt|in|pip)", re.IGNORECASE
)
_INCLUDED = re.compile(r"\s*(?:-r|--requirement)[ =]?\s*(\S+)")


def read_requirement_files(files: Mapping[str, bytes]) -> Said:
    """Return a source for each requirements file that is for running or testing the project."""
    sources = []
    for path in files:
        if _NAMED.fullmatch(path) and ("requirement" in path.lower()):
            doubt = _doubt(path)
            if doubt is not None and not _compiled_beside(path, files):
                sources.append(Source(path, plain(read_lines(path, files)), doubt))
    return Said(sources=tuple(sources))


def read_lines(path: str, files: Mapping[str, bytes], above: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the lines of a requirements file, of those that it includes too; lines that go on are joined."""
    if path in above or path not in files:
        return
    text = files[path].decode("utf-8", "replace").replace("\\\r\n", " ").replace("\\\n", " ")
    for line in text.splitlines():
        included = _INCLUDED.match(line)
        if included is not None:
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), included[1]))
            yield from read_lines(beside, files, above | {path})
        else:
            yield line


def _doubt(path: str) -> int | None:
    folder, _, name = path.lower().rpartition("/")
    if folder in ("test", "tests", "testing"):
        return 1
    doubt = doubt_of(name.replace("requirements", "").replace("requirement", "").rpartition(".")[0])
    plain_names = (
        "requirements.txt",
        "requirements.in",
        "base.txt",
        "base.in",
        "main.txt",
        "install.txt",
        "common.txt",
    )
    return 2 if doubt is None and name in plain_names else doubt


def _compiled_beside(path: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file is the pinned form of one beside it, which says the same without the versions of that day."""
    return path.endswith(".txt") and path.removesuffix(".txt") + ".in" in files
