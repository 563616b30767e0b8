"""The strategies that ask a model: what they ask, what they try, and what they hand in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.errors import InputError
from mendlab.records import Attempt
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import make_strategy, strategies

if TYPE_CHECKING:
    from conftest import Lab, Models, Server

FIX = """--- a/solution.py
+++ b/solution.py
@@ -3,3 +3,3 @@
         return low
-    if x < high:
+    if x > high:
         return high
"""
HALF = FIX.replace("+    if x > high:", "+    if x < 0:")
WORSE = FIX.replace("+    if x > high:", "+    if x == 3:")
TOUCHES_ANOTHER = "--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x = 1\n"
ABSENT = FIX.replace("if x < high", "if y < high")


class Table:
    """A model's service and a lab: it attempts the first task with a strategy."""

    def __init__(self, lab: Lab, models: Models, server: Server) -> None:
        self.lab, self.models, self.server = lab, models, server
        self.taskset = lab.taskset()

    def attempt(self, name: str, *texts: str, provider: str = "anthropic", **options: Any) -> Attempt:
        self.server.script = [self.server.move(text=text) for text in texts]
        strategy = make_strategy(name, **options)
        answers = self.models.model(provider, name=f"run{len(self.models.opened)}")
        config = make_config(self.taskset, strategy)
        repairer = Repairer(config, self.taskset, strategy, self.lab.open_engine, answers=answers)
        return repairer.attempt(self.taskset.tasks[0], 0)


@pytest.fixture
def table(lab: Lab, models: Models, server: Server) -> Table:
    return Table(lab, models, server)


def test_single_hands_in_the_answer_as_it_comes(table: Table) -> None:
    text = f"Sure.\n```diff\n{FIX}```\nDone."
    attempt = table.attempt("single", text)
    assert (attempt.raw_patch, attempt.raw_answer, attempt.stop_reason) == (text, text, "answered")
    assert (attempt.model_requested, attempt.model_answered) == ("anthropic:test-model", "test-model-2026")
    assert attempt.parameters == {"calls": 1, "sent": {}}
    assert attempt.usage is not None and attempt.usage.output_tokens == 10
    assert attempt.cost_usd is None and attempt.retries == 0
    assert attempt.prompt_digest is not None and len(attempt.prompt_digest) == 64


def test_a_failed_call_is_no_failure_of_the_model(table: Table) -> None:
    table.server.default = lambda seen: table.server.move(status=503)
    for name in ("single", "sample", "feedback"):
        attempt = table.attempt(name)
        assert attempt.raw_patch is None, name
        assert attempt.stop_reason.startswith("infra error: 503"), name


def test_sample_hands_in_the_first_answer_that_passes(table: Table) -> None:
    attempt = table.attempt("sample", WORSE, HALF, FIX, FIX, n=4)
    assert attempt.parameters["calls"] == 4
    assert attempt.stop_reason == "passes the visible tests"
    assert attempt.raw_patch == FIX
    trials = attempt.parameters["trials"]
    assert isinstance(trials, list) and trials[-1] == "0 of 3 tests fail"
    assert attempt.usage is not None and attempt.usage.output_tokens == 40
    assert len({json.dumps(seen.body) for seen in table.server.seen}) == 1, "all are asked the same"


def test_sample_hands_in_the_best_of_those_that_do_not_pass(table: Table) -> None:
    attempt = table.attempt("sample", "I am sorry.", WORSE, ABSENT, n=3)
    assert attempt.stop_reason == "the best of its kind"
    assert attempt.raw_patch == WORSE
    assert attempt.parameters["chosen"] == [t.startswith("2 of") for t in attempt.parameters["trials"]].index(True)


def test_sample_outlives_calls_that_fail(table: Table) -> None:
    moves = [table.server.move(status=500), table.server.move(text=FIX), table.server.move(text=FIX)]
    table.server.default = lambda seen: moves.pop(0)
    attempt = table.attempt("sample", n=3)
    assert attempt.raw_patch == FIX
    assert attempt.usage is None, "what the failed call took is not known"


