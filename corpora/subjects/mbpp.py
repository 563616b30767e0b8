"""MBPP (Austin et al. 2021): ``text``, ``code``, ``test_list``, ``test_setup_code``, ``challenge_test_list``."""

from __future__ import annotations

from pathlib import Path

from mendlab.corpora.candidates import LoadedSubject
from mendlab.corpora.json_rows import Row, each_row, first_row, is_jsonl
from mendlab.corpora.python_source import parse_python
from mendlab.corpora.subjects.function_subject import function_subject
from mendlab.corpora.subjects.registry import Found, path_argument, subject_format
from mendlab.errors import FormatError
from mendlab.records import FunctionHarness, Provenance, Step, StepGroup


def is_mbpp(path: Path) -> bool:
    """Whether a file has rows with MBPP's fields."""
    return is_jsonl(path) and first_row(path).fields.keys() >= {"task_id", "text", "code", "test_list"}


@subject_format("mbpp", recognises=is_mbpp)
def read_mbpp(argument: str | None) -> Found:
    """MBPP's problems, from a file in its format; the challenge tests are held out."""
    return each_row(path_argument("mbpp", argument), "task_id", mbpp_subject)


def mbpp_subject(row: Row) -> LoadedSubject:
    """Return the program of a row."""
    number = row.fields["task_id"]
    if not isinstance(number, int):
        raise FormatError("field 'task_id' is not a whole number", where=row.where)
    challenge = _steps(row, "challenge_test_list", row.optional_texts("challenge_test_list"))
    steps = _steps(row, "test_list", row.texts("test_list")) + challenge
    if not steps:
        raise FormatError("field 'test_list' is empty", where=row.where)
    return function_subject(
        f"MBPP/{number}",
        row.text("code"),
        FunctionHarness(groups=(StepGroup(setup=row.optional_text("test_setup_code"), steps=steps),)),
        statement=row.text("text"),
        held_out=tuple(step.test_id for step in challenge if step.test_id),
        provenance=Provenance(source="MBPP", licence="CC-BY-4.0"),
    )


def _steps(row: Row, field: str, items: tuple[str, ...]) -> tuple[Step, ...]:
    for number, item in enumerate(items):
        parse_python(f"{row.where}: {field}[{number}]", item)
    return tuple(Step(code=item, test_id=f"{field}[{number}]") for number, item in enumerate(items))
