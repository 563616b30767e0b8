"""Replacing functions and classes of a file by others of the same name."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from mendlab.corpora.python_source import first_line
from mendlab.corpora.unified import split_lines
from mendlab.verify.patches.results import Misfit, ambiguous, rejected
from mendlab.verify.patches.target import Edit, Target, splice

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(module: ast.Module) -> dict[str, list[Definition]]:
    """Every function and class outside functions, by qualified name; more than one where a name is defined anew."""
    found: dict[str, list[Definition]] = {}
    for name, node in _walk(module.body, ""):
        found.setdefault(name, []).append(node)
    return found


def _walk(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, Definition]]:
    for node in body:
        if isinstance(node, Definition):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _walk(node.body, f"{prefix}{node.name}.")


def stubs(module: ast.Module) -> set[str]:
    """The names of functions whose body ends in dots and does nothing."""
    return {name for name, nodes in definitions(module).items() for node in nodes if _is_stub(node)}


def _is_stub(node: Definition) -> bool:
    constants = [child.value for child in node.body if isinstance(child, ast.Expr)]
    values = [each.value for each in constants if isinstance(each, ast.Constant)]
    return not isinstance(node, ast.ClassDef) and len(values) == len(node.body) and values[-1] is ...


def replace_in(path: str, data: bytes, code: str) -> bytes | Misfit:
    """Return the file with each definition of ``code`` in place of the one that has its name, and its new imports.

    A function may be a method, if one class alone has it. A class must have every member that the old one has.
    Decorators are kept where the new definition has none.
    """
    target = Target(path, data)
    own = ast.parse(target.decoded.text.removeprefix("\ufeff"))
    given = ast.parse(code)
    edits: list[Edit] = []
    imports: list[str] = []
    for node in given.body:
        if isinstance(node, Definition):
            edit = _replacement(node, code, definitions(own), target)
            if isinstance(edit, Misfit):
                return edit
            edits.append(edit)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports += [] if _imported(node, own) else [ast.unparse(node)]
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return rejected("the block of code is neither the whole file nor functions of it alone")
    if imports:
        at = _after_imports(own)
        edits.append(Edit(at, at, tuple(imports)))
    return splice(target, edits)


def replace_one(path: str, data: bytes, name: str, code: str) -> bytes | Misfit:
    """Return the file with the definition of a qualified name replaced by the only one that ``code`` has."""
    target = Target(path, data)
    own = definitions(ast.parse(target.decoded.text.removeprefix("\ufeff")))
    given = ast.parse(code).body
    if len(given) != 1 or not isinstance(given[0], Definition):
        return rejected("the block of code is not one function")
    edit = _replacement(given[0], code, {name: own.get(name, [])}, target)
    return edit if isinstance(edit, Misfit) else splice(target, [edit])


def _replacement(node: Definition, code: str, own: dict[str, list[Definition]], target: Target) -> Edit | Misfit:
    places = [old for name, olds in own.items() if name.rsplit(".", 1)[-1] == node.name for old in olds]
    if len(places) > 1:
        return ambiguous(f"{target.path} defines {node.name} {len(places)} times")
    if not places or isinstance(places[0], ast.ClassDef) != isinstance(node, ast.ClassDef):
        return rejected(f"{target.path} does not define {node.name}")
    old = places[0]
    if isinstance(node, ast.ClassDef) and isinstance(old, ast.ClassDef):
        left_out = sorted(_members(old) - _members(node))
        if left_out:
            return rejected(f"the new class {node.name} leaves out {', '.join(left_out)}")
    lines = split_lines(code)[first_line(node) - 1 : node.end_lineno]
    start = first_line(old) if node.decorator_list else old.lineno
    shifted = _indented("".join(lines), target.bare[old.lineno - 1][: old.col_offset])
    return Edit(start - 1, old.end_lineno or old.lineno, tuple(shifted))


def _members(node: ast.ClassDef) -> set[str]:
    return {child.name for child in node.body if isinstance(child, Definition)}


def _indented(code: str, indent: str) -> list[str]:
    """The lines of a definition, indented; lines within a string that began before them stay as they are."""
    inside: set[int] = set()
    fstrings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            inside |= set(range(token.start[0] + 1, token.end[0] + 1))
        elif name == "FSTRING_START":  # from Python 3.12 on
            fstrings.append(token.start[0])
        elif name == "FSTRING_END":
            inside |= set(range(fstrings.pop() + 1, token.end[0] + 1))
    lines = [line.removesuffix("\n").removesuffix("\r") for line in split_lines(code)]
    return [line if number in inside or not line.strip() else indent + line for number, line in enumerate(lines, 1)]


def _imported(node: ast.Import | ast.ImportFrom, own: ast.Module) -> bool:
    """Whether the file imports at its top level all that this statement does."""
    given = {(_module(node), alias.name, alias.asname) for alias in node.names}
    return given <= {
        (_module(old), alias.name, alias.asname)
        for old in own.body
        if isinstance(old, ast.Import | ast.ImportFrom)
        for alias in old.names
    }


def _module(node: ast.Import | ast.ImportFrom) -> str | None:
    return "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else None


def _after_imports(own: ast.Module) -> int:
    """The index of the line after the last import at the top, else after the docstring, else 0."""
    last = 0
    for node in own.body:
        docstring = node is own.body[0] and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not (docstring or isinstance(node, ast.Import | ast.ImportFrom)):
            break
        last = node.end_lineno or last
    return last
