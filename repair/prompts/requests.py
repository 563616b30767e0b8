"""The requests that strategies send."""

from __future__ import annotations

from typing import Any, Final

from mendlab.repair.context import RepairContext
from mendlab.repair.models.calls import Message, Request
from mendlab.repair.prompts.facts import known_facts

_SAID: Final = {"repair": ("system", "task"), "completion": ("completion", "completion_task")}


def opening_request(context: RepairContext, *, cache: bool = False, said: tuple[str, str] | None = None) -> Request:
    """Return what a model is asked first; the failing tests are run for it.

    ``cache`` is as in :class:`Request`; ``said`` names the templates of the system's text and of the first turn, where
    these are not the usual ones of the problem's kind.
    """
    said = said or _SAID[context.problem.kind]
    settings = context.prompting
    facts: dict[str, Any] = {**known_facts(context), "edit_format": settings.edit_format.replace("-", "_")}
    system, task = (settings.templates.render(name, facts) for name in said)
    return Request(system, (Message("user", task),), cache=cache)


def following_request(context: RepairContext, before: Request, answer: str, facts: dict[str, Any]) -> Request:
    """Return a conversation with one more answer, and what is said to it."""
    told = context.prompting.templates.render("feedback", facts)
    # No service takes an empty turn.
    turns = (Message("assistant", answer.strip() or "(no answer)"), Message("user", told))
    return Request(before.system, before.messages + turns, cache=before.cache)
