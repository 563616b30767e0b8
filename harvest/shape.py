"""The shape of a change of source: the public names it brings and takes away, and how many lines it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from mendlab.corpora.python_source import tree_if_any
from mendlab.corpora.text import decode
from mendlab.corpora.tree import FileTree
from mendlab.harvest.programs import same_program


@dataclass(frozen=True, slots=True)
class Shape:
    """What a change does to the public names of Python files; names of functions and classes are qualified.

    ``same_code`` says that nothing but comments, layout and docstrings differs.
    """

    new_functions: frozenset[str] = frozenset()
    new_classes: frozenset[str] = frozenset()
    new_parameters: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    changed_lines: int = 0
    added_lines: tuple[bytes, ...] = ()
    same_code: bool = False

    def renamed_to(self, name: str) -> bool:
        """Whether a new name may stand for another: as many names go as come, and it is among these."""
        brought = {each.rpartition(".")[2] for each in (*self.new_functions, *self.new_classes)}
        return name in brought and len(self.gone) >= len(brought) > 0


def shape_of(before: FileTree, after: FileTree, paths: Iterable[str]) -> Shape:
    """Return the shape of the change of some Python files."""
    paths = [path for path in paths if before.get(path) != after.get(path)]
    old = _Public.of(before.get(path, b"") for path in paths)
    new = _Public.of(after.get(path, b"") for path in paths)
    added: list[bytes] = []
    changed = 0
    for path in paths:
        was, now = (decode(path, tree.get(path, b"")).text.splitlines() for tree in (before, after))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
            if tag != "equal":
                changed += max(i2 - i1, j2 - j1)
                added += [line.encode(errors="replace") for line in now[j1:j2]]
    return Shape(
        new_functions=frozenset(new.functions.keys() - old.functions.keys()),
        new_classes=frozenset(new.classes - old.classes),
        new_parameters=frozenset(
            f"{name}({parameter})"
            for name, parameters in new.functions.items()
            for parameter in parameters - old.functions.get(name, parameters)
        ),
        gone=frozenset((old.functions.keys() | old.classes) - (new.functions.keys() | new.classes)),
        changed_lines=changed,
        added_lines=tuple(added),
        same_code=bool(paths) and all(same_program(before.get(path, b""), after.get(path, b"")) for path in paths),
    )


@dataclass(frozen=True, slots=True)
class _Public:
    functions: Mapping[str, frozenset[str]]
    classes: frozenset[str]

    @classmethod
    def of(cls, sources: Iterable[bytes]) -> _Public:
        functions: dict[str, frozenset[str]] = {}
        classes = set[str]()
        for source in sources:
            tree = tree_if_any(source)
            for name, node in _definitions(tree.body, "") if tree is not None else ():
                if isinstance(node, ast.ClassDef):
                    classes.add(name)
                else:
                    functions[name] = _parameters(node.args)
        return cls(functions, frozenset(classes))


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, _Definition]]:
    """Yield the public functions and classes of a module and of its public classes."""
    for node in body:
        if isinstance(node, _Definition) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from _definitions([*node.body, *node.orelse], prefix)


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return frozenset(each.arg for each in (*every, arguments.vararg, arguments.kwarg) if each is not None)
