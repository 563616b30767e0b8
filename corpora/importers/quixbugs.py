"""QuixBugs (Lin et al. 2017): programs with a bug on one line, as JSONL or as the repository is laid out.

Both give the same tasks, apart from the names of the tests: ``quixbugs/NAME``, in ``NAME.py``. The description, which
the repository's files have as a string at module level, is the statement, and is taken out of the programs; so are
the other solutions that the correct programs carry in such strings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from mendlab.corpora.candidates import Candidate, Refusal
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.importers.plain_text import read_text
from mendlab.corpora.importers.quixbugs_tests import json_group, pytest_group, read_cases
from mendlab.corpora.importers.registry import Found, importer
from mendlab.corpora.json_rows import Row, each_row, placed
from mendlab.corpora.python_source import PythonSource, end_line, first_line, parse_python
from mendlab.corpora.split_tests import split_script
from mendlab.corpora.subjects.function_subject import function_subject
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, MendlabError
from mendlab.records import FunctionHarness, Provenance, StepGroup

_NO_PROGRAMS = {"node", "__init__"}


@importer("quixbugs")
def read_quixbugs(path: Path) -> Found:
    """QuixBugs' Python programs, from a JSONL file or from a checkout of its repository."""
    return _repository(path) if path.is_dir() else each_row(path, "name", _from_row)


def _from_row(row: Row) -> Candidate:
    name = row.text("name")
    description = row.optional_text("docstring").strip().strip('"')
    good, buggy = row.text("solution"), row.text("buggy_program")
    return _candidate(name, good, buggy, split_script(row.text("tests")), description)


def _repository(root: Path) -> Iterator[Candidate | Refusal]:
    programs, correct = root / "python_programs", root / "correct_python_programs"
    if not programs.is_dir() or not correct.is_dir():
        hint = "give a QuixBugs JSONL file, or the root of a checkout"
        raise InputError("has no python_programs and correct_python_programs in it", where=root, hint=hint)
    for path in sorted(programs.glob("*.py")):
        name = path.stem
        if name in _NO_PROGRAMS or name.endswith("_test"):
            continue
        try:
            buggy = parse_python(str(path), read_text(path))
            good = parse_python(str(correct / path.name), read_text(correct / path.name))
            texts = [ast.literal_eval(node.value) for node in _bare_strings(buggy)]
            yield _candidate(name, _without_strings(good), _without_strings(buggy), _tests(root, name), texts[-1:])
        except MendlabError as error:
            yield Refusal(f"quixbugs/{name}", placed(error, str(root)))


def _tests(root: Path, name: str) -> StepGroup:
    """The tests of a program: its pytest file if there is one, with its JSON cases, else those cases alone."""
    json_path, folder = root / "json_testcases" / f"{name}.json", root / "python_testcases"
    cases = read_cases(json_path) if json_path.is_file() else None
    for path in (folder / f"test_{name}.py", folder / f"{name}_test.py"):
        if path.is_file():
            return pytest_group(path, cases)
    if cases is None:
        raise FormatError("has no tests", hint=f"add json_testcases/{name}.json or python_testcases/test_{name}.py")
    return json_group(name, cases)


def _candidate(name: str, good: str, buggy: str, tests: StepGroup, description: str | list[str]) -> Candidate:
    harness = FunctionHarness(module=f"{name}.py", entry_points=(name,), groups=(tests,))
    text = (description if isinstance(description, str) else "".join(description)).strip()
    loaded = function_subject(
        f"quixbugs/{name}",
        _one_newline(good),
        harness,
        statement=f"{text}\n\nThe program in {harness.module} has a bug on one line. Mend it.".lstrip(),
        provenance=Provenance(source="QuixBugs", licence="MIT"),
    )
    parse_python(f"buggy {harness.module}", buggy)
    return pair(loaded, FileTree({harness.module: _one_newline(buggy).encode()}))


def _one_newline(program: str) -> str:
    return program.strip("\r\n") + "\n"


def _bare_strings(source: PythonSource) -> list[ast.Expr]:
    return [
        node
        for node in source.tree.body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def _without_strings(source: PythonSource) -> str:
    dropped = {
        line
        for node in _bare_strings(source)
        if source.stands_alone(node)
        for line in range(first_line(node), end_line(node) + 1)
    }
    return "".join(line for number, line in enumerate(source.lines, start=1) if number not in dropped).rstrip() + "\n"
