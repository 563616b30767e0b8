"""Diffs of trees: round trips, agreement with git, and what is refused."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mendlab.corpora.diff_reader import read_diff
from mendlab.corpora.diffs import apply_diff, make_diff
from mendlab.corpora.tree import FileTree
from mendlab.corpora.unified import quote, unquote
from mendlab.errors import FormatError, InputError

NAMES = [
    "plain.py",
    "with space.py",
    "naïve/été.py",
    'quo"te.py',
    "tab\there.py",
    "pkg/mod.py",
    "x b/x",
    "a b",
    "notes.txt",
]
PIECES = [
    "x = 1",
    "    return x",
    "",
    "\f",
    "a\u2028b",
    "naïve",
    "-- ",
    "++ plus",
    "@@ -1 +1 @@",
    "--- a/x",
    "\ttab",
    "\r",
    "y\x0b",
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.sampled_from(PIECES), max_size=12))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = "".join(line + end for line in lines)
    return text if draw(st.booleans()) else text.removesuffix(end)


@st.composite
def edited(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(PIECES), max_size=2))
    return "\n".join(lines)


@st.composite
def tree_pairs(draw: st.DrawFn) -> tuple[FileTree, FileTree]:
    before, after = {}, {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4)):
        text = draw(texts())
        kind = draw(st.sampled_from(["same", "edit", "rewrite", "add", "delete"]))
        if kind != "add":
            before[name] = text.encode()
        if kind != "delete":
            new = draw(edited(text)) if kind == "edit" else draw(texts()) if kind == "rewrite" else text
            after[name] = new.encode()
    modes = st.sets(st.sampled_from(NAMES)).map(frozenset)
    return FileTree(before, draw(modes)), FileTree(after, draw(modes))


def git_apply(tree: FileTree, diff: str, directory: Path) -> FileTree | None:
    tree.write(directory)
    done = subprocess.run(["git", "apply", "-"], cwd=directory, input=diff.encode(), capture_output=True, check=False)
    if done.returncode:
        return None
    files = [path for path in directory.rglob("*") if path.is_file()]
    contents = {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
    executable = {path.relative_to(directory).as_posix() for path in files if path.stat().st_mode & 0o100}
    return FileTree(contents, frozenset(executable))


@given(tree_pairs())
@settings(max_examples=300, deadline=None)
def test_applying_a_diff_gives_the_tree_it_was_made_for(pair: tuple[FileTree, FileTree]) -> None:
    before, after = pair
    assert apply_diff(before, make_diff(before, after)) == after
    assert apply_diff(after, make_diff(after, before)) == before


@given(tree_pairs())
@example((FileTree({}), FileTree({"empty.py": b""})))
@example((FileTree({"a b": b"x"}), FileTree({"a b": b"x\n"}, frozenset({"a b"}))))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_applies_what_is_written(tmp_path_factory: pytest.TempPathFactory, pair: tuple[FileTree, FileTree]) -> None:
    before, after = pair
    if diff := make_diff(before, after):
        assert git_apply(before, diff, tmp_path_factory.mktemp("git")) == after


@given(tree_pairs())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_git_writes_is_read(tmp_path_factory: pytest.TempPathFactory, pair: tuple[FileTree, FileTree]) -> None:
    before, after = pair
    root = tmp_path_factory.mktemp("git")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "core.autocrlf=false"]
    subprocess.run([*git, "init", "-q"], cwd=root, check=True)
    for tree in pair:
        for path in root.iterdir():
            if path.name != ".git":
                subprocess.run(["rm", "-r", str(path)], check=True)
        tree.write(root)
        subprocess.run([*git, "add", "-A"], cwd=root, check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=root, check=True)
    diff = subprocess.run([*git, "diff", "-M", "HEAD~", "HEAD"], cwd=root, check=True, capture_output=True).stdout
    assert apply_diff(before, diff.decode()) == after


def test_the_encoding_of_a_file_is_kept() -> None:
    before = FileTree({"old.py": "# -*- coding: latin-1 -*-\ns = 'é'\nx = 1\n".encode("latin-1")})
    after = FileTree({"old.py": "# -*- coding: latin-1 -*-\ns = 'é'\nx = 'ü'\n".encode("latin-1")})
    diff = make_diff(before, after)
    assert "+x = 'ü'" in diff
    assert apply_diff(before, diff) == after


def test_a_new_file_has_the_encoding_it_declares() -> None:
    after = FileTree({"new.py": "# coding: cp1252\ns = '€Á'\n".encode("cp1252")})
    assert apply_diff(FileTree({}), make_diff(FileTree({}), after)) == after


@pytest.mark.parametrize("data", [b"\xff\xfe\x00binary", b"\x89PNG\r\n\x1a\n"])
def test_a_new_binary_file_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(InputError, match=r"logo\.png"):
        make_diff(FileTree({}), FileTree({"logo.png": data}))


def test_equal_trees_have_no_diff() -> None:
    tree = FileTree({"a.py": b"x\n", "logo.png": b"\x89\xff"})
    assert make_diff(tree, tree) == ""
    assert apply_diff(tree, "") is tree


def test_no_hunk_ends_in_a_change_where_the_file_goes_on() -> None:
    before = FileTree({"m.py": b"x = 1\ny = 2\n\nx = 1\ny = 2\n\nx = 1\ny = 2\n"})
    after = FileTree({"m.py": b"x = 3\ny = 2\n\nx = 4\ny = 2\n\nx = 1\ny = 2\n"})
    assert apply_diff(before, make_diff(before, after)) == after


def test_one_line_in_a_long_file_is_quick() -> None:
    lines = [f"x{n % 7} = {n % 50}\n" for n in range(20_000)]
    before = FileTree({"long.py": "".join(lines).encode()})
    lines[12_345] = "changed = True\n"
    after = FileTree({"long.py": "".join(lines).encode()})
    start = time.process_time()
    diff = make_diff(before, after)
    assert apply_diff(before, diff) == after
    assert time.process_time() - start < 0.5
    assert diff.count("\n") == 12


HEAD = "--- a/m.py\n+++ b/m.py\n"


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        (HEAD + "@@ ... @@\n-b\n+B\n", "not a hunk header"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n", "cut off"),
        (HEAD + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n c\n", "unexpected line"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c", "cut off"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n-x\n+B\n c\n", "does not fit"),
        (HEAD + "@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n", "does not fit"),
        (HEAD + "@@ -1,3 +2,3 @@\n a\n-b\n+B\n c\n", "line numbers"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n b\n c\n", "changes nothing"),
        (HEAD + "@@ -2 +2 @@\n-b\n+B\n", "must end the file"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n*b\n+B\n c\n", "not a line of a hunk"),
        (HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n\\ No newline at end of file\n c\n", "no newline"),
        (HEAD, "no hunk"),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "unexpected line"),
        ("nothing to see\n", "no file header"),
        ('diff --git a/m.py b/m.py"\nold mode 100644\nnew mode 100755\n', "no one file name"),
        ("--- a/m.py\n+++ b/n.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "two names"),
        ("--- a/gone.py\n+++ b/gone.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "there is no file"),
        ("--- /dev/null\n+++ b/m.py\n@@ -0,0 +1 @@\n+x\n", "there already"),
        ("--- a/m.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "must end the file"),
        ('--- "a/m\\x.py"\n+++ b/m.py\n@@ -1 +1 @@\n-a\n+b\n', "broken quoting"),
        ((HEAD + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n") * 2, "changed twice"),
        ("diff --git a/m.py b/m.py\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n", "binary"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(diff: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        apply_diff(FileTree({"m.py": b"a\nb\nc\n"}), diff)
    assert caught.value.where is not None
    assert caught.value.where.startswith("diff:")


def test_the_mode_on_an_index_line_is_no_change_of_mode() -> None:
    before = FileTree({"m.py": b"x = 1\n"}, frozenset({"m.py"}))
    diff = "diff --git a/m.py b/m.py\nindex 1..2 100644\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    assert apply_diff(before, diff) == FileTree({"m.py": b"x = 2\n"}, frozenset({"m.py"}))


def test_a_deletion_that_shows_no_line_deletes_only_an_empty_file() -> None:
    diff = "diff --git a/m.py b/m.py\ndeleted file mode 100644\n"
    assert apply_diff(FileTree({"m.py": b""}), diff) == FileTree({})
    with pytest.raises(FormatError, match="more lines"):
        apply_diff(FileTree({"m.py": b"x = 1\n"}), diff)


def test_hunks_without_names_are_refused() -> None:
    with pytest.raises(FormatError, match="no --- and"):
        apply_diff(FileTree({"m.py": b"x = 1\n"}), "diff --git a/m.py b/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n")


def test_names_that_unidiff_misreads() -> None:
    """Were unidiff to read this one rightly some day, the reason for a reader of our own should be looked at again."""
    from unidiff import PatchSet

    diff = "diff --git a/x b/x b/x b/x\nnew file mode 100644\n"
    assert [file.path for file in read_diff(diff)] == ["x b/x"]
    assert [file.path for file in PatchSet.from_string(diff)] != ["x b/x"]


@given(tree_pairs())
@settings(max_examples=60, deadline=None)
def test_unidiff_reads_the_same_hunks(pair: tuple[FileTree, FileTree]) -> None:
    from unidiff import PatchSet

    plain = [FileTree({path.replace(" ", "_"): data for path, data in tree.items()}) for tree in pair]
    diff = make_diff(plain[0], plain[1])
    if not diff:
        return
    theirs = [
        [(hunk.source_start, hunk.target_start, [line.value for line in hunk if line.is_added]) for hunk in file]
        for file in PatchSet.from_string(diff)
    ]
    ours = [
        [
            (hunk.old_start, hunk.new_start, [line.text.removesuffix("\n") for line in hunk.lines if line.sign == "+"])
            for hunk in file.hunks
        ]
        for file in read_diff(diff)
    ]
    assert [[(a, b, [t.removesuffix("\n") for t in c]) for a, b, c in file] for file in theirs] == ours


@given(st.text(st.characters(blacklist_categories=["Cs"]), min_size=1))
def test_quoting_is_undone(name: str) -> None:
    quoted = quote(name)
    assert quoted.isascii()
    assert (unquote(quoted) if quoted.startswith('"') else (quoted, "")) == (name, "")
