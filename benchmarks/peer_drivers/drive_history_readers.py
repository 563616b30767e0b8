"""Read the newest commits of a repository with another tool, under an interpreter that has it.

    python drive_history_readers.py TOOL REPOSITORY LIMIT

TOOL is ``pydriller`` (``modified_files``, with diffs) or ``unidiff`` (``git log -p``, commit by commit, all files and
their counts). Prints what was found as one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator


def with_pydriller(repository: str, limit: int) -> dict[str, int]:
    from pydriller import Repository

    commits = files = size = 0
    for commit in Repository(repository, order="reverse").traverse_commits():
        for file in commit.modified_files:
            files += 1
            size += len(file.diff)
        commits += 1
        if commits == limit:
            break
    return {"commits": commits, "files": files, "diff_letters": size}


def with_unidiff(repository: str, limit: int) -> dict[str, int]:
    from unidiff import PatchSet

    commits = files = added = failed = 0
    for text in log_patches(repository, limit):
        commits += 1
        try:
            for file in PatchSet(text):
                files += 1
                added += file.added
        except Exception:  # it raises errors of its own, and others
            failed += 1
    return {"commits": commits, "files": files, "lines_added": added, "failed": failed}


def log_patches(repository: str, limit: int) -> Iterator[str]:
    command = ["git", "-C", repository, "log", "-p", "--no-color", "--no-ext-diff", f"-{limit}", "HEAD"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    lines: list[bytes] = []
    for line in process.stdout:
        if line.startswith(b"commit ") and lines:
            yield b"".join(lines).decode("utf-8", "replace")
            lines = []
        lines.append(line)
    yield b"".join(lines).decode("utf-8", "replace")
    process.wait()


if __name__ == "__main__":
    tool, repository, limit = sys.argv[1:]
    print(json.dumps((with_pydriller if tool == "pydriller" else with_unidiff)(repository, int(limit))))
