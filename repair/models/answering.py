"""What became of a call, as the record that goes on the tape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from pydantic import JsonValue

from mendlab.records import ModelAnswer
from mendlab.repair.models.calls import CallFailedError, Reply
from mendlab.repair.models.prices import Price

MOST_CHARACTERS: Final = 2_000_000
"""Of an answer that are kept. The judge reads no answer that is half as long, and no model is asked for one."""


@final
@dataclass(slots=True)
class Call:
    """What became of one call. ``lost`` counts the times that it may have been answered, and billed, unheard.

    ``sent`` are the parameters that went with it at last, ``rejected`` the names of those that the service does not
    take, ``retries`` why it was made again.
    """

    reply: Reply | None = None
    failure: CallFailedError | None = None
    sent: dict[str, JsonValue] = field(default_factory=dict)
    rejected: tuple[str, ...] = ()
    retries: list[str] = field(default_factory=list)
    lost: int = 0


def filled(blank: ModelAnswer, call: Call, price: Price | None) -> ModelAnswer:
    """Return the answer to a call, with what it cost, from a record that says which call it is."""
    told = {"sent": call.sent, "rejected": call.rejected, "retries": tuple(call.retries)}
    if call.reply is None:
        failure = call.failure
        assert failure is not None
        infra = failure.transient or failure.status == 200
        return blank.model_copy(update={**told, "error": failure.what, "infra": infra})
    reply = call.reply
    cost = price.cost(reply.usage) if price is not None and reply.usage is not None else None
    return blank.model_copy(
        update={
            **told,
            "finish": reply.finish,
            "text": reply.text[:MOST_CHARACTERS],
            "calls": reply.calls,
            "turn": reply.turn,
            "model": reply.model,
            "usage": reply.usage,
            "cost_usd": cost,
        }
    )
