"""Unified diffs: taken out of fences and prose, and read loosely."""

from __future__ import annotations

import re
import textwrap
from typing import Final

from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.formats.fences import blocks
from mendlab.verify.patches.patch import Patch
from mendlab.verify.patches.results import Misfit, PatchFormat
from mendlab.verify.patches.unified_loose import read_loose

_SIGNS: Final = re.compile(r"^ *(?:diff --git |@@|--- \S[^\n]*\n *\+\+\+ \S)", re.MULTILINE)
_HEADERS: Final = ("diff --git ", "--- ", "@@")


def looks_like(answer: str) -> bool:
    """Whether there is a diff in the answer."""
    return bool(_SIGNS.search(answer)) or any(block.info == "diff" for block in blocks(answer))


def read(answer: str) -> Patch:
    """Read the diff in the answer."""
    text = unwrap(answer)
    files, lenient = read_loose(text, unsigned=False), read_loose(text, unsigned=True)
    if not isinstance(files, Misfit):
        lenient = files
    return Patch(answer, text, PatchFormat.UNIFIED, text == answer, files, lenient)


def unwrap(answer: str) -> str:
    """Return the diff without fences, prose before it, a common indent, and CRs if all its lines have one."""
    fenced = [block.text for block in blocks(answer) if _SIGNS.search(block.text) or block.info in ("diff", "patch")]
    text = "".join(part if part.endswith("\n") else part + "\n" for part in dict.fromkeys(fenced)) or answer
    text = text.removeprefix("\ufeff")
    if not text.endswith("\n"):
        text += "\n"
    lines = split_lines(text)
    if all(line.endswith("\r\n") for line in lines):
        text = text.replace("\r\n", "\n")
    first = next((at for at, line in enumerate(split_lines(text)) if line.lstrip(" ").startswith(_HEADERS)), 0)
    text = "".join(split_lines(text)[first:])
    return textwrap.dedent(text) if text.startswith(" ") else text
