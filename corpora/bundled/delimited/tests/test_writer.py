import pytest

from delimited import format_field, read_rows, write_rows


@pytest.mark.parametrize(
    "value, text",
    [
        ("plain", "plain"),
        (12.5, "12.5"),
        (None, ""),
        (0, "0"),
        ("a,b", '"a,b"'),
        ('6" nail', '"6"" nail"'),
        ("up\ndown", '"up\ndown"'),
        ("carriage\rreturn", '"carriage\rreturn"'),
        ("a;b", "a;b"),
    ],
)
def test_field(value, text):
    assert format_field(value) == text


def test_delimiter_decides_what_is_quoted():
    assert write_rows([["a;b", "c,d"]], ";") == '"a;b";c,d\n'


def test_rows_end_with_a_line_feed():
    assert write_rows([[1, 2], [3, 4]]) == "1,2\n3,4\n"
    assert write_rows([]) == ""


def test_single_empty_field():
    assert write_rows([[""], [None, None]]) == '""\n,\n'


def test_round_trip():
    rows = [["id", "note"], ["1", 'a "quoted", word'], ["2", "line\nbreak"], [""], ["3", ""]]
    assert list(read_rows(write_rows(rows))) == rows
