"""``mendlab harvest patterns``: from the fixes of histories to a file of templates that inject takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "harvest"))

from written_histories import History

WRONG = "def first(items):\n    return items[1]\n\n\ndef last(items):\n    return items[len(items)]\n"
GUARDED = "    if items is None:\n        return None\n"


@pytest.fixture
def histories(tmp_path):
    """Two repositories that mend the same mistake, one of them another as well."""
    for name in ("one", "other"):
        history = History()
        history.commit("Begin", {"items.py": WRONG})
        mended = WRONG.replace("[len(items)]", "[len(items) - 1]")
        history.commit("Fix last, which was off by one", {"items.py": mended})
        if name == "one":
            history.commit(
                "Fix first where there is nothing", {"items.py": mended.replace("s):\n", f"s):\n{GUARDED}", 1)}
            )
        history.commit("Add a guard", {"items.py": mended.replace("s):\n", f"s):\n{GUARDED}")})
        history.write(tmp_path / name)
    return tmp_path / "one", tmp_path / "other"


def test_fixes_are_learned_and_injected(mendlab, histories, tmp_path):
    out = tmp_path / "learned.jsonl"
    said = mendlab("harvest", "patterns", *histories, "--out", out, "--json")
    assert said.json["fixes"] == {"one": 2, "other": 1}
    found = [(each["before"], each["after"], each["count"], each["source"]) for each in said.json["templates"]]
    assert found == [("$A - 1", "$A", 2, "one 1, other 1"), ("if $A is None:\n    return None", "", 1, "one 1")]
    assert [json.loads(line) for line in out.read_text().splitlines()] == said.json["templates"]
    program = tmp_path / "before.py"
    program.write_text("def before(number):\n    return number - 1\n\n\nassert before(3) == 2\n")
    said = mendlab(
        *("inject", program, "--templates", out, "--operators", "learned", "--sampling", "natural"),
        *("--out", tmp_path / "tasks", "--json"),
    )
    assert said.json["tasks"] == 1


def test_what_was_seen_seldom_can_be_left_out(mendlab, histories, tmp_path):
    options = ("--out", tmp_path / "learned.jsonl", "--least-repositories", 2, "--json")
    said = mendlab("harvest", "patterns", *histories, *options)
    assert [each["before"] for each in said.json["templates"]] == ["$A - 1"]


def test_nothing_learned_is_told(mendlab, histories, tmp_path):
    out = tmp_path / "learned.jsonl"
    said = mendlab("harvest", "patterns", histories[0], "--out", out, "--until", "2001-01-01")
    assert (said.code, out.exists()) == (1, False)
    assert "no small fix gives a template" in said.out


def test_what_is_wrong_is_told_in_one_line(mendlab, histories, tmp_path):
    out = tmp_path / "learned.jsonl"
    assert "there is no such folder" in mendlab("harvest", "patterns", tmp_path / "none", "--out", out).refusal()
    out.write_text("")
    refused = mendlab("harvest", "patterns", histories[0], "--out", out).refusal()
    assert refused.startswith(f"{out}: something is there already")
