import pytest

from typeset import align, table


@pytest.mark.parametrize(
    "text, how, expected",
    [
        ("ab", "<", "ab    "),
        ("ab", ">", "    ab"),
        ("ab", "^", "  ab  "),
        ("abc", "^", " abc  "),
        ("1.25", ".", "  1.25"),
        ("12", ".", " 12   "),
        ("abcdefgh", "<", "abcdefgh"),
    ],
)
def test_align(text, how, expected):
    assert align(text, 6, how) == expected


ROWS = [["item", "n", "price"], ["bolt", "12", "0.40"], ["wing nut", "3", "11"]]


def test_table():
    assert table(ROWS, "<>.").splitlines() == [
        "item       n  price",
        "--------  --  --------",
        "bolt      12      0.40",
        "wing nut   3     11",
    ]


def test_table_without_header():
    assert table(ROWS[1:], "^<>", gap=1, header=False).splitlines() == [
        "  bolt   12 0.40",
        "wing nut 3    11",
    ]


def test_empty_table():
    assert table([], "<<") == ""


def test_ragged_rows():
    with pytest.raises(ValueError, match="one cell"):
        table([["a", "b"], ["c"]], "<<")
