"""From an answer to a patch: what surrounds it taken off, and its format told. An answer that has two is ambiguous."""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from dataclasses import replace
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
_ESCAPE: Final = re.compile(r"&(?:lt|gt|amp|quot|apos|#0*39|#x0*27);")


def without_thoughts(answer: str) -> str:
    """The answer after the thoughts that it begins with."""
    thoughts = _THOUGHTS.match(answer)
    return answer[thoughts.end() :] if thoughts else answer


def unescaped(answer: str, tree: FileTree, editable: Collection[str]) -> str:
    """The answer without HTML escapes, if old lines of it stand in the files only without them."""
    escaped = [line for line in answer.splitlines() if _ESCAPE.search(line) and not line.startswith("+")]
    if not escaped:
        return answer
    own = {line for path in editable if path in tree for line in decode(path, tree[path]).text.splitlines()}
    if any(line in own or line[1:] in own for line in escaped):
        return answer
    plain = [_unescape(line) for line in escaped]
    return _unescape(answer) if any(line in own or line[1:] in own for line in plain) else answer


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: html.unescape(match[0]), text)


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
