"""A model that writes defects: what it is told, and its answers, on the tape of whoever asks."""

from __future__ import annotations

import random
from typing import Final, final

from mendlab.mutators.written.inject import Answer, Mode
from mendlab.mutators.written.places import WrittenPlace
from mendlab.records import ByModel
from mendlab.repair.models.calls import Message, Request
from mendlab.repair.models.model import Answers
from mendlab.repair.prompts.templates import Templates

BEHAVIOURS: Final = (
    "what it does at the boundaries of its input: the first, the last, the smallest, the empty",
    "what it does with unusual but valid input: duplicates, negative numbers, several kinds at once",
    "the order in which it does things, or in which it returns them",
    "a condition that decides between two cases",
    "what it returns in a rare case",
    "a value that it carries from one step to the next",
)
"""What a defect is to break, where the user does not say: one is drawn for each time that a function is asked for."""


@final
class DefectWriter:
    """Asks for functions. ``behaviour`` is what a change is to break; ``None`` for one of :data:`BEHAVIOURS`."""

    def __init__(
        self, answers: Answers, templates: Templates, mode: Mode, *, behaviour: str | None = None, seed: int = 0
    ) -> None:
        self.mode = mode
        self._answers = answers
        self._templates = templates
        self._behaviour = behaviour
        self._seed = seed

    def write(self, place: WrittenPlace, time: int) -> Answer:
        """Return what the model makes of a function; errors as :meth:`Answers.ask`."""
        request = self.request(place, time)
        answer = self._answers.ask(place.id, time, 0, request)
        by = ByModel(model=self._answers.settings.label, answered=answer.model, request=answer.request, mode=self.mode)
        return Answer(answer.text if answer.finish == "complete" else None, by)

    def request(self, place: WrittenPlace, time: int) -> Request:
        """Return what the model is told."""
        chance = random.Random(f"{self._seed} {place.id} {time}")
        facts = {
            "function": place.info.qualified_name,
            "path": place.info.file,
            "text": place.text,
            "file": place.base.text.rstrip() if self.mode == "change" else place.without_body.rstrip(),
            "docstring": place.docstring,
            "behaviour": self._behaviour or chance.choice(BEHAVIOURS),
        }
        said = [self._templates.render(f"defect_{name}", facts) for name in ("system", self.mode)]
        return Request(said[0], (Message("user", said[1]),))
