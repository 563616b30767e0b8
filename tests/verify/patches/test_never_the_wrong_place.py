"""Diffs that are damaged in known ways, on files full of repeated lines: the right change, or none."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mendlab.corpora.diffs import make_diff
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.patches import Applied, PatchFailure, apply_patch

BLOCK = [
    "def f(x):",
    "    y = x",
    "    for i in x:",
    "        y += i",
    "    return y",
    "",
    "    if x:",
    "        y = 0",
]
HEADER = re.compile(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@", re.MULTILINE)
Damage = Callable[[str, int], str]


def _each_header(change: Callable[[re.Match[str]], str]) -> Damage:
    return lambda diff, seed: HEADER.sub(change, diff)


def _body(change: Callable[[list[str], int], None]) -> Damage:
    """Damage the lines after the first hunk header."""

    def damaged(diff: str, seed: int) -> str:
        lines = diff.split("\n")
        start = next(at for at, line in enumerate(lines) if line.startswith("@@")) + 1
        body = lines[start:]
        change(body, seed)
        return "\n".join(lines[:start] + body)

    return damaged


def _drop_first_context(body: list[str], seed: int) -> None:
    if body[0].startswith(" "):
        del body[0]


def _drop_last_context(body: list[str], seed: int) -> None:
    if len(body) > 1 and body[-2].startswith(" "):
        del body[-2]


def _on_context(change: Callable[[str], str]) -> Callable[[list[str], int], None]:
    def changed(body: list[str], seed: int) -> None:
        context = [at for at, line in enumerate(body) if line.startswith(" ") and line.strip()]
        if context:
            at = context[seed % len(context)]
            body[at] = change(body[at])

    return changed


def _shift(body: list[str], seed: int) -> None:
    body[:] = [line[:1] + "  " + line[1:] if line[:1] in (" ", "+", "-") and line[1:] else line for line in body]


DAMAGES: dict[str, Damage] = {
    "none": lambda diff, seed: diff,
    "bare headers": _each_header(lambda m: "@@ ... @@"),
    "no counts": _each_header(lambda m: f"@@ -{m[1]} +{m[3]} @@"),
    "wrong counts": _each_header(lambda m: f"@@ -{m[1]},9 +{m[3]},9 @@"),
    "small counts": _each_header(lambda m: f"@@ -{m[1]},2 +{m[3]},2 @@"),
    "wrong old line": _each_header(lambda m: f"@@ -{int(m[1]) + 3}{m[2] or ''} +{m[3]}{m[4] or ''} @@"),
    "wrong new line": _each_header(lambda m: f"@@ -{m[1]}{m[2] or ''} +{int(m[3]) + 8}{m[4] or ''} @@"),
    "far away": _each_header(lambda m: f"@@ -900{m[2] or ''} +900{m[4] or ''} @@"),
    "no first context": _body(_drop_first_context),
    "no last context": _body(_drop_last_context),
    "white space": _body(_on_context(lambda line: line + "  ")),
    "lost sign": _body(_on_context(lambda line: line[1:])),
    "shifted": _body(_shift),
    "fenced": lambda diff, seed: f"Here it is:\n\n```diff\n{diff}```\n\n- done\n",
    "prose after": lambda diff, seed: f"{diff}\nThis should do.\n\n- fixed\n",
    "crlf": lambda diff, seed: diff.replace("\n", "\r\n"),
    "no end": lambda diff, seed: diff.removesuffix("\n"),
    "no prefix": lambda diff, seed: diff.replace("--- a/", "--- ").replace("+++ b/", "+++ "),
    "no names": lambda diff, seed: "@@" + diff.partition("@@")[2],
}


@st.composite
def changes(draw: st.DrawFn, line: st.SearchStrategy[str]) -> tuple[FileTree, FileTree]:
    lines = draw(st.lists(line, min_size=3, max_size=24))
    after = list(lines)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 2))] = draw(st.lists(line, max_size=2))
    text, new = "\n".join(lines) + "\n", "\n".join(after) + "\n" if after else ""
    return FileTree({"m.py": text.encode()}), FileTree({"m.py": new.encode()})


@pytest.mark.parametrize("damage", DAMAGES)
@given(pair=changes(st.sampled_from(BLOCK)), seed=st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_among_repeated_lines(damage: str, pair: tuple[FileTree, FileTree], seed: int) -> None:
    before, after = pair
    if before == after:
        return
    result = apply_patch(before, DAMAGES[damage](make_diff(before, after), seed), editable=["m.py"])
    if isinstance(result, Applied):
        assert result.tree == after


@st.composite
def twins(draw: st.DrawFn) -> tuple[FileTree, FileTree, str]:
    """Functions with the same bodies under names that may be the same; a change, and its diff as git heads it."""
    lines: list[str] = []
    for number in range(draw(st.integers(2, 4))):
        body = BLOCK[1:5] if draw(st.booleans()) else draw(st.lists(st.sampled_from(BLOCK[1:]), max_size=5))
        lines += [f"def f{draw(st.sampled_from((number, 0)))}(x):", *body, "", ""]
    after = list(lines)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(BLOCK[1:]), max_size=2))
    before, changed = (FileTree({"m.py": "\n".join([*text, ""]).encode()}) for text in (lines, after))
    diff = make_diff(before, changed)
    return before, changed, HEADER.sub(lambda m: _headed(m, lines), diff) if draw(st.booleans()) else diff


def _headed(header: re.Match[str], lines: list[str]) -> str:
    names = [line for line in lines[: int(header[1]) - 1] if line.startswith("def ")]
    return f"{header[0]} {names[-1]}" if names else header[0]


NUMBERS = [name for name in DAMAGES if "line" in name or "count" in name or name in ("bare headers", "far away")]
AROUND = ["fenced", "prose after", "crlf", "no end", "no prefix", "no names", "none"]


@given(twins(), st.sampled_from(list(DAMAGES)), st.sampled_from(list(DAMAGES)), st.integers(0, 20))
@settings(max_examples=400, deadline=None)
def test_two_damages_among_twins(case: tuple[FileTree, FileTree, str], one: str, other: str, seed: int) -> None:
    before, after, diff = case
    if before == after or (one in NUMBERS and other in NUMBERS):
        return  # two numbers that are wrong alike are right somewhere else
    if {one, other} == {"bare headers", "no first context"}:
        return  # git heads a hunk by the function before it, which without its number and its first line misleads
    for name in sorted((one, other), key=AROUND.__contains__):
        diff = DAMAGES[name](diff, seed)
    result = apply_patch(before, diff, editable=["m.py"])
    if isinstance(result, Applied):
        assert result.tree == after


SAFE = [name for name in DAMAGES if name not in ("white space", "lost sign", "shifted")]


@pytest.mark.parametrize("damage", SAFE)
@given(pair=changes(st.integers(0, 10**9).map("x = {}".format)), seed=st.integers(0, 20))
@settings(max_examples=40, deadline=None)
def test_where_lines_differ_it_is_recovered(damage: str, pair: tuple[FileTree, FileTree], seed: int) -> None:
    before, after = pair
    diff = make_diff(before, after)
    lines = before["m.py"].split(b"\n")
    if before == after or len(set(lines)) < len(lines) or "\n " not in diff:
        return
    result = apply_patch(before, DAMAGES[damage](diff, seed), editable=["m.py"])
    if isinstance(result, PatchFailure):
        # a hunk of which no old line is left, as an insertion at the edge without its context, has no place
        # and of one that ends in a removed line, and has fewer new lines than it counts, the rest may be cut off
        told = ("no line to tell its place by", "cut off")
        assert any(why in result.reason for why in told) or result.outcome is Outcome.AMBIGUOUS
    else:
        assert result.tree == after
