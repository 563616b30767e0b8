"""Messages as people write them, and what a repairer is shown of them."""

from __future__ import annotations

import pytest

from mendlab.harvest.records import Candidate, Commit, Part, Reference, Score
from mendlab.harvest.references import references
from mendlab.harvest.statement import statement

SOURCE = b"""\
diff --git a/m.py b/m.py
--- a/m.py
+++ b/m.py
@@ -1,4 +1,6 @@
 def parse(text):
-    return text.split(sep)
+    text = _strip_quotes(text)
+    limit = None if maxsplit < 0 else maxsplit
+    return text.split(sep, limit or -1)
     # end
"""
TESTS = b"""\
diff --git a/tests/test_m.py b/tests/test_m.py
--- a/tests/test_m.py
+++ b/tests/test_m.py
@@ -1 +1,2 @@
+assert parse("'a'", keep_empty=True) == ["a"]
"""
SHA = "0123456789abcdef0123456789abcdef01234567"


def told(message: str, parents: int = 1) -> str:
    subject, _, body = message.partition("\n")
    commit = Commit(
        sha=SHA,
        parents=(SHA,) * parents,
        authored="2020-01-01T00:00:00Z",
        committed="2020-01-01T00:00:00Z",
        subject=subject.strip(),
        body=body.strip("\n"),
    )
    candidate = Candidate(
        commit=commit,
        score=Score(value=0.0, reasons={}),
        source=Part(patch=SOURCE),
        tests=Part(patch=TESTS),
        patch_id="",
    )
    return statement(candidate, before="sep = ','\ndef parse(text, maxsplit=-1): ...\n")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Fix parse() for quoted text (#12)", "Fix parse() for quoted text"),
        ("Fix #12 -- parse lost the last field.", "parse lost the last field."),
        ("Fixes #12: parse lost the last field", "parse lost the last field"),
        ("Fixed the last field of parse.  This fixes #12", "Fixed the last field of parse."),
        ("Parse lost the last field\n\nThis also closes #12.", "Parse lost the last field"),
        ("Fix #12, fix #5, fix #3: parse lost the last field", "parse lost the last field"),
        (":func:`parse` lost the last field", ":func:`parse` lost the last field"),
        ("Fixed #31596 -- Changed parse to keep quotes.", "Changed parse to keep quotes."),
        ("Use _strip_quotes() in parse", "Use […] in parse"),
        ("Call `_strip_quotes(text)` first", "Call […] first"),
        ("Call ``_strip_quotes`` first.", "Call […] first."),
        ("`limit = None if maxsplit < 0 else maxsplit`", ""),
        ("parse('a') ignores maxsplit; see text.split(sep)", "parse('a') ignores maxsplit; see text.split(sep)"),
        ("keep_empty=True is ignored", "keep_empty=True is ignored"),
        ("Quotes are kept\n\nSigned-off-by: A <a@b>\nCo-authored-by: B <b@c>", "Quotes are kept"),
        (f"Quotes are kept\n\n(cherry picked from commit {SHA})", "Quotes are kept"),
        (f'Revert "Keep quotes"\n\nThis reverts commit {SHA}.', 'Revert "Keep quotes"'),
        ("Broken since 1a2b3c4d", "Broken since […]"),
        ("The decade of defaced facade", "The decade of defaced facade"),
        ("Merge pull request #5 from me/fix-split\n\nKeep quotes together", "Keep quotes together"),
        ("Quotes\n\n```python\n_strip_quotes(x)\n```\nare kept", "Quotes\n\nare kept"),
        ("Quotes\n\n```python\nparse(x)\n```\nare kept", "Quotes\n\n```python\nparse(x)\n```\nare kept"),
        ("Lost:\n\n    parse('\"a\"')\n    # []\n\nKept", "Lost:\n\n    parse('\"a\"')\n    # []\n\nKept"),
        ("Lost:\n\n    parse(x)\n\n    text = _strip_quotes(text)\n", "Lost:"),
        ("Fix it in Python 3.10 (Closes: #192)", "Fix it in Python 3.10"),
        ("Keep quotes, fixes #57.", "Keep quotes."),
        ("Keep quotes, fixes owner/name#57", "Keep quotes"),
        ("Ignore AND after BETWEEN (fixes issue14).", "Ignore AND after BETWEEN."),
        ("Quotes are kept:\n\n    text = _strip_quotes(text)\n\nin parse", "Quotes are kept:\n\nin parse"),
        ("Kept\n\ndiff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x\n+y\n", "Kept"),
        (
            "Two things:\n\n* quotes are kept\n- fields are lost\n",
            "Two things:\n\n* quotes are kept\n- fields are lost",
        ),
        ("Fix crash\n\nCloses: #3\nSee https://github.com/o/n/issues/3 for more", "Fix crash"),
        ("owner/name#17: crash on empty text", "crash on empty text"),
        ("bpo-1234: crash on empty text", "crash on empty text"),
        ("", ""),
    ],
)
def test_the_answer_is_left_out(message: str, expected: str) -> None:
    assert told(message) == expected


