"""The real SDKs against a real server: what is sent, what is read of answers, and what becomes of calls that fail."""

from __future__ import annotations

import email.utils
import time
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import InputError, ModelError
from mendlab.records import Usage

if TYPE_CHECKING:
    from conftest import Models, Server

PROVIDERS = ("anthropic", "openai", "openai-compatible")
each_provider = pytest.mark.parametrize("provider", PROVIDERS)


@each_provider
def test_an_answer_is_read(models: Models, server: Server, provider: str) -> None:
    server.script = [server.move(text="the answer")]
    answer = models.model(provider).ask("T/1", 2, 0, models.asked)
    assert (answer.text, answer.finish, answer.model) == ("the answer", "complete", "test-model-2026")
    assert (answer.task_id, answer.sample, answer.call) == ("T/1", 2, 0)
    assert answer.usage is not None
    assert (answer.usage.uncached_tokens, answer.usage.output_tokens) == (100, 10)
    (seen,) = server.seen
    assert seen.provider == provider
    assert seen.prompt == "Mend this."
    assert "You mend." in str(seen.body)
    assert server.key in (seen.headers.get("authorization", "") + seen.headers.get("x-api-key", ""))


USAGES = {
    "anthropic": (
        {
            "input_tokens": 7,
            "cache_read_input_tokens": 20,
            "cache_creation_input_tokens": 30,
            "output_tokens": 9,
            "output_tokens_details": {"thinking_tokens": 4},
        },
        Usage(uncached_tokens=7, cache_read_tokens=20, cache_write_tokens=30, output_tokens=9, reasoning_tokens=4),
    ),
    "openai": (
        {
            "input_tokens": 57,
            "input_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 30},
            "output_tokens": 9,
            "output_tokens_details": {"reasoning_tokens": 4},
            "total_tokens": 66,
        },
        Usage(uncached_tokens=7, cache_read_tokens=20, cache_write_tokens=30, output_tokens=9, reasoning_tokens=4),
    ),
    "openai-compatible": (
        {
            "prompt_tokens": 27,
            "prompt_tokens_details": {"cached_tokens": 20},
            "completion_tokens": 9,
            "completion_tokens_details": {"reasoning_tokens": 4},
            "total_tokens": 36,
        },
        Usage(uncached_tokens=7, cache_read_tokens=20, cache_write_tokens=None, output_tokens=9, reasoning_tokens=4),
    ),
}


@each_provider
def test_each_api_counts_tokens_in_its_own_way(models: Models, server: Server, provider: str) -> None:
    block, usage = USAGES[provider]
    server.script = [server.move(usage=block), server.move(change=lambda answer: answer.pop("usage"))]
    model = models.model(provider)
    assert model.ask("T", 0, 0, models.asked).usage == usage
    unknown = model.ask("T", 1, 0, models.asked)
    assert (unknown.usage, unknown.cost_usd, unknown.finish) == (None, None, "complete")


def refuse(provider):
    def change(answer):
        if provider == "anthropic":
            answer.update(stop_reason="refusal", content=[])
        elif provider == "openai":
            answer["output"][1]["content"] = [{"type": "refusal", "refusal": "I will not."}]
        else:
            answer["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": "I will not."}

    return change


def cut_off(provider):
    def change(answer):
        if provider == "anthropic":
            answer["stop_reason"] = "max_tokens"
        elif provider == "openai":
            answer.update(status="incomplete", incomplete_details={"reason": "max_output_tokens"})
        else:
            answer["choices"][0]["finish_reason"] = "length"

    return change


@each_provider
def test_refusals_and_the_limit_of_tokens_are_told(models: Models, server: Server, provider: str) -> None:
    server.script = [server.move(change=refuse(provider)), server.move(text="--- a", change=cut_off(provider))]
    model = models.model(provider)
    assert model.ask("T", 0, 0, models.asked).finish == "refused"
    cut = model.ask("T", 1, 0, models.asked)
    assert (cut.finish, cut.text) == ("cut_off", "--- a")


@each_provider
@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_a_failed_call_is_not_made_again_unless_told(
    models: Models, server: Server, provider: str, status: int
) -> None:
    error = {"type": "error", "error": {"type": "busy", "message": "too much"}}
    server.script = [server.move(status=status, change=lambda answer: (answer.clear(), answer.update(error)))]
    answer = models.model(provider).ask("T", 0, 0, models.asked)
    assert len(server.seen) == 1
    assert (answer.finish, answer.infra, answer.text) == ("failed", True, "")
    assert answer.error == f"{status}: too much"


