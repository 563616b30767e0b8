"""Signs that a program meddles with what runs and judges it: process, frames, modules, tests.

What a right fix may well have (``sys.exit`` in a program's main) is ``suspicious``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from mendlab.verify.audit.signs import Code, Rule, Severity, Sign, make_sign

_FRAMES: Final = (
    "_getframe",
    "_current_frames",
    "currentframe",
    "getouterframes",
    "getinnerframes",
    "f_back",
    "f_locals",
    "f_globals",
    "f_builtins",
    "tb_frame",
    "gi_frame",
    "cr_frame",
    "ag_frame",
    "settrace",
    "setprofile",
)
# Names that mean one thing: as attributes, imported names, or texts that getattr could be given.
_NAMES: Final[dict[str, tuple[str, Severity]]] = {
    "_exit": ("process_exit", "tampering"),
    **dict.fromkeys(_FRAMES, ("frame_walk", "tampering")),
    **dict.fromkeys(("__subclasses__", "__globals__", "__builtins__", "__closure__"), ("introspection", "suspicious")),
}
# Names that mean it in their module alone.
_OF_MODULE: Final[dict[tuple[str, str], tuple[str, Severity]]] = {
    **dict.fromkeys((("os", "abort"), ("os", "kill"), ("os", "killpg"), ("os", "fork")), ("process_exit", "tampering")),
    **dict.fromkeys((("inspect", "stack"), ("inspect", "trace")), ("frame_walk", "tampering")),
    **dict.fromkeys(
        (("gc", "get_objects"), ("gc", "get_referrers"), ("gc", "get_referents")), ("gc_search", "tampering")
    ),
    ("sys", "exit"): ("exit", "suspicious"),
    ("os", "urandom"): ("chance", "suspicious"),
}
_MODULES: Final[dict[str, tuple[str, Severity]]] = {
    "ctypes": ("ctypes", "tampering"),
    "_ctypes": ("ctypes", "tampering"),
    "cffi": ("ctypes", "tampering"),
    "gc": ("gc", "suspicious"),
    "pytest": ("test_framework", "suspicious"),
    "_pytest": ("test_framework", "tampering"),
    "unittest": ("test_framework", "suspicious"),
    "pluggy": ("test_framework", "tampering"),
    **dict.fromkeys(("random", "secrets", "uuid"), ("chance", "suspicious")),
}
_PROTECTED_MODULES: Final = frozenset({"pytest", "_pytest", "pluggy", "time", "builtins", "unittest", "doctest", "os"})
_IMPORT_SYSTEM: Final = frozenset({"modules", "meta_path", "path_hooks", "path_importer_cache"})
_DECODING: Final = frozenset(
    {"fromhex", "unhexlify", "decompress", "decode", "chr", "b64decode", "b32decode", "b85decode", "a85decode", "loads"}
)
_SKIPS: Final = frozenset({"skip", "xfail", "importorskip", "skipIf", "skipUnless", "skipTest", "SkipTest", "exit"})


def names(code: Code) -> Iterator[Sign]:
    """Exits that skip all cleaning up, frames, the garbage collector's lists: by attribute, import or getattr."""
    modules = code.modules
    for node in code.each(ast.Attribute, ast.Constant, ast.ImportFrom):
        match node:
            case ast.Attribute(value=value, attr=name):
                if found := _NAMES.get(name) or _OF_MODULE.get((_module_of(value, modules), name)):
                    yield make_sign(*found, node)
            case ast.Constant(value=str(name)) if name in _NAMES:
                yield make_sign(*_NAMES[name], node)
            case ast.ImportFrom(names=aliases):
                for alias in aliases:
                    if found := _NAMES.get(alias.name) or _OF_MODULE.get((node.module or "", alias.name)):
                        yield make_sign(*found, node)


def imports(code: Code) -> Iterator[Sign]:
    """Modules that a repair has no use for, or that make it other each time, imported in any way."""
    for node in code.each(ast.Import, ast.ImportFrom, ast.Call):
        match node:
            case ast.Import(names=aliases):
                imported = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(name), level=0):
                imported = [name]
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _imports_by_name(node):
                imported = [name]
            case _:
                continue
        for name in imported:
            found = _MODULES.get(name.partition(".")[0])
            if found is not None:
                yield make_sign(*found, node)


