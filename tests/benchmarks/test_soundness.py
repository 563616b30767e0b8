"""The checks of soundness find what is wrong, and nothing in real mutants."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from measures.programs import File, standard_library, unusual_files
from measures.soundness import Group, check_file, faults_of, kept_outside, layouts, section

from mendlab.mutators import Edit, enumerate_mutants
from mendlab.mutators.mutant import SourceText

SOURCE = 'def half(n):\n    if n % 2 == 0:\n        return n // 2\n\n    return None  # "\u00fc"\n'


def faults(source: str, *edits: Edit, encoding: str = "utf-8") -> list[str]:
    real = next(enumerate_mutants("x = True\n"))
    mutant = replace(real, edits=edits, base=SourceText.of("m.py", source))
    data = source.encode(encoding)
    return list(faults_of(data, encoding, ast.dump(ast.parse(data)), mutant))


@pytest.mark.parametrize(
    ("source", "edits", "expected"),
    [
        ("x = 1\n", [Edit(4, 5, "2")], []),
        ("x = 1\n", [Edit(4, 5, "(1)")], ["same tree"]),
        ("x = 1\n", [Edit(4, 5, "(")], ["does not parse"]),
        ("x = 1\n", [Edit(0, 5, "return 1")], ["does not compile"]),
        ("x = 1; y = 2\n", [Edit(11, 12, "3"), Edit(4, 5, "4")], ["bytes outside the span"]),
    ],
)
def test_a_forged_mutant_is_found_out(source: str, edits: list[Edit], expected: list[str]) -> None:
    assert faults(source, *edits)[: len(expected) or None] == expected


def test_bytes_outside_the_span_are_compared() -> None:
    assert kept_outside(b"x = 1\r\n", b"x = 22\r\n", 4, 2)
    assert not kept_outside(b"x = 1\r\n", b"x = 22\n", 4, 2)
    assert not kept_outside(b"\xef\xbb\xbfx = 1\n", b"x = 2\n", 7, 1)
    assert not kept_outside(b"x = 1\n", b"x = ", 4, 1)


def test_what_the_codec_of_the_file_cannot_write_is_a_fault() -> None:
    source = "# -*- coding: latin-1 -*-\nx = '\u00e9'\n"
    place = source.index("\u00e9")
    assert faults(source, Edit(place, place + 1, "\u20ac"), encoding="latin-1") == ["cannot be encoded"]
    assert faults(source, Edit(place, place + 1, "\u00e8"), encoding="latin-1") == []


def test_every_layout_is_sound() -> None:
    files = layouts([File("half.py", SOURCE.encode())])
    assert [file.name.split("/")[0] for file in files] == ["crlf", "bom", "latin1", "formfeed", "tabs"]
    assert all(file.data != SOURCE.encode() for file in files)
    for file in files:
        checked = check_file(file)
        assert checked.faults == []
        assert checked.made == checked.checked > 10


def test_so_many_are_checked_and_what_cannot_be_read_is_told() -> None:
    good, bad = File("half.py", SOURCE.encode()), File("bad.py", b"def f(:\n")
    part = check_file(good, 7)
    assert part.checked == 7 < part.made == check_file(good).checked
    found = section([Group("test", [good, bad])], jobs=1)
    assert found.tables[0].rows[0][1] == "1"
    assert any("bad.py" in note for note in found.tables[0].notes)
    assert found.goals[0].met


def test_library_files_are_spread_and_unusual_ones_found() -> None:
    names = [file.name for file in standard_library(5)]
    assert names == sorted(set(names))
    assert len(names) == 5
    unusual = unusual_files(3)
    assert len(unusual) == 3
    assert all(compile(file.data, file.name, "exec") for file in unusual)
