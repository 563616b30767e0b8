"""A whole file, or whole functions, as one block of code.

It is a whole file if it defines every name that the file has at its top level, else functions of it. A block in which
a comment stands for code that is left out is refused, and so is an answer with two blocks that could be meant.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.records import Outcome
from mendlab.verify.patches.changes import splice_new
from mendlab.verify.patches.formats import whole_function
from mendlab.verify.patches.formats.fences import Block, blocks, widest_block
from mendlab.verify.patches.loose import LooseFile
from mendlab.verify.patches.names import mended_path
from mendlab.verify.patches.results import ApplyRung, Misfit, PatchFormat, ambiguous, malformed, rejected

_LANGUAGES: Final = frozenset({"", "python", "py", "python3"})
_LEFT_OUT: Final = re.compile(
    r"^\s*#\s*(?:(?:\.\.\.|…).*|.*(?:\.\.\.|…)|.*\b(?:existing code|rest of|remains? unchanged|unchanged code)\b.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_NAME: Final = re.compile(r"[\w./-]+\.pyi?\b")


def apply(answer: str, tree: FileTree, editable: Collection[str]) -> tuple[FileTree, ApplyRung, PatchFormat] | Misfit:
    """Return the tree with the block in its place, the rung, and which of the two formats it is."""
    given = _code(answer)
    if isinstance(given, Misfit):
        return given
    rung = ApplyRung.STRICT if given[0].text == answer else ApplyRung.ENVELOPE
    fits = [(block, path) for block in given for path in _files(block, tree, editable)]
    if not fits:
        return rejected("the block of code defines nothing that the files to change have")
    ends = [_in_place(block, path, tree) for block, path in fits]
    while len(ends) > 1 and not isinstance(ends[0], Misfit) and ends[0][0] == tree:
        del ends[0]  # it quotes what is there
    if len(ends) > 1:
        return ambiguous("the answer has more than one block of code, or one that fits more than one file")
    (end,) = ends
    return end if isinstance(end, Misfit) else (end[0], rung, end[1])


def _in_place(block: Block, path: str, tree: FileTree) -> tuple[FileTree, PatchFormat] | Misfit:
    if left_out := _LEFT_OUT.search(block.text):
        return rejected(f"a comment stands for code that is left out: {left_out[0].strip()[:60]}")
    old, new = ast.parse(_source(decode(path, tree[path]).text)), ast.parse(block.text)
    if stubs := whole_function.stubs(new) - whole_function.stubs(old):
        return rejected(f"dots stand for the body of {', '.join(sorted(stubs))}")
    whole = top_level_names(old) <= top_level_names(new)
    data = _whole_file(path, block.text, tree) if whole else whole_function.replace_in(path, tree[path], block.text)
    if isinstance(data, Misfit):
        return data
    return tree.replace({path: data}), PatchFormat.WHOLE_FILE if whole else PatchFormat.WHOLE_FUNCTION


def _code(answer: str) -> tuple[Block, ...] | Misfit:
    """The blocks that are Python, or the answer itself if it has no fences."""
    fenced = [block for block in blocks(answer) if _language(block) in _LANGUAGES or _NAME.search(block.info)]
    if fenced and not all(_parses(_unindented(block.text)) for block in fenced):
        widest = widest_block(answer)
        fenced = [widest] if widest is not None and _parses(widest.text) else fenced
    if not fenced and not _parses(answer):
        return Misfit(Outcome.NO_PATCH, "no patch and no code in the answer")
    given = [replace(block, text=_unindented(block.text)) for block in fenced or [Block("", answer)]]
    parsed = tuple(block for block in given if _parses(block.text))
    return tuple({block.text: block for block in parsed}.values()) or malformed("the block of code is not Python")


def _unindented(text: str) -> str:
    """Code without an indent that all of it has; other code stays as it is, to the white space in its strings."""
    return textwrap.dedent(text) if text.lstrip("\n").startswith((" ", "\t")) else text


def _language(block: Block) -> str:
    return re.split(r"[\s:{]", block.info.lower(), maxsplit=1)[0]


def _parses(text: str) -> bool:
    try:
        return bool(_definitions(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _definitions(body: Iterable[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}


def _files(block: Block, tree: FileTree, editable: Collection[str]) -> list[str]:
    """The files that the block can be of: the one it names, or those that define one of its names."""
    for text in (block.info, block.heading):
        if name := _NAME.search(text):
            path = mended_path(LooseFile((name[0],), (), prefixed=False), tree, editable)
            if isinstance(path, str) and path in editable:
                return [path]
    defined = _definitions(ast.parse(block.text).body)
    found = []
    for path in sorted(editable):
        if not path.endswith(".py") or path not in tree:
            continue
        try:
            own = ast.parse(_source(decode(path, tree[path]).text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if defined & {name.rsplit(".", 1)[-1] for name in whole_function.definitions(own)}:
            found.append(path)
    return found


def _source(text: str) -> str:
    return text.removeprefix("\ufeff")


def top_level_names(module: ast.Module) -> set[str]:
    """The names that a module binds at its top level by definition, import or assignment."""
    names = _definitions(module.body)
    for node in module.body:
        match node:
            case ast.Import() | ast.ImportFrom():
                names |= {alias.asname or alias.name for alias in node.names}
            case ast.Assign() | ast.AnnAssign():
                bound = (child for child in ast.walk(node) if isinstance(child, ast.Name))
                names |= {name.id for name in bound if isinstance(name.ctx, ast.Store)}
    return names


def _whole_file(path: str, text: str, tree: FileTree) -> bytes | Misfit:
    """The new file with the line ends and the byte order mark of the old one."""
    old = decode(path, tree[path]).text
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if old.count("\r\n") * 2 > old.count("\n"):
        text = text.replace("\n", "\r\n")
    return splice_new(path, ("\ufeff" if old.startswith("\ufeff") else "") + text)
