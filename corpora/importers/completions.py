"""HumanEval and MBPP as they were published: functions to be written, and not mended."""

from __future__ import annotations

import ast
from pathlib import Path

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.importers.registry import Found, importer
from mendlab.corpora.json_rows import Row, each_row
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.split_tests import bound_names, used_names
from mendlab.corpora.subjects.humaneval import humaneval_subject
from mendlab.corpora.subjects.mbpp import mbpp_subject
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError
from mendlab.records import FunctionHarness, StepGroup


@importer("humaneval")
def read_humaneval(path: Path) -> Found:
    """HumanEval's problems, each a function to be completed; nobody who completes it is shown the tests."""
    return each_row(path, "task_id", _of_humaneval)


@importer("mbpp")
def read_mbpp(path: Path) -> Found:
    """MBPP's problems, each a function to be written from a sentence and tests; challenge tests are held out."""
    return each_row(path, "task_id", _of_mbpp)


def _of_humaneval(row: Row) -> Candidate:
    loaded = humaneval_subject(row)
    harness = loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    prompt = row.text("prompt").encode()
    parse_python(f"{row.where}: prompt", prompt)
    statement = f"Complete the function `{row.text('entry_point')}` in {harness.module}."
    hidden = tuple(step.test_id for group in harness.groups for step in group.steps if step.test_id)
    return _completion(loaded, harness, prompt, statement, hidden)


def _of_mbpp(row: Row) -> Candidate:
    loaded = mbpp_subject(row)
    harness = loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    names = _entry_points(loaded, harness)
    text = " ".join(row.text("text").split())
    unfinished = "\n\n".join(_unfinished(name, text, loaded, harness) for name in names)
    statement = f"{text}\nWrite it in {harness.module}, in the place of what stands there."
    given = harness.model_copy(update={"entry_points": names})
    return _completion(loaded, given, unfinished.encode(), statement, loaded.subject.held_out)


def _completion(
    loaded: LoadedSubject, harness: FunctionHarness, unfinished: bytes, statement: str, held_out: tuple[str, ...]
) -> Candidate:
    subject = loaded.subject.model_copy(update={"harness": harness, "statement": statement, "held_out": held_out})
    program = LoadedSubject(subject, loaded.tree)
    return pair(program, FileTree({harness.module: unfinished}), family="completion", kind="completion")


def _entry_points(loaded: LoadedSubject, harness: FunctionHarness) -> tuple[str, ...]:
    """The names of the program that its tests use, in the order in which it defines them.

    Raises:
        FormatError: there is none.
    """
    body = parse_python(harness.module, loaded.tree[harness.module]).tree.body
    used = used_names(node for code in _codes(harness.groups) for node in ast.parse(code).body)
    names = tuple(dict.fromkeys(name for node in body for name in sorted(bound_names([node])) if name in used))
    if not names:
        raise FormatError("its tests use nothing that the program defines")
    return names


def _codes(groups: tuple[StepGroup, ...]) -> list[str]:
    return [code for group in groups for code in (group.setup, *(step.code for step in group.steps))]


def _unfinished(name: str, text: str, loaded: LoadedSubject, harness: FunctionHarness) -> str:
    """What stands in the place of a function or class: MBPP gives its name alone, in its tests."""
    body = parse_python(harness.module, loaded.tree[harness.module]).tree.body
    if any(isinstance(node, ast.ClassDef) and node.name == name for node in body):
        return f"class {name}:\n    pass\n"
    return f"def {name}(*arguments):\n    # {text}\n    raise NotImplementedError\n"
