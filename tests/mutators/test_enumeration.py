"""Mutants are spliced into the source: what is outside the change stays, byte for byte."""

from __future__ import annotations

import ast
import subprocess
import warnings
from pathlib import Path

import pytest

from mendlab.errors import InputError
from mendlab.mutators import Mutant, enumerate_mutants

PROGRAM = '''\
"""Docstring."""
import os


class Stack:
    """A stack."""

    limit = 10

    def __init__(self, items=None):
        self.items = list(items or [])

    @property
    def top(self):
        def last(xs):
            return xs[-1]
        return last(self.items)

    async def fetch(self, url, *, retries=3):
        for attempt in range(retries):
            async with self.session(url) as reply:
                if reply.status == 200:
                    return await reply.text()
        return None


def kind(value):
    match value:
        case [x, y] if x > 0:
            return "pair"
        case {"key": k}:
            return k
        case _:
            return "other"


double = lambda n: n * 2
'''


def mutants(source: str, *operators: str) -> list[Mutant]:
    return list(enumerate_mutants(source, operators=operators or None, path="m.py"))


def check(source: str) -> list[Mutant]:
    """All mutants, after checking what holds for every one of them."""
    found = mutants(source)
    tree = ast.dump(ast.parse(source.removeprefix("\ufeff")))
    for mutant in found:
        changed = mutant.source
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(changed.removeprefix("\ufeff"), "m.py", "exec")
        assert ast.dump(ast.parse(changed.removeprefix("\ufeff"))) != tree, mutant.diff
        assert spliced(source, mutant) == changed
    assert len({m.id for m in found}) == len({m.source for m in found}) == len(found)
    return found


def spliced(source: str, mutant: Mutant) -> str:
    """The mutated text made again from the span alone."""
    lines = source.replace("\f", " ").replace("\r\n", " \n").splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    span = mutant.span
    start, end = starts[span.start_line - 1] + span.start_column, starts[span.end_line - 1] + span.end_column
    assert source[start:end] == mutant.original
    return source[:start] + mutant.replacement + source[end:]


def test_every_mutant_of_a_program_with_all_sorts_of_statements_is_sound() -> None:
    functions = {m.function for m in check(PROGRAM)}
    assert functions >= {
        None, "Stack", "Stack.__init__", "Stack.top", "Stack.top.<locals>.last", "Stack.fetch", "kind",
    }  # fmt: skip


def test_match_guards_and_lambdas_are_mutated() -> None:
    replaced = {(m.operator, m.original, m.replacement) for m in mutants(PROGRAM)}
    assert ("comparison-swapped", ">", ">=") in replaced
    assert ("number-replaced", "2", "-2") in replaced
    assert ("await-dropped", "await reply.text()", "reply.text()") in replaced


def test_two_enumerations_are_equal_and_in_order_of_position() -> None:
    first, second = mutants(PROGRAM), mutants(PROGRAM)
    assert [(m.id, m.operator, m.diff) for m in first] == [(m.id, m.operator, m.diff) for m in second]
    places = [(m.edits[0].start, m.edits[-1].end) for m in first]
    assert places == sorted(places)


def test_ids_are_fixed() -> None:
    (mutant,) = mutants("x = True\n", "boolean-flipped")
    assert mutant.id == "389979bba59b3f4a"
    (elsewhere,) = enumerate_mutants("x = True\n", operators=["boolean-flipped"], path="n.py")
    assert elsewhere.id != mutant.id


def test_rank_is_the_position_among_the_changes_of_one_operator_to_one_node() -> None:
    found = mutants("x = a < b\ny = c < d\n", "comparison-swapped")
    ranks = [m.rank for m in found]
    half = len(found) // 2
    assert ranks == [*range(half), *range(half)]
    assert half > 2


def test_span_counts_lines_from_one_and_columns_from_zero() -> None:
    (mutant,) = mutants("# é\nif 'ü' == y and True:\n    pass\n", "boolean-flipped")
    span = mutant.span
    assert (span.start_line, span.start_column, span.end_line, span.end_column) == (2, 16, 2, 20)
    assert (mutant.original, mutant.replacement, mutant.function) == ("True", "False", None)


