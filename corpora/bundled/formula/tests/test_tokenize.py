import pytest

from formula import FormulaError, tokenize


def kinds_and_texts(text):
    return [(token.kind, token.text) for token in tokenize(text)]


def test_kinds():
    assert kinds_and_texts("rate_2*1.5 and(x)") == [
        ("name", "rate_2"),
        ("operator", "*"),
        ("number", "1.5"),
        ("operator", "and"),
        ("operator", "("),
        ("name", "x"),
        ("operator", ")"),
        ("end", ""),
    ]


def test_two_character_operator_and_neighbours():
    assert [text for _, text in kinds_and_texts("a<=b<c=_d")] == ["a", "<=", "b", "<", "c", "=", "_d", ""]


def test_positions_count_from_zero_and_skip_blanks():
    assert [token.position for token in tokenize(" 12 +  x")] == [1, 4, 7, 8]
    assert tokenize("")[0] == ("end", "", 0)


def test_numbers_at_the_edges():
    assert kinds_and_texts(".5") == [("number", ".5"), ("end", "")]
    assert kinds_and_texts("5.") == [("number", "5."), ("end", "")]


@pytest.mark.parametrize("text, position", [("1 + 1.2.3", 4), (".", 0), ("2 & 3", 2), ("x!", 1)])
def test_what_cannot_be_read(text, position):
    with pytest.raises(FormulaError) as caught:
        tokenize(text)
    assert caught.value.position == position
    assert str(caught.value).endswith(" at {}".format(position))
