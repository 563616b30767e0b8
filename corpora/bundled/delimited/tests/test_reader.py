import pytest

from delimited import DelimitedError, guess_delimiter, read_records, read_rows


@pytest.mark.parametrize(
    "text, rows",
    [
        ("", []),
        ("\n\n", []),
        ("a", [["a"]]),
        ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
        ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
        ("a,\n,b\n", [["a", ""], ["", "b"]]),
        (",", [["", ""]]),
        ("a\n\nb\n", [["a"], ["b"]]),
        ('"a,b",c', [["a,b", "c"]]),
        ('"two\nlines",x\ny,z\n', [["two\nlines", "x"], ["y", "z"]]),
        ('"say ""so""",q', [['say "so"', "q"]]),
        ('""', [[""]]),
        ('""\n"x"', [[""], ["x"]]),
        ('"",""\n', [["", ""]]),
        ('in"side', [['in"side']]),
        (" a , b", [[" a ", " b"]]),
    ],
)
def test_rows(text, rows):
    assert list(read_rows(text)) == rows


def test_other_delimiter():
    assert list(read_rows("a;b,c\n", ";")) == [["a", "b,c"]]


@pytest.mark.parametrize(
    "text, line, message",
    [
        ('x\n"a"b', 2, "line 2: text after a closing quote"),
        ('x\n"a\nb', 2, "line 2: a quote is not closed"),
        ('"a\nb"c', 2, "line 2: text after a closing quote"),
    ],
)
def test_errors(text, line, message):
    with pytest.raises(DelimitedError) as caught:
        list(read_rows(text))
    assert caught.value.line == line
    assert str(caught.value) == message


def test_records():
    assert read_records("name,size\nbolt,4\nnut,5\n") == [
        {"name": "bolt", "size": "4"},
        {"name": "nut", "size": "5"},
    ]
    assert read_records("name|size\nbolt|4", "|") == [{"name": "bolt", "size": "4"}]
    assert read_records("") == []
    assert read_records("only,header\n") == []


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,b\n1,2\n3\n", "line 3: record 2 has 1 fields, not 2"),
        ("a,b\n1,2,3\n", "line 2: record 1 has 3 fields, not 2"),
        ("z,b,a,b,a\n", "line 1: column a is named twice"),
    ],
)
def test_bad_records(text, message):
    with pytest.raises(DelimitedError) as caught:
        read_records(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text, delimiter",
    [
        ("a;b\nc;d\n", ";"),
        ("a\tb,x\nc\td\n", "\t"),
        ("a|b|c;x\nd|e|f;y\n", "|"),
        ("plain\nwords\n", ","),
        ("a,b\nc,d\ne,f\ng,h\ni,j\nodd\n", ","),
        ("a;b\nc;d\ne;f\ng;h\ni;j\nodd;one;out\n", ";"),
        ("a;b\nc;d\ne;f\ng;h\nodd\n", ","),
        ("", ","),
    ],
)
def test_guess(text, delimiter):
    assert guess_delimiter(text) == delimiter


def test_guess_prefers_the_earlier_of_equals():
    assert guess_delimiter("a;b|c\n", "|;") == "|"
