from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from mendlab.corpora.candidates import Refusal
from mendlab.corpora.json_rows import Row, each_row, first_row, read_rows
from mendlab.errors import FormatError, InputError


def read(path: Path) -> list[str]:
    return [item.reason if isinstance(item, Refusal) else str(item.fields) for item in read_rows(path)]


def test_a_bad_line_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'[1]\n{"a": "\xe2\x80\xa8"}\r\n\n{"a": \n{"a": "\xff"}\n{"a": 1}')
    found = read(path)
    assert found[1] == "{'a': '\\u2028'}"
    assert found[4] == "{'a': 1}"
    assert found[0].startswith(f"{path}:1: a row is an object, and this is a list")
    assert found[2].startswith(f"{path}:4: not a whole JSON value")
    assert found[3].startswith(f"{path}:5: not UTF-8")


def test_a_file_with_no_row_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n")
    with pytest.raises(FormatError, match="no rows"):
        read(path)
    path.write_bytes("{}".encode("utf-16"))
    with pytest.raises(FormatError, match=rf"{path}:1: not UTF-8"):
        read(path)
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "absent.jsonl")


def test_gzip_that_is_cut_off_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    whole = gzip.compress(b'{"a": 1}\n' + b'{"b": "%s"}\n' % bytes(range(35, 91)) * 50)
    path.write_bytes(whole[:-12])
    found = read(path)
    assert found[0] == "{'a': 1}"
    assert "gzip data is broken or cut off" in found[-1]
    path.write_bytes(b'{"a": 1}\n')
    with pytest.raises(FormatError, match="gzip data"):
        first_row(path)


def test_fields_are_checked_and_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "x", "list": "[\\"a\\"]", "n": 1, "half": "\\ud800"}\n')

    def convert(field: str) -> Row | Refusal | str:
        return next(iter(each_row(path, "id", lambda row: row.text(field))))

    assert first_row(path).texts("list") == ("a",)
    assert first_row(path).optional_texts("absent") == ()
    assert convert("id") == "x"
    assert convert("absent") == Refusal("x", f"{path}:1: field 'absent' is missing")
    assert convert("n") == Refusal("x", f"{path}:1: field 'n' is a number, not a string")
    assert convert("half") == Refusal("x", f"{path}:1: field 'half' has half a surrogate pair in it")
    with pytest.raises(FormatError, match="not a list of strings"):
        first_row(path).texts("n")
