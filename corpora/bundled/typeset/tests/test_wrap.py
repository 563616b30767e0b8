import pytest

from typeset import break_word, bullets, justify, paragraphs, wrap


@pytest.mark.parametrize(
    "word, room, width, parts",
    [
        ("well-known", 5, 20, ("well-", "known")),
        ("well-known", 4, 20, ("", "well-known")),
        ("a-b-c", 4, 20, ("a-b-", "c")),
        ("ending-", 7, 20, ("", "ending-")),
        ("-x", 1, 20, ("-", "x")),
        ("abcdef", 5, 5, ("abcde", "f")),
        ("abcdef", 4, 5, ("", "abcdef")),
        ("abcde", 4, 5, ("", "abcde")),
    ],
)
def test_break_word(word, room, width, parts):
    assert break_word(word, room, width) == parts


@pytest.mark.parametrize(
    "text, width, lines",
    [
        ("", 5, []),
        ("one", 5, ["one"]),
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "two"]),
        ("  one \n two\tthree ", 9, ["one two", "three"]),
        ("a b c d", 1, ["a", "b", "c", "d"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("xy abcdefgh", 4, ["xy", "abcd", "efgh"]),
        ("a well-known fact", 7, ["a well-", "known", "fact"]),
        ("a well-known fact", 6, ["a", "well-", "known", "fact"]),
        ("abcd efgh", 4, ["abcd", "efgh"]),
        ("abc efgh", 4, ["abc", "efgh"]),
    ],
)
def test_wrap(text, width, lines):
    assert wrap(text, width) == lines


def test_wrap_needs_a_width():
    with pytest.raises(ValueError, match="at least 1"):
        wrap("a", 0)


@pytest.mark.parametrize(
    "line, width, left, right",
    [
        ("a b c", 7, "a  b  c", "a  b  c"),
        ("a b c", 8, "a   b  c", "a  b   c"),
        ("a b c d", 9, "a  b  c d", "a b  c  d"),
        ("a b", 3, "a b", "a b"),
        ("a b", 2, "a b", "a b"),
        ("alone", 9, "alone", "alone"),
        ("", 4, "", ""),
    ],
)
def test_justify(line, width, left, right):
    assert justify(line, width) == left
    assert justify(line, width, extra_left=False) == right


TEXT = "\n\nthe quick brown\nfox jumps over\n\n \n\nlazy dogs\n"


def test_paragraphs():
    assert paragraphs(TEXT, 10) == "the quick\nbrown fox\njumps over\n\nlazy dogs"
    assert paragraphs("", 10) == ""


def test_justified_paragraphs_alternate_and_leave_the_last_line():
    text = "a b c ddd a b c ddd e f g h i"
    assert paragraphs(text, 10, justified=True) == "a  b c ddd\na b c  ddd\ne f g h i"
    assert paragraphs("a b c ddd " * 3, 10, justified=True) == "a  b c ddd\na b c  ddd\na b c ddd"


def test_bullets():
    items = ["first thing to do", ["sub one", ["deep", ["deepest"]]], "second"]
    assert bullets(items, 13) == [
        "* first thing",
        "  to do",
        "  - sub one",
        "    + deep",
        "      * deepe",
        "        st",
        "* second",
    ]
