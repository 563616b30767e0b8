"""Patches are git's own bytes, split by kind, and are proved by tree hash whatever the paths and the bytes are."""

from __future__ import annotations

import subprocess

import pytest
import unidiff
from written_histories import History, Link, Script, Submodule, run_git

from mendlab.harvest.git import patched_tree, rebuilds
from mendlab.harvest.records import Candidate, Dropped, DropReason

OLD, NEW = "def f():\n    return 1\n", "def f():\n    return 2\n"

PATHS = [
    "a b.py",
    "a b/x.py",
    "x b/x b/x.py",
    "dir b/c",
    'q"uote".py',
    '"',
    "back\\slash.py",
    "tab\there.py",
    "new\nline.py",
    "new\ndiff --git a/x b/x",
    "cr\r.py",
    "bell\x07.py",
    "ünï/çödé.py",
    "line\u2028sep.py",
    b"latin-\xe9.py",
    " leading.py",
    "trailing .py ",
    "-option.py",
    "--output=x",
    ":(top)x.py",
    "*.py",
    "@@ -1 +1 @@",
    "a -> b.py",
    "del\x7f.py",
    "tests/a b.py",
    "docs/ünï b/x.rst",
]

CONTENTS = {
    "cr": (b"a\rb\r\nc\n", b"a\rB\r\nc\n"),
    "crlf": (b"a\r\nb\r\n", b"a\r\nc\r\n"),
    "mixed": (b"a\r\nb\n", b"a\nb\r\n"),
    "u2028": ("a\u2028b\n\u2029\n".encode(), "a\u2028c\n\u2029\x85\n".encode()),
    "form feed": (b"a\n\x0c\nb\x0bc\n", b"a\n\x0c\x0c\nb\x0bd\n"),
    "no newline before": (b"a", b"a\n"),
    "no newline after": (b"a\nb\n", b"a\nb"),
    "emptied": (b"a\n", b""),
    "filled": (b"", b"a\n"),
    "latin-1": (b"\xe9\n", b"\xe8\n"),
    "nul": (b"\0a" * 50, b"\0b" * 50),
    "binary to text": (b"\0\1\2", b"text\n"),
    "random": (bytes(range(256)) * 40, bytes(reversed(range(256))) * 40),
    "like a diff": (b"-- a\n++ b\n", b"-- b\n++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n"),
    "like git's end": (b"a\n", b"end of patch\n\nend of patch\n"),
    "from": (b"From me\n", b"commit " + b"a" * 40 + b"\n\\ No newline at end of file\n"),
    "bom": (b"\xef\xbb\xbfa\n", b"a\n"),
    "trailing blanks": (b"a \n\t\n", b"a\t \n \n\n\n"),
}


def crafted() -> History:
    history = History()
    history.commit("Begin", {"m.py": OLD, **dict.fromkeys(PATHS, b"1\n2\n3\n")})
    history.commit("Paths modified", {"m.py": NEW, **dict.fromkeys(PATHS, b"1\n2\n4\n")})
    history.commit("Paths deleted", {"m.py": OLD, **dict.fromkeys(PATHS)})
    history.commit("Paths added", {"m.py": NEW, **dict.fromkeys(PATHS, b"5\n")})
    files = {f"content/{name}": pair[0] for name, pair in CONTENTS.items()}
    history.commit("Contents begin", {"m.py": OLD, **files})
    files = {f"content/{name}": pair[1] for name, pair in CONTENTS.items()}
    history.commit("Contents change", {"m.py": NEW, **files})
    history.commit("Modes", {"m.py": OLD, "run.py": "1\n", "link": Link("m.py"), "sub": Submodule(), "kind.py": "1\n"})
    history.commit("Executable", {"m.py": NEW, "run.py": Script(b"1\n"), "link": Link("run.py")})
    history.commit("File becomes link", {"m.py": OLD, "kind.py": Link("m.py"), "sub": Submodule("34" * 20)})
    history.commit("Link becomes file", {"m.py": NEW, "kind.py": "2\n", "link": "1\n", "sub": None})
    history.commit("Rename", {"m.py": OLD, "run.py": None, "tests/moved.py": Script(b"1\n")})
    history.commit("File becomes folder", {"m.py": NEW, "kind.py": None, "kind.py/x.py": "1\n"})
    history.commit("Folder becomes file", {"m.py": OLD, "kind.py/x.py": None, "kind.py": "1\n"})
    history.commit("Submodule becomes file", {"m.py": NEW, "s": Submodule()})
    history.commit("Submodule is file", {"m.py": OLD, "s": "1\n"})
    return history


