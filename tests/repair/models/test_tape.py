"""Answers are on the disk before they are used, and are found again."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import InputError, ModelError
from mendlab.repair.models.calls import Message, Request

if TYPE_CHECKING:
    from conftest import Models, Server


def reopen(models: Models, **options):
    models.close()
    models.opened.clear()
    return models.model("openai", **options)


def test_nothing_is_asked_twice(models: Models, server: Server) -> None:
    server.default = lambda seen: server.move(text=f"answer {len(server.seen)}")
    model = models.model("openai")
    first = model.ask("T", 0, 0, models.asked)
    assert model.ask("T", 0, 0, models.asked) == first
    assert reopen(models).ask("T", 0, 0, models.asked) == first
    assert len(server.seen) == 1


def test_another_sample_call_task_or_request_is_another_answer(models: Models, server: Server) -> None:
    server.default = lambda seen: server.move(text=f"answer {len(server.seen)}")
    model = models.model("openai")
    other = Request("You mend.", (Message("user", "Mend that."),))
    texts = [
        model.ask(task, sample, call, request).text
        for task, sample, call, request in [
            ("T", 0, 0, models.asked),
            ("T", 1, 0, models.asked),
            ("T", 0, 1, models.asked),
            ("U", 0, 0, models.asked),
            ("T", 0, 0, other),
        ]
    ]
    assert texts == [f"answer {number}" for number in range(1, 6)]


def test_the_digest_is_of_all_that_decides_the_answer(server: Server) -> None:
    settings = server.settings("openai", parameters={"top_p": 0.5})
    request = Request("s", (Message("user", "a"),))
    same = [
        settings.digest(dataclasses.replace(request, cache=True)),
        dataclasses.replace(settings, base_url="https://elsewhere", retries=3).digest(request),
    ]
    assert set(same) == {settings.digest(request)}
    others = [
        settings.digest(dataclasses.replace(request, system="t")),
        settings.digest(Request("s", (Message("assistant", "a"),))),
        settings.digest(Request("s", (Message("user", "a"), Message("user", "")))),
        dataclasses.replace(settings, name="other").digest(request),
        dataclasses.replace(settings, provider="anthropic").digest(request),
        dataclasses.replace(settings, max_output_tokens=1).digest(request),
        dataclasses.replace(settings, parameters={}).digest(request),
    ]
    assert len({settings.digest(request), *others}) == 8


def test_a_failed_call_is_kept_too(models: Models, server: Server) -> None:
    server.script = [server.move(status=500)]
    failed = models.model("openai").ask("T", 0, 0, models.asked)
    assert failed.finish == "failed"
    assert reopen(models).ask("T", 0, 0, models.asked) == failed
    assert len(server.seen) == 1


def test_a_torn_line_is_no_answer(models: Models, server: Server) -> None:
    model = models.model("openai")
    for sample in (0, 1):
        model.ask("T", sample, 0, models.asked)
    tape = models.folder / "run" / "answers.jsonl"
    whole = tape.read_bytes()
    tape.write_bytes(whole[:-20])
    again = reopen(models)
    for sample in (0, 1):
        again.ask("T", sample, 0, models.asked)
    assert len(server.seen) == 3
    assert len(tape.read_text().splitlines()) == 2


def test_a_replay_sends_nothing_and_takes_every_answer_over(models: Models, server: Server) -> None:
    model = models.model("openai")
    given = [model.ask("T", sample, 0, models.asked) for sample in (1, 0)]
    model.finalise()
    replayed = reopen(models, name="again", replay=models.folder / "run")
    server.close()
    assert [replayed.ask("T", sample, 0, models.asked) for sample in (1, 0)] == given
    replayed.finalise()
    texts = [(models.folder / name / "answers.jsonl").read_bytes() for name in ("run", "again")]
    assert texts[0] == texts[1]
    assert [json.loads(line)["sample"] for line in texts[0].splitlines()] == [0, 1]
    with pytest.raises(ModelError, match="no answer to call 1 of sample 2 of task T"):
        replayed.ask("T", 2, 0, models.asked)


def test_there_has_to_be_something_to_replay(models: Models) -> None:
    with pytest.raises(InputError, match=r"no answers\.jsonl"):
        models.model("openai", name="again", replay=models.folder)
