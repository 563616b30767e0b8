"""Several files, new and deleted ones, and what must be kept of a file's bytes."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.patches import Applied, ApplyRung, PatchFailure, apply_patch

A = "a\nb\nc\nd\ne\nf\n"
BARE = "@@ ... @@\n"


def tree(**files: str) -> FileTree:
    return FileTree({f"{name}.py": text.encode() for name, text in files.items()})


def applied(before: FileTree, raw: str) -> FileTree:
    result = apply_patch(before, raw, editable=tuple(before))
    assert isinstance(result, Applied), result
    return result.tree


def head(name: str) -> str:
    return f"--- a/{name}\n+++ b/{name}\n"


def test_several_files_or_none() -> None:
    before = tree(one=A, two=A)
    both = head("one.py") + BARE + "-b\n+B\n" + head("two.py") + BARE + "-c\n+C\n"
    assert applied(before, both) == tree(one=A.replace("b", "B"), two=A.replace("c", "C"))
    broken = apply_patch(before, both.replace("-c", "-x"), editable=["one.py", "two.py"])
    assert isinstance(broken, PatchFailure)
    assert broken.outcome is Outcome.PATCH_REJECTED


def test_a_file_that_stands_in_the_patch_twice() -> None:
    raw = head("one.py") + BARE + "-b\n+B\n" + head("one.py") + BARE + "-e\n+E\n"
    assert applied(tree(one=A), raw) == tree(one=A.replace("b", "B").replace("e", "E"))


@pytest.mark.parametrize("second", ["-b\n+Z\n", " a\n-b\n+Z\n c\n", "-a\n-b\n"])
def test_two_hunks_may_not_change_one_line(second: str) -> None:
    raw = head("one.py") + BARE + "-b\n+B\n" + BARE + second
    result = apply_patch(tree(one=A), raw, editable=["one.py"])
    assert isinstance(result, PatchFailure)
    assert "two hunks change line" in result.reason


def test_hunks_may_share_context() -> None:
    raw = head("one.py") + BARE + " a\n-b\n+B\n c\n" + BARE + " c\n-d\n+D\n e\n"
    assert applied(tree(one=A), raw) == tree(one="a\nB\nc\nD\ne\nf\n")


def test_new_and_deleted_files_with_wrong_counts() -> None:
    before = tree(one=A, two=A)
    new = "--- /dev/null\n+++ b/three.py\n@@ -0,0 +1,9 @@\n+x\n+y\n"
    gone = "--- a/two.py\n+++ /dev/null\n@@ -1,99 +0,0 @@\n" + "".join(f"-{line}\n" for line in "abcdef")
    assert applied(before, new + gone) == tree(one=A, three="x\ny\n")


def test_a_deletion_must_name_every_line() -> None:
    raw = "--- a/one.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    assert isinstance(apply_patch(tree(one=A), raw, editable=["one.py"]), PatchFailure)


def test_a_new_file_is_not_laid_over_an_old_one() -> None:
    raw = "--- /dev/null\n+++ b/one.py\n@@ -0,0 +1,7 @@\n+x\n"
    assert isinstance(apply_patch(tree(one=A), raw, editable=["one.py"]), PatchFailure)


def test_a_rename_as_git_writes_it() -> None:
    raw = "diff --git a/one.py b/new.py\nsimilarity index 100%\nrename from one.py\nrename to new.py\n"
    assert applied(tree(one=A), raw) == tree(new=A)


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        ("a\nb", "-b\n+B\n", "a\nB"),  # the file has no final newline, and the patch does not care
        ("a\nb", "-b\n\\ No newline at end of file\n+B\n", "a\nB\n"),
        ("a\nb", "-b\n\\ No newline at end of file\n+B\n\\ No newline at end of file\n", "a\nB"),
        ("a\nb\n", "-b\n+B\n\\ No newline at end of file\n", "a\nB"),
        ("a\nb", "-a\n+A\n b\n", "A\nb"),
        ("a\nb", " b\n+c\n", "a\nb\nc"),
        ("a\nb", " a\n-b\n", "a\n"),
        ("a\r\nb\r\n", "-a\n+A\n+x\n", "A\r\nx\r\nb\r\n"),
        ("a\r\nb\nc\r\n", "-c\n+C\n", "a\r\nb\nC\r\n"),
        ("a\n\fb\u2028b\nc\n", " \fb\u2028b\n-c\n+C\n", "a\n\fb\u2028b\nC\n"),
        ("a\n\tb\n", "-\tb\n+\tB\n", "a\n\tB\n"),
        ("\ufeffa\nb\n", "-b\n+B\n", "\ufeffa\nB\n"),
    ],
)
def test_line_ends(before: str, body: str, after: str) -> None:
    assert applied(tree(one=before), head("one.py") + BARE + body) == tree(one=after)


def test_the_encoding_of_a_file_is_kept_or_the_patch_refused() -> None:
    text = "# coding: latin-1\nx = 'é'\ny = 1\n"
    before = FileTree({"one.py": text.encode("latin-1")})
    raw = head("one.py") + BARE + " x = 'é'\n-y = 1\n+y = 'ü'\n"
    assert applied(before, raw)["one.py"] == text.replace("1\n", "'ü'\n").replace("latin-'ü'", "latin-1").encode(
        "latin-1"
    )
    result = apply_patch(before, raw.replace("ü", "€"), editable=["one.py"])
    assert isinstance(result, PatchFailure)
    assert "encoding" in result.reason


def test_white_space_of_the_file_is_kept() -> None:
    before = tree(one="a  \nb\nc\t\n")
    result = apply_patch(before, head("one.py") + BARE + " a\n-b\n+B\n c\n", editable=["one.py"])
    assert isinstance(result, Applied)
    assert result.rung is ApplyRung.WS_CONTEXT
    assert result.tree == tree(one="a  \nB\nc\t\n")


def test_a_name_that_two_files_end_in_is_ambiguous() -> None:
    before = FileTree({"x/one.py": A.encode(), "y/one.py": A.encode()})
    result = apply_patch(before, head("one.py") + BARE + "-b\n+B\n", editable=["x/one.py", "y/one.py"])
    assert isinstance(result, PatchFailure)
    assert result.outcome is Outcome.AMBIGUOUS
    allowed = apply_patch(before, head("one.py") + BARE + "-b\n+B\n", editable=["y/one.py"])
    assert isinstance(allowed, Applied)
    assert allowed.tree["y/one.py"] == A.replace("b", "B").encode()


def test_non_ascii_and_spaced_names() -> None:
    before = FileTree({"dir x/é.py": A.encode()})
    for raw in ("--- a/dir x/é.py\n+++ b/dir x/é.py\n", '--- "a/dir x/\\303\\251.py"\n+++ "b/dir x/\\303\\251.py"\n'):
        assert applied(before, raw + BARE + "-b\n+B\n")["dir x/é.py"] == A.replace("b", "B").encode()


METHOD = '''\
class A:
    @property
    def text(self):
        """Old."""
        return """
  kept
