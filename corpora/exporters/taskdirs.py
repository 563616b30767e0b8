"""Task directories: ``ID/{prompt.md, repo/, verify.sh, solution.patch}``, as the importer of this name reads them.

``repo/`` is the buggy program without what is hidden from repairers. The gate has every test, held-out ones too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.exporters.gates import function_gate, pytest_gate, script_gates
from mendlab.corpora.exporters.output import new_folder, require_some
from mendlab.corpora.exporters.reading_back import losses
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, MendlabError
from mendlab.records import FunctionHarness, PytestHarness, Task

FORMAT: Final = "taskdirs"
MOST_BYTES_A_NAME: Final = 200
"""File systems take 255."""


@exporter(FORMAT, "task set")
def write_taskdirs(source: Path, out: Path) -> Exported:
    """Task directories, a folder of ID/{prompt.md, repo/, verify.sh, solution.patch}."""
    taskset = TaskSet.open(source)
    written: dict[str, Task] = {}
    left_out: list[Refusal] = []
    with new_folder(out) as folder:
        for task in taskset.tasks:
            name = folder_name(task.id)
            try:
                if len(name.encode()) > MOST_BYTES_A_NAME:
                    raise FormatError("its id is too long for the name of a folder")
                if name in written:
                    raise FormatError(f"its folder would be {name}, as that of {written[name].id}")
                files = files_of(task, taskset.good_tree(task), taskset.buggy_tree(task))
            except MendlabError as error:
                left_out.append(Refusal(task.id, f"{task.id}: {error}"))
                continue
            files.write(folder / name)
            written[name] = task
        require_some(len(written), left_out, source, FORMAT)
        lost = losses(taskset, written, read_candidates(FORMAT, folder))
    return Exported(len(written), tuple(left_out), lost)


def folder_name(task_id: str) -> str:
    """Return the name of a task's folder, as a ``/`` of an id is written in the names of patches."""
    return task_id.replace("/", "__").lstrip("._") or "task"


def files_of(task: Task, good: FileTree, buggy: FileTree) -> FileTree:
    """Return everything of a task's folder.

    Raises:
        FormatError: a file's name is none, or ``repo/`` would not be read back as it is.
    """
    tests = (*task.fail_to_pass, *task.pass_to_pass)
    hidden: frozenset[str] = frozenset()
    match task.harness:
        case FunctionHarness() as harness:
            gates = {"verify.sh": function_gate(harness, tests, task.limits)}
        case PytestHarness() as harness:
            gates = {"verify.sh": pytest_gate(harness, good, tests, task.limits)}
            hidden = frozenset(harness.hidden_files)
        case harness:
            gates = script_gates(harness)
    shown_good, shown_buggy = _without(good, hidden), _without(buggy, hidden)
    files = {f"repo/{path}": data for path, data in shown_buggy.items()}
    files |= {name: text.encode() for name, text in gates.items()}
    files["prompt.md"] = _prompt(task).encode()
    files["solution.patch"] = make_diff(shown_buggy, shown_good).encode()
    executable = {f"repo/{path}" for path in shown_buggy.executable} | gates.keys()
    return FileTree(files, frozenset(executable))


def _without(tree: FileTree, hidden: frozenset[str]) -> FileTree:
    return tree.replace(dict.fromkeys(hidden)) if hidden else tree


def _prompt(task: Task) -> str:
    """The statement, with the settings before it that are not as they are by themselves."""
    settings = {"weight": f"{task.weight:g}"} if task.weight != 1 else {}
    if task.tags:
        settings["tags"] = json.dumps(task.tags, ensure_ascii=False)
    front = "".join(f"{name}: {value}\n" for name, value in settings.items())
    statement = task.statement.strip() or "Make the tests pass."
    return (f"---\n{front}---\n" if front else "") + statement + "\n"
