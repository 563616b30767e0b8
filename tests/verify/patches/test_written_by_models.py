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
ROUND = """\
-    return math.floor(value * 10 ** digits) / 10 ** digits
+    return math.floor(value * 10 ** digits + 0.5) / 10 ** digits
"""
ROUND_FUNCTION = "def rounded(value, digits):\n" + ROUND.splitlines()[1][1:] + "\n"
AVERAGE_METHOD = """\
def average(self):
    result = 0
    for price, count in self.items:
        result += price * count
    return result / len(self.items)
"""
CHANGE = "-            result += price\n+            result += price * count\n"
GUESS = "-        result = 0\n+        result = 0.0\n"  # stands in two methods


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


def hunk(body: str, header: str = "@@ ... @@") -> str:
    return f"{HEAD}{header}\n{body}"


def search(old: str, new: str, name: str = "shop/cart.py\n") -> str:
    return f"{name}<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def fenced(text: str, info: str = "python") -> str:
    return f"```{info}\n{text}```\n"


def v4a(body: str, section: str = "*** Update File: shop/cart.py\n") -> str:
    return f"*** Begin Patch\n{section}{body}*** End Patch\n"


def with_margin(cut: int, margin: str) -> str:
    return "".join(line[0] + margin + line[1 + cut :] for line in BODY.splitlines(keepends=True))


