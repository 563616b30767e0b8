"""How a model is asked: which templates, in which form it is to answer, and how much it is told of the place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, final

from pydantic import JsonValue

from mendlab.repair.prompts.templates import Templates

EditFormat = Literal["diff", "search-replace", "function"]
Told = Literal["none", "search", "true"]
EDIT_FORMATS: Final[tuple[EditFormat, ...]] = ("diff", "search-replace", "function")
TOLD: Final[tuple[Told, ...]] = ("none", "search", "true")


@final
@dataclass(frozen=True, slots=True)
class PromptSettings:
    """All of it decides what a model answers, and is recorded with the run, the templates by their digest.

    ``localisation`` is what the prompt says of where the defect is: nothing, the lines that search holds to be
    likeliest, or the true ones.
    """

    templates: Templates = field(default_factory=Templates)
    edit_format: EditFormat = "diff"
    localisation: Told = "none"

    def recorded(self) -> dict[str, JsonValue]:
        """Return what goes into ``run.json``."""
        return {
            "prompts": self.templates.digest,
            "edit_format": self.edit_format,
            "localisation": self.localisation,
        }
