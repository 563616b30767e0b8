"""What a model is told: all that it may know, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mendlab.errors import InputError, ModelError
from mendlab.repair.prompts.facts import steady, trimmed
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.prompts.settings import EDIT_FORMATS, PromptSettings
from mendlab.repair.prompts.templates import Templates
from mendlab.repair.repairer import Repairer
from mendlab.repair.runs import make_config
from mendlab.repair.strategy import make_strategy

if TYPE_CHECKING:
    from conftest import Lab

GOOD = "def double(x):\n    y = x + x\n    return y\n"
BUGGY = GOOD.replace("x + x", "x - x")
TESTS = ["assert double(2) == 4", "assert double(3) == 6", "assert double(0) == 0"]


def asked(lab: Lab, pairs=None, **settings):
    taskset = lab.taskset(pairs or [lab.make_task("lab/0", GOOD, BUGGY, TESTS, ("t1",))])
    strategy = make_strategy("single")
    prompting = PromptSettings(**settings)
    repairer = Repairer(make_config(taskset, strategy), taskset, strategy, lab.open_engine, prompting=prompting)
    return opening_request(repairer.context(taskset.tasks[0], 0))


def test_the_statement_the_program_and_the_failing_visible_tests_are_told(lab: Lab) -> None:
    request = asked(lab)
    (message,) = request.messages
    assert message.role == "user"
    for part in ("Mend the program.", "solution.py\n```python\n" + BUGGY.rstrip(), "t0: failed", TESTS[0]):
        assert part in message.text
    assert "AssertionError" in message.text
    for hidden in ("double(3)", "t1", "x + x", "double(0)"):
        assert hidden not in message.text + request.system
    assert lab.opened[0].closed
    assert lab.opened[0].asked == [("t0",)]


def test_the_same_problem_makes_the_same_request(lab: Lab) -> None:
    pair = lab.make_task("lab/0", GOOD, "def double(x):\n    return object()\n", ["assert double(2) == 4, double"])
    first = asked(lab, [pair])
    assert "0x..." in first.messages[0].text
    taskset_again = asked(type(lab)(lab.directory / "again"), [pair])
    assert taskset_again == first


@pytest.mark.parametrize(
    ("edit_format", "mark"), [("diff", "```diff"), ("search-replace", "<<<<<<< SEARCH"), ("function", "whole of each")]
)
def test_each_form_of_answers_has_its_words(lab: Lab, edit_format: str, mark: str) -> None:
    assert edit_format in EDIT_FORMATS
    request = asked(lab, edit_format=edit_format)
    assert mark in request.system
    assert sum(text in request.system for text in ("```diff", "<<<<<<< SEARCH", "whole of each")) == 1


def test_the_place_is_told_as_far_as_the_run_says(lab: Lab) -> None:
    none, search, true = (asked(type(lab)(lab.directory / told), localisation=told).messages[0].text
                          for told in ("none", "search", "true"))  # fmt: skip
    assert "Where the defect may be" not in none
    assert "solution.py, line 2: `y = x - x`" in search
    assert "line 3: `return y`" in search
    assert true.count("solution.py, line") == 1
    assert "solution.py, line 2: `y = x - x`" in true


def test_a_users_templates_take_the_place_of_the_packages(lab: Lab, tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.mkdir()
    (own / "statement.j2").write_text("In short: {{ statement | upper }}\n")
    templates = Templates(own)
    request = asked(lab, templates=templates)
    assert request.messages[0].text.startswith("In short: MEND THE PROGRAM.")
    assert "Tests that fail" in request.messages[0].text
    digests = {Templates().digest, templates.digest}
    (own / "statement.j2").write_text("In brief: {{ statement }}\n")
    assert len(digests | {Templates(own).digest}) == 3
    assert Templates().digest in digests


def test_a_template_that_is_wrong_is_named(lab: Lab, tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.mkdir()
    with pytest.raises(InputError, match="there is no template in it"):
        Templates(own)
    with pytest.raises(InputError, match="cannot be read"):
        Templates(own / "nowhere")
    (own / "task.j2").write_text("one\n{{ statement \n")
    with pytest.raises(ModelError, match=r"mine/task\.j2:\d: "):
        asked(type(lab)(lab.directory / "a"), templates=Templates(own))
    (own / "task.j2").write_text("{{ reference }}")
    with pytest.raises(ModelError, match="'reference' is undefined"):
        asked(type(lab)(lab.directory / "b"), templates=Templates(own))


def test_long_output_keeps_its_beginning_and_its_end() -> None:
    text = trimmed("a" * 1000 + "b" * 1000, 100)
    assert text.startswith("a" * 50 + "\n... 1900 characters")
    assert text.endswith("b" * 50)
    assert trimmed("short", 100) == "short"


def test_what_changes_from_run_to_run_is_left_out() -> None:
    assert steady("<C object at 0x7f12ab34cd> in 0.12s") == "<C object at 0x...> in ... s"
    assert steady('File "/tmp/x-12/y/solution.py", line 3') == 'File "/tmp/solution.py", line 3'
    assert steady("0x1f == 31") == "0x1f == 31"
