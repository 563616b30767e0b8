from __future__ import annotations

import shlex

from mendlab.cli import root
from mendlab.reports.commands import repeat_run, repeat_verdict


def test_a_run_is_repeated_with_its_options(make):
    config = make.run("r", "search", [], []).config
    config = config.model_copy(update={"parameters": {"budget": 50, "deep": True, "path": "my dir", "none": None}})
    words = shlex.split(repeat_run(config, "sets/my set"))
    assert words == [
        *("mendlab", "repair", "sets/my set", "--strategy", "search"),
        *("--option", "budget=50", "--option", "deep=true", "--option", "path=my dir"),
        *("--samples", "1", "--seed", "7", "--out", "run-again"),
    ]


def test_what_is_no_option_of_the_strategy_is_told_as_the_command_takes_it(make):
    config = make.run("r", "single", [], []).config
    of_model = {"model": "openai:m", "model_parameters": {"temperature": 0.2}, "prompts": "ab12", "base_url": None}
    words = shlex.split(repeat_run(config.model_copy(update={"parameters": {"python": "3.11", **of_model}}), "set"))
    assert words[5:9] == ["--model", "openai:m", "--parameter", "temperature=0.2"]
    assert "--option" not in words
    given = config.model_copy(update={"strategy": "replay", "parameters": {"python": "3.11", "patches": "p.jsonl"}})
    command = repeat_run(given, "set")
    assert command == "mendlab verify set --patches p.jsonl --out run-again"


def test_a_patch_is_judged_again_from_a_file_with_its_tasks_name():
    command = repeat_verdict("HumanEval/0 it's", "sets/a")
    assert shlex.split(command, comments=True) == ["mendlab", "verify", "sets/a", "--patches", "patches"]
    assert shlex.split(command)[-1] == "patches/HumanEval__0 it's.diff"


def test_the_commands_have_the_options_that_the_program_has(make):
    config = make.run("r", "x", [], []).config.model_copy(update={"parameters": {"budget": 50}})
    of_model = {"model": "m", "max_output_tokens": 9, "retries": 1, "edit_format": "diff", "localisation": "none"}
    asked = config.model_copy(update={"parameters": {**of_model, "base_url": "u", "model_parameters": {"a": 1}}})
    given = config.model_copy(update={"strategy": "replay", "parameters": {"symbolic_seconds": 5.0, "patches": "p"}})
    runs = [repeat_run(each, "set") for each in (config, asked, given)]
    for command in (*runs, repeat_verdict("t", "set")):
        _, name, *rest = shlex.split(command, comments=True)
        known = {option for parameter in root.get_command(None, name).params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known
