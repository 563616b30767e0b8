"""HumanEvalPack for Python (HumanEvalFix; Muennighoff et al. 2023): HumanEval's fields, and a solution with a bug."""

from __future__ import annotations

from pathlib import Path

from mendlab.corpora.candidates import Candidate
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.importers.registry import Found, importer
from mendlab.corpora.json_rows import Row, each_row
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.subjects.function_subject import function_subject
from mendlab.corpora.subjects.humaneval import humaneval_harness
from mendlab.corpora.tree import FileTree
from mendlab.records import Provenance


@importer("humanevalpack")
def read_humanevalpack(path: Path) -> Found:
    """HumanEvalPack's Python problems (HumanEvalFix), from a JSONL file."""
    return each_row(path, "task_id", _candidate)


def _candidate(row: Row) -> Candidate:
    prompt, harness = row.text("prompt"), humaneval_harness(row)
    loaded = function_subject(
        row.text("task_id"),
        prompt + row.text("canonical_solution"),
        harness,
        statement=_statement(row, harness.module),
        provenance=Provenance(source="HumanEvalPack", licence="MIT"),
    )
    buggy = (prompt + row.text("buggy_solution")).encode()
    parse_python(f"{row.where}: buggy_solution", buggy)
    symptoms = row.optional_text("failure_symptoms").replace(" ", "-")
    return pair(
        loaded,
        FileTree({harness.module: buggy}),
        family=row.optional_text("bug_type") or None,
        tags=(symptoms,) if symptoms else (),
    )


def _statement(row: Row, module: str) -> str:
    task = row.optional_text("instruction") or row.optional_text("docstring") or row.text("prompt")
    return f"{task.rstrip()}\n\nThe function `{row.text('entry_point')}` in {module} has a bug. Mend it."
