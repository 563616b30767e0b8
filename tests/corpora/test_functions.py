from __future__ import annotations

import pytest

from mendlab.corpora.functions import functions_of
from mendlab.errors import InputError

SOURCE = """\
def outer():
    def inner(): return "é"; x = 1
    return inner


class Box:
    @property
    async def size(self):
        return 1

    class Lid:
        def lift(self): pass
"""


def test_names_and_spans() -> None:
    found = {each.qualified_name: each.span for each in functions_of("m.py", SOURCE.encode())}
    places = {name: (s.start_line, s.start_column, s.end_line, s.end_column) for name, s in found.items()}
    assert places == {
        "outer": (1, 0, 3, 16),
        "outer.<locals>.inner": (2, 4, 2, 34),
        "Box.size": (7, 4, 9, 16),
        "Box.Lid.lift": (12, 8, 12, 28),
    }


def test_columns_are_those_of_the_decoded_text() -> None:
    (marked,) = functions_of("m.py", b"\xef\xbb\xbfdef f(): pass")
    assert (marked.span.start_column, marked.span.end_column) == (1, 14)
    (latin,) = functions_of("m.py", b"# coding: latin-1\r\nclass A: f = lambda: 1\r\ndef g(): return '\xe9\xe9'\r\n")
    assert (latin.span.start_line, latin.span.end_column) == (3, 20)


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"x = 1\ndef f(:\n", "m.py:2"), (b"x = 1\ny = '\xe9'\n", "m.py:2"), (b"# coding: nothing\n", "m.py:1")],
)
def test_what_is_not_python_is_named_with_its_line(data: bytes, place: str) -> None:
    with pytest.raises(InputError) as raised:
        functions_of("m.py", data)
    assert raised.value.where == place


def test_what_nests_too_deeply_is_no_traceback() -> None:
    with pytest.raises(InputError):
        functions_of("m.py", b"x = " + b"-" * 100_000 + b"1")
