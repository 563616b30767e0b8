"""SWE-bench (Jimenez et al. 2024): issues of repositories with the change that closed each and the tests that tell.

Nothing is checked out or run: the commit is read out of a local checkout's objects. The good program is the base
commit with ``patch`` and ``test_patch``, the buggy one that with ``test_patch`` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from mendlab.corpora.candidates import Candidate, LoadedSubject
from mendlab.corpora.commit_trees import read_commit
from mendlab.corpora.diffs import apply_diff
from mendlab.corpora.functions import functions_in
from mendlab.corpora.git_read import is_repository
from mendlab.corpora.importers.pairs import pair
from mendlab.corpora.importers.registry import Found, importer
from mendlab.corpora.json_rows import Row, each_row
from mendlab.corpora.pytest_layout import sorted_files
from mendlab.corpora.tree import FileTree
from mendlab.errors import FormatError, InputError, MendlabError
from mendlab.records import Provenance, PytestHarness, Subject


@importer("swebench")
def read_swebench(path: Path, *, repo: str | None = None) -> Found:
    """SWE-bench's instances, from a JSONL file; repo is a local checkout, or a folder of them named owner__name."""
    if repo is None:
        hint = "add repo=CHECKOUT, or a folder with checkouts called owner__name"
        raise InputError("swebench needs a local checkout of the repository", where=path, hint=hint)
    checkouts = Path(repo)
    if not checkouts.is_dir():
        raise InputError("is no directory", where=checkouts, hint="clone the repository, and name the clone")
    commits = lru_cache(maxsize=2)(read_commit)  # rows of one commit stand together; a tree may be large
    return each_row(path, "instance_id", lambda row: _candidate(row, checkouts, commits))


def _candidate(row: Row, checkouts: Path, commits: Callable[[Path, str], FileTree]) -> Candidate:
    commit, patch, test_patch = row.text("base_commit"), row.text("patch"), row.text("test_patch")
    claimed = (_node_ids(row, "FAIL_TO_PASS"), _node_ids(row, "PASS_TO_PASS"))
    if not claimed[0]:
        raise FormatError("field 'FAIL_TO_PASS' is empty", where=row.where)
    base = commits(_checkout(checkouts, row.text("repo")), commit)
    buggy = _applied(row, "test_patch", base, test_patch)
    good = _applied(row, "patch", buggy, patch)
    changed = tuple(path for path in buggy.changed(good) if path.endswith(".py"))  # a large repository has many more
    loaded = _subject(row, good, tuple(base.changed(buggy)), changed)
    editable = tuple(sorted({*loaded.subject.source_files, *buggy.changed(good)}))
    return pair(loaded, buggy, editable=editable, claimed=claimed)


def _subject(row: Row, good: FileTree, tests: tuple[str, ...], changed: tuple[str, ...]) -> LoadedSubject:
    steering, sources = sorted_files(good, tests)
    subject = Subject(
        id=row.text("instance_id"),
        snapshot=good.digest,
        harness=PytestHarness(test_files=steering),
        source_files=sources,
        functions=functions_in(good, changed),
        statement=row.text("problem_statement"),
        provenance=Provenance(
            source=row.text("repo"),
            commit=row.text("base_commit"),
            date=row.optional_text("created_at") or None,
        ),
    )
    return LoadedSubject(subject, good)


def _node_ids(row: Row, field: str) -> tuple[str, ...]:
    ids = row.texts(field)
    strange = next((each for each in ids if "::" not in each), None)
    if strange is not None:
        raise FormatError(f"field {field!r} has {strange!r}, which is no pytest test id", where=row.where)
    return ids


def _applied(row: Row, field: str, tree: FileTree, diff: str) -> FileTree:
    try:
        return apply_diff(tree, diff)
    except MendlabError as error:
        raise FormatError(f"field {field!r} does not apply: {error}", where=row.where) from error


def _checkout(checkouts: Path, repository: str) -> Path:
    named = checkouts / repository.replace("/", "__")
    if is_repository(named):
        return named
    if is_repository(checkouts):
        return checkouts
    hint = f"git clone https://github.com/{repository} {named}"
    raise InputError(f"there is no checkout of {repository}", where=named, hint=hint)
