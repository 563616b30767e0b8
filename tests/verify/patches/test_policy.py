"""What a patch may change."""

from __future__ import annotations

import pytest

from mendlab.corpora.tree import FileTree
from mendlab.verify.patches import Applied, apply_patch
from mendlab.verify.patches.policy import violations

TREE = FileTree(
    {
        "src/shop.py": b"a\nb\nc\n",
        "src/other.py": b"a\nb\nc\n",
        "tests/test_shop.py": b"a\nb\nc\n",
        "tests/conftest.py": b"a\nb\nc\n",
        "pyproject.toml": b"a\nb\nc\n",
    }
)
TESTS = ("tests/test_shop.py", "tests/conftest.py")
EDITABLE = ("src/shop.py",)
HUNK = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"


def change(name: str) -> str:
    return f"--- a/{name}\n+++ b/{name}\n{HUNK}"


def add(name: str, mode: str = "100644") -> str:
    return f"diff --git a/{name} b/{name}\nnew file mode {mode}\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n"


GOOD = change("src/shop.py")


def found(raw: str, editable: tuple[str, ...] = EDITABLE) -> tuple[str, ...]:
    result = apply_patch(TREE, raw, editable=editable)
    after = result.tree if isinstance(result, Applied) else None
    return violations(raw, TREE, after, editable=editable, protected=TESTS)


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        f"```diff\n{GOOD}```\n",
        GOOD.replace("a/src/", "").replace("b/src/", ""),
        GOOD.replace("a/src", "/home/me/project/src").replace("b/src", "/home/me/project/src"),
        "@@ ... @@\n-b\n+B\n",
        "src/shop.py\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n",
        change("src/gone.py"),  # does not apply, which is not an offence
        "no patch at all",
        "",
    ],
)
def test_what_is_allowed(raw: str) -> None:
    assert found(raw) == ()


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (change("src/other.py"), "src/other.py is not a file that may be changed"),
        (GOOD + change("src/other.py"), "src/other.py is not"),
        (GOOD + change("tests/test_shop.py"), "belongs to the tests"),
        (change("tests/conftest.py"), "belongs to the tests"),
        (add("conftest.py"), "runs before the program"),
        (add("src/sitecustomize.py"), "runs before the program"),
        (add("usercustomize.py"), "runs before the program"),
        (add("src/x.pth"), "runs before the program"),
        (change("pyproject.toml"), "configuration of the tests"),
        (add("pytest.ini"), "configuration of the tests"),
        (add("src/tox.ini"), "configuration of the tests"),
        (add("src/helper.py"), "src/helper.py is not a file that may be changed"),
        (add("src/Shop.py"), "differs from src/shop.py only in case"),
        (add("src/ſhop.py"), "only in case or normalisation"),
        (add(".git/hooks/pre-commit"), "is inside .git"),
        (add("src/.GIT/config"), "is inside .git"),
        (add("../evil.py"), "leads out of the tree"),
        (change("../src/shop.py"), "leads out of the tree"),
        ("--- /dev/null\n+++ /etc/evil\n@@ -0,0 +1 @@\n+x\n", "absolute path"),
        (add("src/link.py", "120000"), "symbolic link"),
        (f"diff --git a/src/shop.py b/src/shop.py\nold mode 100644\nnew mode 100755\n{GOOD}", "changes its mode"),
        ("diff --git a/src/shop.py b/src/shop.py\nold mode 100644\nnew mode 100755\n", "changes its mode"),
        ("diff --git a/src/shop.py b/src/shop.py\nnew file mode 160000\n", "submodule"),
        ("diff --git a/src/shop.py b/src/shop.py\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n", "binary"),
        ("diff --git a/src/shop.py b/src/shop.py\nBinary files a/src/shop.py and b/src/shop.py differ\n", "binary"),
        ("diff --git a/src/shop.py b/conftest.py\nrename from src/shop.py\nrename to conftest.py\n", "runs before"),
        (
            "diff --git a/tests/test_shop.py b/src/x.py\nrename from tests/test_shop.py\nrename to src/x.py\n",
            "belongs to the tests",
        ),
        ("diff --git a/tests/test_shop.py b/tests/test_shop.py\ndeleted file mode 100644\n"
         "--- a/tests/test_shop.py\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n", "belongs to the tests"),
        ("tests/test_shop.py\n<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n", "belongs to the tests"),
        ("*** Begin Patch\n*** Add File: conftest.py\n+x\n*** End Patch\n", "runs before the program"),
        (GOOD.replace("+B", "+\0"), "binary"),
    ],
)  # fmt: skip
def test_what_is_not(raw: str, message: str) -> None:
    assert any(message in violation for violation in found(raw)), found(raw)


def test_a_file_of_the_tests_is_never_editable() -> None:
    assert found(change("tests/test_shop.py"), editable=("tests/test_shop.py",))


def test_what_really_changed_counts_whatever_the_patch_says() -> None:
    after = TREE.replace({"src/other.py": b"changed\n"})
    assert violations(GOOD, TREE, after, editable=EDITABLE) == ("src/other.py is not a file that may be changed",)


def test_an_allowed_file_may_be_new() -> None:
    editable = ("src/shop.py", "src/helper.py")
    assert found(add("src/helper.py"), editable=editable) == ()
    bare = "--- /dev/null\n+++ src/helper.py\n@@ -0,0 +1 @@\n+x\n"
    result = apply_patch(TREE, bare, editable=editable)
    assert isinstance(result, Applied)
    assert result.tree["src/helper.py"] == b"x\n"
    assert found(bare, editable=editable) == ()