def test_every_crafted_commit_is_rebuilt(mined) -> None:
    copy, found = mined(crafted())
    assert isinstance(found[1], Dropped)
    for number in range(2, len(found) + 1):
        candidate = found[number]
        assert isinstance(candidate, Candidate), (number, candidate)
        assert rebuilds(copy, candidate), candidate.commit.subject
        whole = copy.git("diff-tree", "-r", "--name-only", "-z", candidate.parent, candidate.fix)
        paths = [path.decode("utf-8", "surrogateescape") for path in whole.split(b"\0") if path]
        parts = (*candidate.source.paths, *candidate.tests.paths, *candidate.other.paths)
        assert sorted(parts) == sorted(paths)


def test_the_bytes_are_those_that_git_writes(mined) -> None:
    copy, found = mined(crafted())
    for number in (2, 6, 9):
        candidate = found[number]
        assert isinstance(candidate, Candidate)
        options = ("--binary", "--full-index", "--no-renames", "--no-ext-diff")
        git = copy.git("diff", *options, candidate.parent, candidate.fix)
        pieces = [b"diff --git " + piece for piece in git.split(b"\ndiff --git ")]
        assert len(candidate.patch) == len(git)
        assert sorted(candidate.patch.splitlines()) == sorted(git.splitlines())
        assert len(pieces) > 1


def test_a_patch_that_is_not_the_change_does_not_rebuild(mined) -> None:
    copy, found = mined(crafted())
    candidate = found[6]
    assert isinstance(candidate, Candidate)
    parts = {"source": candidate.source, "tests": candidate.tests, "other": candidate.other}
    for name, part in parts.items():
        if part.patch:
            without = candidate.model_copy(update={name: part.model_copy(update={"patch": b""})})
            assert not rebuilds(copy, without)
    broken = candidate.source.patch.replace(b"+    return 2", b"+    return 3")
    assert not rebuilds(
        copy, candidate.model_copy(update={"source": candidate.source.model_copy(update={"patch": broken})})
    )
    objects = set((copy.path / "objects").rglob("*"))
    patched_tree(copy, candidate.parent, [broken])
    assert set((copy.path / "objects").rglob("*")) == objects


def test_source_and_tests_are_apart(mined) -> None:
    history = History()
    history.commit("Begin", {"pkg/shortest_paths.py": OLD, "pkg/latest.py": OLD, "tests/test_a.py": "1\n"})
    files = {
        "pkg/shortest_paths.py": NEW,
        "pkg/latest.py": NEW,
        "pkg/data.json": "{}",
        "tests/test_a.py": "2\n",
        "pkg/test_b.py": "1\n",
        "pkg/b_test.py": "1\n",
        "conftest.py": "1\n",
        "pkg/tests/data.bin": b"\0",
        "docs/index.rst": "1\n",
        "CHANGES": "1\n",
        ".github/workflows/tests.yml": "1\n",
        "setup.py": "1\n",
    }
    history.commit("Fix", files)
    _, found = mined(history)
    candidate = found[2]
    assert isinstance(candidate, Candidate)
    assert candidate.source.paths == ("pkg/data.json", "pkg/latest.py", "pkg/shortest_paths.py")
    assert set(candidate.tests.paths) == {
        "conftest.py",
        "pkg/b_test.py",
        "pkg/test_b.py",
        "pkg/tests/data.bin",
        "tests/test_a.py",
    }
    assert set(candidate.other.paths) == {"docs/index.rst", "CHANGES", ".github/workflows/tests.yml", "setup.py"}


