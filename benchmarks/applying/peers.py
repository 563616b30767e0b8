"""What other tools make of the answers: git and GNU patch on diffs, unidiff's reading of them, aider on three formats.

They get what a harness gives them: the diff that stands in the answer's fences, else the whole answer.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from unidiff.patch import PatchSet

from applying.cases import Case
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree

_FENCED: Final = re.compile(r"^```(?:diff|patch|)[ \t]*\r?\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_SECONDS: Final = 20
COMMANDS: Final[dict[str, Sequence[str]]] = {
    "git apply": ("git", "apply", "-"),
    "patch -p1": ("patch", "-p1", "--batch", "--no-backup-if-mismatch"),
    "patch -p1 --fuzz=5": ("patch", "-p1", "--batch", "--fuzz=5", "--no-backup-if-mismatch"),
}
DRIVER: Final = Path(__file__).parents[1] / "peer_drivers" / "drive_aider.py"


class PeerError(Exception):
    """A peer could not be measured; the text says why."""


def extracted(answer: str) -> str:
    """The diff in an answer's fences, else the answer."""
    found = [text for text in _FENCED.findall(answer) if "@@" in text or "--- " in text]
    return "".join(found) or answer


def run_command(name: str, case: Case) -> FileTree | None:
    """The tree after a tool has run on it and said that all went well, else ``None``."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "outer", "tree")
        case.before.write(root)
        data = extracted(case.answer).encode(case.encoding, "replace")
        command = list(COMMANDS[name])
        done = subprocess.run(command, cwd=root, input=data, capture_output=True, timeout=_SECONDS, check=False)
        return None if done.returncode else _read(root)


def _read(root: Path) -> FileTree:
    files = [path for path in root.rglob("*") if path.is_file()]
    names = {path: str(path.relative_to(root)) for path in files}
    executable = frozenset(names[path] for path in files if path.stat().st_mode & 0o100)
    return FileTree({names[path]: path.read_bytes() for path in files}, executable)


def run_aider(python: Path, cases: Sequence[Case]) -> tuple[str, list[FileTree | None]]:
    """aider's version, and the tree after each case, ``None`` where it raised an error."""
    lines = "".join(json.dumps(_told(case)) + "\n" for case in cases)
    done = subprocess.run([str(python), str(DRIVER)], input=lines, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or len(answers) != len(cases) + 1:
        raise PeerError((done.stderr.strip().splitlines() or ["no answer"])[-1][:160])
    trees = [
        None
        if answer["files"] is None
        else FileTree({path: text.encode("latin-1") for path, text in answer["files"].items()}, case.before.executable)
        for case, answer in zip(cases, answers[1:], strict=True)
    ]
    return answers[0]["version"], trees


def _told(case: Case) -> dict[str, object]:
    end = "" if case.answer.endswith("\n") else "\n"
    bare = case.form == "diff" and "```" not in case.answer
    answer = f"```diff\n{case.answer}{end}```\n" if bare else case.answer
    return {
        "name": str(case),
        "form": case.form,
        "files": {path: data.decode("latin-1") for path, data in case.before.items()},
        "editable": case.editable,
        "answer": answer,
    }


@dataclass(frozen=True, slots=True)
class Reading:
    """How many diffs unidiff read: whole, with an error, and with lines missing without a word."""

    cases: int
    whole: int
    refused: int
    lost: int


def read_by_unidiff(cases: Sequence[Case]) -> Reading:
    """Parse every diff that has a right tree; whole is one whose changed lines are all there."""
    whole = refused = lost = 0
    for case in cases:
        try:
            found = PatchSet(extracted(case.answer))
        except Exception:  # also UnboundLocalError and the like
            refused += 1
            continue
        lines = [f"{line.line_type}{line.value.rstrip()}" for file in found for hunk in file for line in hunk]
        missing = [line for line in _changed_lines(case) if line not in lines]
        whole, lost = (whole, lost + 1) if missing or not len(found) else (whole + 1, lost)
    return Reading(len(cases), whole, refused, lost)


def _changed_lines(case: Case) -> list[str]:
    """The lines that the right patch takes and gives; none for a rename."""
    assert case.right is not None
    diff = make_diff(case.before, case.right).splitlines()
    given = {line.strip() for line in case.answer.splitlines()}
    return [
        line.rstrip()
        for line in diff
        if line[:1] in ("+", "-") and not line.startswith(("+++ ", "--- ")) and line.strip() in given
    ]