def test_feedback_tells_what_fails_and_stops_at_what_passes(table: Table) -> None:
    attempt = table.attempt("feedback", HALF, FIX, FIX)
    assert attempt.stop_reason == "passes the visible tests"
    assert attempt.raw_patch == FIX
    assert attempt.parameters == {
        "calls": 2,
        "sent": {},
        "rounds": 2,
        "chosen": 1,
        "repeats": 0,
        "trials": ["1 of 2 tests fail", "0 of 3 tests fail"],
    }
    first, second = table.server.seen
    assert [turn["role"] for turn in second.body["messages"]] == ["user", "assistant", "user"]
    assert second.body["messages"][0] == first.body["messages"][0]
    assert second.body["messages"][1]["content"] == HALF.strip()
    assert "-    if x < high:\n+    if x < 0:" in second.prompt, "the diff as it was applied"
    assert "1 of 2 tests fail" in second.prompt and "AssertionError" in second.prompt
    assert first.body["cache_control"] == second.body["cache_control"] == {"type": "ephemeral"}


def test_feedback_says_why_a_change_was_not_tried(table: Table) -> None:
    attempt = table.attempt(
        "feedback", "No idea.", ABSENT, TOUCHES_ANOTHER, FIX.replace("x > high", "x < high"), rounds=5
    )
    told = [seen.prompt for seen in table.server.seen]
    assert "could not be read as a change" in told[1]
    assert "could not be applied" in told[2]
    assert "is not allowed" in told[3] and "conftest.py" in told[3]
    assert len(told) == 5 and attempt.parameters["rounds"] == 5


def test_feedback_does_not_run_the_same_change_twice(table: Table) -> None:
    other_words = f"Once more:\n```diff\n{HALF}```"
    attempt = table.attempt("feedback", HALF, other_words, WORSE)
    assert attempt.parameters["repeats"] == 1
    assert "same change as that of round 1" in table.server.seen[2].prompt
    runs = [asked for engine in table.lab.opened for asked in engine.asked]
    assert len(runs) == 3, "the failing tests, and those of two changes"
    assert attempt.raw_patch == other_words, "the last of those that fail the fewest tests"
    assert attempt.stop_reason == "rounds are over"


def test_feedback_keeps_what_it_has_where_a_later_call_fails(table: Table) -> None:
    moves = [table.server.move(text=HALF), table.server.move(status=500)]
    table.server.default = lambda seen: moves.pop(0)
    attempt = table.attempt("feedback")
    assert attempt.raw_patch == HALF
    assert attempt.parameters["calls"] == 2 and attempt.parameters["rounds"] == 1


def test_a_chain_asks_a_model_only_for_what_search_leaves(table: Table) -> None:
    found = table.attempt("chain", links="search,single")
    assert (found.parameters["link"], found.stop_reason) == ("search", "found")
    assert table.server.seen == [] and found.usage is None
    left = table.attempt("chain", "a diff", links="noop,single")
    assert left.stop_reason == "answered"
    assert (left.parameters["link"], left.raw_patch, left.model_answered) == ("single", "a diff", "test-model-2026")


@pytest.mark.parametrize("links", ["search,chain", "reference", "search,nothing"])
def test_a_chain_has_links_that_can_be(links: str) -> None:
    with pytest.raises(InputError, match=r"chain|know the answer|no strategy"):
        make_strategy("chain", links=links)


def test_no_held_out_test_is_told_or_run(table: Table) -> None:
    tests = ["assert double(2) == 4", "assert double(3) == 6", "assert double(5) == 10"]
    good = "def double(x):\n    return x + x\n"
    table.taskset = table.lab.taskset(
        [table.lab.make_task("h/0", good, good.replace("x + x", "x"), tests, ("t1", "t2"))], "held"
    )
    special = FIX.splitlines()[0:2]
    cheat = "\n".join([*special, "@@ -1,2 +1,2 @@", " def double(x):", "-    return x", "+    return 4", ""])
    attempt = table.attempt("feedback", cheat)
    assert attempt.stop_reason == "passes the visible tests"
    said = json.dumps([seen.body for seen in table.server.seen])
    assert "double(3)" not in said and "double(5)" not in said and "t1" not in said
    assert {test for engine in table.lab.opened for asked in engine.asked for test in asked} == {"t0"}


def test_a_strategy_that_needs_a_model_says_so(lab: Lab) -> None:
    needing = [info.name for info in strategies() if info.needs_model]
    assert {"single", "sample", "feedback"} <= set(needing)
    assert not {"noop", "reference", "search", "replay"} & set(needing)
    attempt = lab.attempt(lab.taskset(), make_strategy("single"))
    assert attempt.stop_reason == "error: there is no model to ask (name one with --model)"


@pytest.mark.parametrize(("name", "option"), [("sample", "n"), ("feedback", "rounds")])
def test_nothing_is_asked_less_than_once(name: str, option: str) -> None:
    with pytest.raises(InputError, match=option):
        make_strategy(name, **{option: "0"})
