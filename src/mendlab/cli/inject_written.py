"""``mendlab inject --model``: defects that a model writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from pydantic import JsonValue

from mendlab.cli.dry_run import print_counted
from mendlab.cli.models import ModelChoice
from mendlab.corpora.building import Building
from mendlab.corpora.candidates import LoadedSubject
from mendlab.mutators.injecting.inject import Choice, Injected
from mendlab.mutators.written.inject import Mode, inject_written, places_to_write
from mendlab.repair.models.counting import Counting
from mendlab.repair.models.model import Answers
from mendlab.repair.prompts.defects import DefectWriter
from mendlab.verify.bench import Bench
from mendlab.workers import Progress

ANSWERS: Final = ".answers"


@final
@dataclass(frozen=True, slots=True)
class Writing:
    """A model, and what it is to write."""

    model: ModelChoice
    mode: Mode
    behaviour: str | None
    seed: int

    def recorded(self) -> dict[str, JsonValue]:
        """Return what decides the outcome."""
        prompting = {"prompts": self.model.prompting.templates.digest}
        return {**self.model.settings.recorded(), **prompting, "write": self.mode, "behaviour": self.behaviour}

    def inject(
        self,
        subjects: list[LoadedSubject],
        choice: Choice,
        bench: Bench,
        building: Building,
        *,
        workers: int,
        progress: Progress,
    ) -> Injected:
        """Have defects written; the answers lie beside the task set, in ``OUT.answers``, and stay there.

        Raises:
            ModelError: the model cannot be asked any further.
        """
        with self.model.open(answers_beside(building.out)) as model:
            made = inject_written(
                subjects,
                choice,
                self._writer(model),
                bench,
                building,
                at_once=self.model.at_once,
                workers=workers,
                progress=progress,
            )
            model.finalise()
        return made

    def dry_run(self, subjects: list[LoadedSubject], choice: Choice, as_json: bool) -> None:
        """Print what may be asked, and what it may cost: every function as often as it may be asked for."""
        counted = Counting(self.model.settings, self.model.price)
        writer = self._writer(counted)
        asked = places_to_write(subjects, choice, self.mode)
        for place, time in asked:
            writer.write(place, time)
        print_counted(self.model, counted, {"functions": len({place.id for place, _ in asked})}, as_json=as_json)

    def _writer(self, answers: Answers) -> DefectWriter:
        templates = self.model.prompting.templates
        return DefectWriter(answers, templates, self.mode, behaviour=self.behaviour, seed=self.seed)


def answers_beside(out: Path) -> Path:
    """Return the folder with the answers that the task set at ``out`` was made of."""
    return out.with_name(out.name + ANSWERS)
