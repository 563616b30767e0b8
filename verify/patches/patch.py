"""An answer read as a patch, in whatever format it has."""

from __future__ import annotations

from dataclasses import dataclass

from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.results import Misfit, PatchFormat


@dataclass(frozen=True, slots=True)
class Patch:
    """What was read of an answer.

    ``text`` is the answer without fences and prose; ``bare`` is whether there were none. ``files`` are the changes, or
    why there are none; ``lenient_files`` are those read with lines for context that lost their sign.
    """

    raw: str
    text: str
    format: PatchFormat
    bare: bool
    files: tuple[LooseFile, ...] | Misfit
    lenient_files: tuple[LooseFile, ...] | Misfit
