"""Where a change is first noticed."""

from __future__ import annotations

import pytest

from mendlab.verify.engines.changed_code import changed_region, fails_on_warnings, reads_heads

CODE = """\
import os


def f(items):
    for item in items:
        if item:
            return 1
        note(item)
    try:
        os.stat(
            items)
    except OSError:
        pass
    except ValueError:
        note(items)
    return 2


x = 1
"""


APART = "def f(items):\n    note(items)\n\n    if items:\n        return 1\n\n    return 2\n"


@pytest.mark.parametrize(
    ("old", "new", "region"),
    [
        ("    note(items)\n", "    note(items)\n    note()\n", (4, 5)),
        ("    note(items)\n\n", "    note(items)\n\n    note()\n", (4, 5)),
        ("    note(items)\n", "", (2, 2)),
        ("    return 2\n", "    return 2\n\n    note()\n", None),
        ("    if items:\n        return 1\n\n", "", (4, 5)),
    ],
)
def test_what_comes_after_an_added_statement_is_where_it_is_noticed(
    old: str, new: str, region: tuple[int, int]
) -> None:
    assert changed_region("m.py", APART.encode(), APART.replace(old, new).encode()) == region


@pytest.mark.parametrize(
    ("old", "new", "region"),
    [
        ("return 2", "return 3", (16, 16)),
        ("            items)", "            CODE)", (10, 11)),
        ("note(items)", "pass", (15, 15)),
        ("except ValueError", "except KeyError", (9, 15)),
        ("        note(item)\n", "", (8, 8)),
        ("        note(item)\n", "    note(item)\n", (5, 8)),  # after the loop: run by those that never ran it
        ("    return 2\n", "    return 2\n    note()\n", (16, 16)),
        ("        note(item)\n", "        note(item)\n    note()\n", (9, 15)),
        ("        note(item)\n", "        note(item)\n        note()\n", (8, 8)),
        ("def f(items)", "def f(item)", (4, 16)),
        ("x = 1", "x = 2", (19, 19)),
        ("x = 1\n", "x = 1\ny = 2\n", (19, 19)),
        ("        note(item)\n", "        os = note(item)\n", (5, 8)),  # the name is no global any more, all over f
        ("            return 1", "            note = 1", (5, 8)),
        ("            return 1", "            yield 1", (5, 8)),
        ("            return 1", "            [os for os in items]", (7, 7)),
        ("        note(item)\n", "        global os\n", (5, 8)),
        ("return 2", "return (", None),
        ("return 2", "return  2", (4, 16)),
    ],
)
def test_region(old: str, new: str, region: tuple[int, int] | None) -> None:
    assert CODE.count(old) == 1
    assert changed_region("m.py", CODE.encode(), CODE.replace(old, new).encode()) == region


HEADS = """\
from __future__ import annotations


class C:
    def f(self, a: int, b: int = 1):
        return a + b

    @cached
    def g(self, a=1):
        return a
"""


@pytest.mark.parametrize(
    ("old", "new", "region"),
    [
        ("b: int = 1", "b: int = 2", (6, 6)),
        ("a: int,", "a: str | 1,", (6, 6)),
        ("b: int = 1", "b: int = time()", (5, 6)),
        ("b: int = 1", "b: int", (5, 6)),  # a call may fail before it comes to the body
        ("b: int = 1", "c: int = 1", (5, 6)),
        ("a=1", "a=2", (8, 10)),
    ],
)
def test_heads_count_as_bodies(old: str, new: str, region: tuple[int, int]) -> None:
    assert HEADS.count(old) == 1
    after = HEADS.replace(old, new).encode()
    assert changed_region("m.py", HEADS.encode(), after, heads_are_read=False) == region
    assert changed_region("m.py", HEADS.encode(), after) in [(5, 6), (8, 10)]


@pytest.mark.parametrize(
    ("line", "reads"),
    [
        ("import os, inspect", True),
        ("print(f.__defaults__)", True),
        ("mock.create_autospec(f)", True),
        ("help(f)", True),
        ("self.get_signature(f)", False),
        ("from inspection import look", False),
        ("# to inspect the payload", False),
        ("import fire", True),
        ("fire(3)", False),
        ("def pytest_runtest_setup(item): ...", True),
    ],
)
def test_what_may_read_heads(line: str, reads: bool) -> None:
    assert reads_heads({"m.py": line.encode(), "notes.txt": b"inspect"}) is reads


@pytest.mark.parametrize(
    ("body", "told"), [("x is 2", False), ("x == 2", True), ("(x, 1)[x]", False), ("x[0]", True), ("3(x)", False)]
)
def test_what_the_compiler_warns_of_shows_at_import(body: str, told: bool) -> None:
    old = b"def f(x):\n    return x\n"
    new = f"def f(x):\n    return {body}\n".encode()
    assert (changed_region("m.py", old, new) is not None) is told
    assert changed_region("m.py", old, new, warnings_fail=False) == (2, 2)


@pytest.mark.parametrize(
    ("path", "text", "fails"),
    [
        ("pytest.ini", "filterwarnings =\n    error", True),
        ("tox.ini", "addopts = -W error", True),
        ("setup.cfg", "addopts = -Werror", True),
        ("m.py", "import warnings\nwarnings.warn('x')", False),
    ],
)
def test_projects_that_make_errors_of_warnings(path: str, text: str, fails: bool) -> None:
    assert fails_on_warnings({path: text.encode()}) is fails
