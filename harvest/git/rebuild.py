"""The proof that a candidate's patches are its change: applied to the parent's tree by git, they give the fix's tree.

It is made in an index and an object folder of its own, which are thrown away; there is no work tree, so that no filter
and no line ending has a part in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from mendlab.corpora.unified import always_quoted
from mendlab.errors import InputError
from mendlab.harvest.git.copy import PrivateCopy
from mendlab.harvest.records import Candidate


def rebuilds(copy: PrivateCopy, candidate: Candidate) -> bool:
    """Whether the parent's tree with source, tests and other applied, one after the other, is the fix's tree."""
    patches = (candidate.source.patch, candidate.tests.patch, candidate.other.patch)
    try:
        return patched_tree(copy, candidate.parent, patches) == copy.tree_of(candidate.fix)
    except InputError:
        return False


def patched_tree(copy: PrivateCopy, commit: str, patches: Iterable[bytes]) -> str:
    """Return the id of the tree that patches, applied exactly and in order, make of a commit's; it is not kept.

    Raises:
        InputError: a patch does not apply.
    """
    with TemporaryDirectory(prefix="mendlab-") as folder:
        objects = Path(folder, "objects")
        objects.mkdir()
        apart = {
            "GIT_INDEX_FILE": str(Path(folder, "index")),
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": always_quoted(str(copy.path / "objects")),
        }
        copy.git("read-tree", f"{copy.tree_of(commit)}", extra=apart)
        for patch in filter(None, patches):
            copy.git("apply", "--cached", "--whitespace=nowarn", "-", stdin=patch, extra=apart)
        return copy.git("write-tree", extra=apart).decode().strip()
