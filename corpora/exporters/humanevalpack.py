"""HumanEvalPack (Muennighoff et al. 2023): the fields that the bigcode evaluation harness reads for HumanEvalFix.

The harness puts ``prompt`` before an answer and ``test`` behind it, and cuts an answer at the first line that is not
indented. So a task can be written in this form if it is one function at the end of its only file, and the bug is below
the head and the docstring of that function.
"""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.exporters.check_function import check_program
from mendlab.corpora.exporters.output import require_some, write_jsonl
from mendlab.corpora.exporters.reading_back import losses
from mendlab.corpora.exporters.registry import Exported, exporter
from mendlab.corpora.importers import read_candidates
from mendlab.corpora.python_source import end_line, parse_python
from mendlab.corpora.taskset import TaskSet
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, MendlabError
from mendlab.records import FunctionHarness, Task

FORMAT: Final = "humanevalpack"


@exporter(FORMAT, "task set")
def write_humanevalpack(source: Path, out: Path) -> Exported:
    """HumanEvalPack (HumanEvalFix), a JSONL file: tasks that mend one function."""
    taskset = TaskSet.open(source)
    rows: dict[str, dict[str, Any]] = {}
    left_out: list[Refusal] = []
    for task in taskset.tasks:
        try:
            rows[task.id] = row_of(task, taskset.good_tree(task), taskset.buggy_tree(task))
        except MendlabError as error:
            left_out.append(Refusal(task.id, f"{task.id}: {error}"))
    require_some(len(rows), left_out, source, FORMAT)
    write_jsonl(out, rows.values())
    written = {task.id: task for task in taskset.tasks if task.id in rows}
    return Exported(len(rows), tuple(left_out), losses(taskset, written, read_candidates(FORMAT, out)))


def row_of(task: Task, good: FileTree, buggy: FileTree) -> dict[str, Any]:
    """Return a task as a row.

    Raises:
        FormatError: the format cannot express it; the message is the reason.
    """
    harness = task.harness
    if not isinstance(harness, FunctionHarness):
        raise FormatError(f"its tests are a {harness.kind} harness, not calls of a function")
    if set(good) != {harness.module} or set(buggy) != {harness.module}:
        raise FormatError("it has more than one file")
    correct = _parts(good[harness.module], "the program")
    wrong = _parts(buggy[harness.module], "the buggy program")
    if correct.prompt != wrong.prompt:
        raise FormatError("the bug is not in the body of the last function")
    if harness.entry_points is not None and correct.name not in harness.entry_points:
        raise FormatError(f"the tests call {', '.join(harness.entry_points)}, and the last function is {correct.name}")
    shown = [test for test in (*task.fail_to_pass, *task.pass_to_pass) if test not in task.held_out]
    statement = task.statement.removesuffix(f"\n\nThe function `{correct.name}` in solution.py has a bug. Mend it.")
    return {
        "task_id": task.id,
        "prompt": correct.prompt,
        "declaration": correct.declaration,
        "canonical_solution": correct.solution,
        "buggy_solution": wrong.solution,
        "bug_type": task.defect.family or "",
        "failure_symptoms": ", ".join(task.tags).replace("-", " "),
        "entry_point": correct.name,
        "import": "",
        "test_setup": "",
        "test": check_program(harness, {*task.fail_to_pass, *task.pass_to_pass}, correct.name),
        "example_test": check_program(harness, shown, correct.name) if task.held_out and shown else "",
        "signature": correct.signature,
        "docstring": correct.docstring,
        "instruction": statement,
    }


@dataclass(frozen=True, slots=True)
class _Parts:
    """A program cut where a model is to go on: ``prompt`` and ``solution`` are all of it."""

    name: str
    declaration: str
    prompt: str
    solution: str
    signature: str
    docstring: str


def _parts(data: bytes, what: str) -> _Parts:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"{what} is not UTF-8") from error
    source = parse_python(what, text)
    last = source.tree.body[-1] if source.tree.body else None
    if text.startswith("\ufeff") or not isinstance(last, ast.FunctionDef):
        raise FormatError(f"{what} does not end in a function")
    head = _head_end(text, last.lineno)
    docstring = ast.get_docstring(last)
    body = last.body[1:] if docstring is not None else last.body
    cut = end_line(last.body[0]) if docstring is not None else head
    if not body or any(node.lineno <= cut for node in body):
        raise FormatError(f"the body of {last.name} does not begin on a line of its own")
    before = "".join(source.lines[:cut])
    arguments = ast.unparse(last.args)
    returned = f" -> {ast.unparse(last.returns)}" if last.returns is not None else ""
    return _Parts(
        name=last.name,
        declaration="".join(source.lines[:head]),
        prompt=before,
        solution=text[len(before) :],
        signature=f"{last.name}({arguments}){returned}",
        docstring=docstring or "",
    )


def _head_end(text: str, first: int) -> int:
    """The line on which the head of the function that begins on a line ends."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE and token.start[0] >= first:
            return token.start[0]
    raise FormatError("a function's head has no end")
