"""``mendlab score``: verdicts, score and killers; what is kept of a stopped run; when it refuses to report."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mendlab.records import MutantVerdict

GRADES = '''\
LIMITS = [int(text) for text in "90 75 50".split()]


def grade(points):
    """A letter for a number of points."""
    if points < 0:
        raise ValueError("there are no fewer points than none, whatever the examiners say or do about that")
    for letter, limit in zip("ABC", LIMITS):
        if points >= limit:
            return letter
    return "D"


def count_down(number):
    steps = 0
    while number > 0:
        number -= 1
        steps += 1
    return steps


def never_called(number):
    return number * 2
'''
SUITE = """\
import pytest
from grades import count_down, grade


@pytest.mark.parametrize(("points", "letter"), [(95, "A"), (80, "B"), (60, "C"), (10, "D")])
def test_grade(points, letter):
    assert grade(points) == letter


def test_below_nothing():
    with pytest.raises(ValueError):
        grade(-1)


class TestCountDown:
    def test_three(self):
        assert count_down(3) == 3

    def test_none(self):
        assert not count_down(0)
"""
CLAMP = "def clamp(x, low, high):\n    if x < low:\n        return low\n    return min(x, high)\n"
CHECKS = ["candidate(1, 2, 4) == 2", "candidate(5, 2, 4) == 4", "candidate(3, 2, 4) == 3"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    directory = tmp_path_factory.mktemp("projects") / "grades"
    directory.mkdir()
    (directory / "grades.py").write_text(GRADES)
    (directory / "test_grades.py").write_text(SUITE)
    return directory


@pytest.fixture
def problems(shapes):
    return shapes.rows([shapes.problem(f"S/{number}", CLAMP, CHECKS) for number in range(3)])


@pytest.fixture(scope="module")
def whole(mendlab, project):
    """Mutants of the whole project, with every killer."""
    return mendlab("score", project, "--full", "--sample", 120, "--json")


def lines_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def test_function_problems_are_scored(mendlab, problems, tmp_path):
    said = mendlab("score", problems, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said
    counts = said.json["by_status"]
    assert sum(counts.values()) == said.json["mutants"] == len(said.json["verdicts"]) > 100
    killed = counts["killed_by_assertion"] + counts["killed_by_error"]
    survived = counts["survived"] + counts["not_infected"]
    assert (killed, survived) == (said.json["killed"], said.json["survived"])
    assert said.json["score"] == killed / (killed + survived)
    assert 0.5 < said.json["score"] < 1
    assert set(said.json["files"]) == {f"S/{number}:solution.py" for number in range(3)}
    assert sum(group["mutants"] for group in said.json["families"].values()) == said.json["mutants"]
    assert said.json["tests"] == {f"S/{number}": 3 for number in range(3)}
    lines = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    kept = [MutantVerdict.model_validate_json(line).mutant for line in lines]
    assert sorted(kept) == sorted(each["mutant"] for each in said.json["verdicts"])
    assert "mutants decided" in said.err


def test_a_sample_is_drawn_by_the_seed(mendlab, problems):
    def names(*options):
        return {each["mutant"] for each in mendlab("score", problems, "--json", *options).json["verdicts"]}

    six = names("--limit", 6)
    assert len(six) == 6
    assert six < names("--sample", 12)
    assert six != names("--sample", 6, "--seed", 1)


def test_what_is_printed_fits_and_says_how_the_score_is_made(mendlab, shapes):
    wide = CLAMP.replace("high)\n", f"high)  # {'one bound or the other, ' * 5}\n")
    path = shapes.rows([shapes.problem("S/0", wide, CHECKS)])
    said = mendlab("score", path, "--sample", 60, "--show-survivors", 2)
    assert said.code == 0, said
    assert max(len(line) for line in said.out.splitlines() if line[:1] not in "+- @") <= 80
    assert f" {wide.splitlines()[3].lstrip()}\n" in said.out
    found = re.match(r"mutation score: ([\d.]+)% \((\d+) killed, (\d+) survived\)\n", said.out)
    killed, survived = int(found[2]), int(found[3])
    assert float(found[1]) == round(100 * killed / (killed + survived), 1)
    assert re.search(r"^all +60$", said.out, re.MULTILINE)
    assert re.search(rf"^solution.py +{found[1]}% +{killed} +{survived} ", said.out, re.MULTILINE)
    assert said.out.count("\n@@ ") == 2 < survived
    assert f"\n2 of {survived} surviving mutants" in said.out
    assert "@@" not in mendlab("score", path, "--sample", 60, "--show-survivors", 0).out


def test_a_sample_says_what_it_is_drawn_from_and_how_sure_the_score_is(mendlab, problems):
    said = mendlab("score", problems, "--sample", 30)
    killed, survived = map(int, re.search(r"\((\d+) killed, (\d+) survived\)", said.out).groups())
    total = re.search(r"^sample of 30 of (\d+) mutants$", said.out, re.MULTILINE)
    low, high = re.search(r"^95% interval of the score: ([\d.]+)% to ([\d.]+)%$", said.out, re.MULTILINE).groups()
    assert (float(low), float(high)) == pytest.approx([100 * end for end in wilson_by_hand(killed, survived)], abs=0.05)
    told = mendlab("score", problems, "--sample", 30, "--json").json
    assert told["score_interval"] == pytest.approx(wilson_by_hand(killed, survived))
    assert told["sample"] == {"mutants": 30, "drawn_from": int(total[1]), "functions": 6, "of_functions": 6}
    few = mendlab("score", problems, "--sample", 2, "--json").json["sample"]
    assert few["functions"] < few["of_functions"] == 6
    whole = mendlab("score", problems, "--operators", "comparison-swapped", "--json").json
    assert whole["mutants"] > 5
    assert (whole["sample"], whole["score_interval"]) == (None, None)


def wilson_by_hand(killed, survived):
    """The roots of the score equation (Wilson, 1927)."""
    total, z = killed + survived, 1.959963984540054
    centre = (killed + z * z / 2) / (total + z * z)
    reach = z / (total + z * z) * math.sqrt(killed * survived / total + z * z / 4)
    return [centre - reach, centre + reach]


def test_what_runs_at_import_is_marked(mendlab, shapes):
    program = CLAMP.replace("high):", "high=9):")
    path = shapes.rows([shapes.problem("S/0", program, [*CHECKS, "candidate(1, 2) == 2"])])
    told = mendlab("score", path, "--operators", "default-changed,number-off-by-one,name-misuse", "--json").json
    run = [each for each in told["verdicts"] if each["status"].startswith(("killed", "survived"))]
    marked = {(each["defect"]["span"]["start_line"], each["at_import"]) for each in run}
    assert marked == {(1, True), (2, False), (3, False), (4, False)}


def test_with_every_killer_known_tests_that_kill_nothing_are_named(mendlab, shapes):
    path = shapes.rows([shapes.problem("S/0", CLAMP, [*CHECKS, "candidate(7, 2, 4) == 4", "candidate is not None"])])
    told = mendlab("score", path, "--sample", 60, "--full", "--json").json
    kills = told["test_kills"]["S/0"]
    for test, each in kills.items():
        rows = [verdict["killers"] for verdict in told["verdicts"] if test in verdict["killers"]]
        assert each["kills"] == len(rows)
        assert each["alone"] == sum(len(row) == 1 for row in rows)
    numbers = sorted(len(verdict["killers"]) for verdict in told["verdicts"] if verdict["killers"])
    assert told["killers_median"] == (numbers[len(numbers) // 2] + numbers[~(len(numbers) // 2)]) / 2
    idle = [test for test, each in kills.items() if not each["kills"]]
    assert len(kills) == 5
    said = mendlab("score", path, "--sample", 60, "--full").out
    assert f"tests that kill none of these mutants: {len(idle)} of 5;" in said
    for test, each in kills.items():
        assert bool(re.search(rf"^{re.escape(test)} +{each['kills']}$", said, re.MULTILINE)) == (not each["alone"])


@pytest.mark.slow
def test_tests_that_judge_nothing_are_told_with_the_reason(mendlab, shapes):
    suite = """\
