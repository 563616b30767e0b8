"""Patches as language models write them: what each comes to, and at which rung."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.patches import Applied, ApplyRung, PatchFailure, PatchFormat, apply_patch

SHOP = """\
import math


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        result = 0
        for price, count in self.items:
            result += price * count
        return result

    def average(self):
        result = 0
        for price, count in self.items:
            result += price
        return result / len(self.items)


def rounded(value, digits):
    return math.floor(value * 10 ** digits) / 10 ** digits
"""
FIXED = SHOP.replace("result += price\n", "result += price * count\n")
ROUNDED = SHOP.replace("math.floor(value * 10 ** digits)", "math.floor(value * 10 ** digits + 0.5)")
HEAD = "--- a/shop/cart.py\n+++ b/shop/cart.py\n"
BODY = """\
     def average(self):
         result = 0
         for price, count in self.items:
-            result += price
+            result += price * count
         return result / len(self.items)
"""
TREE = FileTree(
    {"shop/cart.py": SHOP.encode(), "shop/other.py": b"x = 1\n", "tests/test_cart.py": b"def test(): pass\n"}
)
ALLOWED = ("shop/cart.py",)
GOOD = HEAD + "@@ -14,5 +14,5 @@\n" + BODY
ROUND = "-    return math.floor(value * 10 ** digits) / 10 ** digits\n+    return math.floor(value * 10 ** digits + 0.5) / 10 ** digits\n"


@dataclass(frozen=True)
class Case:
    name: str
    raw: str
    rung: ApplyRung | None = None  # None for a failure
    outcome: Outcome | None = None
    after: str = FIXED
    form: PatchFormat = PatchFormat.UNIFIED


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def indented(text: str, by: str) -> str:
    return "".join(by + line for line in text.splitlines(keepends=True))


R = ApplyRung
O = Outcome  # noqa: E741
CASES = [
    # strict
    Case("as git writes it", GOOD, R.STRICT),
    Case("with a git header", "diff --git a/shop/cart.py b/shop/cart.py\nindex 123..456 100644\n" + GOOD, R.STRICT),
    Case("section after the header", GOOD.replace("5 @@", "5 @@ class Cart:"), R.STRICT),
    Case("a mail before it", "From: me\nSubject: fix\n\n---\n shop/cart.py | 2 +-\n\n" + GOOD, R.STRICT),
    Case("a mail signature after it", GOOD + "-- \n2.39.5\n", R.STRICT),
    Case("timestamps", GOOD.replace("cart.py\n", "cart.py\t2024-01-01 10:00:00\n", 2), R.STRICT),
    # envelope
    Case("fenced", f"```diff\n{GOOD}```\n", R.ENVELOPE),
    Case("fenced as patch, in prose", f"Here is the fix:\n\n```patch\n{GOOD}```\n\nIt counts now.\n- one\n- two\n", R.ENVELOPE),
    Case("fenced without a language", f"```\n{GOOD}```", R.ENVELOPE),
    Case("tildes", f"~~~diff\n{GOOD}~~~\n", R.ENVELOPE),
    Case("a fence that is not closed", f"```diff\n{GOOD}", R.STRICT),
    Case("prose after it", GOOD + "\nThis multiplies by the count.\n\n- prices\n- counts\n", R.ENVELOPE),
    Case("prose right after it", GOOD + "Done, the total counts now.\n", R.ENVELOPE),
    Case("CRLF throughout", crlf(GOOD), R.ENVELOPE),
    Case("CRLF, fenced", crlf(f"```diff\n{GOOD}```\n"), R.ENVELOPE),
    Case("no final newline", GOOD.removesuffix("\n"), R.ENVELOPE),
    Case("a byte order mark", "\ufeff" + GOOD, R.ENVELOPE),
    Case("the same block twice", f"```diff\n{GOOD}```\nAgain:\n```diff\n{GOOD}```\n", R.ENVELOPE),
    Case("indented throughout", indented(GOOD, "    "), R.ENVELOPE),
    # recount
    Case("counts too small", GOOD.replace("-14,5 +14,5", "-14,3 +14,3"), R.RECOUNT),
    Case("counts too large", GOOD.replace("-14,5 +14,5", "-14,9 +14,10"), R.RECOUNT),
    Case("counts left out", GOOD.replace("-14,5 +14,5", "-14 +14"), R.RECOUNT),
    Case("@@ ... @@", GOOD.replace("@@ -14,5 +14,5 @@", "@@ ... @@"), R.RECOUNT),
    Case("@@ alone", GOOD.replace("@@ -14,5 +14,5 @@", "@@"), R.RECOUNT),
    Case("@@ @@", GOOD.replace("@@ -14,5 +14,5 @@", "@@ @@"), R.RECOUNT),
    Case("@@ with a name", GOOD.replace("@@ -14,5 +14,5 @@", "@@ def average(self):"), R.RECOUNT),
    Case("@@ with letters for numbers", GOOD.replace("@@ -14,5 +14,5 @@", "@@ -XX,YY +XX,YY @@"), R.RECOUNT),
    Case("no hunk header at all", HEAD + BODY, R.RECOUNT),
    Case("wrong new start", GOOD.replace("+14,5", "+20,5"), R.RECOUNT),
    Case("no context after", HEAD + "@@ -16,2 +16,2 @@\n" + "".join(BODY.splitlines(keepends=True)[2:5]), R.RECOUNT),
    Case("fenced, counts wrong, prose", f"Fix:\n```diff\n{GOOD.replace('5 @@', '9 @@')}```\nBye\n", R.RECOUNT),
    # path
    Case("no prefixes", GOOD.replace("a/shop", "shop").replace("b/shop", "shop"), R.PATH),
    Case("the base name", GOOD.replace("a/shop/", "").replace("b/shop/", ""), R.PATH),
    Case("the base name with prefixes", GOOD.replace("/shop/", "/"), R.PATH),
    Case("a longer path", GOOD.replace("a/shop", "a/repo/src/shop").replace("b/shop", "b/repo/src/shop"), R.PATH),
    Case("an absolute path", GOOD.replace("a/shop", "/home/me/shop").replace("b/shop", "/home/me/shop"), R.PATH),
    Case("a dot before it", GOOD.replace("a/shop", "./shop").replace("b/shop", "./shop"), R.STRICT),
    Case("old and new in other words", GOOD.replace("a/shop", "original/shop").replace("b/shop", "fixed/shop"), R.STRICT),
    Case("hunks without a file", "@@ -14,5 +14,5 @@\n" + BODY, R.PATH),
    Case("only lines with signs, fenced", f"```diff\n{BODY}```\n", R.PATH),
    # relocate
    Case("numbers from another version", GOOD.replace("-14,5 +14,5", "-31,5 +31,5"), R.RELOCATE),
    Case("numbers from 1", GOOD.replace("-14,5 +14,5", "-1,5 +1,5"), R.RELOCATE),
    Case("numbers and counts wrong", GOOD.replace("-14,5 +14,5", "-40,2 +41,7"), R.RELOCATE),
    Case(
        "two hunks, the later with an old number",
        GOOD + "@@ -99,2 +99,2 @@\n def rounded(value, digits):\n" + ROUND,
        R.RELOCATE,
        after=FIXED.replace("math.floor(value * 10 ** digits)", "math.floor(value * 10 ** digits + 0.5)"),
    ),
    Case(
        "hunks in the wrong order",
        HEAD + "@@ -21,2 +21,2 @@\n def rounded(value, digits):\n" + ROUND + "@@ -14,5 +14,5 @@\n" + BODY,
        R.RECOUNT,
        after=FIXED.replace("math.floor(value * 10 ** digits)", "math.floor(value * 10 ** digits + 0.5)"),
    ),
    Case("numbers far past the end", GOOD.replace("-14,5 +14,5", "-1400,5 +1400,5"), R.RELOCATE),
    # ws_context
    Case("white space at the end of context", GOOD.replace("result = 0\n", "result = 0  \n"), R.WS_CONTEXT),
    Case("context lost its sign", GOOD.replace("     def average", "    def average"), R.WS_CONTEXT),
    Case("a top-level line without a sign", HEAD + "@@ -21,2 +21,2 @@\ndef rounded(value, digits):\n" + ROUND, R.WS_CONTEXT, after=ROUNDED),
    # reindent
    Case("indented too little", HEAD + "@@ @@\n" + "".join(line[0] + line[5:] for line in BODY.splitlines(keepends=True)), R.REINDENT),
    Case("indented too much", HEAD + "@@ @@\n" + "".join(line[0] + "    " + line[1:] for line in BODY.splitlines(keepends=True)), R.REINDENT),
    # elide
    Case(
        "dots for lines",
        HEAD + "@@ @@\n     def average(self):\n ...\n-            result += price\n+            result += price * count\n",
        R.ELIDE,
    ),
    Case(
        "a header and then the change",
        HEAD + "@@ @@\n     def average(self):\n-            result += price\n+            result += price * count\n",
        R.ELIDE,
    ),
    # not applied
    Case("nothing", "", outcome=O.NO_PATCH),
    Case("white space", " \n\n", outcome=O.NO_PATCH),
    Case("prose", "I could not find a bug in this code.\n", outcome=O.NO_PATCH),
    Case("a header alone", HEAD, outcome=O.MALFORMED_DIFF),
    Case("a hunk without a change", HEAD + "@@ -1,2 +1,2 @@\n import math\n \n", outcome=O.MALFORMED_DIFF),
    Case("context that is not there", GOOD.replace("result = 0", "result = 1"), outcome=O.PATCH_REJECTED),
    Case("a removed line that is not there", GOOD.replace("-            result += price\n", "-            result = price\n"), outcome=O.PATCH_REJECTED),
    Case("a file that is not there", GOOD.replace("cart.py", "basket.py"), outcome=O.PATCH_REJECTED),
    Case(
        "one hunk of two does not fit",
        GOOD + "@@ -21,2 +21,2 @@\n def rounded(value):\n" + ROUND,
        outcome=O.PATCH_REJECTED,
    ),
    Case(
        "one file of two is not there",
        GOOD + "--- a/shop/gone.py\n+++ b/shop/gone.py\n@@ -1 +1 @@\n-x\n+y\n",
        outcome=O.PATCH_REJECTED,
    ),
    Case("two places", HEAD + "@@ -30,2 +30,2 @@\n         for price, count in self.items:\n+            pass\n", outcome=O.AMBIGUOUS),
    Case("two places, bare header", HEAD + "@@ ... @@\n-        result = 0\n+        result = 0.0\n", outcome=O.AMBIGUOUS),
    Case("two places but for white space", HEAD + "@@ ... @@\n-        result = 0 \n+        result = 0.0\n", outcome=O.AMBIGUOUS),
    Case("no line to tell the place by", HEAD + "@@ -10,0 +11 @@\n+        pass\n", outcome=O.PATCH_REJECTED),
    Case("a blank line to tell the place by", HEAD + "@@ -2 +2,2 @@\n \n+import os\n", outcome=O.PATCH_REJECTED),
    Case("dots among the new lines", HEAD + "@@ @@\n     def average(self):\n ...\n-            result += price\n+            # ...\n", outcome=O.PATCH_REJECTED),
    Case("dots with two ends", HEAD + "@@ @@\n class Cart:\n ...\n-        result = 0\n+        result = 0.0\n", outcome=O.AMBIGUOUS),
    Case(
        "a header whose body does not have the change",
        HEAD + "@@ @@\n     def total(self):\n-            result += price\n+            result += price * count\n",
        outcome=O.PATCH_REJECTED,
    ),
    Case("a reversed diff", HEAD + "@@ -14,5 +14,5 @@\n" + BODY.replace("-  ", "?  ").replace("+  ", "-  ").replace("?  ", "+  "), outcome=O.PATCH_REJECTED),
    Case("new code that stands there already", HEAD + "@@ -1,2 +1,2 @@\n-import maths\n+import math\n \n", outcome=O.PATCH_REJECTED),
    # search and replace
    Case("search and replace", "shop/cart.py\n<<<<<<< SEARCH\n            result += price\n=======\n            result += price * count\n>>>>>>> REPLACE\n", R.STRICT, form=PatchFormat.SEARCH_REPLACE),
    Case("search and replace, fenced", "Change this:\n\nshop/cart.py\n```python\n<<<<<<< SEARCH\n            result += price\n=======\n            result += price * count\n>>>>>>> REPLACE\n```\nDone.\n", R.ENVELOPE, form=PatchFormat.SEARCH_REPLACE),
    Case("search and replace, no name", "<<<<<<< SEARCH\n            result += price\n=======\n            result += price * count\n>>>>>>> REPLACE\n", R.PATH, form=PatchFormat.SEARCH_REPLACE),
    Case("search and replace, a bold base name", "**cart.py**\n<<<<<<< SEARCH\n            result += price\n=======\n            result += price * count\n>>>>>>> REPLACE\n", R.PATH, form=PatchFormat.SEARCH_REPLACE),
    Case("search and replace, indent", "shop/cart.py\n<<<<<<< SEARCH\nresult += price\nreturn result / len(self.items)\n=======\nresult += price * count\nreturn result / len(self.items)\n>>>>>>> REPLACE\n", outcome=O.PATCH_REJECTED),
    Case("search and replace, two places", "shop/cart.py\n<<<<<<< SEARCH\n        result = 0\n=======\n        result = 0.0\n>>>>>>> REPLACE\n", outcome=O.AMBIGUOUS),
    Case("search and replace, no end", "shop/cart.py\n<<<<<<< SEARCH\n        result = 0\n=======\n        result = 0.0\n", outcome=O.MALFORMED_DIFF),
    Case("search and replace, no divider", "shop/cart.py\n<<<<<<< SEARCH\n        result = 0\n>>>>>>> REPLACE\n", outcome=O.MALFORMED_DIFF),
    Case("search and replace, nothing new", "shop/cart.py\n<<<<<<< SEARCH\nimport math\n=======\nimport math\n>>>>>>> REPLACE\n", outcome=O.MALFORMED_DIFF),
    # apply_patch
    Case("apply_patch", "*** Begin Patch\n*** Update File: shop/cart.py\n@@ def average(self):\n" + BODY + "*** End Patch\n", R.STRICT, form=PatchFormat.APPLY_PATCH),
    Case("apply_patch, fenced", "```\n*** Begin Patch\n*** Update File: cart.py\n@@\n" + BODY + "*** End Patch\n```\n", R.PATH, form=PatchFormat.APPLY_PATCH),
    Case("apply_patch, two places", "*** Begin Patch\n*** Update File: shop/cart.py\n@@ def total(self):\n-        result = 0\n+        result = 0.0\n*** End Patch\n", outcome=O.AMBIGUOUS),
    Case("apply_patch, no section", "*** Begin Patch\n*** End Patch\n", outcome=O.MALFORMED_DIFF),
    # code
    Case("the whole file", f"```python\n{FIXED}```\n", R.ENVELOPE, form=PatchFormat.WHOLE_FILE),
    Case("the whole file, bare", FIXED, R.STRICT, form=PatchFormat.WHOLE_FILE),
    Case("a whole function", "The fix:\n```python\ndef rounded(value, digits):\n" + ROUND.splitlines()[1][1:] + "\n```\n", R.ENVELOPE, after=ROUNDED, form=PatchFormat.WHOLE_FUNCTION),
    Case("a whole method", "```python\ndef average(self):\n    result = 0\n    for price, count in self.items:\n        result += price * count\n    return result / len(self.items)\n```\n", R.ENVELOPE, form=PatchFormat.WHOLE_FUNCTION),
    Case("a whole function and an import", "```python\nimport os\n\ndef rounded(value, digits):\n" + ROUND.splitlines()[1][1:] + "\n```\n", R.ENVELOPE, after=ROUNDED.replace("import math\n", "import math\nimport os\n"), form=PatchFormat.WHOLE_FUNCTION),
    Case("a class that leaves methods out", "```python\nclass Cart:\n    def average(self):\n        return 1\n```\n", outcome=O.PATCH_REJECTED),
    Case("a file with a comment for the rest", "```python\n" + FIXED.split("    def total")[0] + "    # ... rest of the class\n```\n", outcome=O.PATCH_REJECTED),
    Case("a function of another name", "```python\ndef average_price(cart):\n    return 1\n```\n", outcome=O.PATCH_REJECTED),
    Case("code that is not Python", "```python\ndef rounded(value, digits:\n    return 1\n```\n", outcome=O.MALFORMED_DIFF),
    Case("two answers", "```python\ndef rounded(value, digits):\n    return 1\n```\nor\n```python\ndef rounded(value, digits):\n    return 2\n```\n", outcome=O.AMBIGUOUS),
    Case("code of another language", "```javascript\nfunction rounded(a) { return a }\n```\n", outcome=O.NO_PATCH),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_it_comes_to(case: Case) -> None:
    result = apply_patch(TREE, case.raw, editable=ALLOWED)
    if case.rung is None:
        assert isinstance(result, PatchFailure), result
        assert result.outcome is case.outcome, result
        assert result.reason
        return
    assert isinstance(result, Applied), result
    assert result.tree == TREE.replace({"shop/cart.py": case.after.encode()})
    assert (result.rung, result.format) == (case.rung, case.form)
    assert apply_diff(TREE, result.canonical_patch) == result.tree


@pytest.mark.parametrize("case", [case for case in CASES if case.rung], ids=lambda case: case.name)
def test_a_file_with_crlf_keeps_it(case: Case) -> None:
    """Whatever ends the patch's lines have, every line of the file ends as before, and new ones like them."""
    tree = TREE.replace({"shop/cart.py": crlf(SHOP).encode()})
    result = apply_patch(tree, case.raw, editable=ALLOWED)
    assert isinstance(result, Applied), result
    assert result.tree["shop/cart.py"] == crlf(case.after).encode()


@pytest.mark.parametrize("case", [case for case in CASES if case.rung], ids=lambda case: case.name)
def test_a_second_copy_of_the_code_is_never_guessed_at(case: Case) -> None:
    """With the whole file doubled, a patch goes where its line numbers say or nowhere."""
    double = FileTree({"shop/cart.py": (SHOP + SHOP).encode()})
    result = apply_patch(double, case.raw, editable=ALLOWED)
    if isinstance(result, PatchFailure):
        assert result.outcome in (Outcome.AMBIGUOUS, Outcome.PATCH_REJECTED)
    else:
        assert result.tree["shop/cart.py"].decode() in (case.after + SHOP, case.after)