@each_provider
def test_retries_are_counted_and_wait_as_long_as_they_are_told(models: Models, server: Server, provider: str) -> None:
    date = email.utils.formatdate(time.time() - 5, usegmt=True)
    server.script = [
        server.move(status=429, headers={"retry-after": "0.3"}),
        server.move(status=503, headers={"retry-after": date}),
        server.move(text="at last"),
    ]
    started = time.monotonic()
    answer = models.model(provider, retries=3).ask("T", 0, 0, models.asked)
    assert time.monotonic() - started >= 0.3
    assert answer.text == "at last"
    assert [told.partition(":")[0] for told in answer.retries] == ["429", "503"]
    assert "waited 0.3 s" in answer.retries[0]
    assert "waited 0 s" in answer.retries[1]


@each_provider
def test_what_is_no_passing_trouble_is_not_tried_again(models: Models, server: Server, provider: str) -> None:
    server.script = [server.move(status=400), server.move(status=429, headers={"retry-after": "99999"})]
    model = models.model(provider, retries=5)
    refused = model.ask("T", 0, 0, models.asked)
    assert (refused.finish, refused.infra, refused.retries) == ("failed", False, ())
    tomorrow = model.ask("T", 1, 0, models.asked)
    assert (tomorrow.finish, tomorrow.infra, tomorrow.retries) == ("failed", True, ())
    assert len(server.seen) == 2


BROKEN = {
    "no JSON": {"body": b'{"content": ['},
    "a page": {"body": b"<html>busy</html>", "headers": {"content-type": "text/html"}},
    "a list": {"body": b"[1, 2]"},
    "a number": {"body": b"1"},
    "null": {"body": b"null"},
    "nothing in it": {"body": b"{}"},
    "other types": {"body": b'{"content": 1, "output": {"a": 1}, "choices": "x", "usage": [1]}'},
    "no text": {"body": b""},
    "bad bytes": {"body": b'{"content": "\xff\xfe"}'},
}


@each_provider
@pytest.mark.parametrize("kind", BROKEN)
def test_an_answer_that_cannot_be_read_is_the_services_failure(
    models: Models, server: Server, provider: str, kind: str
) -> None:
    server.script = [server.move(**BROKEN[kind])]
    answer = models.model(provider, retries=2).ask("T", 0, 0, models.asked)
    assert (answer.finish, answer.infra) == ("failed", True)
    assert "cannot be read" in answer.error
    assert len(server.seen) == 1


@each_provider
def test_slow_answers_and_cut_connections_fail_the_call(models: Models, server: Server, provider: str) -> None:
    server.script = [server.move(wait=1.6), server.move(trickle=0.3), server.move(cut=True), server.move(text="now")]
    model = models.model(provider, timeout=1.0)
    for sample in (3, 4):
        slow = model.ask("T", sample, 0, models.asked)
        assert (slow.finish, slow.infra, slow.error) == ("failed", True, "no answer within 1 s")
    cut = model.ask("T", 1, 0, models.asked)
    assert (cut.finish, cut.infra) == ("failed", True)
    assert "the connection failed" in cut.error
    assert model.ask("T", 2, 0, models.asked).text == "now"


@each_provider
def test_what_no_record_can_hold_is_replaced(models: Models, server: Server, provider: str) -> None:
    told = {"error": {"message": "lone \ud800 surrogate"}}
    server.script = [
        server.move(text="lone \ud800 surrogate"),
        server.move(status=400, change=lambda answer: (answer.clear(), answer.update(told))),
    ]
    model = models.model(provider)
    assert model.ask("T", 0, 0, models.asked).text == "lone ? surrogate"
    assert model.ask("T", 1, 0, models.asked).error == "400: lone ? surrogate"


@each_provider
def test_nobody_there(models: Models, server: Server, provider: str) -> None:
    model = models.model(provider)
    server.close()
    answer = model.ask("T", 0, 0, models.asked)
    assert (answer.finish, answer.infra) == ("failed", True)
    assert "the connection failed" in answer.error


@each_provider
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(models: Models, server: Server, provider: str, status: int) -> None:
    server.script = [server.move(status=status, headers={"location": f"{server.origin}/elsewhere"})]
    with pytest.raises(ModelError, match="redirects are not followed"):
        models.model(provider).ask("T", 0, 0, models.asked)
    assert len(server.seen) == 1


REJECTIONS = {
    "anthropic": {"type": "error", "error": {"type": "invalid_request_error", "message": "`top_k` is not supported"}},
    "openai": {"error": {"message": "Unsupported parameter", "type": "invalid_request_error", "param": "top_k"}},
    "openai-compatible": {"error": {"message": "top_k: unknown field", "type": "BadRequestError", "param": None}},
}


