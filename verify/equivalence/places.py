"""Where a patched program differs from the good one: functions, and names, with the lines at which calls come there."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from mendlab.corpora.python_source import end_line, first_line
from mendlab.corpora.tree import FileTree
from mendlab.verify.code import parsed
from mendlab.verify.equivalence.changed import Definition, module_of

Line = tuple[str, int]
Function = tuple[str, str]
_BLOCKS: Final = ("body", "orelse", "finalbody")
_ENDS: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True)
class Place:
    """One function that differs, or one name. A call that runs one of the ``lines`` of the good tree comes to it."""

    name: str
    lines: frozenset[Line]
    function: Function | None = None

    def is_run(self, run: Mapping[str, Collection[int]]) -> bool:
        """Whether a call that ran these lines, by file, came to it."""
        return any(line in run.get(path, ()) for path, line in self.lines)


def places(good: FileTree, patched: FileTree, files: Collection[str]) -> list[Place]:
    """Return the places where two trees differ; lines are of the Python ``files``. What nobody uses is no place."""
    program = _Program(good, files)
    found: dict[str, Place] = {}
    for path, data in sorted(good.changed(patched).items()):
        if path.endswith(".py"):
            for place in program.differences(path, data):
                known = found.get(place.name)
                found[place.name] = (
                    place if known is None else Place(place.name, known.lines | place.lines, known.function)
                )
    return [place for place in found.values() if place.lines]


class _Program:
    """The good tree, as far as it can be read, and who uses which name in it."""

    def __init__(self, good: FileTree, files: Collection[str]) -> None:
        read = {path: parsed(good[path]) for path in files if path in good and path.endswith(".py")}
        self._good = good
        self._trees = {path: tree for path, tree in read.items() if tree is not None}

    def differences(self, path: str, data: bytes | None) -> Iterator[Place]:
        """Yield the places of one file that differs."""
        if path not in self._good:
            stem = PurePosixPath(path).stem
            importing = [each for each, tree in self._trees.items() if stem in _imported(tree)]
            yield Place(path, frozenset(line for each in importing for line in self._all(each)))
            return
        old, new = self._trees.get(path), None if data is None else parsed(data)
        if old is not None and new is not None:
            with suppress(RecursionError):
                yield from list(self._of_block(path, old.body, new.body, None, ""))
                return
        yield Place(path, self._all(path))

    def _all(self, path: str) -> frozenset[Line]:
        tree = self._trees.get(path)
        return frozenset() if tree is None else frozenset((path, line) for line in _function_lines(tree))

    def _of_block(
        self, path: str, old: list[ast.stmt], new: list[ast.stmt], within: ast.ClassDef | None, prefix: str
    ) -> Iterator[Place]:
        """Of a module or a class: functions and classes by name, the names that other statements bind."""
        before, after = _named(old), _named(new)
        for name in before.keys() & after.keys():
            one, other = before[name], after[name]
            if isinstance(one, ast.ClassDef) and isinstance(other, ast.ClassDef):
                if _head_of_class(one) != _head_of_class(other):
                    yield Place(prefix + name, self._of_its(path, one))
                yield from self._of_block(path, one.body, other.body, one, f"{prefix}{name}.")
            elif isinstance(one, Definition) and type(one) is type(other):
                lines = frozenset((path, line) for line in _differing_lines(one, other))
                if lines:
                    yield Place(prefix + name, lines, (module_of(path), prefix + name))
            elif _dump(one) != _dump(other):
                yield Place(prefix + name, _lines_of(path, one) | self._users({name}), (module_of(path), prefix + name))
        for name in before.keys() ^ after.keys():
            gone = _lines_of(path, before[name]) if name in before else frozenset[Line]()
            special = within is not None and name.startswith("__")
            yield Place(prefix + name, gone | self._users({name}) | (self._of_its(path, within) if special else gone))
        for statement in _differing(_others(old), _others(new)):
            names = set(_bound([statement]))
            lines = self._users(names) | _lines_of(path, statement)
            if any(name.startswith("__") for name in names) or (within and isinstance(statement, ast.AnnAssign)):
                lines |= self._all(path) if within is None else self._of_its(path, within)
            if not names:
                yield Place(prefix.rstrip(".") or path, self._all(path))
            else:
                yield Place(prefix + "/".join(sorted(names)), lines)

    def _of_its(self, path: str, cls: ast.ClassDef | None) -> frozenset[Line]:
        """Lines of a class's methods, and of those that use it."""
        return frozenset[Line]() if cls is None else _lines_of(path, cls) | self._users({cls.name})

    def _users(self, names: set[str]) -> frozenset[Line]:
        """Lines of functions at which some names are used, or others that are made of them when modules load."""
        known: set[str] = set()
        found: set[Line] = set()
        while names - known:
            wanted, known = names - known, known | names
            names = set()
            for path, tree in self._trees.items():
                for lines, bound in _uses(tree, wanted):
                    found.update((path, line) for line in lines)
                    names |= bound
        return frozenset(found)


@lru_cache(maxsize=512)
def _dump(node: ast.AST) -> str:
    """A node as text: those of the good program are asked for again with every patch."""
    return ast.dump(node)


def _named(body: Sequence[ast.stmt]) -> dict[str, Definition | ast.ClassDef]:
    return {node.name: node for node in body if isinstance(node, Definition | ast.ClassDef)}