"""

    def other(self):
        return 1
'''


def test_a_method_keeps_its_decorators_and_the_text_of_strings() -> None:
    new = '```python\ndef text(self):\n    """New."""\n    return """\n  changed\n"""\n```\n'
    expected = METHOD.replace("Old", "New").replace("kept", "changed")
    assert applied(tree(one=METHOD), new)["one.py"].decode() == expected


def test_white_space_in_strings_of_a_whole_file_is_kept() -> None:
    new = METHOD.replace("kept", "kept\n    \n")
    assert applied(tree(one=METHOD), f"```python\n{new}```\n")["one.py"].decode() == new


def test_a_function_of_a_name_that_is_defined_twice_is_ambiguous() -> None:
    before = tree(
        one="class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 2\n"
    )
    result = apply_patch(before, "```python\ndef f(self):\n    return 3\n```\n", editable=["one.py"])
    assert isinstance(result, PatchFailure)
    assert result.outcome is Outcome.AMBIGUOUS


@pytest.mark.parametrize("name", ["one.py", "new\ud800.py"])
def test_half_a_character_is_no_text(name: str) -> None:
    raw = f"*** Begin Patch\n*** Add File: {name}\n+x = '\ud800'\n*** End Patch\n"
    result = apply_patch(tree(one=A), raw, editable=[name])
    assert isinstance(result, PatchFailure)
    assert result.outcome is Outcome.MALFORMED_DIFF
    assert "half of one" in result.reason
