"""SWE-bench (Jimenez et al. 2024): instances as JSONL, and the repositories that their base commits are in.

A base commit has the buggy program without the tests that are hidden from repairers, and no history: that would lead to
the fix. The hidden tests are the ``test_patch``, the reference is the ``patch``. The importer takes the same file with
the option ``repo`` naming the folder ``repos``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.diffs import make_diff
from mendlab.corpora.exporters.output import new_folder, require_some, write_jsonl
from mendlab.corpora.exporters.reading_back import losses
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.exporters.root_commits import RootCommits
from mendlab.corpora.exporters.taskdirs import folder_name
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.taskset import TaskSet
from mendlab.errors import FormatError, MendlabError
from mendlab.records import PytestHarness, Task

FORMAT: Final = "swebench"
INSTANCES: Final = "instances.jsonl"
REPOSITORIES: Final = "repos"


@exporter(FORMAT, "task set")
def write_swebench(source: Path, out: Path) -> Exported:
    """SWE-bench, a folder of instances.jsonl and repos/: tasks tested by pytest."""
    taskset = TaskSet.open(source)
    rows: dict[str, dict[str, Any]] = {}
    left_out: list[Refusal] = []
    owner = _plain(taskset.manifest.name)
    with new_folder(out) as folder, RootCommits(folder / REPOSITORIES) as commits:
        for task in taskset.tasks:
            try:
                row = row_of(task, taskset, owner, commits)
            except MendlabError as error:
                left_out.append(Refusal(task.id, f"{task.id}: {error}"))
                continue
            rows[row["instance_id"]] = row
        require_some(len(rows), left_out, source, FORMAT)
        write_jsonl(folder / INSTANCES, rows.values())
        commits.finish()
        named = {folder_name(task.id): task for task in taskset.tasks}
        found = read_candidates(FORMAT, folder / INSTANCES, repo=str(folder / REPOSITORIES))
        lost = losses(taskset, {name: named[name] for name in rows}, found)
    return Exported(len(rows), tuple(left_out), lost)


def row_of(task: Task, taskset: TaskSet, owner: str, commits: RootCommits) -> dict[str, Any]:
    """Return a task as an instance, its base commit made.

    Raises:
        FormatError: its tests are not run by pytest.
    """
    harness = task.harness
    if not isinstance(harness, PytestHarness):
        raise FormatError(f"its tests are a {harness.kind} harness, and SWE-bench's are run by a test runner")
    buggy = taskset.buggy_tree(task)
    base = buggy.replace(dict.fromkeys(harness.hidden_files))
    repository = f"{owner}/{_plain(task.subject.rpartition('/')[2])}"
    commit = commits.add(repository.replace("/", "__"), base)
    return {
        "instance_id": folder_name(task.id),
        "repo": repository,
        "base_commit": commit,
        "patch": task.reference,
        "test_patch": make_diff(base, buggy),
        "problem_statement": task.statement,
        "hints_text": "",
        "created_at": task.provenance.date or "",
        "version": taskset.manifest.version,
        "FAIL_TO_PASS": json.dumps(task.fail_to_pass),
        "PASS_TO_PASS": json.dumps(task.pass_to_pass),
        "environment_setup_commit": commit,
        **_mined(task),
    }


def _mined(task: Task) -> Mapping[str, str]:
    """Where a harvested task is to be found in its own repository."""
    if task.mined is None:
        return {}
    return {
        "source_repository": task.mined.repository,
        "source_base_commit": task.mined.base_commit,
        "source_fix_commit": task.mined.fix_commit,
    }


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip(".-") or "tasks"
