"""Which one function a patch differs from the reference in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree

_DEF = re.compile(r"\bdef\s+(\w+)")
Definition = ast.FunctionDef | ast.AsyncFunctionDef


def changed_helper(good: FileTree, patched: FileTree, called: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return module and qualified name of the one function that two trees differ in, signature apart, or None.

    What the two do, they do through that function: so it can be compared by itself. If it is one of those ``called`` by
    tests it is so anyway: then it is None.
    """
    changed = good.changed(patched)
    if len(changed) != 1:
        return None
    ((path, data),) = changed.items()
    if path not in good or data is None or not path.endswith(".py"):
        return None
    try:
        texts = decode(path, good[path]).text, decode(path, data).text
        direct = {name for module, name in called if module == module_of(path)}
        if "class" not in texts[0] and direct.issuperset(_DEF.findall(texts[0])):
            return None
        old, new = map(ast.parse, texts)
        before, after = dict(_functions(old)), dict(_functions(new))
        names = [name for name in before.keys() & after.keys() if ast.dump(before[name]) != ast.dump(after[name])]
        if before.keys() != after.keys() or len(names) != 1:
            return None
        (name,) = names
        if not _same_head(before[name], after[name]):
            return None
        before[name].body = after[name].body = []
        if ast.dump(old) != ast.dump(new):
            return None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if (module_of(path), name) in called else (module_of(path), name)


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Functions of a module and methods of its classes, by qualified name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _same_head(one: Definition, other: Definition) -> bool:
    return type(one) is type(other) and ast.dump(one.args) == ast.dump(other.args)


def module_of(path: str) -> str:
    """Return the name that a file is imported under."""
    parts = PurePosixPath(path).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
