"""Fixes are mined from a real repository, and reached or not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from measures.histories import mined, reach_fix, section

HEAD = "import os\n\n\ndef other(x):\n    return x + 1\n\n\nclass A:\n"
METHOD = '    def first(self, rows: list) -> int:\n        """Docs."""\n        return rows[{index}]\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def commit(subject: str, **files: str) -> None:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", subject)

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=n", "-c", "user.email=e@e", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    bad, good = HEAD + METHOD.format(index=1), HEAD + METHOD.format(index=0)
    commit("start", a=bad, test_a="x = 1\n")
    commit("Fix the first row", a=good, test_a="x = 2\n")
    commit("Add one more", a=good.replace("x + 1", "x + 2"))
    commit("Fix two functions", a=good.replace("x + 1", "x + 3").replace("rows[0]", "rows[2]"))
    commit("Fix docs", a=good.replace("x + 1", "x + 3").replace("rows[0]", "rows[2]").replace("Docs", "More"))
    return tmp_path


def test_one_function_fixes_are_mined_and_reached(repository: Path) -> None:
    (fix,) = mined(repository, 10)
    assert fix.function == "A.first"
    assert "rows[0]" in fix.fixed
    hit, count = reach_fix(fix)
    assert hit
    assert count > 3
    assert section([repository], 10, 1).tables[0].rows[0][1].startswith("100.0% (1/1)")
