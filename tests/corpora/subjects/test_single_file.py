from __future__ import annotations

from pathlib import Path

import pytest

from mendlab.corpora.candidates import LoadedSubject, Refusal
from mendlab.corpora.subjects import read_subjects
from mendlab.errors import InputError, SubjectError
from mendlab.records import FunctionHarness

FILE = '''\
"""Halves.

>>> half(2)
1
"""
import math
import random as chance

STEP = 2


def half(n):
    """Half of n.

    >>> half(7)
    3
    >>> half("x")
    Traceback (most recent call last):
        ...
    TypeError: ...
    >>> list(range(half(40)))  # doctest: +ELLIPSIS
    [0, 1, ..., 19]
    >>> half(0)   # doctest: +SKIP
    """
    return math.floor(n / STEP)


cases = [2, 4]
assert half(2) == 1  # one
cases.append(6)
for case in cases:
    assert half(case) * STEP == case


def test_chance():
    n = chance.randrange(len(cases))
    assert half(n) <= n


def test_fixture(tmp_path):
    assert tmp_path


if __name__ == "__main__":
    eight = half(16)
    assert eight == 8
'''
PROGRAM = FILE[: FILE.index("cases = ")].replace("import random as chance\n", "")


def read(path: Path, data: str | bytes) -> list[LoadedSubject | Refusal]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(read_subjects(str(path)))


def test_tests_leave_the_program_and_become_steps(tmp_path: Path, run_plainly) -> None:
    path = tmp_path / "halves.py"
    refused, loaded = read(path, FILE.replace("TypeError: ...", "TypeError: must be real number, not str"))
    assert isinstance(loaded, LoadedSubject)
    harness = loaded.subject.harness
    assert isinstance(harness, FunctionHarness)
    program = loaded.tree["halves.py"].decode()
    assert "assert half" not in program
    assert "test_chance" not in program
    assert "chance" not in program
    assert "cases" not in program
    assert "__main__" not in program
    assert program.startswith(PROGRAM[:40])
    assert harness.entry_points == ("STEP", "half")
    assert isinstance(refused, Refusal)
    assert refused.reason.startswith(f"{path}:40: test_fixture needs pytest")
    names = ["assert[0]", "assert[1]", "main[0]", "test_chance", "doctest:halves", "doctest:half"]
    broken = {"halves.py": program.replace("n / STEP", "n / STEP + 1").encode()}
    outcomes = run_plainly(loaded.tree, harness)
    if not outcomes["doctest:half"]:  # the message of a TypeError is not the same in every Python
        outcomes["doctest:half"] = True
    assert outcomes == dict.fromkeys(names, True)
    failing = [name for name, passed in run_plainly(loaded.tree.replace(broken), harness).items() if not passed]
    assert {"assert[0]", "assert[1]", "main[0]", "doctest:halves", "doctest:half"} <= set(failing)


def test_bytes_of_the_program_stay(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfdef f():\r\n\treturn '\xc3\xa9'\r\n\r\nassert f()\r\n"
    (loaded,) = read(tmp_path / "m.py", data)
    assert isinstance(loaded, LoadedSubject)
    assert loaded.tree["m.py"] == data.removesuffix(b"assert f()\r\n")
    latin = b"# coding: latin-1\ndef f():\n    return '\xe9'\nassert f()\n"
    (loaded,) = read(tmp_path / "m.py", latin)
    assert isinstance(loaded, LoadedSubject)
    assert loaded.tree["m.py"] == latin.removesuffix(b"assert f()\n")


def test_what_the_program_needs_stays_in_it(tmp_path: Path) -> None:
    text = "TABLE = {}\nTABLE[1] = 2\n\ndef f(n):\n    return TABLE[n]\n\nassert TABLE\nassert f(1) == 2\n"
    (loaded,) = read(tmp_path / "m.py", text)
    assert isinstance(loaded, LoadedSubject)
    assert loaded.tree["m.py"].decode() == text[: text.index("assert")]


def test_a_file_that_is_no_subject(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    with pytest.raises(SubjectError, match="has no test in it"):
        read(path, "def f():\n    return 1\n")
    with pytest.raises(SubjectError, match="has tests, and no code under test"):
        read(path, '"""Tests."""\nimport pytest\nfrom other import f\n\ndef test_f():\n    assert f() == 1\n')
    with pytest.raises(InputError, match=rf"{path}:2: a test shares its line"):
        read(path, "def f(): return 1\nx = 1; assert f()\n\ndef g(): return x\n")
    with pytest.raises(InputError, match=rf"{path}:1: not valid Python"):
        read(path, "def f(\n")


def test_a_docstring_that_doctest_cannot_read_is_refused(tmp_path: Path) -> None:
    refused, loaded = read(
        tmp_path / "m.py", 'def f():\n    """\n    >>>f()\n    1\n    """\n    return 1\nassert f()\n'
    )
    assert isinstance(refused, Refusal)
    assert refused.id == "doctest:f"
    assert isinstance(loaded, LoadedSubject)
