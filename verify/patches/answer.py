"""From an answer to a patch: what surrounds it taken off, and its format told. An answer that has two is ambiguous."""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.formats import apply_patch, search_replace, unified
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import PatchFormat, ambiguous

_FORMATS: Final[tuple[tuple[ModuleType, PatchFormat], ...]] = (
    (apply_patch, PatchFormat.APPLY_PATCH),
    (search_replace, PatchFormat.SEARCH_REPLACE),
    (unified, PatchFormat.UNIFIED),
)
_THOUGHTS: Final = re.compile(r"\s*<(think|thinking)>.*</\1>", re.DOTALL)
_SPECIAL: Final = re.compile(r"[<>&]")
_ESCAPE: Final = re.compile(r"&(?:lt|gt|amp|quot|apos|#0*39|#x0*27);")


def without_thoughts(answer: str) -> str:
    """The answer after the thoughts that it begins with."""
    thoughts = _THOUGHTS.match(answer)
    return answer[thoughts.end() :] if thoughts else answer


def unescaped(answer: str, tree: FileTree, editable: Collection[str]) -> str:
    """The patch without HTML escapes, if old lines of it stand in the files only without them.

    An escaped line has no other ``<``, ``>`` or ``&``; where an old line with those stands as it is, none is escaped.
    """
    if not _ESCAPE.search(answer) or not any(format_.looks_like(answer) for format_, _ in _FORMATS):
        return answer
    own = {line for path in editable if path in tree for line in decode(path, tree[path]).text.splitlines()}
    old = [line for line in _old_lines(answer) if _SPECIAL.search(line)]
    if any(line in own or _SPECIAL.search(_ESCAPE.sub("", line)) for line in old):
        return answer
    return _unescape(answer) if any(_unescape(line) in own for line in old) else answer


def _old_lines(answer: str) -> list[str]:
    """Lines of the answer that a file must have, by their sign or by the marks around them, without their sign."""
    found: list[str] = []
    inside = False
    for line in answer.splitlines():
        if search_replace.SEARCH.match(line) or search_replace.DIVIDER.match(line):
            inside = not search_replace.DIVIDER.match(line)
        elif inside:
            found.append(line)
        elif line.startswith((" ", "-")):
            found.append(line[1:])
    return found


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: html.unescape(match[0]), text)


@lru_cache(maxsize=8)
def read_patch(raw: str) -> Patch | None:
    """Read an answer as a patch; ``None`` if it has marks of none, though it may hold code."""
    answer = without_thoughts(raw)
    for index, (format_, name) in enumerate(_FORMATS):
        if not format_.looks_like(answer):
            continue
        patch: Patch = format_.read(answer)
        if answer != raw:
            patch = replace(patch, raw=raw, bare=False)
        for other, other_name in _FORMATS[index + 1 :]:
            if other.looks_like(format_.rest(answer)):
                both = ambiguous(f"the answer has a patch in the format {name}, and one in {other_name}")
                return replace(patch, files=both, lenient_files=both)
        return patch
    return None