@each_provider
def test_a_parameter_that_the_model_rejects_is_not_sent_again(models: Models, server: Server, provider: str) -> None:
    refusal = server.move(status=400, change=lambda answer: (answer.clear(), answer.update(REJECTIONS[provider])))
    server.script = [refusal]
    model = models.model(provider, parameters={"top_k": 5, "top_p": 0.9})
    first, second = (model.ask("T", sample, 0, models.asked) for sample in (0, 1))
    assert [("top_k" in seen.body, seen.body["top_p"]) for seen in server.seen] == [
        (True, 0.9),
        (False, 0.9),
        (False, 0.9),
    ]
    for answer in (first, second):
        assert (answer.finish, answer.sent, answer.rejected) == ("complete", {"top_p": 0.9}, ("top_k",))
        assert answer.retries == ()
    models.close()
    models.opened.clear()
    models.model(provider, parameters={"top_k": 5, "top_p": 0.9}).ask("T", 2, 0, models.asked)
    assert "top_k" not in server.seen[-1].body, "the tape remembers"


@each_provider
def test_a_key_that_is_refused_ends_the_run_and_is_told_to_nobody(
    models: Models, server: Server, provider: str
) -> None:
    told = {"error": {"type": "authentication_error", "message": f"bad key {server.key}"}}
    server.script = [server.move(status=401, change=lambda answer: (answer.clear(), answer.update(told)))]
    model = models.model(provider)
    with pytest.raises(ModelError) as caught:
        model.ask("T", 0, 0, models.asked)
    assert "401: bad key [key]" in str(caught.value)
    assert server.key not in repr(caught.value)
    server.script = [server.move(text=f"your key is {server.key}")]
    assert model.ask("T", 1, 0, models.asked).text == "your key is [key]"
    assert server.key not in (models.folder / "run" / "answers.jsonl").read_text()


def test_what_belongs_to_an_account_goes_to_no_other_server(
    models: Models, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-account")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-of-the-admin")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-secret: s\nAuthorization: Bearer other")
    models.model("openai-compatible").ask("T", 0, 0, models.asked)
    monkeypatch.delenv("OPENAI_COMPATIBLE_API_KEY")
    models.model("openai-compatible", name="without").ask("T", 0, 0, models.asked)
    with_key, without = (seen.headers for seen in server.seen)
    assert with_key["authorization"] == f"Bearer {server.key}"
    assert "authorization" not in without
    for headers in (with_key, without):
        assert not {"openai-organization", "openai-project", "x-secret"} & headers.keys()


def test_the_cache_is_asked_for_where_it_pays(models: Models, server: Server) -> None:
    request = models.asked
    model = models.model("anthropic")
    model.ask("T", 0, 0, request)
    model.ask("T", 1, 0, type(request)(request.system, request.messages, cache=True))
    assert [seen.body.get("cache_control") for seen in server.seen] == [None, {"type": "ephemeral"}]


def test_nothing_is_stored_with_openai(models: Models, server: Server) -> None:
    models.model("openai").ask("T", 0, 0, models.asked)
    assert server.seen[0].body["store"] is False


def test_a_response_that_failed_on_the_way(models: Models, server: Server) -> None:
    def fail(answer):
        answer.update(status="failed", output=[], error={"code": "rate_limit_exceeded", "message": "slow down"})

    server.script = [server.move(change=fail)]
    answer = models.model("openai").ask("T", 0, 0, models.asked)
    assert (answer.finish, answer.infra, answer.error) == ("failed", True, "the response failed: slow down")


def test_the_pace_and_the_number_at_a_time_are_held(models: Models, server: Server) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = models.model("openai-compatible", at_once=2, per_minute=600)
    started = time.monotonic()
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda sample: model.ask("T", sample, 0, models.asked), range(6)))
    assert time.monotonic() - started >= 0.5, "six calls, a tenth of a second apart"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from mendlab.repair.models import provider

    settings = provider.make_settings("anthropic:some")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(InputError, match="ANTHROPIC_API_KEY"):
        provider.open_endpoint(settings, timeout=1)
    monkeypatch.setattr(provider, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'mendlab\[models\]'"):
        provider.open_endpoint(settings, timeout=1)


@pytest.mark.parametrize("name", ["", "gpt", "anthropic:", "anthropic: ", "google:x"])
def test_a_model_is_named_by_its_provider(name: str) -> None:
    from mendlab.repair.models.provider import make_settings

    with pytest.raises(InputError, match="names no model"):
        make_settings(name)


def test_a_parameter_cannot_take_the_place_of_what_is_recorded() -> None:
    from mendlab.repair.models.provider import make_settings

    for name in ("model", "messages", "max_tokens", "stream"):
        with pytest.raises(InputError, match=f"--parameter {name}"):
            make_settings("anthropic:x", parameters={name: 1})
    with pytest.raises(InputError, match="--base-url"):
        make_settings("openai-compatible:x")
