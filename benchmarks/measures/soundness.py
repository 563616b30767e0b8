"""Soundness: every mutant parses, compiles, is another program, and leaves the bytes outside its span alone."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from typing import Final

from measures.programs import File
from measures.progress import each
from measures.section import Goal, Section, Table
from measures.trees import parsed
from mendlab.corpora.text import decode
from mendlab.errors import MendlabError
from mendlab.mutators import Mutant, enumerate_mutants

SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Checked:
    """A file whose mutants were made, and some or all of them checked; ``refused`` says why it could not be read."""

    name: str
    made: int
    checked: int
    faults: list[str]
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Files that are checked alike: at most ``most`` mutants of each (those of the smallest ids), ``None`` for all."""

    name: str
    files: Sequence[File]
    most: int | None = None


def check_file(file: File, most: int | None = None) -> Checked:
    """Make all mutants of a file and check all or so many of them on bytes, as a file on disk would have them."""
    decoded = decode(file.name, file.data)
    tree = _dump(file.data)
    try:
        mutants = list(enumerate_mutants(decoded.text, path=file.name))
    except MendlabError as problem:
        return Checked(file.name, 0, 0, [], str(problem))
    chosen = mutants if most is None else nsmallest(most, mutants, key=lambda mutant: mutant.id)
    faults = [
        f"{file.name}:{mutant.span.start_line} {mutant.operator}: {fault}: "
        f"{mutant.original[:60]!r} -> {mutant.replacement[:60]!r}"
        for mutant in chosen
        for fault in faults_of(file.data, decoded.encoding, tree, mutant)
    ]
    return Checked(file.name, len(mutants), len(chosen), faults)


def faults_of(data: bytes, encoding: str, tree: str | None, mutant: Mutant) -> Iterator[str]:
    """What is wrong with a mutant of a file with these bytes and this (dumped) tree; nothing if it is sound."""
    try:
        mutated = mutant.source.encode(encoding)
    except UnicodeEncodeError:
        yield "cannot be encoded"
        return
    text = mutant.base.text
    before = len(text[: mutant.edits[0].start].encode(encoding))
    after = len(text[mutant.edits[-1].end :].encode(encoding))
    if not kept_outside(data, mutated, before, after):
        yield "bytes outside the span"
    module = parsed(mutated)
    if module is None:
        yield "does not parse"
        return
    if ast.dump(module) == tree:
        yield "same tree"
    if not _compiles(module):
        yield "does not compile"


def kept_outside(data: bytes, mutated: bytes, before: int, after: int) -> bool:
    """Whether the first ``before`` and the last ``after`` bytes, which do not overlap, are the same in both."""
    if before + after > min(len(data), len(mutated)):
        return False
    return data[:before] == mutated[:before] and data[len(data) - after :] == mutated[len(mutated) - after :]


def layouts(files: Sequence[File]) -> list[File]:
    """The files in other layouts: CR LF, a byte order mark, declared Latin-1, form feeds, tabs."""
    made = []
    for file in files:
        text = file.data.decode()
        coded = f"# -*- coding: latin-1 -*-\n# \u00e9\n{text}"
        made += [
            File(f"crlf/{file.name}", text.replace("\n", "\r\n").encode()),
            File(f"bom/{file.name}", b"\xef\xbb\xbf" + file.data),
            File(f"latin1/{file.name}", coded.encode("latin-1", "backslashreplace")),
            File(f"formfeed/{file.name}", text.replace("\n\n", "\n\f\n").encode()),
            File(f"tabs/{file.name}", text.replace("    ", "\t").encode()),
        ]
    return made


def section(groups: Sequence[Group], jobs: int) -> Section:
    """One row a group; the first faults are listed."""
    rows, notes, data = [], [], {}
    faults: list[str] = []
    total = files_of_library = 0
    for group in groups:
        found = list(each(f"soundness, {group.name}", partial(check_file, most=group.most), group.files, jobs))
        wrong = [fault for one in found for fault in one.faults]
        refused = [one for one in found if one.refused]
        made, checked = sum(one.made for one in found), sum(one.checked for one in found)
        bad = len({fault.rpartition(": ")[0] for fault in wrong})
        percent = f"{1 - bad / checked:.4%}" if checked else "-"
        rows.append((group.name, f"{len(found) - len(refused)}", f"{made}", f"{checked}", f"{len(wrong)}", percent))
        notes += [f"{group.name}, refused: {one.name}: {one.refused}" for one in refused[:SHOWN]]
        data[group.name] = {
            "files": len(found) - len(refused), "made": made, "checked": checked, "most a file": group.most,
            "faults": wrong[:100], "refused": {one.name: one.refused for one in refused},
        }  # fmt: skip
        faults += wrong
        total += checked
        files_of_library += len(found) - len(refused) if group.name == "standard library" else 0
    columns = ("files", "read", "mutants made", "checked", "faults", "sound")
    notes += [f"fault: {fault}" for fault in faults[:SHOWN]]
    goals = [Goal("sound mutants", "100%", f"{len(faults)} faults in {total}", not faults and total > 0)]
    if files_of_library:
        goals.append(
            Goal("standard library files checked", "300 or more", f"{files_of_library}", files_of_library >= 300)
        )
    return Section("soundness", [Table("Soundness", columns, rows, notes)], data, goals)


def _dump(data: bytes) -> str | None:
    tree = parsed(data)
    return None if tree is None else ast.dump(tree)


def _compiles(module: ast.Module) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(module, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return False
    return True
