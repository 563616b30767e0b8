from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.corpora.bundled_programs import bundled_programs
from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.subjects import read_subjects
from mendlab.errors import InputError, SubjectError
from mendlab.records import PytestHarness


def make(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_a_project_with_a_broken_file_is_usable_without_it(tmp_path: Path) -> None:
    root = make(
        tmp_path / "ä project",
        {
            "pkg/a.py": "def f():\n    return 1\n",
            "pkg/old.py": "x = 1\nprint 'two'\n",
            "tests/test_a.py": "def test(): pass\n",
            "tests/data.json": "{}",
            "pytest.ini": "[pytest]\n",
            "notes.txt": "",
        },
    )
    (root / "pkg" / "latin.py").write_bytes(b"# \xe9\n")
    *refused, loaded = read_subjects(str(root))
    assert isinstance(loaded, LoadedSubject)
    subject = loaded.subject
    assert subject.id == "ä project"
    assert subject.source_files == ("pkg/a.py",)
    assert [each.qualified_name for each in subject.functions] == ["f"]
    assert isinstance(subject.harness, PytestHarness)
    assert subject.harness.test_files == ("pytest.ini", "tests/data.json", "tests/test_a.py")
    assert {"pkg/old.py", "pkg/latin.py", "notes.txt"} <= loaded.tree.keys()
    assert [each.id for each in refused if isinstance(each, Refusal)] == ["pkg/latin.py", "pkg/old.py"]
    assert isinstance(refused[1], Refusal)
    assert refused[1].reason.startswith(f"{root}/pkg/old.py:2: not valid Python")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no Python file in it"),
        ({"a.py": ""}, "no tests: none of its 1 Python files"),
        ({"tests/test_a.py": ""}, "has no Python file under test"),
    ],
)
def test_a_directory_that_is_no_subject_says_the_way_out(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(SubjectError, match=said) as raised:
        list(read_subjects(str(make(tmp_path, files))))
    assert raised.value.hint
    assert raised.value.where == str(tmp_path)


def test_configuration_that_does_not_parse(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"{tmp_path}/pyproject.toml: not valid TOML"):
        list(read_subjects(str(make(tmp_path, {"pyproject.toml": "[", "a.py": "", "test_a.py": ""}))))


def test_every_bundled_program_is_a_subject() -> None:
    found = [each for each in read_subjects("bundled") if isinstance(each, LoadedSubject)]
    assert [each.subject.id for each in found] == [f"bundled/{each.slug}" for each in bundled_programs()]
    assert all(each.subject.functions and each.subject.statement for each in found)
    assert not any("program.toml" in each.tree for each in found)
    (one,) = read_subjects(f"bundled:{bundled_programs()[0].slug}")
    assert one == found[0]
