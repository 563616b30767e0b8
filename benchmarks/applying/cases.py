"""The corpus of malformed and hard answers: tests/verify/patches/cases, a family a file, trees that they share in one.

A case has a tree (``tree`` of trees.toml, with ``files`` laid over it), the ``answer``, and what must come. That is
either the right tree, by ``fix`` (named in trees.toml), ``edits``, ``after`` and ``deleted``, with the loosest ``rung``
that may apply it, or one of the ``outcome``s. Of ``crlf``, ``answer`` and ``tree`` say what has CRLF throughout.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.patches import SAFE, ApplyRung

FOLDER: Final = Path(__file__).parents[2] / "tests" / "verify" / "patches" / "cases"
Edit = tuple[str, str, str]
_KEYS: Final = frozenset(
    {"name", "tree", "files", "editable", "executable", "encoding", "crlf", "answer", "rung"}
    | {"fix", "edits", "after", "deleted", "outcome"}
)
_FORMS: Final = (
    ("apply_patch", re.compile(r"^\*\*\* (?:Begin Patch|Update File)", re.MULTILINE)),
    ("search_replace", re.compile(r"^[<-]{5,9} SEARCH", re.MULTILINE)),
    ("diff", re.compile(r"^\W*(?:diff --|@@|--- |\*\*\* |[-+] )|\{\+|^```diff", re.MULTILINE)),
)


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to a buggy tree. ``right`` is the tree after it, or ``None`` if it must be refused as ``outcomes``."""

    family: str
    name: str
    before: FileTree
    editable: tuple[str, ...]
    answer: str
    right: FileTree | None
    rung: ApplyRung | None
    outcomes: frozenset[Outcome]
    encoding: str = "utf-8"

    @property
    def form(self) -> str:
        """``search_replace``, ``apply_patch``, ``diff`` or ``code``, by the marks in the answer."""
        return next((name for name, mark in _FORMS if mark.search(self.answer)), "code")

    @property
    def data(self) -> bytes:
        """The answer in the encoding of the tree."""
        return self.answer.encode(self.encoding, "replace")

    @property
    def kind(self) -> str:
        """``strict``, ``safe`` (rungs 2 to 5), ``lenient``, or ``refused``."""
        if self.rung is None:
            return "refused"
        if self.rung is ApplyRung.STRICT:
            return "strict"
        return "safe" if self.rung in SAFE else "lenient"

    def __str__(self) -> str:
        return f"{self.family}: {self.name}"


def read_cases(folder: Path = FOLDER) -> list[Case]:
    """Every case of the corpus, in order of file; one that is not well made raises ValueError."""
    trees = _read(folder / "trees.toml")
    return [
        _case(path.stem, each, trees[each["tree"]])
        for path in sorted(folder.glob("*.toml"))
        if path.stem != "trees"
        for each in _read(path)["case"]
    ]


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _case(family: str, given: Mapping[str, Any], tree: Mapping[str, Any]) -> Case:
    where = f"{family}: {given['name']}"
    if unknown := given.keys() - _KEYS:
        raise ValueError(f"{where}: unknown keys {sorted(unknown)}")
    if ("rung" in given) == ("outcome" in given):
        raise ValueError(f"{where}: either a rung or an outcome")
    crlf = given.get("crlf", ())
    files = {**tree["files"], **given.get("files", {})}
    changes = [tuple(edit) for name in given.get("fix", ()) for edit in tree["fixes"][name]]
    changes += [tuple(edit) for edit in given.get("edits", ())]
    after = {**_edited(files, changes, where), **given.get("after", {})}
    after = {path: text for path, text in after.items() if path not in given.get("deleted", ())}

    def bytes_of(texts: Mapping[str, str]) -> FileTree:
        ends = {path: text.replace("\n", "\r\n") if "tree" in crlf else text for path, text in texts.items()}
        data = {path: text.encode(given.get("encoding", "utf-8")) for path, text in ends.items()}
        return FileTree(data, frozenset(given.get("executable", ())))

    right = bytes_of(after) if "rung" in given else None
    if (after == files) != (right is None):
        raise ValueError(f"{where}: a right tree differs, and an answer that must be refused has none")
    outcome = given.get("outcome", [])
    return Case(
        family=family,
        name=given["name"],
        before=bytes_of(files),
        editable=tuple(given.get("editable", tree["editable"])),
        answer=given["answer"].replace("\n", "\r\n") if "answer" in crlf else given["answer"],
        right=right,
        rung=ApplyRung(given["rung"]) if "rung" in given else None,
        outcomes=frozenset(map(Outcome, [outcome] if isinstance(outcome, str) else outcome)),
        encoding=given.get("encoding", "utf-8"),
    )


def _edited(files: Mapping[str, str], edits: Sequence[Any], where: str) -> dict[str, str]:
    after = dict(files)
    for path, old, new in edits:
        if after[path].count(old) != 1:
            raise ValueError(f"{where}: {old!r} stands {after[path].count(old)} times in {path}")
        after[path] = after[path].replace(old, new)
    return after
