"""From a model's answer to a mutant, or why it is none: only the function that was asked for may be changed."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from contextlib import suppress
from textwrap import dedent
from typing import Final

from mendlab.corpora.text import decode
from mendlab.errors import InputError
from mendlab.mutators.edits import Edit, minimal
from mendlab.mutators.mutant import Mutant
from mendlab.mutators.validity import DOES_NOT_COMPILE, Checker
from mendlab.mutators.written.places import WrittenPlace
from mendlab.records import DropReason
from mendlab.verify.patches import PatchFailure, apply_patch
from mendlab.verify.patches.formats.fences import blocks
from mendlab.verify.patches.formats.whole_function import replace_one

FAMILY: Final = "written"
_TELLS: Final = re.compile(
    r"\b(bugs?|buggy|defects?|faults?|faulty|broken?|wrong(ly)?|incorrect(ly)?|mistakes?|mutat\w+|inject\w*|"
    r"subtle|intentional\w*|deliberate\w*|off[- ]by[- ]one|should be|was:)\b",
    re.IGNORECASE,
)


def read_defect(place: WrittenPlace, answer: str) -> Mutant | DropReason:
    """Return the mutant that an answer makes of its place, or why it makes none."""
    changed = _changed_file(place, answer)
    if changed is None:
        return DropReason.UNUSABLE_ANSWER
    old, new = place.base.text, decode(place.info.file, changed).text
    before, after = old[: place.start], old[place.end :]
    if not (new.startswith(before) and new.endswith(after) and len(new) > len(before) + len(after)):
        return DropReason.UNUSABLE_ANSWER if new != old else DropReason.EQUAL_CODE
    text = new[len(before) : len(new) - len(after)]
    if (why := _not_the_same_function(place, text)) is not None:
        return why
    edit = minimal(old, Edit(place.start, place.end, text))
    if not edit.text and edit.start == edit.end:
        return DropReason.EQUAL_CODE
    try:
        refusal = Checker(place.base).refusal((edit,))
    except InputError:
        return DropReason.DOES_NOT_COMPILE
    if refusal is not None:
        return DropReason.DOES_NOT_COMPILE if refusal == DOES_NOT_COMPILE else DropReason.EQUAL_CODE
    return Mutant(FAMILY, FAMILY, place.info.qualified_name, (edit,), 0, place.base)


def _changed_file(place: WrittenPlace, answer: str) -> bytes | None:
    """The file with the function as it is in the last block of the answer that has it, or as a patch would have it."""
    path, name = place.info.file, place.info.qualified_name
    for block in reversed(blocks(answer)):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            changed = replace_one(path, place.loaded.tree[path], name, dedent(block.text))
            if isinstance(changed, bytes):
                return changed
    applied = apply_patch(place.loaded.tree, answer, editable=(path,))
    return None if isinstance(applied, PatchFailure) else applied.tree.get(path)


def _not_the_same_function(place: WrittenPlace, text: str) -> DropReason | None:
    """Why a text is not the place's function with another body, or tells of its defect in a comment."""
    try:
        body = _statements(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return DropReason.DOES_NOT_COMPILE
    old = place.node
    if len(body) != 1 or not isinstance(body[0], type(old)):
        return DropReason.UNUSABLE_ANSWER
    new = body[0]
    assert isinstance(new, ast.FunctionDef | ast.AsyncFunctionDef)
    if _head(new) != _head(old):
        return DropReason.UNUSABLE_ANSWER
    added = _words(text) - _words(place.text)
    return DropReason.GIVES_ITSELF_AWAY if any(_TELLS.search(said) for said in added) else None


def _head(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """What callers see: name, parameters with their defaults, and decorators."""
    return [node.name, ast.dump(node.args), *map(ast.dump, node.decorator_list)]


def _dedented(text: str) -> str:
    """The text as one that can stand alone: a method is put into a block of its own depth."""
    return text if not text[:1].isspace() else f"if True:\n{text}"


def _statements(text: str) -> list[ast.stmt]:
    (*_, last) = body = ast.parse(_dedented(text)).body or [ast.Pass()]
    return last.body if text[:1].isspace() and isinstance(last, ast.If) else body


def _words(text: str) -> set[str]:
    """The comments of a text, and its strings: names of functions say nothing, and a docstring may."""
    found: set[str] = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(_dedented(text)).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING):
                found.add(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