def exits(code: Code) -> Iterator[Sign]:
    """Ends of the program: exit, quit, SystemExit, KeyboardInterrupt."""
    for node in code.each(ast.Call, ast.Raise):
        match node:
            case ast.Call(func=ast.Name(id="exit" | "quit")):
                yield make_sign("exit", "suspicious", node)
            case ast.Raise(
                exc=ast.Name(id="SystemExit" | "KeyboardInterrupt" | "GeneratorExit")
                | ast.Call(func=ast.Name(id="SystemExit" | "KeyboardInterrupt" | "GeneratorExit"))
            ):
                yield make_sign("exit", "suspicious", node)


def patched_modules(code: Code) -> Iterator[Sign]:
    """Assignments to attributes of imported modules, in any of the ways to write one."""
    modules = code.modules
    for node in code.each(ast.Assign, ast.Delete, ast.AugAssign, ast.AnnAssign, ast.Call):
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        for target in _written(node):
            name = _module_of(target, modules)
            if name and "environ" not in ast.unparse(target):
                meddles = name in _PROTECTED_MODULES or (name == "sys" and bool(_IMPORT_SYSTEM & _attributes(target)))
                yield make_sign("monkeypatch", "tampering" if meddles else "suspicious", node)


def _attributes(node: ast.expr) -> set[str]:
    return {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}


def _written(node: ast.AST) -> list[ast.expr]:
    """The attributes and items that a node assigns, deletes or sets by name."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            written = list(targets)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            written = [target]
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
            return [target]
        case ast.Call(func=ast.Attribute(attr="update" | "__setitem__" | "setdefault" | "pop", value=target)) if (
            "__dict__" in ast.unparse(target) or ast.unparse(target) == "sys.modules"
        ):
            return [target]
        case _:
            return []
    flat = [part for target in written for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [target for target in flat if isinstance(target, ast.Attribute | ast.Subscript)]


def _module_of(node: ast.expr, modules: dict[str, str]) -> str:
    """The top-level module in which a chain of attributes and items begins; empty if it begins elsewhere."""
    while True:
        match node:
            case (
                ast.Attribute(value=inner)
                | ast.Subscript(value=inner)
                | ast.Call(func=ast.Name(id="vars"), args=[inner])
            ):
                node = inner
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if _imports_by_name(node):
                return name.partition(".")[0]
            case ast.Name(id=name):
                return modules.get(name, "")
            case _:
                return ""


def _imports_by_name(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module")):
            return True
    return False


def asks_for_tests(code: Code) -> Iterator[Sign]:
    """Programs that ask whether they are being tested, or skip their tests."""
    modules = code.modules
    for node in code.each(ast.Constant, ast.Compare, ast.Attribute, ast.ImportFrom):
        match node:
            case ast.Constant(value=str(text)) if "PYTEST_" in text:
                yield make_sign("test_awareness", "tampering", node)
            case ast.Compare(left=ast.Constant(value="pytest" | "_pytest" | "unittest"), ops=[ast.In() | ast.NotIn()]):
                yield make_sign("test_awareness", "tampering", node)
            case ast.Attribute(value=value, attr=name) if name in _SKIPS and _module_of(value, modules) in (
                "pytest",
                "unittest",
            ):
                yield make_sign("skip", "tampering", node)
            case ast.ImportFrom(module="pytest" | "unittest" | "_pytest.outcomes", names=aliases):
                if any(alias.name in _SKIPS for alias in aliases):
                    yield make_sign("skip", "tampering", node)


def hidden_code(code: Code) -> Iterator[Sign]:
    """Code that is run from a text which is first decoded, unpacked or put together: what it says cannot be read."""
    for node in code.each(ast.Call):
        match node:
            case ast.Call(func=ast.Name(id="exec" | "eval" | "compile" | "__import__"), args=[given, *_]) if any(
                _called_name(part) in _DECODING for part in ast.walk(given)
            ):
                yield make_sign("hidden_code", "tampering", node)


def _called_name(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


HARNESS_RULES: Final[tuple[Rule, ...]] = (names, imports, exits, patched_modules, asks_for_tests, hidden_code)
