"""The corpus in cases/: every answer comes to what must come of it."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from applying.cases import Case, read_cases
from applying.ours import say_of, wrong

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.tree import FileTree
from mendlab.verify.patches import SAFE, Applied, ApplyRung, PatchFormat, apply_patch

CASES = read_cases()
RIGHT = [case for case in CASES if case.right is not None]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_it_comes_to(case: Case) -> None:
    assert wrong(case, say_of(case)) is None


@pytest.mark.parametrize("case", RIGHT, ids=str)
def test_the_canonical_patch_leads_to_the_same_tree(case: Case) -> None:
    result = apply_patch(case.before, case.answer, editable=case.editable)
    assert isinstance(result, Applied)
    assert apply_diff(case.before, result.canonical_patch) == result.tree


@pytest.mark.parametrize("case", RIGHT, ids=str)
def test_it_agrees_with_git(case: Case, tmp_path: Path) -> None:
    """What is strict, git applies to the same end; what git alone applies, it gets wrong, or something is around it."""
    theirs = _git(case, tmp_path)
    result = apply_patch(case.before, case.answer, editable=case.editable)
    assert isinstance(result, Applied)
    if (result.rung, result.format) == (ApplyRung.STRICT, PatchFormat.UNIFIED):
        assert theirs == result.tree
    elif theirs == case.right:
        assert result.rung in SAFE


def _git(case: Case, folder: Path) -> FileTree | None:
    """The tree after ``git apply``, if every hunk goes where it says."""
    case.before.write(folder)
    command = ["git", "apply", "-v", "-"]
    done = subprocess.run(command, cwd=folder, input=case.data, capture_output=True, check=False)
    if done.returncode or b"offset" in done.stderr:
        return None
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    modes = frozenset(name for name, path in files.items() if path.stat().st_mode & 0o100)
    return FileTree({name: path.read_bytes() for name, path in files.items()}, modes)


def test_the_corpus_is_large_and_its_names_differ() -> None:
    assert len({str(case) for case in CASES}) == len(CASES) >= 200
    assert Counter(case.kind for case in CASES).keys() == {"strict", "safe", "lenient", "refused"}
