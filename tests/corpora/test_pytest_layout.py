from __future__ import annotations

import pytest

from mendlab.corpora.pytest_layout import sorted_files, source_files
from mendlab.corpora.pytest_layout import test_files as steering_files
from mendlab.corpora.pytest_layout import test_patterns as patterns_of
from mendlab.errors import InputError

DEFAULT = ("test_*.py", "*_test.py")


def test_a_name_with_test_in_it_is_not_a_test() -> None:
    files = dict.fromkeys(
        (
            *("shortest_paths.py", "pkg/latest.py", "pkg/test_a.py", "pkg/b_test.py", "attests/c.py", "README.md"),
            *("tests/data/d.json", "pkg/test/e.py", "conftest.py", "setup.py", "docs/conf.py", "pkg/setup.py"),
            "setup.cfg",
        ),
        b"",
    )
    assert set(steering_files(files, DEFAULT)) == {
        "pkg/test_a.py", "pkg/b_test.py", "tests/data/d.json", "pkg/test/e.py", "conftest.py", "setup.cfg"
    }  # fmt: skip
    assert set(source_files(files, DEFAULT)) == {"shortest_paths.py", "pkg/latest.py", "attests/c.py", "pkg/setup.py"}


@pytest.mark.parametrize(
    ("files", "patterns"),
    [
        ({}, DEFAULT),
        ({"pyproject.toml": b"[tool.pytest.ini_options]\npython_files = ['check_*.py', 'spec/*.py']\n"},
         ("check_*.py", "spec/*.py")),
        ({"pyproject.toml": b"[tool.pytest.ini_options]\npython_files = 'a.py b.py'\n"}, ("a.py", "b.py")),
        ({"pyproject.toml": b"[project]\nname = 'x'\n", "setup.cfg": b"[tool:pytest]\npython_files = c_*.py\n"},
         ("c_*.py",)),
        ({"pytest.ini": b"[pytest]\n", "tox.ini": b"[pytest]\npython_files = x.py\n"}, DEFAULT),
        ({"tox.ini": b"[pytest]\npython_files =\n    x.py\n    y.py\n"}, ("x.py", "y.py")),
    ],
)  # fmt: skip
def test_python_files_is_found_where_pytest_finds_it(files: dict[str, bytes], patterns: tuple[str, ...]) -> None:
    assert patterns_of(files) == patterns


def test_patterns_with_a_folder_match_the_end_of_a_path() -> None:
    files = dict.fromkeys(["lib/spec/a.py", "spec/b.py", "lib/aspec/c.py"], b"")
    assert set(steering_files(files, ("spec/*.py",))) == {"lib/spec/a.py", "spec/b.py"}


@pytest.mark.parametrize(
    "files", [{"pyproject.toml": b"[tool"}, {"pytest.ini": b"python_files = x"}, {"tox.ini": b"\xff"}]
)
def test_configuration_that_does_not_parse_is_named(files: dict[str, bytes]) -> None:
    with pytest.raises(InputError) as raised:
        patterns_of(files)
    assert raised.value.where == next(iter(files))


def test_what_is_known_to_be_a_test_or_to_be_none_is_so_whatever_it_is_called():
    files = dict.fromkeys(("pkg/a.py", "pkg/checks.py", "tests/test_a.py", "tests/helper.py"), b"")
    tests, sources = sorted_files(files, ["pkg/checks.py", "pkg/gone.py"], ["tests/helper.py"])
    assert tests == ("pkg/checks.py", "tests/test_a.py")
    assert sources == ("pkg/a.py",)
