"""Every command does its work, says it in words and in JSON, and ends with the right code."""

from __future__ import annotations

import json
import re
import shutil
import socket

import click
import pytest
from click.testing import CliRunner

from mendlab.cli import COMMANDS, check, root
from mendlab.cli.running import print_verdicts
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import InputError
from mendlab.records import Outcome, Rung, SandboxLevel, Verdict
from mendlab.reports.packing import unpack
from mendlab.reports.review.decisions import Decisions
from mendlab.verify.attacks import gate
from mendlab.verify.attacks.registry import KINDS, Attack, attacks
from mendlab.verify.bench import Bench
from mendlab.verify.confinement.interpreter import find_interpreter


def commands(group=root, path=()):
    """Every command with its words, groups left out."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(commands())


def test_the_commands_of_the_issue_are_there():
    assert {words[0] for words in ALL} == set(COMMANDS)
    assert {"inject", "import", "check", "verify", "repair", "report", "doctor", "demo"} <= set(COMMANDS)
    assert {words[1] for words in ALL if words[0] == "mutators"} == {"list", "show", "run", "stats", "docs"}


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_has_an_example_that_the_command_takes(words):
    command = ALL[words]
    text = command.get_help(click.Context(command, info_name=f"mendlab {' '.join(words)}"))
    assert max(map(len, text.splitlines())) <= 80
    told = re.sub(r" \\\n +", " ", text.partition("Examples:")[2])
    examples = [line.strip() for line in told.splitlines() if line.strip()]
    assert examples
    for line in examples:
        assert line.startswith(f"mendlab {' '.join(words)}"), line
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts:
            assert parameter.help or parameter.name == "workers", parameter.name


def test_help_is_shown_by_the_process(mendlab):
    said = mendlab("inject", "--help")
    assert said.code == 0
    assert said.err == ""
    assert "\n    mendlab inject humaneval --out tasks --limit 100\n" in said.out


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_json(words):
    assert any("--json" in parameter.opts for parameter in ALL[words].params)


def test_the_version(mendlab):
    import mendlab as package

    assert mendlab("--version").out == f"mendlab, version {package.__version__}\n"


def test_import_makes_a_set_that_can_be_opened(tasks):
    taskset = TaskSet.open(tasks)
    assert [task.id for task in taskset.tasks] == ["P/0", "P/1"]
    assert taskset.manifest.provenance.source == "humanevalpack:pack.jsonl"
    assert sorted(path.name for path in tasks.parent.iterdir() if "building" in path.name) == []


def test_import_tells_what_does_not_hold_up_and_ends_with_1(mendlab, pack, tmp_path):
    rows = pack.read_text().splitlines(keepends=True)
    second = json.loads(rows[1])
    second["buggy_solution"] = second["canonical_solution"].replace("len(items)", "len(list(items))")
    (tmp_path / "mixed.jsonl").write_text(rows[0] + json.dumps(second) + "\n" + '{"task_id": "cut')
    said = mendlab("import", "humanevalpack", tmp_path / "mixed.jsonl", "--out", tmp_path / "out", "--json")
    assert said.code == 1
    assert said.json["tasks"] == 1
    reasons = {refusal["id"]: refusal["reason"] for refusal in said.json["refused"]}
    assert reasons["P/1"] == "the tests do not tell the buggy program from the reference: survived"
    assert any("mixed.jsonl:3: not a whole JSON value" in reason for reason in reasons.values())
    assert "candidates tried" in said.err
    assert TaskSet.open(tmp_path / "out").manifest.dropped == {"refused": 2}


def test_subjects_tells_what_can_be_built_on(mendlab, shapes):
    path = shapes.rows(
        [
            shapes.problem("S/0", "def one():\n    return 1\n", ["candidate() == 1"]),
            shapes.problem("S/1", "def two():\n    return 2\n", ["candidate() == 3"]),
        ]
    )
    said = mendlab("subjects", path)
    assert said.code == 1
    assert "1 of 2 can be used" in said.out
    assert "S/1: its own tests do not pass" in said.err
    said = mendlab("subjects", path, "--json")
    assert [subject["passing"] for subject in said.json["subjects"]] == [1, 0]
    assert [refusal["id"] for refusal in said.json["refused"]] == ["S/1"]


def test_subjects_tells_skipped_tests_from_failing_ones(mendlab, shapes):
    one, two = "def test_one():\n    assert m.one() == 1\n", "@pytest.mark.skip\ndef test_two():\n    assert 0\n"
    path = shapes.project(
        {"m.py": "def one():\n    return 1\n", "tests/test_m.py": f"import pytest, m\n\n{one}\n{two}"}
    )
    said = mendlab("subjects", path)
    assert said.code == 0
    assert "1 skipped: tests/test_m.py::test_two" in said.err
    (reasons,) = mendlab("subjects", path, "--json").json["tests_set_aside"].values()
    assert reasons == {"tests/test_m.py::test_two": "skipped"}


def test_inject_makes_a_set(mendlab, shapes):
    path = shapes.rows([shapes.problem("S/0", "def double(x):\n    return 2 * x\n", ["candidate(3) == 6"])])
    out = shapes.folder / "tasks"
    said = mendlab("inject", path, "--out", out, "--operators", "arithmetic-swapped", "--limit", 2, "--json")
    assert said.code == 0
    assert said.json["tasks"] == 2 == len(TaskSet.open(out).tasks)
    assert said.json["usable"] == 1
    assert said.json["taskset"] == str(out)
    assert "candidates tried" in said.err
    again = mendlab("inject", path, "--out", out, "--limit", 2).refusal()
    assert again.startswith(f"{out}: something is there already (")


def test_an_empty_set_breaks_nothing(mendlab, shapes):
    path = shapes.rows([shapes.problem("S/0", "def double(x):\n    return 2 * x\n", ["candidate(1) is not None"])])
    out = shapes.folder / "tasks"
    said = mendlab("inject", path, "--out", out, "--operators", "arithmetic-swapped")
    assert said.code == 0
    assert TaskSet.open(out).tasks == ()
    assert mendlab("check", out).out == "0 tasks, 3 runs each: holds\n"
    said = mendlab("repair", out, "--strategy", "noop", "--out", shapes.folder / "run", "--json")
    assert said.code == 0
    assert said.json
    assert mendlab("report", shapes.folder / "run", "--out", shapes.folder / "r.html").code == 0
    (shapes.folder / "patches").mkdir()
    (shapes.folder / "patches" / "x.diff").write_text("--- a/x\n+++ b/x\n")
    assert mendlab("verify", out, "--patches", shapes.folder / "patches").code == 0


def test_check_proves_and_finds(mendlab, tasks, tmp_path):
    said = mendlab("check", tasks, "--runs", 2)
    assert (said.code, said.out) == (0, "2 tasks, 2 runs each: holds\n")
    assert "tasks proved: 2 of 2" in said.err
    damaged = shutil.copytree(tasks, tmp_path / "damaged")
    (damaged / "tasks.jsonl").write_text((damaged / "tasks.jsonl").read_text().replace("has a bug", "has a pug"))
    said = mendlab("check", damaged, "--json")
    assert said.code == 1
    assert said.json["holds"] is False
    assert said.json["findings"] == [{"task": None, "what": "tasks.jsonl: its digest is not the one in manifest.json"}]
    assert mendlab("check", damaged).code == 1


@pytest.mark.slow
def test_check_makes_attacks_and_tells_that_all_are_refused(mendlab, tasks):
    said = mendlab("check", tasks, "--runs", 1, "--attacks", "--attack-sample", 1, "--json")
    assert said.code == 0, said
    assert said.json["holds"] is True
    attacks = said.json["attacks"]
    assert (attacks["tasks"], attacks["accepted"], attacks["spoiled"]) == (1, [], [])
    assert attacks["tried"] >= 70
    assert attacks["outcomes"]["no-patch"] == {"no_patch": 1}
    assert "attacks judged" in said.err


def test_check_fails_where_an_attack_is_accepted(tasks, monkeypatch):
    """An attack that gives the right answer is accepted, as it should be: so the exit code is 1."""
    right = Attack("right", "Gives the reference.", KINDS, "here", lambda target: target.task.reference)
    monkeypatch.setattr(gate, "attacks", lambda: (right, *(a for a in attacks() if a.name == "no-patch")))
    said = CliRunner().invoke(root, ["check", str(tasks), "--runs", "1", "--attacks"])
    assert said.exit_code == 1
    assert "accepted right: exact: the syntax tree is the reference's" in said.stdout
    last = said.stdout.splitlines()[-1]
    assert last == "4 attempts by 2 attacks on 2 tasks: 2 accepted, 0 refused by comparison alone"


def test_no_attacks_are_made_unconfined(tasks, monkeypatch):
    monkeypatch.setattr(check, "open_bench", lambda *given, **how: Bench(SandboxLevel.NONE, find_interpreter()))
    said = CliRunner().invoke(root, ["check", str(tasks), "--attacks", "--allow-unconfined"])
    assert isinstance(said.exception, InputError)
    assert "attacks are not run unconfined" in str(said.exception)


def test_check_reads_a_zip(mendlab, tasks, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "set"), "zip", tasks.parent, tasks.name)
    assert mendlab("check", archive, "--runs", 1).out == "2 tasks, 1 runs each: holds\n"


def outcomes(run):
    return [json.loads(line)["outcome"] for line in (run / "verdicts.jsonl").read_text().splitlines()]


def test_the_reference_is_exact_and_nothing_mends_nothing(mendlab, tasks, reference_run, tmp_path):
    assert outcomes(reference_run) == ["exact", "exact"]
    said = mendlab("repair", tasks, "--strategy", "noop", "--out", tmp_path / "noop", "--samples", 2, "--json")
    assert said.code == 0
    assert outcomes(tmp_path / "noop") == ["no_patch"] * 4
    assert said.json["run"] == str(tmp_path / "noop")
    assert "attempts judged" in said.err


def test_a_run_that_is_there_is_not_made_again(mendlab, tasks, reference_run):
    before = {path.name: path.read_bytes() for path in reference_run.iterdir()}
    assert mendlab("repair", tasks, "--strategy", "reference", "--out", reference_run).code == 0
    assert {path.name: path.read_bytes() for path in reference_run.iterdir()} == before
    line = mendlab("repair", tasks, "--strategy", "noop", "--out", reference_run).refusal()
    assert "strategy" in line
    assert str(reference_run) in line


def test_patches_made_elsewhere_are_judged(mendlab, tasks, tmp_path):
    taskset = TaskSet.open(tasks)
    patches = tmp_path / "patches"
    patches.mkdir()
    (patches / "P__0.diff").write_text(re.sub("@@ .* @@", "@@ garbage @@", taskset.task("P/0").reference))
    (patches / "P__1.diff").write_text("no diff at all")
    said = mendlab("verify", tasks, "--patches", patches, "--out", tmp_path / "run")
    assert said.code == 0
    assert outcomes(tmp_path / "run")[0] == "exact"
    assert [line.split()[:3] for line in said.out.splitlines() if line.startswith("P/")][:2] == [
        ["P/0", "exact", "the"],
        ["P/1", "no", "patch"],
    ]
    assert "applied by the rung recount" in " ".join(said.out.split())
    rows = [{"instance_id": t.id, "model_name_or_path": "m", "model_patch": t.reference} for t in taskset.tasks]
    (tmp_path / "predictions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = mendlab("verify", tasks, "--patches", tmp_path / "predictions.jsonl", "--json")
    assert said.code == 0
    assert [verdict["outcome"] for verdict in said.json["verdicts"]] == ["exact"] * len(rows)
    assert {verdict["apply_rung"] for verdict in said.json["verdicts"]} == {"strict"}
    assert mendlab("verify", tasks, "--patches", tmp_path / "run", "--out", tmp_path / "again").code == 0
    assert outcomes(tmp_path / "again") == outcomes(tmp_path / "run")


def test_of_several_samples_the_table_says_which_and_keeps_ids_whole(capsys):
    task, reason = "P/an_id_of_thirty_odd_columns/00017", "a reason of so many words that its line must be broken"
    common = {"run_id": "r", "task_id": task, "outcome": Outcome.EXACT, "rung": Rung.CONFIRM, "reason": reason}
    print_verdicts([Verdict(sample=sample, **common) for sample in (0, 1)])
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["task", "sample", "verdict", "why"]
    assert [row.split()[:3] for row in rows if "P/" in row] == [
        [task, "0", "exact"],
        [task, "1", "exact"],
    ]
    assert max(map(len, rows)) <= 80


def test_a_report_is_one_page(mendlab, reference_run, tmp_path):
    page = tmp_path / "report.html"
    comment = tmp_path / "comment.md"
    said = mendlab("report", reference_run, "--out", page, "--markdown", comment)
    assert said.code == 0
    assert said.out.endswith(f"report: {page}\nreport: {comment}\n")
    (index,) = re.findall('id="task-index">([^<]*)', page.read_text())
    assert "P/0" in {row["id"] for row in unpack(index)}
    assert comment.read_text().startswith("### reference mended ")
    assert mendlab("report", reference_run, "--json").json["report"] is None


def test_a_named_baseline_stands_beside_the_others(mendlab, reference_run, tasks, tmp_path):
    assert mendlab("repair", tasks, "--strategy", "noop", "--out", tmp_path / "noop").code == 0
    said = mendlab("repair", tasks, "--strategy", "search", "--option", "candidates=30", "--out", tmp_path / "search")
    assert said.code == 0
    report = mendlab("report", tmp_path / "search", "--baseline", reference_run, "--json").json
    assert [run["baseline"] for run in report["runs"]] == [True, True]
    compared = mendlab("compare", tmp_path / "search", tmp_path / "noop", reference_run)
    assert compared.code == 0
    assert max(map(len, compared.out.splitlines())) <= 80
    assert "1  reference, baseline" in compared.out
    found = mendlab("compare", tmp_path / "search", "--baseline", tmp_path / "noop", "--json").json
    assert [one["label"] for one in found["contenders"]] == ["search", "noop"]
    assert mendlab("compare", tmp_path / "search", reference_run, "--markdown").out.count("| --- |") == 1
    alone = mendlab("compare", reference_run, reference_run).refusal()
    assert "this is one run" in alone


def test_runs_on_other_sets_are_not_compared(mendlab, reference_run, tmp_path):
    config = json.loads((reference_run / "run.json").read_text())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "run.json").write_text(json.dumps({**config, "taskset_digest": "ab" * 32}))
    said = mendlab("compare", reference_run, tmp_path / "other").refusal()
    assert said.startswith(f"{tmp_path / 'other'}: was made on another task set (")
    assert "they have no tasks in common" in said


def test_what_people_decided_is_in_the_report(mendlab, reference_run, tmp_path):
    run = shutil.copytree(reference_run, tmp_path / "run")
    decisions = Decisions(run)
    for reviewer in ("Ann", "Bob"):
        decisions.decide(reviewer, ("P/0", 0), "reject", "")
    (reviews,) = mendlab("report", run, "--json").json["reviews"].values()
    assert [one["correct"]["reject"] for one in reviews["reviewers"]] == [1, 1]
    assert reviews["kappas"][0]["agreed"] == 1.0


def test_a_review_that_cannot_begin(mendlab, reference_run, tmp_path):
    assert "not a run: no run.json" in mendlab("review", tmp_path).refusal()
    lost = shutil.copytree(reference_run, tmp_path / "lost")
    (lost / "places.json").unlink()
    assert "name it with --taskset" in mendlab("review", lost).refusal()
    assert "needs a name" in mendlab("review", reference_run, "--reviewer", " ").refusal()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} cannot be used" in mendlab("review", reference_run, "--port", port).refusal()


def test_the_catalogue(mendlab, tmp_path):
    listed = mendlab("mutators", "list", "--json").json["operators"]
    assert len({each["family"] for each in listed}) >= 8
    name = listed[0]["name"]
    shown = mendlab("mutators", "show", name, "--json").json
    assert shown == listed[0]
    assert name in mendlab("mutators", "list").out
    assert mendlab("mutators", "show", name).code == 0
    (tmp_path / "m.py").write_text("def f(a, b):\n    return a < b\n")
    made = mendlab("mutators", "run", tmp_path / "m.py", "--json").json["mutants"]
    assert made
    assert mendlab("mutators", "run", tmp_path / "m.py", "--count", "--json").json["total"] == len(made)
    assert "--- a/m.py" in mendlab("mutators", "run", tmp_path / "m.py").out


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    import subprocess
    import sys

    (tmp_path / "m.py").write_text("def f(a, b):\n    return a < b\n" * 300)
    command = f"{sys.executable} -m mendlab mutators run {tmp_path / 'm.py'} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_the_list_of_commands_fits_a_terminal_and_is_not_cut(mendlab):
    lines = mendlab("--help").out.splitlines()
    listed = lines[lines.index("Commands:") + 1 :]
    assert [line.split()[0] for line in listed[: len(COMMANDS)]] == list(COMMANDS)
    assert not [line for line in listed if len(line) > 79 or line.endswith("...")]