def _others(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements that do something, other than functions and classes."""
    return [
        node
        for node in body
        if not isinstance(node, Definition | ast.ClassDef | ast.Pass)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and not (isinstance(node, ast.If) and "__main__" in _dump(node.test))
    ]


def _differing(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    one, other = [_dump(node) for node in old], [_dump(node) for node in new]
    for tag, first, last, start, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (*old[first:last], *new[start:stop])


def _bound(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names that statements bind."""
    for root in nodes:
        for node in ast.walk(root):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    yield name
                case ast.alias(name=name, asname=other):
                    yield other or name.partition(".")[0]
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    yield name


def _imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(part for name in node.names for part in name.name.split("."))
            found.update((getattr(node, "module", None) or "").split("."))
    return found


def _uses(tree: ast.Module, names: set[str]) -> Iterator[tuple[set[int], set[str]]]:
    """Yield, for each use of some names, the lines at which functions use them, or the names that it goes into."""

    def visit(node: ast.AST, statement: ast.stmt | None, inside: bool) -> Iterator[tuple[set[int], set[str]]]:
        if isinstance(node, Definition):
            head = [*node.decorator_list, *node.args.defaults, *(each for each in node.args.kw_defaults if each)]
            if any(_mentions(each, names) for each in head):
                yield _body_lines(node), set()
            for inner in node.body:
                yield from visit(inner, inner, True)
            return
        if isinstance(node, ast.ClassDef):
            if any(_mentions(each, names) for each in (*node.bases, *node.keywords, *node.decorator_list)):
                yield set(_function_lines(node)), {node.name}
            for inner in node.body:
                yield from visit(inner, inner, inside)
            return
        if isinstance(node, ast.AnnAssign):
            children: list[ast.AST] = [node.target, *([node.value] if node.value else [])]
        else:
            children = list(ast.iter_child_nodes(node))
        if statement is not None and _is_use(node, names):
            yield (_own_lines(statement), set()) if inside else (set(), set(_bound([statement])))
        for child in children:
            yield from visit(child, child if isinstance(child, ast.stmt) else statement, inside)

    for child in tree.body:
        yield from visit(child, child, False)


def _is_use(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.ImportFrom(module=name):
            return name in names
    return False


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(_is_use(each, names) for each in ast.walk(node))


def _head_of_class(cls: ast.ClassDef) -> list[str]:
    return [_dump(node) for node in (*cls.bases, *cls.keywords, *cls.decorator_list)]


def _head(function: Definition) -> list[str]:
    """A function's parameters and decorators, without annotations."""
    given = function.args
    named = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    kinds = [len(given.posonlyargs), len(given.args), bool(given.vararg), bool(given.kwarg)]
    values = (*given.defaults, *given.kw_defaults, *function.decorator_list)
    return [*named, str(kinds), *("" if node is None else _dump(node) for node in values)]


def _differing_lines(old: Definition, new: Definition) -> set[int]:
    """Lines of a function of which one runs where a call comes to what differs in it."""
    if _head(old) != _head(new):
        return _body_lines(old)
    return set().union(*_of_blocks(old.body, new.body, {old.lineno, first_line(old), *_own_lines(old.body[0])}))


def _of_blocks(old: list[ast.stmt], new: list[ast.stmt], entry: set[int]) -> Iterator[set[int]]:
    """Lines for each difference of two blocks; ``entry``: those that run where the block is come to."""
    one, other = [_dump(node) for node in old], [_dump(node) for node in new]
    for tag, first, last, start, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "replace" and last - first == stop - start:
            for before, after in zip(old[first:last], new[start:stop], strict=True):
                yield from _of_statements(before, after)
        elif tag != "equal":
            if first < len(old):
                yield _own_lines(old[first])
            elif not old:
                yield entry
            elif not isinstance(old[-1], _ENDS):
                yield _own_lines(old[-1])


def _of_statements(old: ast.stmt, new: ast.stmt) -> Iterator[set[int]]:
    if _dump(old) == _dump(new):
        return
    apart = isinstance(old, ast.Match | ast.Try) or not hasattr(old, "body") or type(old) is not type(new)
    if apart or _without_blocks(old) != _without_blocks(new):
        yield _own_lines(old)
        return
    for block in _BLOCKS:
        yield from _of_blocks(getattr(old, block, []), getattr(new, block, []), _own_lines(old))


def _without_blocks(node: ast.stmt) -> list[str]:
    return [
        f"{name}={[_dump(each) for each in value]}" if isinstance(value, list) else
        f"{name}={_dump(value) if isinstance(value, ast.AST) else value}"
        for name, value in ast.iter_fields(node)
        if name not in _BLOCKS
    ]  # fmt: skip


def _own_lines(node: ast.stmt) -> set[int]:
    """Lines of a statement; of one with a block those before it, and of ``try`` and ``match`` all."""
    body = getattr(node, "body", None)
    first = first_line(node)
    if not body or isinstance(node, ast.Try):
        return set(range(first, end_line(node) + 1))
    return set(range(first, max(first_line(body[0]), first + 1)))


def _body_lines(function: Definition) -> set[int]:
    return set(range(first_line(function), end_line(function) + 1))


def _function_lines(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield from _body_lines(node)


def _lines_of(path: str, node: ast.stmt) -> frozenset[Line]:
    """Lines of the functions in a statement."""
    return frozenset((path, line) for line in _function_lines(node))