@pytest.mark.parametrize(
    "source",
    [
        PROGRAM.replace("\n", "\r\n"),
        PROGRAM.replace("    ", "\t"),
        "\ufeff" + PROGRAM,
        PROGRAM.replace("\n\n\nclass", "\n\f\n\nclass").replace("\ndef kind", "\n\fdef kind"),
        PROGRAM.replace(" == 200:", "  ==  200 :  # why"),
        PROGRAM.rstrip("\n"),
    ],
    ids=["crlf", "tabs", "bom", "form feed", "blanks", "no line end"],
)
def test_layout_outside_the_change_stays(source: str) -> None:
    found = check(source)
    assert len(found) == len(mutants(PROGRAM))


def test_tabs_and_blanks_may_be_mixed_as_python_allows() -> None:
    source = "def f(x):\r\n if x:\r\n\t return 1\r\n else:\r\n  \treturn 2\r\n"
    found = {m.source for m in check(source)}
    assert source.replace("return 2", "return 3") in found
    assert "def f(x):\r\n return 1\r\n" in found
    check(source.rstrip())


def test_strings_over_several_lines_stay_when_a_block_moves() -> None:
    source = 'def f(x):\n    if x:\n        y = """a\n        b"""\n        return y\n    return 1\n'
    after = 'def f(x):\n    y = """a\n        b"""\n    return y\n    return 1\n'
    assert after in {m.source for m in mutants(source, "guard-dropped")}


def test_a_comment_is_never_part_of_what_an_operator_adds_to() -> None:
    source = "x = f(\n    a,\n    b  # last\n)\n"
    assert "x = f(\n    b  # last\n)\n" in {m.source for m in mutants(source, "argument-dropped")}
    check(source)


@pytest.mark.parametrize(
    "source", ["x = 0x00 + 0 + 1.0\n", "x = ['a', \"a\", '\\x61', r'a', b'a']\n", "x = (a & b) and c\n"]
)
def test_another_spelling_of_the_same_is_no_mutant(source: str) -> None:
    assert check(source)


@pytest.mark.parametrize("ending", ["\n", "", "\r\n"])
def test_diff_applies_with_git(tmp_path: Path, ending: str) -> None:
    lines = ["def f(a, b):", *(f"    a += {n}" for n in range(12)), "    if a:", "        return a", "    return b"]
    source = ("\r\n" if ending == "\r\n" else "\n").join(lines) + ending
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    file = tmp_path / "m.py"
    for mutant in mutants(source, "statement-deleted", "branches-swapped", "number-off-by-one", "return-dropped"):
        file.write_bytes(source.encode())
        command = ["git", "-C", str(tmp_path), "apply", "--whitespace=nowarn", "-"]
        subprocess.run(command, input=mutant.diff.encode(), check=True)
        assert file.read_bytes().decode() == mutant.source


def test_diff_says_where_the_line_end_is_missing() -> None:
    (mutant,) = mutants("x = True", "boolean-flipped")
    missing = "\\ No newline at end of file\n"
    assert mutant.diff == f"--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x = True\n{missing}+x = False\n{missing}"


def test_equal_texts_are_yielded_once() -> None:
    texts = [m.source for m in mutants("def f(a):\n    return abs(a) + abs(a)\n")]
    assert len(texts) == len(set(texts))


def test_what_does_not_parse_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"bad\.py:2: not valid Python"):
        enumerate_mutants("x = 1\ndef f(:\n", path="bad.py")


@pytest.mark.parametrize("source", ["", "\n", "# only a comment", "pass\n", '"""Docs."""\n'])
def test_nothing_to_mutate_gives_nothing(source: str) -> None:
    assert mutants(source) == []


def test_parentheses_without_end_are_refused_before_libcst_reads_them():
    with pytest.raises(InputError, match="too many nested parentheses"):
        enumerate_mutants("x = " + "(" * 5000 + "1" + ")" * 5000)
