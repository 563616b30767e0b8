"""Signs in the text of tests, and of what they import, that they may come out otherwise the next time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mendlab.corpora.tree import FileTree

_CHANCY: Final = re.compile(
    rb"\brandom\b|\burandom\b|\buuid[14]\b|\bsecrets\.|\btime\.(?:time|sleep|monotonic|perf_counter)|\.now\(|\.today\("
    rb"|\.utcnow\(|\bthreading\b|\bThread\(|\basyncio\b|\bmultiprocessing\b|\bconcurrent\b|\bgetpid\b|\bgc\.collect"
)
_IMPORT: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+\(?([\w, \t]+))?", re.MULTILINE)
_OWN_CLOCK: Final = re.compile(rb"freezegun|time_machine|freeze_time|libfaketime")


def chancy_tests(tree: FileTree, tests: Sequence[str]) -> list[str]:
    """The tests whose file, or a module that it imports by name, mentions what may come out otherwise the next time."""
    modules = {
        path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
        for path, data in tree.items()
        if path.endswith(".py") and _CHANCY.search(data)
    }
    chancy = {path for path in {test_id.partition("::")[0] for test_id in tests} if _is_chancy(tree, path, modules)}
    return [test_id for test_id in tests if test_id.partition("::")[0] in chancy]


def has_own_clock(tree: FileTree) -> bool:
    """Whether something in a tree sets the clock itself, which would not bear another that does."""
    return any(path.endswith(".py") and _OWN_CLOCK.search(data) for path, data in tree.items())


def _is_chancy(tree: FileTree, path: str, modules: set[str]) -> bool:
    data = tree.get(path, b"")
    if _CHANCY.search(data):
        return True
    named = {
        name.decode().strip().rpartition(".")[2]
        for found in _IMPORT.findall(data)
        for name in (found[0], *found[1].split(b","))
    }
    return not named.isdisjoint(modules)
