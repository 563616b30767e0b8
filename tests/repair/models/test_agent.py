"""A model with tools: what they do, what they answer to nonsense, the limits, and going on after a kill."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mendlab.errors import ModelError
from mendlab.records import Attempt
from mendlab.repair.models.counting import Counting
from mendlab.repair.models.prices import Price
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import make_strategy
from mendlab.repair.tools.registry import tools

if TYPE_CHECKING:
    from conftest import Lab, Models, Server

PROVIDERS = ("anthropic", "openai", "openai-compatible")
EDIT = ("edit_file", {"path": "solution.py", "old": "x < high", "new": "x > high"})
RUN = ("run_tests", {})
SUBMIT = ("submit", {})
PRICE = Price.model_validate({"as_of": "2026-11-30", "source": "a test", "rates": {"input": 1.0, "output": 10.0}})


class Bench:
    """An agent on the first task, and what it was told after each answer."""

    def __init__(self, lab: Lab, models: Models, server: Server) -> None:
        self.lab, self.models, self.server = lab, models, server
        self.taskset = lab.taskset()

    def attempt(self, *answers: Any, provider: str = "anthropic", name: str = "run", **options: Any) -> Attempt:
        """Have the task attempted by a model that asks for these tools in turn; a text is an answer without one."""
        move = self.server.move
        self.server.script = [
            move(text=each) if isinstance(each, str) else move(text="Well.", calls=tuple(each))
            if isinstance(each, list) else each
            for each in answers
        ]  # fmt: skip
        price = options.pop("price", None)
        replay = options.pop("replay", None)
        answers_of = self.models.model(provider, name=name, price=price, replay=replay)
        try:
            return self.with_answers(answers_of, **options)
        finally:
            answers_of.close()
            self.models.opened.remove(answers_of)

    def with_answers(self, answers: Any, **options: Any) -> Attempt:
        strategy = make_strategy("agent", **options)
        config = make_config(self.taskset, strategy)
        repairer = Repairer(config, self.taskset, strategy, self.lab.open_engine, answers=answers)
        return repairer.attempt(self.taskset.tasks[0], 0)

    @property
    def told(self) -> list[list[str]]:
        return [seen.told for seen in self.server.seen[1:]]

    def trajectory(self, name: str = "run") -> list[dict[str, Any]]:
        file = self.models.folder / name / "trajectory.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def bench(lab: Lab, models: Models, server: Server) -> Bench:
    return Bench(lab, models, server)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_mends_a_program_with_the_tools_of_its_service(bench: Bench, provider: str) -> None:
    look = [("list_files", {}), ("read_file", {"path": "solution.py", "first_line": 2, "last_line": 4})]
    attempt = bench.attempt(look, [EDIT], [RUN], [SUBMIT], provider=provider)
    assert attempt.stop_reason == "submitted"
    assert attempt.raw_patch is not None and "+    if x > high:" in attempt.raw_patch
    assert attempt.parameters["calls"] == attempt.parameters["steps"] == 4
    assert attempt.parameters["tools"] == {"list_files": 1, "read_file": 1, "edit_file": 1, "run_tests": 1, "submit": 1}
    assert attempt.usage is not None and attempt.usage.output_tokens == 40
    listed, edited, ran = bench.told
    assert listed == ["solution.py (6 lines, may be changed)",
                      "2\t    if x < low:\n3\t        return low\n4\t    if x < high:"]  # fmt: skip
    assert edited == ["solution.py was changed at line 4."]
    assert ran == ["All 3 tests pass."]
    assert [step["step"] for step in bench.trajectory()] == [0, 1, 2, 3]
    assert bench.trajectory()[1]["calls"][0]["name"] == "edit_file"
    assert len({json.dumps(seen.body["tools"]) for seen in bench.server.seen}) == 1
    assert len(bench.server.seen[0].body["tools"]) == len(tools()) == 6


def test_what_a_service_wants_to_see_again_is_sent_back_as_it_came(bench: Bench) -> None:
    bench.attempt([EDIT], [SUBMIT])
    (asked, answered) = bench.server.seen[1].turns[-2:]
    assert [block["type"] for block in asked["content"]] == ["thinking", "text", "tool_use"]
    assert asked["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "s"}
    assert answered["content"][0]["tool_use_id"] == asked["content"][2]["id"]
    assert bench.server.seen[0].body["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize("encrypted", [True, False])
def test_reasoning_goes_back_only_where_it_came_encrypted(bench: Bench, encrypted: bool) -> None:
    def encrypt(answer: dict[str, Any]) -> None:
        answer["output"][0]["encrypted_content"] = "secret" if encrypted else None

    first = bench.server.move(calls=(EDIT,), change=encrypt)
    bench.attempt(first, [SUBMIT], provider="openai")
    assert bench.server.seen[0].body["include"] == ["reasoning.encrypted_content"]
    items = [item for item in bench.server.seen[1].turns if item.get("role") != "user"]
    kinds = [item["type"] for item in items]
    assert kinds == ["reasoning"] * encrypted + ["message", "function_call", "function_call_output"]
    assert all(("id" in item) == encrypted for item in items[:-1]), "without it, nothing may refer to it"


def test_a_model_without_encrypted_reasoning_is_asked_without_it(bench: Bench) -> None:
    refusal = {"error": {"message": "Encrypted content is not supported with this model.", "param": "include"}}
    attempt = bench.attempt(
        bench.server.move(status=400, body=json.dumps(refusal).encode()), [EDIT], [SUBMIT], provider="openai"
    )
    assert attempt.stop_reason == "submitted" and attempt.parameters["rejected"] == ["include"]
    assert ["include" in seen.body for seen in bench.server.seen] == [True, False, False]


HOSTILE: dict[str, tuple[str, Any, str]] = {
    "no such tool": ("rm_rf", {"path": "/"}, "There is no tool 'rm_rf'. There are: edit_file"),
    "no name": ("", {}, "There is no tool"),
    "no JSON": ("read_file", '{"path": "solu', "The arguments are not JSON"),
    "no object": ("read_file", "[1, 2]", "must be a JSON object"),
    "deep JSON": ("read_file", "[" * 100_000, "The arguments are not JSON"),
    "no path": ("read_file", {}, "read_file cannot be called so. path: Field required"),
    "another kind": ("read_file", {"path": ["solution.py"]}, "path: Input should be a valid string"),
    "too much": ("read_file", {"path": "solution.py", "mode": "rb"}, "mode: Extra inputs are not permitted"),
    "out of the tree": ("read_file", {"path": "../../../etc/passwd"}, "There is no file '../../../etc/passwd'"),
    "absolute": ("read_file", {"path": "/etc/passwd"}, "There is no file '/etc/passwd'"),
    "a null": ("read_file", {"path": "solution.py\0"}, "There is no file"),
    "a surrogate": ("read_file", {"path": "\ud800"}, "There is no file"),
    "behind the end": ("read_file", {"path": "solution.py", "first_line": 10**30}, "solution.py has 6 lines."),
    "not there": ("edit_file", {"path": "solution.py", "old": "nowhere", "new": ""}, "the old text is not in"),
    "twice there": ("edit_file", {"path": "solution.py", "old": "high", "new": ""}, "stands 3 times in"),
    "the same": ("edit_file", {"path": "solution.py", "old": "x < low", "new": "x < low"}, "the new text is the old"),
    "another file": ("edit_file", {"path": "conftest.py", "old": "a", "new": "b"}, "There is no file"),
    "no letters": ("edit_file", {"path": "solution.py", "old": "x < low", "new": "\udcff"}, "cannot hold these"),
    "no such test": ("run_tests", {"tests": ["t9"]}, "There is no test 't9'. There are 3: t1"),
    "nothing sought": ("search", {"text": ""}, "text: String should have at least 1 character"),
}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_whatever_a_model_asks_for_is_answered(bench: Bench, provider: str) -> None:
    asked = [(name, arguments) for name, arguments, _ in HOSTILE.values()]
    turns = [asked[at : at + 10] for at in range(0, len(asked), 10)]
    attempt = bench.attempt(*turns, [EDIT], [SUBMIT], provider=provider)
    assert attempt.stop_reason == "submitted", attempt
    told = [text for turn in bench.told[: len(turns)] for text in turn]
    assert len(told) == len(HOSTILE)
    for (kind, (_, arguments, answer)), text in zip(HOSTILE.items(), told, strict=True):
        if provider == "anthropic" and isinstance(arguments, str):
            answer = "must be a JSON object"  # its arguments come as an object, or as none
        assert answer in text, kind
    for seen in bench.server.seen:
        for turn in seen.turns if provider == "openai-compatible" else ():
            for call in turn.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict), "servers read them again"


def test_no_change_reaches_what_may_not_be_changed(bench: Bench) -> None:
    task, good = bench.lab.make_task(
        "lab/0", "def f():\n    return 1\n", "def f():\n    return 2\n", ["assert f() == 1"]
    )
    other = good.replace({"helper.py": b"x = 1\n"})
    bench.taskset = bench.lab.taskset([(task.model_copy(update={"snapshot": other.digest}), other)], "two")
    edit = ("edit_file", {"path": "./helper.py", "old": "x = 1", "new": "x = 2"})
    attempt = bench.attempt([edit, ("search", {"text": "x ="})], [SUBMIT])
    assert bench.told[0] == ["helper.py may not be changed. These may: solution.py", "helper.py:1: x = 1"]
    assert attempt.raw_patch is None and attempt.stop_reason == "submitted"


def test_huge_output_is_trimmed_and_many_calls_are_too_many(bench: Bench) -> None:
    line = "    # " + "y" * 9000
    grow = ("edit_file", {"path": "solution.py", "old": "x < high:", "new": f"x > high:\n{line}\n{line}"})
    attempt = bench.attempt([grow, ("read_file", {"path": "solution.py"})], [RUN] * 40, [SUBMIT])
    assert attempt.stop_reason == "submitted"
    assert len(bench.told[0][1]) < 13_000 and "characters left out" in bench.told[0][1]
    assert [text.startswith("This was not done: no more than 16") for text in bench.told[1]] == [False] * 16 + [
        True
    ] * 24
    endless = bench.attempt([EDIT], [RUN] * 129, [SUBMIT], name="endless")
    assert (endless.stop_reason, endless.parameters["calls"]) == ("limit: tools of one answer", 2)
    assert endless.raw_patch is not None


def test_what_fails_is_told_and_no_held_out_test_is(bench: Bench) -> None:
    tests = ["assert double(2) == 4", "assert double(3) == 6", "assert double(5) == 10"]
    good = "def double(x):\n    return x + x\n"
    pair = bench.lab.make_task("h/0", good, good.replace("x + x", "x"), tests, ("t1", "t2"))
    bench.taskset = bench.lab.taskset([pair], "held")
    bench.attempt([RUN, ("run_tests", {"tests": ["t1"]})], [SUBMIT])
    first, second = bench.told[0]
    assert first.startswith("1 of 1 tests fail.") and "assert double(2) == 4" in first and "AssertionError" in first
    assert second.startswith("There is no test 't1'. There are 1: t0")
    said = json.dumps([seen.body for seen in bench.server.seen])
    assert "double(3)" not in said and "double(5)" not in said


def test_an_answer_that_is_cut_off_is_not_acted_on(bench: Bench) -> None:
    def cut(answer: dict[str, Any]) -> None:
        answer["stop_reason"] = "max_tokens"

    attempt = bench.attempt(
        bench.server.move(calls=(EDIT,), change=cut), bench.server.move(text="", change=cut), [SUBMIT]
    )
    assert attempt.raw_patch is None and attempt.stop_reason == "submitted"
    assert bench.told[0] == ["This was not done: your answer was cut off at the limit of its length"]
    assert bench.server.seen[2].prompt.startswith("Your answer was cut off")


def test_a_model_that_asks_for_no_tool_is_reminded_and_then_left(bench: Bench) -> None:
    attempt = bench.attempt("I would change line 4.", [EDIT], "Done.", "Done.", "Done!")
    assert attempt.stop_reason == "no tool is asked for"
    assert "You called no tool" in bench.server.seen[1].prompt
    assert attempt.raw_patch is not None, "what it changed is handed in"


def test_a_refusal_and_an_error_of_the_service_end_the_attempt(bench: Bench) -> None:
    refused = bench.server.move(change=lambda answer: answer.update(stop_reason="refusal", content=[]))
    assert bench.attempt([EDIT], refused).stop_reason == "the model refused"
    broken = bench.attempt([EDIT], bench.server.move(status=503), name="broken")
    assert broken.stop_reason.startswith("infra error: 503") and broken.raw_patch is None
    too_long = bench.attempt([EDIT], bench.server.move(status=400), name="long")
    assert too_long.stop_reason.startswith("error: 400") and too_long.raw_patch is not None


def test_the_limits_hold_and_what_was_made_is_handed_in(bench: Bench) -> None:
    bench.server.default = lambda seen: bench.server.move(calls=(RUN,))
    steps = bench.attempt([EDIT], name="steps", steps=3)
    assert (steps.stop_reason, steps.parameters["calls"]) == ("limit: steps", 3)
    assert steps.raw_patch is not None
    slow = bench.attempt(bench.server.move(calls=(EDIT,), wait=0.3), name="seconds", seconds=0.2)
    assert (slow.stop_reason, slow.parameters["calls"]) == ("limit: seconds", 1)
    dear = bench.attempt([EDIT], name="cost", cost=0.0005, price=PRICE)  # an answer is 100 and 10 tokens: 0.0002
    assert (dear.stop_reason, dear.parameters["calls"]) == ("limit: cost", 3)
    unknown = bench.attempt([EDIT], name="unknown", cost=0.0005)
    assert (unknown.stop_reason, unknown.parameters["calls"]) == ("limit: what was spent is not known", 1)


def test_a_run_cut_off_anywhere_goes_on_without_asking_or_running_again(bench: Bench) -> None:
    turns = [[EDIT], [("edit_file", {"path": "solution.py", "old": "return x", "new": "return (x)"})], [RUN], [SUBMIT]]
    whole = bench.attempt(*turns)
    run = bench.models.folder / "run"
    lines = {name: (run / name).read_text().splitlines(True) for name in ("answers.jsonl", "trajectory.jsonl")}
    for answered in range(5):
        for stepped in {answered, max(0, answered - 1)}:
            name = f"cut-{answered}-{stepped}"
            cut = bench.models.folder / name
            cut.mkdir()
            (cut / "answers.jsonl").write_text("".join(lines["answers.jsonl"][:answered]))
            (cut / "trajectory.jsonl").write_text("".join(lines["trajectory.jsonl"][:stepped]))
            bench.server.seen.clear()
            again = bench.attempt(*turns[answered:], name=name)
            assert len(bench.server.seen) == 4 - answered
            assert (again.raw_patch, again.parameters) == (whole.raw_patch, whole.parameters)
            assert len(bench.trajectory(name)) == 4


def test_tools_that_answer_otherwise_the_next_time_are_not_asked_again(bench: Bench) -> None:
    """The program prints another number each time; the second run must see what the first one saw."""
    chance = ("edit_file", {"path": "solution.py", "old": "x < high:",
                            "new": "__import__('os').urandom(4) and 1 / 0:"})  # fmt: skip
    fails = (
        "edit_file",
        {"path": "solution.py", "old": "1 / 0", "new": "int(__import__('os').urandom(4).hex(), 16) and [][9]"},
    )
    bench.attempt([chance, fails], [RUN], [RUN], [SUBMIT])
    bench.server.close()
    replayed = bench.attempt(name="again", replay=bench.models.folder / "run")
    assert replayed.stop_reason == "submitted"
    assert bench.trajectory("again") == bench.trajectory("run")


def test_a_dry_run_counts_every_step_that_there_may_be(bench: Bench) -> None:
    counted = Counting(bench.server.settings("openai", max_output_tokens=100), PRICE)
    bench.with_answers(counted, steps=5)
    assert counted.calls == 5 and bench.server.seen == []
    assert counted.prompt_tokens > 5 * 100, "later calls read the earlier answers"


def test_a_tape_without_the_step_that_it_needs_says_so(bench: Bench, tmp_path: Path) -> None:
    bench.attempt([EDIT], [SUBMIT])
    run = bench.models.folder / "run"
    (run / "answers.jsonl").write_text((run / "answers.jsonl").read_text().splitlines(True)[0])
    with pytest.raises(ModelError, match="no answer to call 2"):
        bench.attempt(name="again", replay=run)