@pytest.mark.parametrize(
    ("subject", "body", "expected"),
    [
        ("Fix it (#12)", "", [("pull", "12", "")]),
        ("Fix #12 in it", "", [("issue", "12", "")]),
        ("Fix it", "Closes #3, refs #4", [("issue", "3", ""), ("issue", "4", "")]),
        ("Merge pull request #5 from me/x", "Fix #6", [("pull", "5", ""), ("issue", "6", "")]),
        ("gh-99: it", "", [("unknown", "99", "")]),
        ("GH-98 and bpo-97", "", [("unknown", "98", ""), ("issue", "97", "bpo")]),
        ("See #8", "", [("unknown", "8", "")]),
        ("owner/name#9", "", [("unknown", "9", "owner/name")]),
        ("Fix", "https://github.com/o/n/issues/7#issuecomment-1", [("issue", "7", "o/n")]),
        ("Fix", "https://gitlab.com/g/s/n/-/merge_requests/7", [("pull", "7", "g/s/n")]),
        ("Issue 44 fixed, twice: #44", "", [("issue", "44", "")]),
        ("Colour &#8217; and #fff and a#1 and C#2", "", []),
        ("Fix 12 things in 3 files", "", []),
    ],
)
def test_references(subject: str, body: str, expected: list[tuple[str, str, str]]) -> None:
    found = references(subject, body)
    assert [(each.kind, each.number, each.tracker) for each in found] == expected
    assert all(isinstance(each, Reference) for each in found)


@pytest.mark.parametrize(
    "answer",
    [
        "```\nif maxsplit:\n    limit = None if maxsplit < 0 else maxsplit\n```\n",
        "limit = None if maxsplit < 0 else maxsplit\n",
        "    return text.split(sep, limit or -1)\n",
    ],
)
def test_a_line_that_the_fix_adds_is_left_out_however_it_stands(answer):
    assert told(f"Fix parse\n\nIt lost fields.\n\n{answer}\nSee above.") == "Fix parse\n\nIt lost fields.\n\nSee above."


def test_control_characters_are_left_out():
    assert told("Fix \x1b[31mparse\x07") == "Fix [31mparse"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("It hangs on nothing. Use a set in its place.", "It hangs on nothing."),
        ("It hangs on nothing.\nUse a set\nin its place. Lists are fine.", "It hangs on nothing. Lists are fine."),
        ("It was true for both ends, so return early there.", "It was true for both ends."),
        ("It hangs.\n\nThis commit looks at the end first.\n\nSeen on 3.12.", "It hangs.\n\nSeen on 3.12."),
        ("- It hangs\n- Add a test\n- and dies", "- It hangs\n- and dies"),
        ("Use it twice and it hangs.", ""),
        ("The parts are now read in order.", ""),
        ("Users of it hang.", "Users of it hang."),
        ("Returning early hides it.", "Returning early hides it."),
        ("    return it.parts  # raises", "    return it.parts  # raises"),
        ("parse() returns nothing, and so does split().", "parse() returns nothing, and so does split()."),
    ],
)
def test_what_was_done_is_left_out_below_the_first_line(body: str, expected: str) -> None:
    assert told(f"Fix what hangs\n\n{body}") == f"Fix what hangs\n\n{expected}".strip()
    first = body.strip().partition("\n")[0]
    assert told(body).startswith(first), "the first line stays"
