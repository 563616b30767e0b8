"""The doctor proves what it says, and keeps secrets."""

from __future__ import annotations

import shutil


def test_confinement_is_proved(mendlab):
    said = mendlab("doctor", "--json")
    assert said.code == 0, said
    report = said.json
    assert report["confinement"]["level"] == "namespaces"
    assert report["confinement"]["problem"] is None
    assert len(report["confinement"]["escapes"]) == 7
    assert not any(report["confinement"]["escapes"].values())
    assert "bubblewrap" in report["confinement"]["by"]
    assert report["python"]["pytest"] is True
    assert report["git"][0].isdigit()
    assert report["cores"] >= 1
    assert report["problems"] == []


def test_keys_are_present_or_not_and_never_shown(mendlab):
    secret = "sk-very-secret-0123456789"
    env = {"ANTHROPIC_API_KEY": secret, "OPENAI_API_KEY": ""}
    said = mendlab("doctor", "--json", env=env)
    assert said.json["keys"] == {"ANTHROPIC_API_KEY": True, "OPENAI_API_KEY": False}
    plain = mendlab("doctor", env=env)
    assert "ANTHROPIC_API_KEY" in plain.out
    assert secret not in said.out + said.err + plain.out + plain.err
    lines = [line.split() for line in plain.out.splitlines()]
    assert ["ANTHROPIC_API_KEY", "present"] in lines
    assert ["OPENAI_API_KEY", "not", "set"] in lines
    assert plain.out.count("refused") == 8


def test_what_is_missing_is_a_finding(mendlab, tmp_path):
    (tmp_path / "env").symlink_to(shutil.which("env"))
    said = mendlab("doctor", "--json", env={"PATH": str(tmp_path)})
    assert said.code == 1
    assert said.json["git"] is None
    assert said.json["problems"] == ["there is no git: install it to use git histories and local checkouts"]
    assert "! there is no git" in mendlab("doctor", env={"PATH": str(tmp_path)}).out