import pytest
from m import f

def test_good():
    assert f(1) == 1

@pytest.mark.skip
def test_skipped():
    assert f(1) == 1

@pytest.mark.xfail
def test_expected():
    assert f(1) == 2

@pytest.mark.parametrize("x", range(4))
def test_bad(x):
    assert f(x) == -1
"""
    project = shapes.project({"m.py": "def f(x):\n    return x + 0\n", "test_m.py": suite})
    said = mendlab("score", project, "--sample", 3, "--json")
    assert said.json["tests_set_aside"] == {
        "project": {
            "test_m.py::test_skipped": "skipped",
            "test_m.py::test_expected": "expected to fail",
            **{f"test_m.py::test_bad[{x}]": "fail" for x in range(4)},
        }
    }
    notes = said.err[said.err.index("project: ") :].splitlines()
    assert notes[:4] == [
        "project: 6 tests are set aside and judge nothing:",
        "  4 fail: test_m.py::test_bad[0], test_m.py::test_bad[1], test_m.py::test_bad[2], ...",
        "  1 skipped: test_m.py::test_skipped",
        "  1 expected to fail: test_m.py::test_expected",
    ]


@pytest.mark.slow
def test_every_way_to_end_is_there_on_a_project(whole):
    assert whole.code == 0, whole
    expected = {"killed_by_assertion", "killed_by_error", "killed_by_timeout", "survived", "unreached", "breaks_import"}
    assert {status for status, count in whole.json["by_status"].items() if count} >= expected
    for verdict in whole.json["verdicts"]:
        assert bool(verdict["killers"]) == verdict["status"].startswith("killed"), verdict
        if verdict["defect"]["function"] == "never_called" and verdict["defect"]["span"]["start_line"] == 24:
            assert verdict["status"] == "unreached"
            assert verdict["reached"] == 0


@pytest.mark.slow
def test_killers_are_those_that_plain_pytest_finds(whole, project, tmp_path):
    copy = shutil.copytree(project, tmp_path / "copy")
    compared = 0
    for verdict in whole.json["verdicts"][::4]:
        if verdict["status"] in ("killed_by_timeout", "breaks_import", "equal_code"):
            continue
        subprocess.run(["git", "apply", "-"], cwd=copy, input=verdict["defect"]["diff"].encode(), check=True)
        assert set(verdict["killers"]) == plain_failures(copy), verdict
        shutil.copy(project / "grades.py", copy)
        compared += 1
    assert compared > 20


def plain_failures(directory: Path) -> set[str]:
    options = ["-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
    command = [sys.executable, "-B", "-m", "pytest", *options]
    told = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False).stdout
    return {found[1] for found in re.finditer(r"^(?:FAILED|ERROR) (\S+)", told, re.MULTILINE)}


@pytest.mark.slow
def test_stopping_at_the_first_gives_the_same_statuses_with_one_killer(mendlab, project, whole):
    killed = {"killed_by_assertion", "killed_by_error", "killed_by_timeout"}
    full = {each["mutant"]: each for each in whole.json["verdicts"]}
    first = mendlab("score", project, "--json", "--sample", 60).json["verdicts"]
    assert len(first) == 60
    for each in first:
        twin = full[each["mutant"]]
        assert each["status"] == twin["status"] or {each["status"], twin["status"]} <= killed
        assert each["killers"].items() <= twin["killers"].items()
        assert len(each["killers"]) == bool(twin["killers"])


def start(*arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "mendlab", "score", *map(str, arguments)]
    return subprocess.Popen(command, stdout=-1, stderr=-1, text=True, start_new_session=True)


def wait_for(path: Path, size: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.stat().st_size <= size:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_killed_run_goes_on_and_ends_as_if_it_had_not_been(mendlab, problems, tmp_path):
    whole = mendlab("score", problems, "--sample", 150, "--json").json
    process = start(problems, "--sample", 150, "--out", tmp_path / "out")
    wait_for(tmp_path / "out" / "results.jsonl", 20_000, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    results = tmp_path / "out" / "results.jsonl"
    kept = results.read_text().rpartition("\n")[0]
    assert 10 < kept.count("\n") < whole["mutants"]
    results.write_text(kept + '\n{"torn')
    said = mendlab("score", problems, "--sample", 150, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said
    assert results.read_text().startswith(kept + "\n")
    assert [(v["mutant"], v["status"]) for v in said.json["verdicts"]] == [
        (v["mutant"], v["status"]) for v in whole["verdicts"]
    ]
    before = results.read_bytes()
    again = mendlab("score", problems, "--sample", 150, "--out", tmp_path / "out", "--json")
    assert again.json == said.json
    assert results.read_bytes() == before
    assert again.err == f"{tmp_path / 'out'} was made by this very command before: nothing is left to do\n"
    results.write_bytes(before[: before.rindex(b"\n", 0, -1) + 1])
    mended = mendlab("score", problems, "--sample", 150, "--out", tmp_path / "out", "--json")
    assert "mutants decided: 150 of 150" in mended.err
    assert mended.json["by_status"] == said.json["by_status"]


def test_a_folder_is_for_one_program_and_one_choice(mendlab, problems, tmp_path):
    out = tmp_path / "out"
    assert mendlab("score", problems, "--out", out, "--sample", 4).code == 0
    line = mendlab("score", problems, "--out", out, "--sample", 5).refusal()
    assert line.startswith(f"{out}: was begun with other settings: sample (")
    problems.write_text(problems.read_text().replace("return low", "return  low"))
    line = mendlab("score", problems, "--out", out, "--sample", 4).refusal()
    assert line.startswith(f"{out}: was begun with other settings: program_files (")
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    assert mendlab("score", problems, "--out", other).refusal().startswith(f"{other}: something is there already (")


@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_says_how_to_go_on(mendlab, problems, tmp_path, kept):
    out = tmp_path / "out"
    process = start(problems, *(["--out", out] if kept else []))
    if kept:
        wait_for(out / "results.jsonl", 5_000, process)
    else:
        assert any("mutants decided: " in line for line in process.stderr)
    os.killpg(process.pid, signal.SIGINT)
    said, err = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, "")
    assert "Traceback" not in err
    line = err.splitlines()[-1]
    if kept:
        assert line == "mendlab: interrupted; run the same command again to go on from here"
        assert len(lines_of(out)) > 3
    else:
        assert re.fullmatch(r"mendlab: interrupted; \d+ verdicts are lost: name a folder with --out to keep them", line)


def test_a_score_that_is_too_low_ends_with_1(mendlab, problems):
    said = mendlab("score", problems, "--sample", 20, "--fail-under", 100)
    assert said.code == 1
    assert re.search(r"^the score of [\d.]+% is below 100%$", said.err, re.MULTILINE)
    assert said.out.startswith("mutation score: ")
    assert mendlab("score", problems, "--sample", 20, "--fail-under", 10).code == 0


def test_nothing_is_reported_where_the_canary_lives(mendlab, shapes, tmp_path):
    blind = shapes.rows([shapes.problem("S/0", CLAMP, ["callable(candidate)"])])
    line = mendlab("score", blind, "--out", tmp_path / "out").refusal()
    assert line.startswith("S/0: no mutant that must be killed can be made: its tests run none of its functions (")
    assert not (tmp_path / "out" / "results.jsonl").read_text()


@pytest.mark.slow
def test_nothing_is_reported_where_tests_swallow_everything(mendlab, shapes):
    suite = (
        "from m import f\n\ndef test_f():\n    try:\n        assert f(1) == 1\n    except Exception:\n        pass\n"
    )
    project = shapes.project({"m.py": "def f(x):\n    return x + 0\n", "test_m.py": suite})
    line = mendlab("score", project).refusal()
    assert line.startswith(
        "project: no test fails where f raises at once, so nothing that its tests say can be trusted"
    )


def test_what_cannot_be_scored_is_named(mendlab, shapes, tmp_path):
    good, bad = shapes.problem("S/0", CLAMP, CHECKS), shapes.problem("S/1", CLAMP, ["candidate(1, 2, 4) == 7"])
    path = shapes.rows([good, bad])
    said = mendlab("score", path, "--sample", 10, "--json")
    assert said.code == 0
    assert {each["subject"] for each in said.json["verdicts"]} == {"S/0"}
    assert said.json["mutants"] == 10
    assert [each["id"] for each in said.json["refused"]] == ["S/1"]
    assert "S/1: its own tests do not pass" in said.err
    line = mendlab("score", shapes.rows([bad]), "--out", tmp_path / "out").refusal()
    assert line.startswith(f"{path}: its own tests do not pass: ")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_tests_that_cannot_run_are_told_of_before_any_mutant_is_made(mendlab, shapes):
    project = shapes.project({"m.py": "def f(x):\n    return x\n", "test_m.py": "import absent_package\nimport m\n"})
    said = mendlab("score", project)
    assert said.code == 2
    (line,) = (line for line in said.err.splitlines() if line.startswith("mendlab: "))
    assert re.fullmatch(
        rf"mendlab: {project}: test_m.py:1: its tests cannot be collected: ModuleNotFoundError: No module named "
        r"'absent_package' \([^()]+\(--python names another\)\)",
        line,
    )
    assert "clean runs: 1 of 1" in said.err
    assert "mutated" not in said.err
    assert "decided" not in said.err


@pytest.mark.slow
def test_a_file_says_that_only_its_doctests_are_run_and_that_it_is_run_by_itself(mendlab, tmp_path):
    path = tmp_path / "m.py"
    doctest = 'def f(x):\n    """\n    >>> f(1)\n    2\n    """\n    return x + 1\n'
    told = "its doctests are all the tests that are run; for others name the project's directory"
    path.write_text(doctest)
    said = mendlab("score", path, "--sample", 2)
    assert (said.code, said.err.splitlines()[0]) == (0, f"{path}: {told}")
    path.write_text(f"{doctest}\n\nassert f(2) == 3\n")
    assert told not in mendlab("score", path, "--sample", 2).err
    path.write_text("from beside import x\n\ndef f(n):\n    return n + x\n\nassert f(2) == 3\n")
    assert mendlab("score", path).refusal() == (
        f"{path}: its own tests do not pass: assert[0]: the reference module cannot be imported: "
        "ModuleNotFoundError: No module named 'beside' "
        "(a file is run by itself: name the project's directory if it needs what lies there)"
    )


def test_options_that_mean_nothing_are_refused(mendlab, problems):
    assert mendlab("score", problems, "--strategy", "natural").refusal().startswith("--strategy needs --sample (")
    assert mendlab("score", problems, "--function", "clam").refusal() == (
        "there is no function 'clam' (near names: clamp)"
    )
    assert "is called 'opeartor'" in mendlab("score", problems, "--operators", "opeartor").refusal()
