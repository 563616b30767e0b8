"""Any agent of the user's own, as a command in a folder."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import PositiveFloat

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.directories import read_directory
from mendlab.corpora.safe_git import git
from mendlab.corpora.tree import FileTree
from mendlab.errors import InputError
from mendlab.repair.context import RepairContext
from mendlab.repair.problem import Problem
from mendlab.repair.prompts.requests import opening_request
from mendlab.repair.strategy import Proposal, strategy

_LOOK_UP_SECONDS: Final = 0.1
_GRACE_SECONDS: Final = 5.0
_MOST_OUTPUT: Final = 200_000
_BY: Final = ("-c", "user.name=mendlab", "-c", "user.email=mendlab@localhost", "-c", "commit.gpgSign=false")


@strategy("command")
@dataclass(frozen=True, slots=True)
class Command:
    """Run a command of yours in a workspace with the buggy program; what it changes there is the patch.

    ``{workspace}``, ``{statement}`` and ``{prompt}`` (the statement with the program and its failing tests) are filled
    in, each as one argument; no shell is between. The command is the user's own and runs as such, not confined.
    """

    command: str
    seconds: PositiveFloat = 900.0
    words: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            words = tuple(shlex.split(self.command))
        except ValueError as error:
            raise InputError(f"the command {self.command!r} cannot be read: {error}", hint="quote it for sh") from None
        if not words:
            raise InputError("the command is empty", hint="write --option command='my-agent {workspace} {statement}'")
        if shutil.which(words[0]) is None:
            raise InputError(
                "there is no such program", where=words[0], hint="name one on the PATH, or by its full path"
            )
        object.__setattr__(self, "words", words)

    def propose(self, context: RepairContext) -> Proposal:
        """Return what the command changed, however it ended, and its output as the answer."""
        problem = context.problem
        with tempfile.TemporaryDirectory(prefix="mendlab-workspace-") as folder:
            workspace = Path(folder) / "workspace"
            _lay_out(problem.tree, workspace)
            ended, output = self._run(context, workspace, Path(folder) / "output")
            patch, left_out = _changes(problem, workspace)
        return Proposal(patch, ended, raw_answer=output, parameters={"left_out": list(left_out)})

    def _run(self, context: RepairContext, workspace: Path, log: Path) -> tuple[str, str]:
        """Run the command to its end or its limit; return how it ended, and the end of what it printed."""
        wanted = {"workspace": str(workspace), "statement": context.problem.statement, "prompt": ""}
        if any("{prompt}" in word for word in self.words):
            wanted["prompt"] = opening_request(context).messages[0].text
        line = [_filled(word, wanted) for word in self.words]
        with log.open("wb") as output:
            process = subprocess.Popen(
                line, cwd=workspace, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )
            try:
                ended = self._watch(context, process)
            finally:
                _end(process)
        return ended, log.read_bytes()[-_MOST_OUTPUT:].decode(errors="replace")

    def _watch(self, context: RepairContext, process: subprocess.Popen[bytes]) -> str:
        deadline = time.monotonic() + self.seconds
        while True:
            try:
                return f"ended with exit code {process.wait(_LOOK_UP_SECONDS)}"
            except subprocess.TimeoutExpired:
                if context.stopping.is_set():
                    raise KeyboardInterrupt from None
                if time.monotonic() > deadline:
                    return f"stopped after {self.seconds:g} s"


def _lay_out(tree: FileTree, workspace: Path) -> None:
    """Write the program down, as the one commit of a repository."""
    tree.write(workspace)
    git(workspace, "init", "--quiet", "--initial-branch=main")
    git(workspace, "add", "--all", "--force")
    git(workspace, *_BY, "commit", "--quiet", "--allow-empty", "--no-verify", "--message=The program as it is")


def _filled(word: str, wanted: dict[str, str]) -> str:
    for name, text in wanted.items():
        if f"{{{name}}}" in word:
            return word.replace(f"{{{name}}}", text)
    return word


def _end(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of the command's group."""
    for number, patience in ((signal.SIGTERM, _GRACE_SECONDS), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue


def _changes(problem: Problem, workspace: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the diff to what stands in the workspace, and the new files that the task has no place for: left out."""
    found = read_directory(workspace, use_git=False).tree
    changes: dict[str, bytes | None] = {
        path: data
        for path, data in found.items()
        if (path in problem.tree or path in problem.editable) and problem.tree.get(path) != data
    }
    changes |= {path: None for path in problem.tree if not os.path.lexists(workspace / path)}
    left_out = tuple(sorted(path for path in found if path not in problem.tree and path not in problem.editable))
    return make_diff(problem.tree, problem.tree.replace(changes)) or None, left_out
