"""Bad input gets one line that names the file, the place and the way out, and loses nothing."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mendlab.corpora.taskset import TaskSet
from mendlab.verify.equivalence.symbolic import is_available

DOUBLE = "def double(x):\n    return 2 * x\n"
SUITE = "from double import double\n\ndef test_double():\n    assert double(3) == 6\n"
FEW = ("--operators", "arithmetic-swapped", "--limit", "2")


@pytest.fixture
def inject(mendlab, tmp_path):
    """Inject into something; whatever it was, no half-made task set may be left."""

    def inject(subject, *options, out=tmp_path / "out"):
        return mendlab("inject", subject, "--out", out, *FEW, *options)

    return inject


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def test_an_empty_project(inject, tmp_path):
    project = write(tmp_path / "empty", {})
    project.mkdir()
    assert inject(project).refusal().startswith(f"{project}: there is no Python file in it (")
    assert not (tmp_path / "out").exists()


def test_a_project_without_tests(inject, tmp_path):
    project = write(tmp_path / "untested", {"double.py": DOUBLE})
    line = inject(project).refusal()
    assert line.startswith(f"{project}: no tests: ")
    assert "add pytest tests" in line


def test_a_project_whose_tests_fail_already_can_be_mended_and_tried_again(inject, tmp_path):
    project = write(tmp_path / "failing", {"double.py": DOUBLE, "test_double.py": SUITE.replace("6", "7")})
    line = inject(project).refusal()
    assert line.startswith(f"{project}: ")
    assert "test_double.py::test_double" in line
    assert not list(tmp_path.glob("out*"))
    write(project, {"test_double.py": SUITE})
    assert inject(project).code == 0


@pytest.mark.parametrize("where", ["double.py", "test_double.py"])
def test_a_syntax_error(inject, tmp_path, where):
    project = write(tmp_path / "broken", {"double.py": DOUBLE, "other.py": DOUBLE, "test_double.py": SUITE})
    write(project, {where: "def double(x):\n    return 2 *\n"})
    line = inject(project).refusal()
    assert str(project) in line
    assert f"{where}:2" in line


def test_a_syntax_error_in_a_single_file(inject, mendlab, tmp_path):
    write(tmp_path, {"one.py": "x = 1\ndef f(:\n"})
    for said in (inject(tmp_path / "one.py"), mendlab("mutators", "run", tmp_path / "one.py")):
        line = said.refusal()
        assert "one.py:2" in line


DEEP = {
    "terms": "def f(a):\n    return a" + " + a" * 2000 + "\n",
    "attributes": "def f(a):\n    return a" + ".b" * 2000 + "\n",
    "calls": "def f(a):\n    return a" + "()" * 1500 + "\n",
    "branches": "def f(a):\n    if a:\n        pass\n" + "    elif a:\n        pass\n" * 1500,
}


@pytest.mark.parametrize("name", DEEP)
def test_a_file_that_is_nested_too_deeply(mendlab, inject, tmp_path, name):
    project = write(tmp_path / "deep", {"double.py": DOUBLE, "test_double.py": SUITE, "deep.py": DEEP[name]})
    line = mendlab("mutators", "run", project / "deep.py", "--count").refusal()
    assert line.startswith(f"{project}/deep.py:2: is nested too deeply (") or name == "branches"
    assert "is nested too deeply (leave this file out)" in line
    for said in (mendlab("mutators", "run", project, "--count"), inject(project)):
        assert said.code == 0, said
        assert sum("deep.py" in line and "nested too deeply" in line for line in said.err.splitlines()) == 1


@pytest.mark.parametrize("codec", ["punycode", "undefined", "rot13"])
def test_an_encoding_that_cannot_be_read(mendlab, tmp_path, codec):
    write(tmp_path, {"coded.py": f"# coding: {codec}\nx = 1\n"})
    assert "coded.py:1: not valid Python: " in mendlab("mutators", "run", tmp_path / "coded.py").refusal()


def test_what_is_no_regular_file(mendlab, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        for arguments in (("run", path), ("list", "--templates", path)):
            assert mendlab("mutators", *arguments, timeout=60).refusal().startswith(f"{path}: is no regular file (")
    line = mendlab("mutators", "docs", "--out", "/dev/full", timeout=60).refusal()
    assert line.startswith("/dev/full: is no regular file (")


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["docs"]])
def test_a_full_standard_output(arguments):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "mendlab", "mutators", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "mendlab: standard output cannot be written: No space left on device\n"


def test_a_sample_of_more_than_a_machine_counts_is_all(mendlab, tmp_path):
    write(tmp_path, {"double.py": DOUBLE})
    run = ("mutators", "run", tmp_path / "double.py", "--count", "--json")
    assert mendlab(*run, "--sample", 10**22).json == mendlab(*run).json


def test_no_mutant_at_all_is_said(mendlab, tmp_path):
    write(tmp_path, {"double.py": DOUBLE, "empty.py": ""})
    for arguments in (("double.py", "--lines", "99999"), ("empty.py",), ("empty.py", "--sample", "3")):
        said = mendlab("mutators", "run", *arguments, cwd=tmp_path)
        assert (said.code, said.out, said.err) == (0, "", "0 mutants\n")


def test_a_file_that_only_python_reads(mendlab, tmp_path):
    write(tmp_path, {"escaped.py": "# coding: unicode_escape\nx = 1\\ny = 2\n"})
    line = mendlab("mutators", "run", tmp_path / "escaped.py").refusal()
    assert line.endswith(
        "escaped.py:2: Python accepts this file, but the parser that mendlab uses cannot read it (leave it out)"
    )


@pytest.mark.slow
def test_a_test_that_hangs_is_told_by_its_time(mendlab, tmp_path):
    suite = SUITE + "\ndef test_wild():\n    while True:\n        pass\n"
    project = write(tmp_path / "wild", {"double.py": DOUBLE, "test_double.py": suite})
    said = mendlab("subjects", project, "--json")
    assert said.code == 0
    (subject,) = said.json["subjects"]
    assert (subject["passing"], subject["failing"], subject["flaky"]) == (1, ["test_double.py::test_wild"], [])
    assert subject["cpu_seconds"] > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("import os\n    os._exit(0)", "exit code 0"),
        ("import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
    ],
    ids=["exits", "is_killed"],
)
def test_a_test_that_ends_the_process_is_set_aside(inject, tmp_path, body, named):
    suite = SUITE + f"\ndef test_wild():\n    {body}\n"
    project = write(tmp_path / "wild", {"double.py": DOUBLE, "test_double.py": suite})
    said = inject(project)
    assert said.code == 0
    assert "wild: 1 tests are set aside and judge nothing:\n  1 crash: test_double.py::test_wild\n" in said.err
    assert {test for task in TaskSet.open(tmp_path / "out").tasks for test in task.fail_to_pass} == {
        "test_double.py::test_double"
    }
    alone = write(tmp_path / "alone", {"double.py": DOUBLE, "test_double.py": f"def test_wild():\n    {body}\n"})
    line = inject(alone, out=tmp_path / "other").refusal()
    assert line.startswith(f"{alone}: its own tests do not pass: test_double.py::test_wild: ")
    assert named in line


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "print('x' * 5_000_000)",
        "import os\n    if os.fork() == 0:\n        import time\n        time.sleep(1000)",
        "import os\n    os.remove(__file__)\n    import double\n    os.remove(double.__file__)",
    ],
    ids=["prints_megabytes", "forks", "deletes_its_files"],
)
def test_a_wild_test_that_passes_does_no_harm(inject, tmp_path, body):
    suite = SUITE + f"\ndef test_wild():\n    {body}\n"
    project = write(tmp_path / "wild", {"double.py": DOUBLE, "test_double.py": suite})
    said = inject(project)
    assert said.code == 0, said
    assert len(said.err) < 5000
    assert TaskSet.open(tmp_path / "out").tasks
    assert (project / "double.py").read_text() == DOUBLE
    assert (project / "test_double.py").read_text() == suite


def test_a_line_that_is_cut_off_costs_itself(inject, shapes, tmp_path):
    path = shapes.rows([shapes.problem("S/0", DOUBLE, ["candidate(3) == 6"])])
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    said = inject(path)
    assert said.code == 0
    assert f"{path}:2: not a whole JSON value" in said.err
    assert TaskSet.open(tmp_path / "out").tasks
    path.write_bytes(whole[:50])
    line = inject(f"humaneval:{path}", out=tmp_path / "other").refusal()
    assert line.startswith(f"{path}:1: not a whole JSON value")


def test_a_gzip_that_is_cut_off(inject, shapes, tmp_path):
    rows = [shapes.problem(f"S/{n}", DOUBLE, ["candidate(3) == 6"]) for n in range(3)]
    packed = gzip.compress(shapes.rows(rows).read_bytes())
    write(tmp_path, {"cut.jsonl.gz": packed[:-20]})
    line = inject(f"humaneval:{tmp_path / 'cut.jsonl.gz'}").refusal() if len(packed) < 100 else ""
    said = inject(f"humaneval:{tmp_path / 'cut.jsonl.gz'}", out=tmp_path / "other")
    assert "cut.jsonl.gz" in (line + said.err)
    assert "broken or cut off" in said.err


def test_a_file_that_is_not_utf8(inject, shapes, mendlab, tmp_path):
    write(tmp_path, {"latin.jsonl": b'{"task_id": "\xe9"}\n', "latin.py": b"x = '\xe9'\nassert x\n"})
    line = inject(f"humaneval:{tmp_path / 'latin.jsonl'}").refusal()
    assert line.startswith(f"{tmp_path}/latin.jsonl:1: not UTF-8 (byte 13 of the line)")
    assert f"{tmp_path}/latin.py" in inject(tmp_path / "latin.py").refusal()
    assert "latin.py" in mendlab("mutators", "run", tmp_path / "latin.py").refusal()
    declared = b"# -*- coding: latin-1 -*-\ndef f(a, b):\n    return a * b, '\xe9'\nassert f(2, 3) == (6, '\xe9')\n"
    write(tmp_path, {"declared.py": declared})
    assert inject(tmp_path / "declared.py").code == 0
    taskset = TaskSet.open(tmp_path / "out")
    assert b"'\xe9'" in taskset.buggy_tree(taskset.tasks[0])["declared.py"]


@pytest.mark.slow
def test_a_path_with_spaces_and_letters_of_other_languages(mendlab, tmp_path):
    home = tmp_path / "Mein Ordner – 数据 é"
    project = write(home / "Projekt ß", {"double.py": DOUBLE, "test_double.py": SUITE})
    out = home / "Aufgaben ü"
    assert mendlab("inject", project, "--out", out, *FEW).code == 0
    assert mendlab("check", out, "--runs", 1).code == 0
    run = home / "Läufe" / "ä b"
    assert mendlab("repair", out, "--strategy", "reference", "--out", run).code == 0
    assert mendlab("report", run, "--out", home / "Bericht ö.html").code == 0
    assert (home / "Bericht ö.html").is_file()


def sealed(folder: Path) -> bool:
    """Make a folder such that not even root writes to it; whether this machine can."""
    folder.mkdir()
    if os.getuid() != 0:
        folder.chmod(0o555)
        return True
    bound = subprocess.run(["mount", "--bind", "-o", "ro", folder, folder], capture_output=True, check=False)
    return bound.returncode == 0


@pytest.fixture
def read_only(tmp_path):
    folder = tmp_path / "sealed"
    if not sealed(folder):
        pytest.skip("root may write anywhere here, and cannot mount")
    yield folder
    if os.getuid() == 0:
        subprocess.run(["umount", folder], check=True)
    else:
        folder.chmod(0o755)


def test_a_read_only_folder(mendlab, inject, shapes, tasks, reference_run, read_only):
    path = shapes.rows([shapes.problem("S/0", DOUBLE, ["candidate(3) == 6"])])
    for said in (
        inject(path, out=read_only / "out"),
        mendlab("import", "humanevalpack", tasks.parent / "pack.jsonl", "--out", read_only / "out"),
        mendlab("repair", tasks, "--strategy", "noop", "--out", read_only / "run"),
        mendlab("report", reference_run, "--out", read_only / "report.html"),
    ):
        line = said.refusal()
        assert str(read_only) in line
        assert "cannot be written: " in line
        assert "name a folder that you may write to" in line
    assert not list(read_only.iterdir())


def test_a_file_in_the_way(mendlab, inject, shapes, tasks, reference_run, tmp_path):
    path = shapes.rows([shapes.problem("S/0", DOUBLE, ["candidate(3) == 6"])])
    (tmp_path / "file").write_text("mine")
    for said in (
        inject(path, out=tmp_path / "file"),
        inject(path, out=tmp_path / "file" / "out"),
        mendlab("import", "humanevalpack", tasks.parent / "pack.jsonl", "--out", tmp_path / "file" / "out"),
        mendlab("repair", tasks, "--strategy", "noop", "--out", tmp_path / "file"),
        mendlab("repair", tasks, "--strategy", "noop", "--out", tmp_path / "file" / "run"),
        mendlab("report", reference_run, "--out", tmp_path / "file" / "report.html"),
        mendlab("demo", "--out", tmp_path / "file"),
    ):
        assert str(tmp_path / "file") in said.refusal()
    assert (tmp_path / "file").read_text() == "mine"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 200 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder]
    if os.getuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root can mount a small disk here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_keeps_what_was_found_out(mendlab, shapes, small_disk):
    path = shapes.rows([shapes.problem(f"S/{n}", DOUBLE, ["candidate(3) == 6", "candidate(1) == 2"]) for n in range(3)])
    out = small_disk / "out"
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (200 * 1024 - 12 * 1024))
    said = mendlab("inject", path, "--out", out, "--operators", "arithmetic-swapped")
    line = said.refusal()
    assert str(small_disk) in line
    assert "No space left on device" in line
    assert "free some space and run the same command again" in line
    kept = {file.name: file.read_bytes() for file in (small_disk / "out.building").iterdir()}
    assert kept
    filler.unlink()
    assert mendlab("inject", path, "--out", out, "--operators", "arithmetic-swapped").code == 0
    plain = shapes.folder / "plain" / "out"
    plain.parent.mkdir()
    assert mendlab("inject", path, "--out", plain, "--operators", "arithmetic-swapped").code == 0
    made, wanted = ({p.relative_to(d): p.read_bytes() for p in d.rglob("*") if p.is_file()} for d in (out, plain))
    assert made == wanted


def test_a_full_disk_does_not_spoil_a_run(mendlab, tasks, small_disk):
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (200 * 1024 - 8 * 1024))
    run = small_disk / "run"
    line = mendlab("repair", tasks, "--strategy", "reference", "--samples", 20, "--out", run).refusal()
    assert "No space left on device" in line
    filler.unlink()
    assert mendlab("repair", tasks, "--strategy", "reference", "--samples", 20, "--out", run).code == 0
    assert (run / "verdicts.jsonl").read_text().count('"outcome":"exact"') == 40


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["injekt"], "injekt"),
        (["inject", "x", "--limt", "3"], "--limit"),
        (["inject", "x"], "--out"),
        (["inject", "nowhere", "--out", "o"], "nowhere: there is no such file or directory"),
        (["inject", "humaneval:nowhere.jsonl", "--out", "o"], "nowhere.jsonl"),
        (["inject", "bundled:nothing", "--out", "o"], "nothing"),
        (["inject", "mbpp", "--out", "o"], "mbpp:PATH"),
        (["inject", "bundled:guards", "--out", "o", "--operators", "compare_swap"], "comparison-swapped"),
        (["inject", "bundled:guards", "--out", "o", "--operators", ""], "mendlab mutators list"),
        (["inject", "bundled:guards", "--out", "o", "--limit", "0"], "--limit"),
        (["inject", "bundled:guards", "--out", "o", "--sampling", "lucky"], "natural"),
        (["inject", "bundled:guards", "--out", "o", "--python", "/nowhere/python"], "/nowhere/python"),
        (["inject", "bundled:guards", "--out", "."], "name one that is not there yet"),
        (["import", "humanevalpak", ".", "--out", "o"], "humanevalpack"),
        (["import", "quixbugs", ".", "--out", "o"], "python_programs"),
        (["import", "taskdirs", ".", "--out", "o"], "prompt.md"),
        (["import", "quixbugs", ".", "--out", "o", "--option", "nonsense"], "NAME=VALUE"),
        (["import", "quixbugs", ".", "--out", "o", "--option", "a=b"], "no option 'a'"),
        (["check", "."], "manifest.json"),
        (["check", "nowhere"], "nowhere"),
        (["repair", ".", "--strategy", "serch", "--out", "o"], "search"),
        (["repair", ".", "--strategy", "search", "--out", "o", "--option", "second=3"], "seconds"),
        (["repair", ".", "--strategy", "search", "--out", "o", "--option", "seconds=soon"], "soon"),
        (["repair", ".", "--strategy", "replay", "--out", "o"], "patches"),
        (["repair", ".", "--strategy", "noop", "--out", "o"], "manifest.json"),
        (["verify", ".", "--patches", "."], "manifest.json"),
        (["report", "."], "not a run: no run.json"),
        (["report"], "RUNS"),
        (["mutators", "show", "compare_swap"], "comparison-swapped"),
        (["mutators", "list", "--family", "mystery"], "families: "),
        (["mutators", "run", "."], "there is no Python file in it"),
        (["mutators", "run", "nowhere.py"], "nowhere.py"),
        (["demo", "--tasks", "1"], "--tasks"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_word_names_the_right_ones(mendlab, tmp_path, arguments, named):
    said = mendlab(*arguments, cwd=tmp_path)
    assert named in said.refusal()
    assert not list(tmp_path.iterdir())


def test_patches_for_another_set(mendlab, tasks, tmp_path):
    write(tmp_path / "patches", {"other.diff": "--- a/x\n+++ b/x\n"})
    line = mendlab("verify", tasks, "--patches", tmp_path / "patches").refusal()
    assert "P__0.diff" in line
    write(tmp_path, {"cut.jsonl": '{"instance_id": "P/0", "model_patch": "x"}\n{"instance_id": '})
    assert "cut.jsonl:2" in mendlab("verify", tasks, "--patches", tmp_path / "cut.jsonl").refusal()


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        (
            "half.jsonl",
            b'{"instance_id": "P/0", "model_name_or_path": "\\ud800", "model_patch": "x"}',
            "half a surrogate",
        ),
        ("deep.json", b"[" * 100_000, "nested too deeply"),
        ("long.jsonl", b'{"instance_id": ' + b"1" * 10_000 + b"}", "broken JSON"),
        ("wide.json", '[{"instance_id": "P/0"}]'.encode("utf-16"), "is UTF-16"),
    ],
)
def test_predictions_that_no_record_can_hold(mendlab, tasks, tmp_path, name, data, what):
    (tmp_path / name).write_bytes(data)
    line = mendlab("verify", tasks, "--patches", tmp_path / name, "--out", tmp_path / "run").refusal()
    assert name in line
    assert what in line
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("subjects", "x" * 300),
        ("score", "x" * 300),
        ("harvest", "x" * 300, "--out", "o"),
        ("harvest", "patterns", "loop", "--out", "o.jsonl"),
        ("repair", "TASKS", "--strategy", "noop", "--out", "x" * 300),
        ("report", "loop"),
    ],
)
def test_what_no_place_can_be_called(mendlab, tasks, tmp_path, words):
    (tmp_path / "loop").symlink_to("loop")
    line = mendlab(*(tasks if word == "TASKS" else word for word in words), cwd=tmp_path).refusal()
    assert "xxx" in line or "loop" in line
    assert not (tmp_path / "o").exists()


def test_a_note_that_nobody_can_read_is_none(mendlab, tasks, tmp_path):
    copied = shutil.copytree(tasks, tmp_path / "tasks")
    (copied / "places.json").write_text("[" * 200_000)
    assert mendlab("prompt", copied, "P/0").code == 0


@pytest.mark.skipif(is_available(), reason="crosshair-tool is installed")
def test_a_symbolic_search_without_what_searches(mendlab, tasks, tmp_path):
    write(tmp_path / "patches", {"P__0.diff": "--- a/x\n+++ b/x\n"})
    line = mendlab("verify", tasks, "--patches", tmp_path / "patches", "--symbolic-seconds", 5).refusal()
    assert "pip install 'mendlab[crosshair]'" in line


def test_a_broken_task_set(mendlab, tasks, tmp_path):
    for name, text in (("manifest.json", "{"), ("tasks.jsonl", '{"id": 3}\n')):
        damaged = shutil.copytree(tasks, tmp_path / name)
        (damaged / name).write_text(text)
        assert f"{damaged / name}" in mendlab("check", damaged).refusal()
    write(tmp_path, {"no.zip": "not a zip"})
    assert "no.zip" in mendlab("check", tmp_path / "no.zip").refusal()


def test_a_demo_removes_nothing_that_is_not_its_own(mendlab, tmp_path):
    mine = write(tmp_path / "work", {"tasks/manifest.json": "{}", "notes.txt": "mine"})
    assert "notes.txt" in mendlab("demo", "--out", mine).refusal()
    (mine / "notes.txt").unlink()
    assert str(mine / "tasks") in mendlab("demo", "--out", mine).refusal()
    assert (mine / "tasks" / "manifest.json").read_text() == "{}"