def test_sizes_are_those_that_git_and_unidiff_count(mined) -> None:
    copy, found = mined(crafted())
    for candidate in found.values():
        if not isinstance(candidate, Candidate):
            continue
        total = [0, 0]
        listed = copy.git("diff-tree", "-r", "--numstat", "-z", "--no-renames", candidate.parent, candidate.fix)
        for line in filter(None, listed.split(b"\0")):
            numbers = line.split(b"\t")[:2]
            total = [sum(pair) for pair in zip(total, (int(n) if n != b"-" else 0 for n in numbers), strict=True)]
        parts = (candidate.source, candidate.tests, candidate.other)
        assert [sum(part.added for part in parts), sum(part.removed for part in parts)] == total, (
            candidate.commit.subject,
            listed,
        )
    small = found[2]
    assert isinstance(small, Candidate)
    of_unidiff = unidiff.PatchSet(
        next(p for p in small.source.patch.decode().split("diff --git ") if p.startswith("a/m.py"))
    )
    assert (of_unidiff.added, of_unidiff.removed, len(of_unidiff[0])) == (1, 1, 1)


def test_a_patch_too_large_is_dropped_and_the_next_is_right(mined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mendlab.harvest.git.patches.MOST_PATCH_BYTES", 50_000)
    history = History()
    history.commit("Begin", {"m.py": OLD})
    history.commit("One line without end", {"m.py": NEW, "data.txt": b"x" * 3_000_000})
    history.commit("Many lines", {"m.py": OLD, "data.csv": b"x\n" * 300_000})
    history.commit("Small", {"m.py": NEW})
    copy, found = mined(history)
    assert [found[n].reason for n in (2, 3) if isinstance(found[n], Dropped)] == [DropReason.TOO_LARGE] * 2
    assert isinstance(found[4], Candidate)
    assert rebuilds(copy, found[4])


def test_hundreds_of_patches_come_in_order(mined) -> None:
    history = History()
    history.commit("Begin", {"m.py": "x = 0\n", "big.txt": "0\n" * 2_000})
    for number in range(1, 300):
        history.commit(f"Number {number}", {"m.py": f"x = {number}\n", "big.txt": f"{number}\n" * 2_000})
    _, found = mined(history)
    for number in range(2, 301):
        candidate = found[number]
        assert isinstance(candidate, Candidate)
        assert f"+x = {number - 1}\n".encode() in candidate.source.patch


def test_the_same_change_twice_is_one_candidate_and_its_reversal_another(mined) -> None:
    body = "".join(f"    x{n} = {n}\n" for n in range(30))
    dedented = f"def f(y):\n    if y:\n{body}    return 1\n".replace("    x", "        x")
    indented = dedented.replace("    return 1", "        return 1")
    history = History()
    history.commit("Begin", {"m.py": indented})
    fix = history.commit("Fix", {"m.py": dedented})
    history.commit("Break again", {"m.py": indented})
    history.commit("Other", {"m.py": "import os\n\n\n" + indented}, parents=[1])
    backport = history.commit("Fix, on another branch", {"m.py": "import os\n\n\n" + dedented})
    history.commit("Merge", {"m.py": "import os\n\n\n" + dedented}, parents=[3, backport])
    copy, found = mined(history)
    kept = {number for number, each in found.items() if isinstance(each, Candidate)}
    assert kept == {3, 4, backport, 6}
    duplicate = found[fix]
    assert isinstance(duplicate, Dropped)
    same = found[backport]
    assert isinstance(same, Candidate)
    assert (duplicate.reason, duplicate.detail) == (DropReason.SAME_PATCH, f"as {same.fix}")
    stable = {
        run_git(copy.path, "patch-id", "--stable", env={}) or _stable_id(copy.git("diff", f"{sha}~1", sha))
        for sha in (same.fix, found[3].fix if isinstance(found[3], Candidate) else "")
    }
    assert len(stable) == 1  # git's own id takes a change of indentation for its reversal


def test_of_a_merge_and_the_same_change_of_source_one_is_taken(mined) -> None:
    tests, more = "def test_x(): pass\n", "def test_x(): pass\n\ndef test_y(): pass\n"
    history = History()
    history.commit("Begin", {"m.py": "x = 0\n", "n.py": "y = 0\n", "z.py": "z = 0\n"})
    alone = history.commit("Mend x", {"m.py": "x = 1\n", "tests/test_m.py": tests})
    merge = history.commit("Merge pull request #1", {"m.py": "x = 1\n", "tests/test_m.py": tests}, parents=[1, alone])
    mended = history.commit("Mend y", {"n.py": "y = 1\n", "tests/test_n.py": tests})
    logged = history.commit("Log it", {"CHANGES": "y\n", "tests/test_n.py": more})
    files = {"n.py": "y = 1\n", "tests/test_n.py": more, "CHANGES": "y\n"}
    whole = history.commit("Merge pull request #2", files, parents=[merge, logged])
    untested = history.commit("Mend z", {"z.py": "z = 1\n"})
    tested = history.commit("Test z", {"tests/test_z.py": tests})
    both = history.commit("Merge pull request #3", {"z.py": "z = 1\n", "tests/test_z.py": tests}, [whole, tested])
    _, found = mined(history)
    assert {number for number, each in found.items() if isinstance(each, Candidate)} == {alone, whole, both}
    fell = {number: each.reason for number, each in found.items() if isinstance(each, Dropped)}
    assert [fell[each] for each in (merge, mended, untested)] == [DropReason.SAME_PATCH] * 3


def _stable_id(patch: bytes) -> str:
    done = subprocess.run(["git", "patch-id", "--stable"], input=patch, capture_output=True, check=True)
    return done.stdout.decode().split()[0]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('def f():\n    "a"\n    return 1\n', 'def f():\n    """b"""\n    return (1)  # c\n', True),
        ("if x:\n    a()\nelse:\n    if y:\n        b()\n", "if x:\n    a()\nelif y:\n    b()\n", True),
        ("def f(): pass\n", 'def f():\n    """Return nothing."""\n', True),
        ("x = 1000 + 0xff\n", "x = 1_000 + 255\n", True),
        ("x = f'{a}' + \"it's\"  # b\n", "x = f'{a}' + \"it's\"  # it's c\n", True),
        ("x = f'{a}'\n", "x = f'{b}'\n", False),
        ("x = '''a\n# b'''\n", "x = '''a\n# c'''\n", False),
        ("x = a < b\n", "x = a <= b\n", False),
        ("x = [1,\n 2]\n", "x = [1, 2]  # two\n", True),
        ("x = 'a'\n", 'x = "a"\n', True),
        ('"""a"""\n', "", True),
        ("x = 0.0\n", "x = -0.0\n", False),
        ("x = 1\n", "x = True\n", False),
        ("x = 1\n", "x = 1.0\n", False),
        ("if x:\n    y()\nz()\n", "if x:\n    y()\n    z()\n", False),
        ('def f():\n    x = "a"\n', 'def f():\n    x = "b"\n', False),
        ("print 1\n", "print 1  # one\n", False),
        ("class A:\n    def f(self): return 1\n", "class A:\n    def f(self):\n        return 1\n", True),
        ("class A:\n    @x\n    def f(self): return 1\n", "class A:\n    @y\n    def f(self): return 1\n", False),
        ('def f():\n    """\ndef g():\n    pass\n    """\n', 'def f():\n    """\ndef h():\n    pass\n    """\n', True),
    ],
)
def test_what_is_the_same_program_falls(mined, old: str, new: str, same: bool) -> None:
    history = History()
    history.commit("Begin", {"m.py": old, "README": "1\n"})
    history.commit("Change", {"m.py": new, "README": "2\n"})
    _, found = mined(history)
    assert isinstance(found[2], Dropped) == same
    if isinstance(found[2], Dropped):
        assert found[2].reason is DropReason.SAME_PROGRAM
