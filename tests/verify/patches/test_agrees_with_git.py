"""The strict rung against ``git apply``, on diffs that have been damaged in the ways that answers damage them."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.verify.patches.rungs.strict import apply_text

LINES = [
    "def f(x):",
    "    return x",
    "    x += 1",
    "",
    "    if x:",
    "        pass",
    "\f",
    "-- a",
    "++ b",
    "@@ -1 +1 @@",
    "é\u2028",
]


@st.composite
def cases(draw: st.DrawFn) -> tuple[FileTree, str]:
    """A tree and a damaged diff of it."""
    lines = draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=14))
    after = list(lines)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(LINES), max_size=2))
    ends = draw(st.sampled_from(["\n", ""])), draw(st.sampled_from(["\n", ""]))
    before = FileTree({"m.py": ("\n".join(lines) + ends[0]).encode()})
    diff = make_diff(before, FileTree({"m.py": ("\n".join(after) + ends[1]).encode()}))
    if draw(st.booleans()):
        diff = diff.removeprefix("diff --git a/m.py b/m.py\n")
    for _ in range(draw(st.integers(0, 2))):
        diff = draw(st.sampled_from(DAMAGE))(draw, diff)
    return before, diff


def _damage_line(change: Callable[[str], str]) -> Callable[[st.DrawFn, str], str]:
    def damaged(draw: st.DrawFn, diff: str) -> str:
        lines = diff.split("\n")
        at = draw(st.integers(0, len(lines) - 1))
        lines[at] = change(lines[at])
        return "\n".join(lines)

    return damaged


def _drop(draw: st.DrawFn, diff: str) -> str:
    lines = diff.split("\n")
    del lines[draw(st.integers(0, len(lines) - 1))]
    return "\n".join(lines)


def _double(draw: st.DrawFn, diff: str) -> str:
    lines = diff.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    lines.insert(at, draw(st.sampled_from([lines[at], "", " ", "+x", "-x", "prose", "```", "@@ -1 +1 @@"])))
    return "\n".join(lines)


def _renumber(draw: st.DrawFn, diff: str) -> str:
    digits = [at for at, letter in enumerate(diff) if letter.isdigit()]
    if not digits:
        return diff
    at = draw(st.sampled_from(digits))
    return diff[:at] + draw(st.sampled_from("0123456789")) + diff[at + 1 :]


DAMAGE: list[Callable[[st.DrawFn, str], str]] = [
    _damage_line(lambda line: line[1:]),
    _damage_line(lambda line: line + " "),
    _damage_line(lambda line: line + "\r"),
    _damage_line(lambda line: " " + line),
    _damage_line(str.rstrip),
    _damage_line(lambda line: line.replace("a/", "").replace("b/", "")),
    _drop,
    _double,
    _renumber,
    _renumber,
    lambda draw, diff: diff.removesuffix("\n"),
    lambda draw, diff: diff.replace("\n", "\r\n"),
    lambda draw, diff: f"```diff\n{diff}```\n",
]


def git(tree: FileTree, diff: str) -> tuple[FileTree | None, str]:
    """What git makes of it, and what it says."""
    with tempfile.TemporaryDirectory() as name:
        tree.write(Path(name))
        command = ["git", "apply", "-v", "-"]
        done = subprocess.run(command, cwd=name, input=diff.encode(), capture_output=True, check=False)
        if done.returncode:
            return None, done.stderr.decode()
        files = {path.name: path.read_bytes() for path in Path(name).iterdir()}
        return FileTree(files), done.stderr.decode()


def agreement(tree: FileTree, diff: str) -> str:
    """``both`` or ``neither``, or which way the two differ."""
    ours = apply_text(diff, tree)
    theirs, said = git(tree, diff)
    if not isinstance(ours, FileTree):
        if theirs is None:
            return "neither"
        return "git alone, with an offset" if "offset" in said else f"git alone: {ours.reason}"
    if theirs is None:
        return "ours alone"
    return "both" if ours == theirs else "differently"


# A context line that is empty and has no newline is no line at all; git lets it stand for any last line.
EMPTY_LAST_LINE = "\n\n\\ "
STRICTER = (
    "unexpected line",
    "two names for one file",
    "no a/ or b/ before it",
    "line numbers do not fit",
    "nothing to take a newline from",
    "without a change",
)


@given(cases())
@settings(max_examples=120, deadline=None)
def test_what_strict_applies_git_applies_to_the_same_end(case: tuple[FileTree, str]) -> None:
    """And what git alone applies, it applies elsewhere than the diff says, or leaves lines of it out."""
    found = agreement(*case)
    explained = any(why in found for why in STRICTER) or EMPTY_LAST_LINE in case[1].replace("\r", "")
    assert found in ("both", "neither", "git alone, with an offset") or explained
