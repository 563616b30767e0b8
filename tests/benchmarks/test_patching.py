"""The script on the corpus and on a small one, as it is run by hand, and the counting of what tools make of cases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from applying.cases import Case, read_cases
from applying.comparison import count
from applying.peers import extracted, read_by_unidiff, run_command

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "patching.py"
TREES = """
[small]
editable = ["m.py"]
[small.files]
"m.py" = "a = 1\\nb = 2\\nc = 3\\n"
[small.fixes]
b = [["m.py", "b = 2", "b = 4"]]
"""
CASES = """
[[case]]
name = "right"
tree = "small"
rung = "strict"
fix = ["b"]
answer = '''
--- a/m.py
+++ b/m.py
@@ -1,3 +1,3 @@
 a = 1
-b = 2
+b = 4
 c = 3
'''

[[case]]
name = "bare header"
tree = "small"
rung = "recount"
fix = ["b"]
answer = '''
```diff
--- a/m.py
+++ b/m.py
@@ ... @@
 a = 1
-b = 2
+b = 4
```
'''

[[case]]
name = "drifted"
tree = "small"
outcome = "patch_rejected"
answer = '''
--- a/m.py
+++ b/m.py
@@ -1,3 +1,3 @@
 a = 0
-b = 2
+b = 4
 c = 3
'''
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "trees.toml").write_text(TREES)
    (tmp_path / "small.toml").write_text(CASES)
    return tmp_path


@pytest.fixture
def cases(folder: Path) -> list[Case]:
    return read_cases(folder)


def test_the_script_measures_and_tells_of_missed_goals(folder: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--cases", str(folder), "--peers", "--json", str(folder / "out.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "goals missed: cases" in done.stderr  # 3 are fewer than 200
    found = json.loads((folder / "out.json").read_text())
    assert found["corpus"]["mendlab"]["recovered"] == found["corpus"]["mendlab"]["safe"] == 2
    assert found["compared"]["git apply, diffs"]["recovered"] == 1
    assert found["compared"]["patch -p1, diffs"]["unwarranted"] == 1
    assert found["compared"]["unidiff"] == {"cases": 2, "whole": 1, "refused": 0, "lost": 1}
    assert "| git apply " in done.stdout


def test_what_counts_as_recovered_elsewhere_unwarranted_and_silent(cases: list[Case]) -> None:
    right, bare, drifted = cases
    other = right.before.replace({"m.py": b""})
    crlf = right.before.replace({"m.py": b"a = 1\r\nb = 4\r\nc = 3"})
    pairs = [(right, right.right), (bare, other), (drifted, other), (right, right.before), (bare, None), (right, crlf)]
    found = count(pairs)
    assert (found.cases, found.safe, found.recovered) == (6, 5, 1)
    assert (found.ends, found.elsewhere, found.unwarranted, found.silent) == (1, 1, 1, 1)


def test_peers_get_what_the_fences_hold(cases: list[Case]) -> None:
    right, bare, drifted = cases
    assert extracted(bare.answer).startswith("--- a/m.py")
    assert extracted(right.answer) == right.answer
    assert run_command("git apply", right) == right.right
    assert run_command("git apply", bare) is None
    assert run_command("patch -p1", drifted) is not None


def test_unidiff_reads_a_bare_header_as_nothing(cases: list[Case]) -> None:
    assert read_by_unidiff([cases[1]]).lost == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('outcome = "ambiguous"\n', "either a rung or an outcome"),
        ('edits = [["m.py", "nothing", "x"]]\n', "stands 0 times"),
        ("colour = 1\n", "unknown keys"),
    ],
)
def test_a_case_that_is_not_well_made_is_named(folder: Path, line: str, complaint: str) -> None:
    (folder / "small.toml").write_text(CASES.replace('rung = "strict"\n', f'rung = "strict"\n{line}'))
    with pytest.raises(ValueError, match=f"small: right: .*{complaint}"):
        read_cases(folder)