OLD, NEW = "            result += price\n", "            result += price * count\n"
R = ApplyRung
O = Outcome  # noqa: E741
SEARCH_REPLACE, WHOLE_FUNCTION = PatchFormat.SEARCH_REPLACE, PatchFormat.WHOLE_FUNCTION
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
    Case("fenced as patch, in prose", f"The fix:\n\n```patch\n{GOOD}```\n\nNow:\n- one\n- two\n", R.ENVELOPE),
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
    Case("an absolute path", GOOD.replace("a/shop", "/home/me/shop").replace("b/", "/home/me/"), R.PATH),
    Case("a dot before it", GOOD.replace("a/shop", "./shop").replace("b/shop", "./shop"), R.STRICT),
    Case("old and new in other words", GOOD.replace("a/shop", "old/shop").replace("b/shop", "new/shop"), R.STRICT),
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
    Case(
        "a top-level line without a sign",
        hunk("def rounded(value, digits):\n" + ROUND, "@@ -21,2 +21,2 @@"),
        R.WS_CONTEXT,
        after=ROUNDED,
    ),
    # reindent
    Case("indented too little", hunk(with_margin(4, "")), R.REINDENT),
    Case("indented too much", hunk(with_margin(0, "    ")), R.REINDENT),
    Case("indented with a tab more", hunk(with_margin(0, "\t")), R.REINDENT),
    # elide
    Case("dots for lines", hunk("     def average(self):\n ...\n" + CHANGE), R.ELIDE),
    Case("a comment of dots for lines", hunk("     def average(self):\n         # ...\n" + CHANGE), R.ELIDE),
    Case("a header and then the change", hunk("     def average(self):\n" + CHANGE), R.ELIDE),
    Case("two headers and then the change", hunk(" class Cart:\n     def average(self):\n" + CHANGE), R.ELIDE),
    # not applied
    Case("nothing", "", outcome=O.NO_PATCH),
    Case("white space", " \n\n", outcome=O.NO_PATCH),
    Case("prose", "I could not find a bug in this code.\n", outcome=O.NO_PATCH),
    Case("a header alone", HEAD, outcome=O.MALFORMED_DIFF),
    Case("a hunk without a change", hunk(" import math\n \n", "@@ -1,2 +1,2 @@"), outcome=O.MALFORMED_DIFF),
    Case("context that is not there", GOOD.replace("result = 0", "result = 1"), outcome=O.PATCH_REJECTED),
    Case(
        "a removed line that is not there",
        GOOD.replace("-            result +", "-            result -"),
        outcome=O.PATCH_REJECTED,
    ),
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
    Case("two places", hunk("         for price, count in self.items:\n+            pass\n"), outcome=O.AMBIGUOUS),
    Case("two places, numbers of neither", hunk(GUESS, "@@ -30 +30 @@"), outcome=O.AMBIGUOUS),
    Case("two places, bare header", hunk(GUESS), outcome=O.AMBIGUOUS),
    Case("two places but for white space", hunk(GUESS.replace("0\n", "0 \n", 1)), outcome=O.AMBIGUOUS),
    Case("two places, with dots", hunk(" class Cart:\n ...\n" + GUESS), outcome=O.AMBIGUOUS),
    Case("no line to tell the place by", hunk("+        pass\n", "@@ -10,0 +11 @@"), outcome=O.PATCH_REJECTED),
    Case("a blank line to tell the place by", hunk(" \n+import os\n", "@@ -2 +2,2 @@"), outcome=O.PATCH_REJECTED),
    Case(
        "dots among the new lines",
        hunk("     def average(self):\n ...\n" + CHANGE + "+            # ...\n"),
        outcome=O.PATCH_REJECTED,
    ),
    Case(
        "a header whose body does not have it",
        hunk(" def rounded(value, digits):\n" + CHANGE),
        outcome=O.PATCH_REJECTED,
    ),
    Case("a change in another body", hunk("     def total(self):\n" + CHANGE), outcome=O.PATCH_REJECTED),
    Case(
        "a reversed diff",
        GOOD.replace("-  ", "?  ").replace("\n+  ", "\n-  ").replace("?  ", "+  "),
        outcome=O.PATCH_REJECTED,
    ),
    Case("a fix of what is not broken", hunk("-import maths\n+import math\n"), outcome=O.PATCH_REJECTED),
    # search and replace
    Case("search and replace", search(OLD, NEW), R.STRICT, form=SEARCH_REPLACE),
    Case(
        "search and replace, fenced after its name",
        "Change this:\n\nshop/cart.py\n" + fenced(search(OLD, NEW, "")) + "Done.\n",
        R.ENVELOPE,
        form=SEARCH_REPLACE,
    ),
    Case("search and replace, no name", search(OLD, NEW, ""), R.PATH, form=SEARCH_REPLACE),
    Case("search and replace, a bold name", search(OLD, NEW, "**cart.py**\n"), R.PATH, form=SEARCH_REPLACE),
    Case("search and replace, white space", search(OLD.replace("\n", " \n"), NEW), R.WS_CONTEXT, form=SEARCH_REPLACE),
    Case("search and replace, indent", search(OLD[4:], NEW[4:]), R.REINDENT, form=SEARCH_REPLACE),
    Case("search and replace, other code", search(OLD.replace("+", "-"), NEW), outcome=O.PATCH_REJECTED),
    Case("search and replace, two places", search("        result = 0\n", "        result = 1\n"), outcome=O.AMBIGUOUS),
    Case("search and replace, no end", search(OLD, NEW).partition(">>>>")[0], outcome=O.MALFORMED_DIFF),
    Case("search and replace, no divider", search(OLD, NEW).replace("=======\n", ""), outcome=O.MALFORMED_DIFF),
    Case("search and replace, nothing new", search(OLD, OLD), outcome=O.MALFORMED_DIFF),
    # apply_patch
    Case("apply_patch", v4a("@@ def average(self):\n" + BODY), R.STRICT, form=PatchFormat.APPLY_PATCH),
    Case(
        "apply_patch, fenced, the base name",
        fenced(v4a("@@\n" + BODY, "*** Update File: cart.py\n"), ""),
        R.PATH,
        form=PatchFormat.APPLY_PATCH,
    ),
    Case(
        "apply_patch, two places, of which the @@ line names one",
        v4a("@@ def total(self):\n" + GUESS),
        R.ELIDE,
        after=SHOP.replace("result = 0\n", "result = 0.0\n", 1),
        form=PatchFormat.APPLY_PATCH,
    ),
    Case("apply_patch, two places", v4a("@@\n" + GUESS), outcome=O.AMBIGUOUS),
    Case("apply_patch, no section", v4a("", ""), outcome=O.MALFORMED_DIFF),
    Case("apply_patch, no change", v4a("@@\n import math\n"), outcome=O.MALFORMED_DIFF),
    # code
    Case("the whole file", fenced(FIXED), R.ENVELOPE, form=PatchFormat.WHOLE_FILE),
    Case("the whole file, bare", FIXED, R.STRICT, form=PatchFormat.WHOLE_FILE),
    Case("a whole function", "Fix:\n" + fenced(ROUND_FUNCTION), R.ENVELOPE, after=ROUNDED, form=WHOLE_FUNCTION),
    Case("a whole method", fenced(AVERAGE_METHOD), R.ENVELOPE, form=WHOLE_FUNCTION),
    Case("a whole method, indented", fenced(indented(AVERAGE_METHOD, "    ")), R.ENVELOPE, form=WHOLE_FUNCTION),
    Case(
        "a whole function and an import",
        fenced("import math\nimport os\n\n" + ROUND_FUNCTION),
        R.ENVELOPE,
        after=ROUNDED.replace("import math\n", "import math\nimport os\n"),
        form=WHOLE_FUNCTION,
    ),
    Case(
        "a class without its other methods",
        fenced("class Cart:\n" + indented(AVERAGE_METHOD, "    ")),
        outcome=O.PATCH_REJECTED,
    ),
    Case(
        "a file with a comment for the rest",
        fenced(FIXED.split("    def total")[0] + "    # ... rest of the class\n"),
        outcome=O.PATCH_REJECTED,
    ),
    Case("a function of another name", fenced("def mean(cart):\n    return 1\n"), outcome=O.PATCH_REJECTED),
    Case("code that is not Python", fenced("def rounded(value, digits:\n    return 1\n"), outcome=O.MALFORMED_DIFF),
    Case(
        "two answers",
        fenced(ROUND_FUNCTION) + "or\n" + fenced(ROUND_FUNCTION.replace("0.5", "0.4")),
        outcome=O.AMBIGUOUS,
    ),
    Case("code of another language", fenced("function rounded(a) { return a }\n", "javascript"), outcome=O.NO_PATCH),
]


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
