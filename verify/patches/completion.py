"""Answers to completion tasks: the missing rest of a file, its function as a whole, or a patch as for any other task.

A rest goes on where the file ends. A definition of the function takes the place of the unfinished one; what stands
before it stays, so that an answer need not repeat imports and helpers. Prose is left out if the code stands in a fence.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection, Iterator
from typing import Final

from mendlab.corpora.diffs import encode, make_diff
from mendlab.corpora.python_source import first_line
from mendlab.corpora.text import Decoded, decode
from mendlab.corpora.tree import FileTree
from mendlab.records import FunctionHarness, Harness, Outcome
from mendlab.verify.code import fingerprint
from mendlab.verify.patches.answer import read_patch, without_thoughts
from mendlab.verify.patches.formats.code_block import top_level_names
from mendlab.verify.patches.formats.fences import blocks
from mendlab.verify.patches.ladder import apply_patch, unreadable
from mendlab.verify.patches.results import Applied, ApplyRung, PatchFailure, PatchFormat

_LANGUAGES: Final = frozenset({"", "python", "py", "python3"})
_INDENT: Final = "    "


def apply_answer(
    tree: FileTree, raw: str, *, editable: Collection[str], kind: str, harness: Harness
) -> Applied | PatchFailure:
    """Apply an answer to the buggy tree of a task of this kind; see :func:`apply_patch`."""
    if kind != "completion" or not isinstance(harness, FunctionHarness) or harness.module not in editable:
        return apply_patch(tree, raw, editable=editable)
    if unreadable(raw) or not raw.strip() or read_patch(raw) is not None:
        return apply_patch(tree, raw, editable=editable)
    return _complete(tree, raw, harness.module, frozenset(harness.entry_points or ()))


def _complete(tree: FileTree, raw: str, path: str, names: frozenset[str]) -> Applied | PatchFailure:
    old = decode(path, tree[path])
    answer = without_thoughts(raw)
    fenced = [block.text for block in blocks(answer) if re.split(r"[\s:{]", block.info.lower())[0] in _LANGUAGES]
    made = {text: None for code in fenced or [answer] if (text := _completed(old.text, code, names)) is not None}
    made = made or {text: None for code in fenced or [answer] if (text := _broken(old.text, code, names)) is not None}
    if not made:
        what = "neither goes on where the program ends nor defines " + ", ".join(sorted(names))
        return PatchFailure(Outcome.NO_PATCH, ApplyRung.ENVELOPE, f"the answer {what}")
    if len(made) > 1:
        return PatchFailure(Outcome.AMBIGUOUS, ApplyRung.ENVELOPE, "the answer has more than one block of code")
    return _applied(tree, path, old, next(iter(made)), strict=raw in next(iter(made)))


def _applied(tree: FileTree, path: str, old: Decoded, text: str, *, strict: bool) -> Applied | PatchFailure:
    data = encode(path, text, old)
    if data is None:
        why = "its characters have no place in the encoding of the file"
        return PatchFailure(Outcome.PATCH_REJECTED, ApplyRung.ENVELOPE, why)
    after = tree.replace({path: data})
    rung = ApplyRung.STRICT if strict else ApplyRung.ENVELOPE
    return Applied(after, make_diff(tree, after), rung, PatchFormat.COMPLETION)


def _completed(old: str, code: str, names: frozenset[str]) -> str | None:
    """The file with the code in it, in the first way that makes a program which is finished."""
    return next((text for text in _ways(old, code, names) if _is_finished(old, text, names)), None)


def _broken(old: str, code: str, names: frozenset[str]) -> str | None:
    """The file with code in it that is meant to finish it, and does not compile: a body, or a definition."""
    rest = code.lstrip("\n")
    if any(re.search(rf"^[ \t]*(async[ \t]+)?def[ \t]+{re.escape(name)}\b", rest, re.MULTILINE) for name in names):
        text = f"{_before(old, names)}{textwrap.dedent(rest)}"
    elif rest.startswith((" ", "\t")):
        text = (old if old.endswith("\n") else f"{old}\n") + rest
    else:
        return None
    return text if fingerprint(text) is None else None


def _ways(old: str, code: str, names: frozenset[str]) -> Iterator[str]:
    rest = code.lstrip("\n")
    flat = textwrap.dedent(rest) if rest.startswith((" ", "\t")) else rest
    if names <= _defined(flat).keys():
        yield flat if _names(old) <= _names(flat) else f"{_before(old, names)}{flat}"
    whole = old if old.endswith("\n") else f"{old}\n"
    yield whole + rest
    if not _only_defines(flat):
        yield whole + textwrap.indent(flat, _INDENT)
        yield whole + _INDENT + rest.lstrip()  # it was cut off with the blanks that it began with


def _is_finished(old: str, text: str, names: frozenset[str]) -> bool:
    """Whether a program compiles, and its functions have more to them than they had."""
    before, after = _defined(old), _defined(text)
    return (
        fingerprint(text) is not None
        and names <= after.keys()
        and any(ast.dump(after[name]) != _dump(before.get(name)) for name in names)
    )


def _only_defines(text: str) -> bool:
    """Whether code has nothing but functions, classes and imports: these belong to no body that has nothing else."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return all(isinstance(node, kinds) for node in body)


def _names(text: str) -> set[str]:
    try:
        return top_level_names(ast.parse(text.removeprefix("\ufeff")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _dump(node: ast.stmt | None) -> str | None:
    return None if node is None else ast.dump(node)


def _before(old: str, names: frozenset[str]) -> str:
    """What stands before the first of the functions."""
    found = _defined(old)
    lines = [first_line(node) for name, node in found.items() if name in names]
    return "".join(old.splitlines(keepends=True)[: min(lines) - 1]) if lines else old


def _defined(text: str) -> dict[str, ast.stmt]:
    """The statements of a program that bind its names: functions, classes, and assignments to a name."""
    try:
        body = ast.parse(text.removeprefix("\ufeff")).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, ast.stmt] = {}
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = node
    return found
